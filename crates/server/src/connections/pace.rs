//! The slowest pace of a client. In each span of time it has to move a number of bytes, or all that
//! there are: this cuts off a client that sends or reads a byte a minute, and not one on a slow
//! line.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

/// The bytes that must move in each span of time, unless fewer are left.
pub(super) const BYTES_MIN: usize = 256 << 10;

/// Watches that enough bytes move.
pub(super) struct Pace {
    time: Duration,
    /// The bytes of this span.
    moved: usize,
    /// The end of this span, which began with a wait.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    pub(super) fn new(time: Duration) -> Pace {
        Pace { time, moved: 0, deadline: None }
    }

    /// Counts bytes that were moved.
    pub(super) fn moved(&mut self, bytes: usize) {
        self.moved += bytes;
        if self.moved >= BYTES_MIN {
            self.rest();
        }
    }

    /// Ends the span: nothing is waited for.
    pub(super) fn rest(&mut self) {
        self.moved = 0;
        self.deadline = None;
    }

    /// Waits for bytes: ready when the span ends before enough have moved.
    pub(super) fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(self.time)));
        deadline.as_mut().poll(cx)
    }
}

/// The error of a body that arrives too slowly.
#[derive(Debug)]
pub(crate) struct TooSlow;

impl fmt::Display for TooSlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body arrived too slowly")
    }
}

impl std::error::Error for TooSlow {}

/// The body of a request, which fails when it arrives too slowly.
pub(super) struct PacedBody {
    body: Incoming,
    pace: Pace,
}

impl PacedBody {
    pub(super) fn new(body: Incoming, time: Duration) -> PacedBody {
        PacedBody { body, pace: Pace::new(time) }
    }
}

impl Body for PacedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) else {
            ready!(self.pace.poll_late(cx));
            return Poll::Ready(Some(Err(TooSlow.into())));
        };
        if let Some(Ok(frame)) = &frame {
            self.pace.moved(frame.data_ref().map_or(0, Bytes::len));
        }
        Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
