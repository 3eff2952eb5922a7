//! Live messages about changes: a WebSocket for the page, server-sent events for curl. (The page
//! does not use the latter: over HTTP/1.1 a browser's seventh tab would hang.)

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::Editor;
use super::connections::Limits;
use super::extract::InQuery;
use super::hub::{Hub, Unseen};
use super::jobs::wire::JobId;
use super::problem::{ApiResult, Problem};
use super::viewers::Viewer;

/// The longest message that a page sends, in bytes.
const MESSAGE_BYTES_MAX: usize = 4_096;

/// The number of live connections of each address.
#[derive(Debug, Default)]
pub(crate) struct LiveConnections(Mutex<BTreeMap<IpAddr, usize>>);

/// A live connection, counted until it is dropped.
struct LiveConnection {
    all: Arc<LiveConnections>,
    address: IpAddr,
}

impl LiveConnections {
    /// Counts a live connection, unless its client has `max` of them.
    fn admit(self: &Arc<Self>, client: SocketAddr, max: usize) -> ApiResult<LiveConnection> {
        let address = client.ip().to_canonical();
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address).or_default();
        if *count >= max {
            let title = format!("{address} has {max} live connections, and may not have more");
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, title)
                .help("close pages or streams that you do not need"));
        }
        *count += 1;
        Ok(LiveConnection { all: Arc::clone(self), address })
    }
}

impl Drop for LiveConnection {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// The first message of a page.
#[derive(Debug, Default, Deserialize)]
struct HelloMessage {
    #[serde(default)]
    after: u64,
    #[serde(default)]
    epoch: String,
    /// The live analyses that it watches; `None`: all.
    watch: Option<Vec<JobId>>,
}

/// A later message of a page: it watches these live analyses, and no others.
#[derive(Debug, Deserialize)]
struct WatchMessage {
    watch: Vec<JobId>,
}

/// Live messages over a WebSocket.
///
/// Send one message `{"after": N, "epoch": E}` with the last number seen (0 at first): the answer
/// is `hello`, then every message after N; or `reset`, when the client must load everything again.
/// `{"watch": [7]}`, with the first message or later, names the live analyses that this connection
/// watches; a connection that never names any watches all. An analysis without a viewer ends.
#[cfg_attr(test, utoipa::path(get, path = "/live", tag = "live",
    responses((status = 101), (status = 429, body = Problem))))]
pub(crate) async fn live(
    State(editor): State<Arc<Editor>>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    upgrade: WebSocketUpgrade,
) -> ApiResult<Response> {
    let listener = editor.listeners.admit(client, editor.limits.live_per_client)?;
    let upgrade = upgrade
        .max_message_size(MESSAGE_BYTES_MAX)
        .max_frame_size(MESSAGE_BYTES_MAX)
        .read_buffer_size(MESSAGE_BYTES_MAX);
    Ok(upgrade.on_upgrade(move |socket| async move {
        converse(socket, &editor.hub, editor.limits, &editor.viewers.join()).await;
        drop(listener);
    }))
}

async fn converse(mut socket: WebSocket, hub: &Hub, limits: Limits, viewer: &Viewer) {
    let hello = timeout(limits.header, socket.recv()).await;
    let Ok(Some(Ok(Message::Text(text)))) = hello else { return };
    let hello: HelloMessage = serde_json::from_str(&text).unwrap_or_default();
    if let Some(jobs) = hello.watch {
        viewer.watch(jobs);
    }
    let version = env!("CARGO_PKG_VERSION");
    let is_known =
        hello.epoch == hub.epoch() && !matches!(hub.after(hello.after), Unseen::Dropped(_));
    let (event, mut seen) = if is_known { ("hello", hello.after) } else { ("reset", hub.last()) };
    // A new page has nothing to load again.
    let event = if hello.epoch.is_empty() { "hello" } else { event };
    let first = json!({ "seq": seen, "event": event, "epoch": hub.epoch(), "version": version });
    if socket.send(Message::Text(first.to_string().into())).await.is_err() {
        return;
    }
    let mut ping = interval_at(Instant::now() + limits.ping, limits.ping);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_alive = true;
    loop {
        match hub.after(seen) {
            Unseen::Messages(messages) => {
                for message in messages {
                    seen = message.seq;
                    if socket.send(Message::Text(message.text.as_ref().into())).await.is_err() {
                        return;
                    }
                }
            }
            Unseen::Dropped(last) => {
                seen = last;
                if socket.send(Message::Text(reset(hub, last).into())).await.is_err() {
                    return;
                }
            }
        }
        tokio::select! {
            goes_on = hub.wait(seen) => if !goes_on { return },
            received = socket.recv() => match received {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(message)) => {
                    is_alive = true;
                    if let Message::Text(text) = message
                        && let Ok(WatchMessage { watch }) = serde_json::from_str(&text)
                    {
                        viewer.watch(watch);
                    }
                }
            },
            _ = ping.tick() => {
                // A client that is alive has answered the last ping.
                let ping = Message::Ping(Vec::new().into());
                if !std::mem::take(&mut is_alive) || socket.send(ping).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// The message after which a client must load everything again.
fn reset(hub: &Hub, last: u64) -> String {
    json!({ "seq": last, "event": "reset", "epoch": hub.epoch() }).to_string()
}

/// The first message of the stream.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct AfterQuery {
    /// The last number seen; without it, only new messages are sent.
    after: Option<u64>,
}

/// Live messages as server-sent events: `curl -N URL/api/events`.
#[cfg_attr(test, utoipa::path(get, path = "/events", tag = "live", params(AfterQuery),
    responses((status = 200, content_type = "text/event-stream", body = String),
        (status = 400, body = Problem), (status = 429, body = Problem))))]
pub(crate) async fn events(
    State(editor): State<Arc<Editor>>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    InQuery(AfterQuery { after }): InQuery<AfterQuery>,
    headers: HeaderMap,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let listener = editor.listeners.admit(client, editor.limits.live_per_client)?;
    let alive = KeepAlive::new().interval(editor.limits.ping);
    let last_id = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let seen = last_id.or(after).unwrap_or_else(|| editor.hub.last());
    // A stream has every message, so it watches every live analysis.
    let listener = (listener, editor.viewers.join());
    let state = (editor, listener, seen, VecDeque::new());
    let messages = stream::unfold(state, |(editor, listener, mut seen, mut ready)| async move {
        loop {
            if let Some(message) = ready.pop_front() {
                let message: super::hub::Message = message;
                let event = Event::default().id(message.seq.to_string()).data(&*message.text);
                return Some((Ok(event), (editor, listener, message.seq, ready)));
            }
            match editor.hub.after(seen) {
                Unseen::Messages(messages) if messages.is_empty() => {
                    if !editor.hub.wait(seen).await {
                        return None;
                    }
                }
                Unseen::Messages(messages) => ready = messages.into(),
                Unseen::Dropped(last) => {
                    seen = last;
                    let event =
                        Event::default().id(last.to_string()).data(reset(&editor.hub, last));
                    return Some((Ok(event), (editor, listener, seen, ready)));
                }
            }
        }
    });
    Ok(Sse::new(messages).keep_alive(alive))
}
