//! The connections of clients. Limits on sockets, the time of each step and memory hold before the
//! guard reads a token. `requests` limits the requests at a time, `pace` the slowness of clients.
//!
//! A connection costs the memory that HTTP needs to read one head, and nothing else: all
//! connections share one router. (`axum::serve` copies the router and its state for each
//! connection.)

mod pace;
pub(crate) mod requests;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

pub(crate) use pace::TooSlow;
use pace::{Pace, PacedBody};

/// The most sockets at a time.
const SOCKETS_MAX: usize = 2_000;
/// The most requests at a time.
const REQUESTS_MAX: usize = 256;
/// The most live connections (WebSockets and event streams) of one address.
const LIVE_PER_CLIENT_MAX: usize = 128;
/// The time in which the head of a request must arrive, from the opening of the connection or from
/// the end of the answer before it.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// The time in which the next [`pace::BYTES_MIN`] bytes of a body must arrive.
const BODY_TIME: Duration = Duration::from_secs(30);
/// The time in which a client must read the next [`pace::BYTES_MIN`] bytes of an answer.
const IDLE_TIME: Duration = Duration::from_secs(30);
/// The time between two signs of life on an idle live connection.
const PING_EVERY: Duration = Duration::from_secs(20);
/// The time for requests under way to end when the server stops.
const STOP_TIME: Duration = Duration::from_secs(10);
/// The time that the answer to a wrong token is held back.
const WRONG_TOKEN_TIME: Duration = Duration::from_secs(1);

/// The most bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 32 << 10;
/// The most bytes that a connection reads ahead, and the most that wait to be written.
const BUFFER_BYTES_MAX: usize = 64 << 10;
/// The most clients at a time that are refused with an answer; further connections are closed.
const REFUSALS_MAX: usize = 64;
/// The time in which a refused client must read the answer.
const REFUSAL_TIME: Duration = Duration::from_secs(2);
/// The pause after a connection could not be accepted: others must close theirs first.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// The answer to a client that connects when all sockets are taken.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
    Content-Type: application/problem+json\r\nRetry-After: 10\r\nConnection: close\r\n\
    Content-Length: 108\r\n\r\n\
    {\"status\":503,\"title\":\"the server has too many connections\",\"help\":\"close some, \
    or try again in 10 seconds\"}";

/// What clients may take of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) sockets: usize,
    pub(crate) requests: usize,
    pub(crate) live_per_client: usize,
    pub(crate) header: Duration,
    pub(crate) body: Duration,
    pub(crate) idle: Duration,
    pub(crate) ping: Duration,
    pub(crate) stop: Duration,
    pub(crate) wrong_token: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            sockets: SOCKETS_MAX,
            requests: REQUESTS_MAX,
            live_per_client: LIVE_PER_CLIENT_MAX,
            header: HEADER_TIME,
            body: BODY_TIME,
            idle: IDLE_TIME,
            ping: PING_EVERY,
            stop: STOP_TIME,
            wrong_token: WRONG_TOKEN_TIME,
        }
    }
}

/// Answers on all connections until `stop`, and then until the requests under way are answered.
/// A permit of `sockets` is a connection.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    sockets: Arc<Semaphore>,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header)
        .max_header_size(HEAD_BYTES_MAX)
        .max_buf_size(BUFFER_BYTES_MAX);
    let router = TowerToHyperService::new(router.with_state::<()>(()));
    let refusals = Arc::new(Semaphore::new(REFUSALS_MAX));
    let (stopping, stopped) = watch::channel(false);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, client)) = accepted else {
            sleep(ACCEPT_PAUSE).await;
            continue;
        };
        match Arc::clone(&sockets).try_acquire_owned() {
            Ok(slot) => {
                let socket = Socket { stream, pace: Pace::new(limits.idle), _slot: slot };
                let answers = answers(router.clone(), client, limits.body);
                tokio::spawn(serve_connection(http.clone(), socket, answers, stopped.clone()));
            }
            Err(_) => {
                if let Ok(slot) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(async move {
                        let _answered = timeout(REFUSAL_TIME, refuse(stream)).await;
                        drop(slot);
                    });
                }
            }
        }
    }
    drop(listener);
    stopping.send_replace(true);
    let all = u32::try_from(limits.sockets).unwrap_or(u32::MAX);
    // Connections that are still open are cut off.
    let _ended = timeout(limits.stop, sockets.acquire_many(all)).await;
}

/// The service that answers the requests of one connection.
fn answers(
    router: TowerToHyperService<Router>,
    client: SocketAddr,
    body_time: Duration,
) -> impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> {
    service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(|body| Body::new(PacedBody::new(body, body_time)));
        request.extensions_mut().insert(ConnectInfo(client));
        router.call(request)
    })
}

/// Serves a connection to its end; after `stopped`, only to the end of the request under way.
async fn serve_connection(
    http: http1::Builder,
    socket: Socket,
    answers: impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>,
    mut stopped: watch::Receiver<bool>,
) {
    let connection = http.serve_connection(TokioIo::new(socket), answers).with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        // The error of a client that breaks off or is too slow does not concern the user.
        _ended = connection.as_mut() => return,
        _ = stopped.wait_for(|&stopped| stopped) => connection.as_mut().graceful_shutdown(),
    }
    let _ended = connection.await;
}

/// Answers that all sockets are taken, and reads until the client closes: unread data would make
/// the system drop the answer.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    stream.writable().await?;
    stream.try_write(REFUSAL)?;
    std::future::poll_fn(|cx| Pin::new(&mut stream).poll_shutdown(cx)).await?;
    let mut ignored = [0; 1024];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut ignored) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// A connection whose client must read its answers. Its slot is free when it is closed, also when
/// HTTP has handed it on to a WebSocket.
struct Socket {
    stream: TcpStream,
    pace: Pace,
    _slot: OwnedSemaphorePermit,
}

impl Socket {
    /// The outcome of a write; an error if no byte was written for too long.
    fn written(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(Ok(bytes)) => self.pace.moved(*bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                ready!(self.pace.poll_late(cx));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        written
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Everything has been written.
        self.pace.rest();
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
