//! Documents: game trees.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use super::EditorState;
use crate::extract::{Body, InPath, InQuery, RawBody, blocking};
use crate::problem::ApiResult;
#[cfg(test)]
use crate::problem::Problem;
use crate::{reading, wire};

/// All documents, the latest changed first.
#[cfg_attr(test, utoipa::path(get, path = "/documents", tag = "documents",
    responses((status = 200, body = Vec<wire::DocumentSummary>))))]
pub(super) async fn list(
    State(editor): EditorState,
) -> ApiResult<Json<Vec<wire::DocumentSummary>>> {
    blocking(move || editor.library.list().map(Json)).await
}

/// A new document: an empty board, or a position.
#[cfg_attr(test, utoipa::path(post, path = "/documents", tag = "documents", request_body = wire::NewDocument,
    responses((status = 201, body = wire::Document), (status = 400, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn create(
    State(editor): EditorState,
    Body(new): Body<wire::NewDocument>,
) -> ApiResult<(StatusCode, Json<wire::Document>)> {
    blocking(move || Ok((StatusCode::CREATED, Json(editor.library.create(&new)?)))).await
}

/// Makes a document of a file: SGF, Little Golem, CCGC, psq, RenLib, connectk, a diagram, moves, or
/// a certificate, which is checked.
#[cfg_attr(test, utoipa::path(post, path = "/documents/open", tag = "documents", params(wire::OpenQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = wire::Opened), (status = 400, body = Problem),
        (status = 409, body = Problem), (status = 413, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn open(
    State(editor): EditorState,
    InQuery(query): InQuery<wire::OpenQuery>,
    RawBody(bytes): RawBody,
) -> ApiResult<(StatusCode, Json<wire::Opened>)> {
    blocking(move || Ok((StatusCode::CREATED, Json(editor.library.open_file(&bytes, &query)?))))
        .await
}

/// The games of a file, to choose one from; a file with one game is a list of one.
#[cfg_attr(test, utoipa::path(post, path = "/collection", tag = "documents",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Vec<wire::GameSummary>), (status = 413, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn collection(RawBody(bytes): RawBody) -> ApiResult<Json<Vec<wire::GameSummary>>> {
    blocking(move || reading::games(&bytes).map(Json)).await
}

/// A document.
#[cfg_attr(test, utoipa::path(get, path = "/documents/{id}", tag = "documents", params(("id" = String, Path)),
    responses((status = 200, body = wire::Document), (status = 404, body = Problem))))]
pub(super) async fn get(
    State(editor): EditorState,
    InPath(id): InPath<String>,
) -> ApiResult<Json<wire::Document>> {
    blocking(move || editor.library.document(&id).map(Json)).await
}

/// Deletes a document for good.
#[cfg_attr(test, utoipa::path(delete, path = "/documents/{id}", tag = "documents", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = Problem))))]
pub(super) async fn remove(
    State(editor): EditorState,
    InPath(id): InPath<String>,
) -> ApiResult<StatusCode> {
    blocking(move || editor.library.remove(&id).map(|()| StatusCode::NO_CONTENT)).await
}

/// Stores where the reader is, which is not an edit.
#[cfg_attr(test, utoipa::path(put, path = "/documents/{id}/at", tag = "documents", params(("id" = String, Path)),
    request_body = wire::At,
    responses((status = 204), (status = 400, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn set_at(
    State(editor): EditorState,
    InPath(id): InPath<String>,
    Body(at): Body<wire::At>,
) -> ApiResult<StatusCode> {
    blocking(move || editor.library.set_at(&id, at.node).map(|()| StatusCode::NO_CONTENT)).await
}

/// Makes an edit, and stores it at once.
#[cfg_attr(test, utoipa::path(post, path = "/documents/{id}/edits", tag = "documents",
    params(("id" = String, Path)), request_body = wire::Edit,
    responses((status = 200, body = wire::Edited), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn edit(
    State(editor): EditorState,
    InPath(id): InPath<String>,
    Body(edit): Body<wire::Edit>,
) -> ApiResult<Json<wire::Edited>> {
    blocking(move || {
        if let wire::Edit::Paste { text, .. } = &edit {
            reading::one_game(text.as_bytes())?;
        }
        editor.library.edit(&id, &edit).map(Json)
    })
    .await
}

/// Takes the last edit back.
#[cfg_attr(test, utoipa::path(post, path = "/documents/{id}/undo", tag = "documents",
    params(("id" = String, Path)),
    responses((status = 200, body = wire::Edited), (status = 404, body = Problem),
        (status = 409, body = Problem))))]
pub(super) async fn undo(
    State(editor): EditorState,
    InPath(id): InPath<String>,
) -> ApiResult<Json<wire::Edited>> {
    blocking(move || editor.library.undo(&id).map(Json)).await
}

/// Makes the last edit that was taken back again.
#[cfg_attr(test, utoipa::path(post, path = "/documents/{id}/redo", tag = "documents",
    params(("id" = String, Path)),
    responses((status = 200, body = wire::Edited), (status = 404, body = Problem),
        (status = 409, body = Problem))))]
pub(super) async fn redo(
    State(editor): EditorState,
    InPath(id): InPath<String>,
) -> ApiResult<Json<wire::Edited>> {
    blocking(move || editor.library.redo(&id).map(Json)).await
}

/// A window of the tree as rows.
#[cfg_attr(test, utoipa::path(post, path = "/documents/{id}/rows", tag = "documents",
    params(("id" = String, Path)), request_body = wire::RowsQuery,
    responses((status = 200, body = wire::Rows), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn rows(
    State(editor): EditorState,
    InPath(id): InPath<String>,
    Body(query): Body<wire::RowsQuery>,
) -> ApiResult<Json<wire::Rows>> {
    blocking(move || editor.library.rows(&id, &query).map(Json)).await
}

/// The nodes that fit all conditions.
#[cfg_attr(test, utoipa::path(get, path = "/documents/{id}/find", tag = "documents",
    params(("id" = String, Path), wire::FindQuery),
    responses((status = 200, body = wire::Found), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn find(
    State(editor): EditorState,
    InPath(id): InPath<String>,
    InQuery(query): InQuery<wire::FindQuery>,
) -> ApiResult<Json<wire::Found>> {
    blocking(move || editor.library.find(&id, &query).map(Json)).await
}

/// The nodes to show in place of a deleted one.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Instead {
    /// The nodes to show if the node is deleted, the first that exists: `12,7,0`.
    or: Option<String>,
}

/// A node, with all that the board shows of it.
#[cfg_attr(test, utoipa::path(get, path = "/documents/{id}/nodes/{node}", tag = "documents",
    params(("id" = String, Path), ("node" = u32, Path), Instead),
    responses((status = 200, body = wire::Node), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn node(
    State(editor): EditorState,
    InPath((id, node)): InPath<(String, u32)>,
    InQuery(Instead { or }): InQuery<Instead>,
) -> ApiResult<Json<wire::Node>> {
    blocking(move || {
        let others = or.iter().flat_map(|list| list.split(','));
        let others: Vec<u32> = others.filter_map(|number| number.trim().parse().ok()).collect();
        let there = editor.library.first_existing(&id, node, &others)?;
        editor.library.node(&id, there).map(Json)
    })
    .await
}

/// The threats of both sides at a node.
#[cfg_attr(test, utoipa::path(get, path = "/documents/{id}/nodes/{node}/threats", tag = "documents",
    params(("id" = String, Path), ("node" = u32, Path)),
    responses((status = 200, body = wire::Threats), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn threats(
    State(editor): EditorState,
    InPath((id, node)): InPath<(String, u32)>,
) -> ApiResult<Json<wire::Threats>> {
    blocking(move || editor.library.threats(&id, node).map(Json)).await
}
