//! What happens, as it happens: a WebSocket for the page, server-sent events for curl. (The page
//! does not use the latter: over HTTP/1.1 a browser's seventh tab would hang.)

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;

use super::Editor;
use super::hub::{Hub, Missed};

/// A listener that says nothing for so long is asked whether it is still there.
const PING_EVERY: Duration = Duration::from_secs(20);
/// The longest message that a page sends.
const MESSAGE_BYTES_MAX: usize = 4_096;

/// What a page says when it connects.
#[derive(Debug, Default, Deserialize)]
struct Hello {
    #[serde(default)]
    after: u64,
    #[serde(default)]
    epoch: String,
}

/// Everything that happens, over a WebSocket.
///
/// Send one message `{"after": N, "epoch": E}` with the last number seen (0 at first): the answer
/// is `hello`, then every message after N; or `reset`, when everything has to be asked for again.
#[utoipa::path(get, path = "/live", tag = "live", responses((status = 101)))]
pub(crate) async fn live(State(editor): State<Arc<Editor>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(MESSAGE_BYTES_MAX)
        .on_upgrade(move |socket| async move { talk(socket, &editor.hub).await })
}

async fn talk(mut socket: WebSocket, hub: &Hub) {
    let Some(Ok(Message::Text(text))) = socket.recv().await else { return };
    let hello: Hello = serde_json::from_str(&text).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let is_known =
        hello.epoch == hub.epoch() && !matches!(hub.after(hello.after), Missed::TooMuch(_));
    let (event, mut seen) = if is_known { ("hello", hello.after) } else { ("reset", hub.last()) };
    // A new page has nothing that it would have to ask for again.
    let event = if hello.epoch.is_empty() { "hello" } else { event };
    let first = json!({ "seq": seen, "event": event, "epoch": hub.epoch(), "version": version });
    if socket.send(Message::Text(first.to_string().into())).await.is_err() {
        return;
    }
    loop {
        match hub.after(seen) {
            Missed::These(messages) => {
                for message in messages {
                    seen = message.seq;
                    if socket.send(Message::Text(message.text.as_ref().into())).await.is_err() {
                        return;
                    }
                }
            }
            Missed::TooMuch(last) => {
                seen = last;
                let reset = json!({ "seq": seen, "event": "reset", "epoch": hub.epoch() });
                if socket.send(Message::Text(reset.to_string().into())).await.is_err() {
                    return;
                }
            }
        }
        tokio::select! {
            goes_on = hub.wait(seen) => if !goes_on { return },
            heard = socket.recv() => match heard {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            () = tokio::time::sleep(PING_EVERY) => {
                if socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct After {
    /// The last number seen; else only what is new.
    after: Option<u64>,
}

/// Everything that happens, as server-sent events: `curl -N URL/api/events`.
#[utoipa::path(get, path = "/events", tag = "live", params(After),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub(crate) async fn events(
    State(editor): State<Arc<Editor>>,
    Query(After { after }): Query<After>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let last_id = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let seen = last_id.or(after).unwrap_or_else(|| editor.hub.last());
    let messages =
        stream::unfold((editor, seen, Vec::new()), |(editor, mut seen, mut ready)| async move {
            loop {
                if !ready.is_empty() {
                    let message: super::hub::Message = ready.remove(0);
                    let event = Event::default().id(message.seq.to_string()).data(&*message.text);
                    return Some((Ok(event), (editor, message.seq, ready)));
                }
                match editor.hub.after(seen) {
                    Missed::These(messages) if messages.is_empty() => {
                        if !editor.hub.wait(seen).await {
                            return None;
                        }
                    }
                    Missed::These(messages) => ready = messages,
                    Missed::TooMuch(last) => {
                        let epoch = editor.hub.epoch();
                        let reset = json!({ "seq": last, "event": "reset", "epoch": epoch });
                        seen = last;
                        let event = Event::default().id(last.to_string()).data(reset.to_string());
                        return Some((Ok(event), (editor, seen, ready)));
                    }
                }
            }
        });
    Sse::new(messages).keep_alive(KeepAlive::default())
}
