//! The files of the page, which are part of the program.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// A file of the built page.
struct Asset {
    /// The path below `web/dist`, and in the address.
    path: &'static str,
    /// Its media type.
    kind: &'static str,
    bytes: &'static [u8],
}

/// A row of [`ASSETS`]. The compiler reads the file, so a file that is missing is its error.
macro_rules! asset {
    ($path:literal, $kind:literal) => {
        Asset {
            path: $path,
            kind: $kind,
            bytes: include_bytes!(concat!("../../../web/dist/", $path)),
        }
    };
}

/// The built page: all of `web/dist`, which `npm run build` in `web/` makes. The files have the
/// same names in every build.
const ASSETS: &[Asset] = &[
    asset!("index.html", "text/html; charset=utf-8"),
    asset!("favicon.svg", "image/svg+xml"),
    asset!("assets/index.js", "text/javascript; charset=utf-8"),
    asset!("assets/style.css", "text/css; charset=utf-8"),
];

/// A file of the page; the page itself for the root.
pub(crate) async fn file(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    match ASSETS.iter().find(|asset| asset.path == path) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.kind)], asset.bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use futures_util::FutureExt;

    use super::*;

    /// The status and the media type of the answer to a path.
    fn answer(path: &'static str) -> (StatusCode, String) {
        let answer = file(Uri::from_static(path)).now_or_never().expect("nothing to wait for");
        let kind = answer.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
        (answer.status(), kind)
    }

    #[test]
    fn the_root_is_the_page_and_the_page_finds_its_files() {
        assert_eq!(answer("/"), (StatusCode::OK, String::from("text/html; charset=utf-8")));
        assert_eq!(answer("/favicon.svg"), (StatusCode::OK, String::from("image/svg+xml")));
        assert_eq!(answer("/assets").0, StatusCode::NOT_FOUND);
        let page = std::str::from_utf8(ASSETS[0].bytes).unwrap();
        let named = page.split("\"./").skip(1).filter_map(|rest| rest.split('"').next());
        for path in named {
            assert!(ASSETS.iter().any(|asset| asset.path == path), "the page needs {path}");
        }
    }

    /// The files below a folder, as paths with `/` from there.
    fn files(folder: &Path, prefix: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                paths.extend(files(&entry.path(), &format!("{path}/")));
            } else {
                paths.push(path);
            }
        }
        paths
    }

    #[test]
    fn the_program_has_every_file_of_the_built_page() {
        let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
        for path in files(&dist, "") {
            assert!(
                ASSETS.iter().any(|asset| asset.path == path),
                "the program lacks web/dist/{path}: add a row to ASSETS in crates/server/src/assets.rs"
            );
        }
    }
}
