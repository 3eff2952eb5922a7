//! The REST API, a file for each kind of thing. `/api/openapi.json` describes it; the description
//! is made from the same definitions.

mod documents;
mod exports;
mod farm;
mod general;
mod jobs;
mod proofs;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::header;
use axum::routing::get;
use serde_json::Value;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::problem::Problem;
use super::{Editor, live};

/// The largest body, unless it is a file.
const BODY_BYTES_MAX: usize = 8 << 20;
/// The largest file.
const FILE_BYTES_MAX: usize = 64 << 20;
/// What the definitions say about the type of a problem, and what it is.
const JSON_TYPE: &str = "application/json";
const PROBLEM_TYPE: &str = "application/problem+json";
const PROBLEM_SCHEMA: &str = "#/components/schemas/Problem";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "sixproof",
        description = "The editor's API: documents (game trees), proofs (certificates that were \
                       checked), jobs (searches and games), and what happens, live. Errors are \
                       problem documents."
    ),
    servers((url = "/api")),
    components(schemas(Problem))
)]
struct Sixproof;

/// All routes, and their description.
pub(crate) fn router(editor: Arc<Editor>) -> axum::Router {
    let files = OpenApiRouter::new()
        .routes(routes!(documents::open))
        .routes(routes!(documents::collection))
        .routes(routes!(proofs::take))
        .layer(DefaultBodyLimit::max(FILE_BYTES_MAX));
    let (router, description) = OpenApiRouter::with_openapi(Sixproof::openapi())
        .routes(routes!(general::status))
        .routes(routes!(general::names))
        .routes(routes!(farm::farm))
        .routes(routes!(general::players))
        .routes(routes!(general::puzzle))
        .routes(routes!(general::position))
        .routes(routes!(documents::list, documents::create))
        .routes(routes!(documents::get, documents::remove))
        .routes(routes!(documents::set_at))
        .routes(routes!(documents::edit))
        .routes(routes!(documents::undo))
        .routes(routes!(documents::redo))
        .routes(routes!(documents::rows))
        .routes(routes!(documents::find))
        .routes(routes!(documents::node))
        .routes(routes!(documents::threats))
        .routes(routes!(exports::subtree))
        .routes(routes!(exports::export))
        .routes(routes!(exports::picture))
        .routes(routes!(proofs::get))
        .routes(routes!(proofs::certificate))
        .routes(routes!(proofs::place))
        .routes(routes!(proofs::answer))
        .routes(routes!(proofs::rows))
        .routes(routes!(proofs::check))
        .routes(routes!(jobs::list, jobs::order))
        .routes(routes!(jobs::get, jobs::forget))
        .routes(routes!(jobs::tree))
        .routes(routes!(jobs::pause))
        .routes(routes!(jobs::resume))
        .routes(routes!(jobs::cancel))
        .routes(routes!(jobs::repeat))
        .routes(routes!(jobs::set_priority))
        .routes(routes!(live::live))
        .routes(routes!(live::events))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .merge(files)
        .with_state(editor)
        .split_for_parts();
    let router = router.fallback(unknown).method_not_allowed_fallback(wrong_method);
    let description = Bytes::from(described(&description).to_string());
    let kind = [(header::CONTENT_TYPE, JSON_TYPE)];
    router.route("/openapi.json", get(move || async move { (kind, description) }))
}

/// The description as JSON. Problems have a type of their own, which is said here for all of them.
fn described(description: &Description) -> Value {
    let mut json = serde_json::to_value(description).unwrap_or_default();
    let items = json.get_mut("paths").and_then(Value::as_object_mut);
    let operations = items.into_iter().flat_map(|items| items.values_mut());
    let operations = operations.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut());
    for operation in operations {
        let Some(answers) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
            continue;
        };
        for content in answers.values_mut().filter_map(|answer| answer.get_mut("content")) {
            let Some(content) = content.as_object_mut() else { continue };
            let is_problem = |plain: &Value| plain["schema"]["$ref"] == PROBLEM_SCHEMA;
            if content.get(JSON_TYPE).is_some_and(is_problem)
                && let Some(plain) = content.remove(JSON_TYPE)
            {
                content.insert(PROBLEM_TYPE.to_string(), plain);
            }
        }
    }
    json
}

async fn unknown() -> Problem {
    Problem::missing("there is nothing of that name").help("/api/openapi.json lists all there is")
}

async fn wrong_method() -> Problem {
    Problem::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "that cannot be done with this")
        .help("/api/openapi.json tells what can")
}
