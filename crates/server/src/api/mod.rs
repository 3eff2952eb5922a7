//! The REST API, with a file for each kind of resource. `/api/openapi.json` describes it; a test
//! makes the description from the same definitions.

#[cfg(test)]
mod description;
mod documents;
mod exports;
mod farm;
mod general;
mod jobs;
mod proofs;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header;
use axum::routing::{delete, get, post, put};

use super::problem::Problem;
use super::{Editor, live};

/// The editor, for the function that answers a request.
type EditorState = State<Arc<Editor>>;

/// The largest body of a request without a file, in bytes.
const BODY_BYTES_MAX: usize = 8 << 20;
/// The largest file, in bytes.
const FILE_BYTES_MAX: usize = 64 << 20;
/// The description of the API.
const DESCRIPTION: &str = include_str!("../../../../docs/openapi.json");

/// The table of all operations: a function for each group, which gives its routes; and for the
/// test of the description, their definitions.
macro_rules! operations {
    ($($group:ident { $($method:ident $path:literal $module:ident::$handler:ident;)* })*) => {
        $(fn $group() -> Router<Arc<Editor>> {
            Router::new()$(.route($path, $method($module::$handler)))*
        })*

        #[cfg(test)]
        const OPERATIONS: &[(&str, &str)] = &[$($((stringify!($method), $path),)*)*];

        #[cfg(test)]
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($($module::$handler,)*)*))]
        struct Operations;
    };
}

operations! {
    usual {
        get "/status" general::status;
        get "/names" general::names;
        get "/farm" farm::farm;
        get "/players" general::players;
        get "/puzzle" general::puzzle;
        post "/positions" general::position;
        get "/documents" documents::list;
        post "/documents" documents::create;
        get "/documents/{id}" documents::get;
        delete "/documents/{id}" documents::remove;
        put "/documents/{id}/at" documents::set_at;
        post "/documents/{id}/edits" documents::edit;
        post "/documents/{id}/undo" documents::undo;
        post "/documents/{id}/redo" documents::redo;
        post "/documents/{id}/rows" documents::rows;
        get "/documents/{id}/find" documents::find;
        get "/documents/{id}/nodes/{node}" documents::node;
        get "/documents/{id}/nodes/{node}/threats" documents::threats;
        get "/documents/{id}/nodes/{node}/sgf" exports::subtree;
        get "/documents/{id}/export" exports::export;
        get "/documents/{id}/nodes/{node}/picture" exports::picture;
        get "/proofs/{hash}" proofs::get;
        get "/proofs/{hash}/certificate" proofs::certificate;
        get "/proofs/{hash}/places/{node}" proofs::place;
        post "/proofs/{hash}/answer" proofs::answer;
        post "/proofs/{hash}/rows" proofs::rows;
        post "/proofs/{hash}/check" proofs::check;
        get "/jobs" jobs::list;
        post "/jobs" jobs::order;
        get "/jobs/{id}" jobs::get;
        delete "/jobs/{id}" jobs::forget;
        get "/jobs/{id}/tree" jobs::tree;
        post "/jobs/{id}/pause" jobs::pause;
        post "/jobs/{id}/resume" jobs::resume;
        post "/jobs/{id}/cancel" jobs::cancel;
        post "/jobs/{id}/repeat" jobs::repeat;
        put "/jobs/{id}/priority" jobs::set_priority;
        get "/live" live::live;
        get "/events" live::events;
    }
    files {
        post "/documents/open" documents::open;
        post "/collection" documents::collection;
        post "/proofs" proofs::take;
    }
}

/// All routes, and their description.
pub(crate) fn router(editor: Arc<Editor>) -> Router {
    usual()
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .merge(files().layer(DefaultBodyLimit::max(FILE_BYTES_MAX)))
        .with_state(editor)
        .route("/openapi.json", get(describe))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
}

async fn describe() -> ([(header::HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION)
}

async fn unknown() -> Problem {
    Problem::missing("there is no such path").help("/api/openapi.json lists all paths")
}

async fn wrong_method() -> Problem {
    Problem::new(
        axum::http::StatusCode::METHOD_NOT_ALLOWED,
        "this path does not support the method",
    )
    .help("/api/openapi.json lists the methods of each path")
}
