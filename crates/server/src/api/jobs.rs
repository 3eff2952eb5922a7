//! Jobs: searches, analyses and the engine's moves.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use super::EditorState;
use crate::extract::{Body, InPath, blocking};
use crate::jobs::wire::{Job, JobOrder, SearchTree};
use crate::problem::ApiResult;
#[cfg(test)]
use crate::problem::Problem;

/// All jobs, the latest first.
#[cfg_attr(test, utoipa::path(get, path = "/jobs", tag = "jobs",
    responses((status = 200, body = Vec<Job>))))]
pub(super) async fn list(State(editor): EditorState) -> Json<Vec<Job>> {
    Json(editor.jobs.list())
}

/// Orders a job.
#[cfg_attr(test, utoipa::path(post, path = "/jobs", tag = "jobs", request_body = JobOrder,
    responses((status = 201, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem))))]
pub(super) async fn order(
    State(editor): EditorState,
    Body(order): Body<JobOrder>,
) -> ApiResult<(StatusCode, Json<Job>)> {
    blocking(move || Ok((StatusCode::CREATED, Json(editor.jobs.order(order)?)))).await
}

/// A job. A request for a live analysis counts as a view of it: without a viewer it ends.
#[cfg_attr(test, utoipa::path(get, path = "/jobs/{id}", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn get(
    State(editor): EditorState,
    InPath(id): InPath<u64>,
) -> ApiResult<Json<Job>> {
    let job = editor.jobs.get(id)?;
    editor.viewers.viewed(Instant::now(), id);
    Ok(Json(job))
}

/// Removes a job that has ended. Its results stay.
#[cfg_attr(test, utoipa::path(delete, path = "/jobs/{id}", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 204), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem))))]
pub(super) async fn forget(
    State(editor): EditorState,
    InPath(id): InPath<u64>,
) -> ApiResult<StatusCode> {
    blocking(move || {
        editor.jobs.forget(id)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// The proof-number tree of a job's search.
#[cfg_attr(test, utoipa::path(get, path = "/jobs/{id}/tree", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = SearchTree), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn tree(
    State(editor): EditorState,
    InPath(id): InPath<u64>,
) -> ApiResult<Json<SearchTree>> {
    Ok(Json((*editor.jobs.tree(id)?).clone()))
}

/// Stops a job until it is resumed. Its work so far is kept.
#[cfg_attr(test, utoipa::path(post, path = "/jobs/{id}/pause", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem))))]
pub(super) async fn pause(
    State(editor): EditorState,
    InPath(id): InPath<u64>,
) -> ApiResult<Json<Job>> {
    blocking(move || Ok(Json(editor.jobs.pause(id)?))).await
}

/// Resumes a paused job.
#[cfg_attr(test, utoipa::path(post, path = "/jobs/{id}/resume", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem))))]
pub(super) async fn resume(
    State(editor): EditorState,
    InPath(id): InPath<u64>,
) -> ApiResult<Json<Job>> {
    blocking(move || Ok(Json(editor.jobs.resume(id)?))).await
}

/// Ends a job for good; a job that has ended stays as it is.
#[cfg_attr(test, utoipa::path(post, path = "/jobs/{id}/cancel", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem))))]
pub(super) async fn cancel(
    State(editor): EditorState,
    InPath(id): InPath<u64>,
) -> ApiResult<Json<Job>> {
    blocking(move || Ok(Json(editor.jobs.cancel(id)?))).await
}

/// Orders the same job again.
#[cfg_attr(test, utoipa::path(post, path = "/jobs/{id}/repeat", tag = "jobs", params(("id" = u64, Path)),
    responses((status = 201, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem))))]
pub(super) async fn repeat(
    State(editor): EditorState,
    InPath(id): InPath<u64>,
) -> ApiResult<(StatusCode, Json<Job>)> {
    blocking(move || Ok((StatusCode::CREATED, Json(editor.jobs.repeat(id)?)))).await
}

/// The priority of a job.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Priority {
    /// -10 to 10, higher first.
    #[cfg_attr(test, schema(minimum = -10, maximum = 10))]
    priority: i32,
}

/// Sets the priority of a job.
#[cfg_attr(test, utoipa::path(put, path = "/jobs/{id}/priority", tag = "jobs", params(("id" = u64, Path)),
    request_body = Priority,
    responses((status = 200, body = Job), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem))))]
pub(super) async fn set_priority(
    State(editor): EditorState,
    InPath(id): InPath<u64>,
    Body(Priority { priority }): Body<Priority>,
) -> ApiResult<Json<Job>> {
    blocking(move || Ok(Json(editor.jobs.set_priority(id, priority)?))).await
}
