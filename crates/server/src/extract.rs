//! The parts of requests: body, query, path. Each is read, or refused with a [`Problem`].

use std::error::Error;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;

use super::connections::{TooSlow, requests};
use super::problem::{ApiResult, Problem, ProblemKind};

/// The body as JSON, whatever its declared content type, so that `curl -d` works. An empty body is
/// an empty object.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> ApiResult<Body<T>> {
        let RawBody(bytes) = RawBody::from_request(request, state).await?;
        let text: &[u8] = if bytes.trim_ascii().is_empty() { b"{}" } else { &bytes };
        serde_json::from_slice(text).map(Body).map_err(|error| {
            let mut problem =
                Problem::bad(format!("the body has another form than expected: {error}"))
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

/// The bytes of the body.
pub(crate) struct RawBody(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> ApiResult<RawBody> {
        Bytes::from_request(request, state).await.map(RawBody).map_err(|rejection| {
            if is_late(&rejection) {
                return Problem::new(StatusCode::REQUEST_TIMEOUT, TooSlow.to_string())
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
    error.is::<TooSlow>() || error.source().is_some_and(is_late)
}

/// The query: what stands after the question mark.
pub(crate) struct InQuery<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for InQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<InQuery<T>> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(value)| InQuery(value)).map_err(|error| {
            Problem::bad(error.body_text()).help("/api/openapi.json describes what can be asked")
        })
    }
}

/// The parameters in the path.
pub(crate) struct InPath<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for InPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<InPath<T>> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(value)| InPath(value))
            .map_err(|error| Problem::bad(error.body_text()).help("nodes and jobs have numbers"))
    }
}

/// Runs work that takes long, or waits for a disk, in a thread where no other request waits for it.
/// A panic ends this request only. The request holds its slot to the end of the work.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let slot = requests::slot();
    let (answer, answered) = oneshot::channel();
    // One type of work for all requests, so that the code of a task is compiled once.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || {
        let outcome = work();
        drop(slot);
        // The client may have gone.
        let _ = answer.send(outcome);
    });
    tokio::task::spawn_blocking(work);
    answered.await.unwrap_or_else(|_| {
        Err(Problem::internal("a bug of the server ended this request")
            .help("please report it, with the steps that led to it"))
    })
}
