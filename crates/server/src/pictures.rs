//! Pictures of a node: SVG, PNG, and GIF with the moves one after the other.

use serde::Deserialize;
use sixproof_game::picture::{Mark, Picture, Theme, ZoneLayers};
use sixproof_game::{Reached, Square};
use sixproof_picture::raster;
use sixproof_solve::notation;

use super::Editor;
use super::problem::{ApiResult, Problem};
use super::wire;

/// Milliseconds between two moves of a GIF, and for the last one.
const FRAME_MS: u32 = 800;
const LAST_FRAME_MS: u32 = 3_200;

/// The kinds of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum PictureFormat {
    #[default]
    Svg,
    Png,
    Gif,
}

/// The numbers on the stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Numbers {
    #[default]
    None,
    /// The number of the move.
    Turn,
    /// The number of the stone.
    Stone,
    /// The number of the move, on the last move only.
    Last,
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum ThemeName {
    #[default]
    Wood,
    Light,
    Dark,
}

/// What to draw.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct PictureQuery {
    #[serde(default)]
    #[cfg_attr(test, param(inline))]
    format: PictureFormat,
    /// Pixels, for PNG and GIF.
    #[cfg_attr(test, param(minimum = 16, maximum = 4000))]
    width: Option<u32>,
    #[serde(default)]
    #[cfg_attr(test, param(inline))]
    numbers: Numbers,
    /// Draw the zone of the node's proof, if it has one.
    #[serde(default)]
    zone: bool,
    #[serde(default = "yes")]
    coordinates: bool,
    #[serde(default)]
    #[cfg_attr(test, param(inline))]
    theme: ThemeName,
    /// A part of the board: `F5:O14`.
    window: Option<String>,
}

fn yes() -> bool {
    true
}

/// The type, the extension and the bytes of a picture.
pub(crate) fn draw(
    editor: &Editor,
    id: &str,
    node: u32,
    query: &PictureQuery,
) -> ApiResult<(&'static str, &'static str, Vec<u8>)> {
    let size = match query.width {
        Some(width) if !(16..=4_000).contains(&width) => {
            return Err(Problem::bad(format!("a width of {width} pixels is out of range"))
                .help("write a width from 16 to 4000 pixels"));
        }
        width => raster::RasterSize::of(width),
    };
    let unreadable = |error: raster::RasterError| Problem::bad(error.to_string());
    Ok(match query.format {
        PictureFormat::Svg => {
            ("image/svg+xml", "svg", picture(editor, id, node, query)?.svg().into_bytes())
        }
        PictureFormat::Png => {
            let svg = picture(editor, id, node, query)?.svg();
            ("image/png", "png", raster::png(&svg, size).map_err(unreadable)?)
        }
        PictureFormat::Gif => {
            let frame = |&node: &u32| Ok(picture(editor, id, node, query)?.svg());
            let path = editor.library.node(id, node)?.path;
            let frames = path.iter().map(frame).collect::<ApiResult<Vec<String>>>()?;
            let gif = raster::gif(&frames, size, FRAME_MS, LAST_FRAME_MS).map_err(unreadable)?;
            ("image/gif", "gif", gif)
        }
    })
}

fn picture(editor: &Editor, id: &str, node: u32, query: &PictureQuery) -> ApiResult<Picture> {
    let Reached { position, played } = editor.library.position_at(id, node)?;
    let game = position.game();
    let shown = editor.library.node(id, node)?;
    let square = |name: &String| wire::square(game, name);
    let numbered: Vec<(Square, u32)> =
        played.iter().map(|&(square, _, turn)| (square, turn)).collect();
    let last: Vec<Square> = notation::last_move(&numbered).collect();
    let mut picture =
        Picture::new(&position).last_move(last.iter().copied()).theme(match query.theme {
            ThemeName::Wood => Theme::Wood,
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        });
    picture = match query.numbers {
        Numbers::None => picture,
        Numbers::Turn => picture.numbers(numbered),
        Numbers::Stone => {
            let stones = numbered.iter().zip(1..).map(|(&(square, _), number)| (square, number));
            picture.numbers(stones)
        }
        Numbers::Last => picture.numbers(numbered.into_iter().filter(|(s, _)| last.contains(s))),
    };
    for label in &shown.labels {
        picture = picture.label(square(&label.square)?, &label.text);
    }
    for marked in &shown.marks {
        picture = picture.mark(square(&marked.square)?, Mark::from(marked.kind));
    }
    for arrow in &shown.arrows {
        picture = picture.arrow(square(&arrow.from)?, square(&arrow.to)?);
    }
    if query.zone
        && let Some(wire::Verdict { certificate: Some(hash), at: Some(at), .. }) = &shown.verdict
    {
        let zone = editor.proofs.get(hash)?.wire_zone(at.node);
        let layer = |names: &[String]| names.iter().map(square).collect::<ApiResult<_>>();
        picture =
            picture.zone(ZoneLayers { solid: layer(&zone.solid)?, hatched: layer(&zone.hatched)? });
    }
    if let Some(window) = &query.window {
        let (a, b) = notation::window(game, window)?;
        picture = picture.window(a, b);
    }
    Ok(picture.coordinates(query.coordinates))
}
