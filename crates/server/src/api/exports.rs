//! Exports: files in other formats, and pictures.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sixproof_game::load::Loaded;
use sixproof_game::sgf;
use sixproof_solve::export::{self, Format};

use super::EditorState;
use crate::extract::{InPath, InQuery, blocking};
use crate::pictures::{self, PictureQuery};
use crate::problem::{ApiResult, Problem};

/// A node and all below it as SGF, to paste it elsewhere.
#[cfg_attr(test, utoipa::path(get, path = "/documents/{id}/nodes/{node}/sgf", tag = "exports",
    params(("id" = String, Path), ("node" = u32, Path)),
    responses((status = 200, content_type = "text/plain", body = String),
        (status = 400, body = Problem), (status = 404, body = Problem))))]
pub(super) async fn subtree(
    State(editor): EditorState,
    InPath((id, node)): InPath<(String, u32)>,
) -> ApiResult<Response> {
    let bytes =
        blocking(move || Ok(sgf::from_record(&editor.library.subtree(&id, node)?).write())).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes).into_response())
}

/// The formats of exported files.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(super) enum ExportFormat {
    /// The whole tree.
    #[default]
    Sgf,
    /// The line to the node.
    Moves,
    LittleGolem,
    Ccgc,
    Psq,
    Connectk,
    /// The position.
    Diagram,
}

/// What to export.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct ExportQuery {
    #[serde(default)]
    #[cfg_attr(test, param(inline))]
    format: ExportFormat,
    /// The node whose line or position is exported, for formats without a tree; without it, the
    /// root.
    node: Option<u32>,
}

/// The document as a file.
#[cfg_attr(test, utoipa::path(get, path = "/documents/{id}/export", tag = "exports",
    params(("id" = String, Path), ExportQuery),
    responses((status = 200, content_type = "text/plain", body = String),
        (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn export(
    State(editor): EditorState,
    InPath(id): InPath<String>,
    InQuery(ExportQuery { format, node }): InQuery<ExportQuery>,
) -> ApiResult<Response> {
    blocking(move || {
        let (format, extension) = match format {
            ExportFormat::Sgf => (Format::Sgf, "sgf"),
            ExportFormat::Moves => (Format::Inline, "txt"),
            ExportFormat::LittleGolem => (Format::LittleGolem, "txt"),
            ExportFormat::Ccgc => (Format::Ccgc, "txt"),
            ExportFormat::Psq => (Format::Psq, "psq"),
            ExportFormat::Connectk => (Format::Connectk, "txt"),
            ExportFormat::Diagram => (Format::Diagram, "txt"),
        };
        let bytes = match format {
            Format::Sgf => sgf::from_record(&editor.library.record(&id)?).write(),
            _ => {
                let record = editor.library.line_record(&id, node.unwrap_or(0))?;
                let loaded = Loaded::at(record, None)
                    .map_err(|error| Problem::internal(error.to_string()))?;
                export::written(&loaded, format)?
            }
        };
        Ok(attached(&editor.library.title(&id)?, extension, "text/plain; charset=utf-8", bytes))
    })
    .await
}

/// The board of a node as a picture; as GIF, all moves to it one after the other.
#[cfg_attr(test, utoipa::path(get, path = "/documents/{id}/nodes/{node}/picture", tag = "exports",
    params(("id" = String, Path), ("node" = u32, Path), PictureQuery),
    responses((status = 200, content((Vec<u8> = "image/png"), (String = "image/svg+xml"),
            (Vec<u8> = "image/gif"))),
        (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn picture(
    State(editor): EditorState,
    InPath((id, node)): InPath<(String, u32)>,
    InQuery(query): InQuery<PictureQuery>,
) -> ApiResult<Response> {
    blocking(move || {
        let (kind, extension, bytes) = pictures::draw(&editor, &id, node, &query)?;
        Ok(attached(&editor.library.title(&id)?, extension, kind, bytes))
    })
    .await
}

/// An answer that the browser saves under the name of its document.
fn attached(title: &str, extension: &str, kind: &str, bytes: Vec<u8>) -> Response {
    let title = title.rsplit_once('.').map_or(title, |(stem, _)| stem);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let mut name: String = title.chars().take(60).map(plain).collect();
    if name.chars().all(|c| c == '-') {
        name = "sixproof".to_string();
    }
    let disposition = format!("attachment; filename=\"{name}.{extension}\"");
    let headers =
        [(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, disposition)];
    (headers, bytes).into_response()
}
