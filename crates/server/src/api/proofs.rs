//! Proofs: certificates that the checker has verified.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;

use super::EditorState;
use crate::extract::{Body, InPath, InQuery, RawBody, blocking};
use crate::problem::{ApiResult, Problem};
use crate::reading::{self, FileContent};
use crate::wire;

/// Accepts a certificate if the checker verifies it.
#[cfg_attr(test, utoipa::path(post, path = "/proofs", tag = "proofs",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = wire::ProofTaken), (status = 413, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn take(
    State(editor): EditorState,
    RawBody(bytes): RawBody,
) -> ApiResult<(StatusCode, Json<wire::ProofTaken>)> {
    blocking(move || match reading::file(&bytes, "certificate", None)? {
        FileContent::Certificate(certificate) => {
            let proof = editor.proofs.take(&certificate)?.wire();
            editor.store.flush()?;
            Ok((StatusCode::CREATED, Json(wire::ProofTaken { proof })))
        }
        FileContent::Tree(..) => {
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not a certificate")
                .help("a certificate begins with `sixproof-certificate`"))
        }
    })
    .await
}

/// The summary of a certificate.
#[cfg_attr(test, utoipa::path(get, path = "/proofs/{hash}", tag = "proofs", params(("hash" = String, Path)),
    responses((status = 200, body = wire::Proof), (status = 404, body = Problem))))]
pub(super) async fn get(
    State(editor): EditorState,
    InPath(hash): InPath<String>,
) -> ApiResult<Json<wire::Proof>> {
    blocking(move || Ok(Json(editor.proofs.get(&hash)?.wire()))).await
}

/// The certificate itself, for `sixproof check`.
#[cfg_attr(test, utoipa::path(get, path = "/proofs/{hash}/certificate", tag = "proofs",
    params(("hash" = String, Path)),
    responses((status = 200, content_type = "text/plain", body = String),
        (status = 404, body = Problem))))]
pub(super) async fn certificate(
    State(editor): EditorState,
    InPath(hash): InPath<String>,
) -> ApiResult<impl IntoResponse> {
    let bytes = {
        let hash = hash.clone();
        blocking(move || editor.proofs.certificate(&hash)).await?
    };
    let short: String = hash.chars().take(12).collect();
    let disposition = format!("attachment; filename=\"proof-{short}.cert\"");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_string()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, bytes))
}

/// Defender stones outside of the zone.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Extra {
    /// Squares with spaces between them.
    extra: Option<String>,
}

/// The board at a place of a proof.
#[cfg_attr(test, utoipa::path(get, path = "/proofs/{hash}/places/{node}", tag = "proofs",
    params(("hash" = String, Path), ("node" = u32, Path), Extra),
    responses((status = 200, body = wire::ProofNode), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn place(
    State(editor): EditorState,
    InPath((hash, node)): InPath<(String, u32)>,
    InQuery(Extra { extra }): InQuery<Extra>,
) -> ApiResult<Json<wire::ProofNode>> {
    blocking(move || {
        let proof = editor.proofs.get(&hash)?;
        let names: Vec<String> =
            extra.unwrap_or_default().split_whitespace().map(str::to_string).collect();
        let extra = wire::squares(proof.game(), &names)?;
        proof.wire_node(node, &extra).map(Json)
    })
    .await
}

/// The answer of a proof to stones of Defender: a move, or its first stones.
#[cfg_attr(test, utoipa::path(post, path = "/proofs/{hash}/answer", tag = "proofs",
    params(("hash" = String, Path)), request_body = wire::AnswerQuery,
    responses((status = 200, body = wire::ProofAnswer), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn answer(
    State(editor): EditorState,
    InPath(hash): InPath<String>,
    Body(query): Body<wire::AnswerQuery>,
) -> ApiResult<Json<wire::ProofAnswer>> {
    blocking(move || editor.proofs.get(&hash)?.wire_answer(&query).map(Json)).await
}

/// A window of the proof as rows.
#[cfg_attr(test, utoipa::path(post, path = "/proofs/{hash}/rows", tag = "proofs",
    params(("hash" = String, Path)), request_body = wire::ProofRowsQuery,
    responses((status = 200, body = wire::ProofRows), (status = 400, body = Problem),
        (status = 404, body = Problem))))]
pub(super) async fn rows(
    State(editor): EditorState,
    InPath(hash): InPath<String>,
    Body(query): Body<wire::ProofRowsQuery>,
) -> ApiResult<Json<wire::ProofRows>> {
    blocking(move || Ok(Json(editor.proofs.get(&hash)?.wire_rows(&query)))).await
}

/// Asks the independent checker to read the certificate again.
#[cfg_attr(test, utoipa::path(post, path = "/proofs/{hash}/check", tag = "proofs",
    params(("hash" = String, Path)),
    responses((status = 200, body = wire::ProofChecked), (status = 404, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn check(
    State(editor): EditorState,
    InPath(hash): InPath<String>,
) -> ApiResult<Json<wire::ProofChecked>> {
    blocking(move || {
        let certificate = editor.proofs.certificate(&hash)?;
        let start = Instant::now();
        let nodes = crate::proofs::certified(&certificate)?.counts().nodes;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Json(wire::ProofChecked { verified: true, nodes, seconds }))
    })
    .await
}
