//! What requests bring along. What is wrong with it is told as a [`Problem`].

use std::error::Error;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;

use super::connections::{Late, requests};
use super::problem::{Answer, Problem, ProblemKind};

/// The body as JSON; the type of its content does not matter, so that `curl -d` will do. An empty
/// body is an empty object.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Answer<Body<T>> {
        let Raw(bytes) = Raw::from_request(request, state).await?;
        let text: &[u8] = if bytes.trim_ascii().is_empty() { b"{}" } else { &bytes };
        serde_json::from_slice(text).map(Body).map_err(|error| {
            let mut problem = Problem::bad(format!("the body is not what is expected: {error}"))
                .help("/api/openapi.json describes what can be sent");
            let line = text.split(|&b| b == b'\n').nth(error.line().saturating_sub(1));
            if let Some(line) = line.filter(|line| line.len() < 200) {
                let line = String::from_utf8_lossy(line);
                let before = error.column().saturating_sub(1);
                problem.place = Some(format!("{line}\n{:before$}^", ""));
            }
            problem
        })
    }
}

/// The body as it is.
pub(crate) struct Raw(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Answer<Raw> {
        Bytes::from_request(request, state).await.map(Raw).map_err(|rejection| {
            if is_late(&rejection) {
                return Problem::new(StatusCode::REQUEST_TIMEOUT, Late.to_string())
                    .help("send it at once, or over a faster line");
            }
            let problem = Problem::new(rejection.status(), rejection.body_text());
            match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => {
                    problem.kind(ProblemKind::TooLarge).help("send less at a time")
                }
                _ => problem,
            }
        })
    }
}

/// Whether an error comes from a body that was too slow.
fn is_late(error: &(dyn Error + 'static)) -> bool {
    error.is::<Late>() || error.source().is_some_and(is_late)
}

/// What stands after the question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Asked<T>> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(value)| Asked(value)).map_err(|error| {
            Problem::bad(error.body_text()).help("/api/openapi.json describes what can be asked")
        })
    }
}

/// What the path names.
pub(crate) struct Named<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Named<T>> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(value)| Named(value))
            .map_err(|error| Problem::bad(error.body_text()).help("nodes and jobs have numbers"))
    }
}

/// Does what takes a while, or waits for a disk, where it keeps nobody else waiting. A mistake of
/// ours ends the request, and nothing else. The slot of the request is held to the end of the work.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let slot = requests::slot();
    let (answer, answered) = oneshot::channel();
    // One type of work for all requests: the compiler makes the code of a task once.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || {
        let done = work();
        drop(slot);
        // The client may have gone.
        let _ = answer.send(done);
    });
    tokio::task::spawn_blocking(work);
    answered.await.unwrap_or_else(|_| {
        Err(Problem::internal("the server made a mistake with this request")
            .help("please report it, with what you did"))
    })
}
