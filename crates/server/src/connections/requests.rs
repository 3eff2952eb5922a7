//! The limit on requests at a time. A request holds its slot until its answer is sent and the work
//! that it began has ended, also when its client is gone; live connections have a limit of their
//! own.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Error, Router};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::BUFFER_BYTES_MAX;
use crate::problem::Problem;

/// The permit that a request holds until it has ended.
pub(crate) type RequestSlot = Arc<OwnedSemaphorePermit>;

tokio::task_local! {
    static SLOT: RequestSlot;
}

/// The slot of the present request, for work that may outlive it.
pub(crate) fn slot() -> Option<RequestSlot> {
    SLOT.try_with(Arc::clone).ok()
}

/// The router with a limit on requests: a permit of `slots` is a request.
pub(crate) fn limited(router: Router, slots: Arc<Semaphore>) -> Router {
    router.layer(middleware::from_fn_with_state(slots, limit))
}

async fn limit(State(slots): State<Arc<Semaphore>>, request: Request, next: Next) -> Response {
    let Ok(slot) = slots.try_acquire_owned() else {
        let problem =
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server has too many requests")
                .help("try again in a second");
        let headers = [(header::CONNECTION, "close"), (header::RETRY_AFTER, "1")];
        return (headers, problem).into_response();
    };
    let slot = Arc::new(slot);
    let response = SLOT.scope(Arc::clone(&slot), next.run(request)).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    if kind == Some(&HeaderValue::from_static("text/event-stream")) {
        return response;
    }
    response.map(|body| Body::new(HeldBody { body, rest: Bytes::new(), _slot: slot }))
}

/// A body that holds the slot of its request until it is sent. It is handed out in pieces, because
/// the slot is free once the last piece is handed out.
struct HeldBody {
    body: Body,
    /// The rest of the last piece of `body`.
    rest: Bytes,
    _slot: RequestSlot,
}

impl hyper::body::Body for HeldBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                other => return Poll::Ready(other),
            }
        }
        let len = self.rest.len().min(BUFFER_BYTES_MAX);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(len)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, after) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(rest.saturating_add(after.lower()));
        if let Some(upper) = after.upper().and_then(|upper| upper.checked_add(rest)) {
            hint.set_upper(upper);
        }
        hint
    }
}
