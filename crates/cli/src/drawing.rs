//! Boards and diagrams: on the terminal, or in files.

use std::path::Path;

use serde_json::json;
use sixproof_game::picture::{Mark, Picture, TerminalStyle, ZoneLayers};
use sixproof_game::{Game, Position, Square};
use sixproof_picture::raster::{self, RasterSize};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::notation;
use sixproof_solve::output::Output;

use crate::options::{PictureArgs, Sides};

/// Draws on the terminal.
pub(crate) fn say(picture: &Picture, ascii: bool, output: Output) {
    // Only a terminal is narrow; files and pipes get the whole board.
    let size = terminal_size::terminal_size_of(std::io::stdout());
    let width = size.map(|(columns, _)| columns.0.into());
    let style = TerminalStyle { color: output.has_colors(), unicode: !ascii, width };
    output.say(picture.terminal(style).trim_end_matches('\n'));
}

pub(crate) fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The picture as a PNG file, of a width in pixels.
pub(crate) fn png(picture: &Picture, width: Option<u32>) -> Result<Vec<u8>> {
    raster::png(&picture.svg(), RasterSize::of(width)).map_err(failure)
}

/// Writes a drawing that is not a board, as SVG or PNG.
pub(crate) fn write(path: &Path, svg: &str) -> Result<()> {
    if extension(path) == "png" {
        return files::write(path, &raster::png(svg, RasterSize::of(None)).map_err(failure)?);
    }
    files::write(path, svg.as_bytes())
}

pub(crate) fn failure(error: raster::RasterError) -> Failure {
    Failure::new(error.to_string())
}

/// A board with everything that the options ask for.
pub(crate) fn board(
    options: &PictureArgs,
    position: &Position,
    played: &[(Square, u32)],
    zone: Option<ZoneLayers>,
) -> Result<Picture> {
    let game = position.game();
    let mut picture =
        Picture::new(position).theme(options.theme.theme()).last_move(notation::last_move(played));
    if options.numbers {
        picture = picture.numbers(played.iter().copied());
    }
    for &color in options.threats.map_or(&[][..], Sides::colors) {
        picture = picture.threats_of(color);
    }
    for label in &options.labels {
        let (square, text) = square_and_text(game, label)?;
        let text = text.ok_or_else(|| {
            Failure::new(format!("`{label}` has no text")).help("write --label K11=a")
        })?;
        picture = picture.label(square, text);
    }
    for mark in &options.marks {
        let (square, shape) = square_and_text(game, mark)?;
        picture = picture.mark(square, parse_mark(shape.unwrap_or("triangle"))?);
    }
    if let Some(zone) = zone {
        picture = picture.zone(zone);
    }
    if let Some(caption) = &options.caption {
        picture = picture.caption(caption);
    }
    if let Some(window) = &options.window {
        let (a, b) = notation::window(game, window)?;
        picture = picture.window(a, b);
    }
    Ok(picture.coordinates(!options.no_coordinates))
}

fn square_and_text(game: Game, text: &str) -> Result<(Square, Option<&str>)> {
    let (name, rest) = match text.split_once('=') {
        Some((name, rest)) => (name, Some(rest)),
        None => (text, None),
    };
    let square = game.parse_square(name).map_err(|e| Failure::new(e.to_string()))?;
    Ok((square, rest))
}

fn parse_mark(shape: &str) -> Result<Mark> {
    Ok(match shape {
        "triangle" => Mark::Triangle,
        "square" => Mark::Square,
        "circle" => Mark::Circle,
        "cross" => Mark::Cross,
        _ => {
            return Err(Failure::new(format!("`{shape}` is not a shape"))
                .help("write triangle, square, circle or cross"));
        }
    })
}

/// The zone as it is drawn.
pub(crate) fn zone_json(game: Game, zone: &ZoneLayers) -> serde_json::Value {
    let names = |squares: &mut dyn Iterator<Item = &Square>| -> Vec<String> {
        squares.map(|&s| game.square_name(s)).collect()
    };
    json!({
        "solid": names(&mut zone.solid.iter()),
        "hatched": names(&mut zone.hatched.iter()),
    })
}

/// What a picture in a file is: `svg` or `png`.
pub(crate) fn kind(path: &Path) -> Result<String> {
    match extension(path) {
        kind if kind == "svg" || kind == "png" => Ok(kind),
        _ => Err(Failure::new(format!("{}: which kind of picture is this?", path.display()))
            .help("name the file .svg or .png")),
    }
}
