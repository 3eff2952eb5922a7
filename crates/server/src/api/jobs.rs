//! Jobs: searches, analyses and the engine's moves.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::Editor;
use crate::extract::{Body, Named, aside};
use crate::jobs::wire::{Job, JobOrder, SearchTree};
use crate::problem::{Answer, Problem};

type At = State<Arc<Editor>>;

/// All jobs, the latest first.
#[utoipa::path(get, path = "/jobs", tag = "jobs", responses((status = 200, body = Vec<Job>)))]
pub(super) async fn list(State(editor): At) -> Json<Vec<Job>> {
    Json(editor.jobs.list())
}

/// Orders a job.
#[utoipa::path(post, path = "/jobs", tag = "jobs", request_body = JobOrder,
    responses((status = 201, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn order(
    State(editor): At,
    Body(order): Body<JobOrder>,
) -> Answer<(StatusCode, Json<Job>)> {
    aside(move || Ok((StatusCode::CREATED, Json(editor.jobs.order(order)?)))).await
}

/// A job. To ask for a live analysis is to watch it: without a viewer it ends.
#[utoipa::path(get, path = "/jobs/{id}", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem)))]
pub(super) async fn get(State(editor): At, Named(id): Named<u64>) -> Answer<Json<Job>> {
    let job = editor.jobs.get(id)?;
    editor.viewers.looked(Instant::now(), id);
    Ok(Json(job))
}

/// Forgets a job that has ended. What it found stays.
#[utoipa::path(delete, path = "/jobs/{id}", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 204), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem)))]
pub(super) async fn forget(State(editor): At, Named(id): Named<u64>) -> Answer<StatusCode> {
    aside(move || {
        editor.jobs.forget(id)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// The proof-number tree of a job's search, as far as it is known.
#[utoipa::path(get, path = "/jobs/{id}/tree", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = SearchTree), (status = 400, body = Problem),
        (status = 404, body = Problem)))]
pub(super) async fn tree(State(editor): At, Named(id): Named<u64>) -> Answer<Json<SearchTree>> {
    Ok(Json((*editor.jobs.tree(id)?).clone()))
}

/// Stops a job for now. What it has found is kept.
#[utoipa::path(post, path = "/jobs/{id}/pause", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn pause(State(editor): At, Named(id): Named<u64>) -> Answer<Json<Job>> {
    aside(move || Ok(Json(editor.jobs.pause(id)?))).await
}

/// Goes on with a job that was paused.
#[utoipa::path(post, path = "/jobs/{id}/resume", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn resume(State(editor): At, Named(id): Named<u64>) -> Answer<Json<Job>> {
    aside(move || Ok(Json(editor.jobs.resume(id)?))).await
}

/// Ends a job for good; one that has ended stays as it is.
#[utoipa::path(post, path = "/jobs/{id}/cancel", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn cancel(State(editor): At, Named(id): Named<u64>) -> Answer<Json<Job>> {
    aside(move || Ok(Json(editor.jobs.cancel(id)?))).await
}

/// Orders the same once more.
#[utoipa::path(post, path = "/jobs/{id}/repeat", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 201, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn repeat(
    State(editor): At,
    Named(id): Named<u64>,
) -> Answer<(StatusCode, Json<Job>)> {
    aside(move || Ok((StatusCode::CREATED, Json(editor.jobs.repeat(id)?)))).await
}

/// How urgent a job is.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Priority {
    /// -10 to 10, higher first.
    #[schema(minimum = -10, maximum = 10)]
    priority: i32,
}

/// Says how urgent a job is.
#[utoipa::path(put, path = "/jobs/{id}/priority", tag = "jobs", params(("id" = u64, Path)),
    request_body = Priority,
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn set_priority(
    State(editor): At,
    Named(id): Named<u64>,
    Body(Priority { priority }): Body<Priority>,
) -> Answer<Json<Job>> {
    aside(move || Ok(Json(editor.jobs.set_priority(id, priority)?))).await
}
