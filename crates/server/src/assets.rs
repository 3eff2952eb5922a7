//! The files of the page, which are part of the program.

use axum::body::Body;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// The built page (`web/dist`, made by `npm run build` in `web/`).
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Page;

/// A file of the page; the page itself for the root.
pub(crate) async fn file(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    match Page::get(path) {
        Some(file) => ([(header::CONTENT_TYPE, kind(path))], Body::from(file.data.into_owned()))
            .into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" | "webmanifest" => "application/json",
        _ => "application/octet-stream",
    }
}
