//! `sixproof show`: a position on the terminal or as a picture.

use std::path::{Path, PathBuf};

use serde_json::json;
use sixproof_game::load::Loaded;
use sixproof_game::picture::{Mark, Picture, TerminalStyle, ZoneLayers};
use sixproof_game::{Color, Game, Position, Square, diagram};
use sixproof_picture::raster::{self, RasterSize};
use sixproof_solve::checked::certify_path;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::notation;
use sixproof_solve::output::Output;

use crate::Exit;
use crate::cli::{self, PictureArgs, Sides};
use crate::source::{self, Source};

/// The last picture of an animation stays so much longer.
const LAST_FRAME_FACTOR: u32 = 4;

pub(crate) fn run(options: &cli::Show, output: Output) -> Result<Exit> {
    if let Some(path) = &options.out {
        files::keep(&[source::file_of(&options.position.position)], path)?;
    }
    let source = source::position(&options.position, output)?;
    let zone = zone(options, &source)?;
    let Loaded { position, played, .. } = &source.loaded;
    let picture = dressed(&options.picture, position, played, zone.clone())?;
    let Some(path) = &options.out else {
        if output.json {
            let mut value = position_json(position, played, zone.as_ref());
            if source.loaded.games > 1 {
                value["number"] = source.loaded.number.into();
                value["games"] = source.loaded.games.into();
            }
            output.say_json(&value);
        } else {
            say_picture(&picture, options.picture.ascii, output);
        }
        return Ok(Exit::Yes);
    };
    let bytes = match extension(path).as_str() {
        "svg" => picture.svg().into_bytes(),
        "png" => png(&picture, options.picture.width)?,
        "gif" => animation(options, &source.loaded, zone)?,
        "txt" => diagram::write(position).into_bytes(),
        _ => {
            return Err(Failure::new(format!(
                "{}: which kind of picture is this?",
                path.display()
            ))
            .help("name the file .svg, .png, .gif or .txt"));
        }
    };
    files::write(path, &bytes)?;
    output.written(path, bytes.len());
    Ok(Exit::Yes)
}

/// Draws on the terminal.
pub(super) fn say_picture(picture: &Picture, ascii: bool, output: Output) {
    // Only a terminal is narrow; files and pipes get the whole board.
    let size = terminal_size::terminal_size_of(std::io::stdout());
    let width = size.map(|(columns, _)| columns.0.into());
    let style = TerminalStyle { color: output.has_colors(), unicode: !ascii, width };
    output.say(picture.terminal(style).trim_end_matches('\n'));
}

pub(super) fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The picture as a PNG file, so many pixels wide.
pub(super) fn png(picture: &Picture, width: Option<u32>) -> Result<Vec<u8>> {
    raster::png(&picture.svg(), RasterSize::of(width)).map_err(raster_failure)
}

/// Writes a drawing that is not a board, as SVG or PNG.
pub(super) fn write_drawing(path: &Path, svg: &str) -> Result<()> {
    if extension(path) == "png" {
        return files::write(
            path,
            &raster::png(svg, RasterSize::of(None)).map_err(raster_failure)?,
        );
    }
    files::write(path, svg.as_bytes())
}

fn raster_failure(error: raster::RasterError) -> Failure {
    Failure::new(error.to_string())
}

/// One picture for each move, from the first to the position asked for.
fn animation(options: &cli::Show, loaded: &Loaded, zone: Option<ZoneLayers>) -> Result<Vec<u8>> {
    let Loaded { position, played, .. } = loaded;
    let last = played.iter().map(|&(_, number)| number).max().unwrap_or(0);
    let mut frames = Vec::new();
    let window = window_of_all(options, loaded)?;
    for number in 0..=last {
        let shown: Vec<_> = played.iter().copied().filter(|&(_, n)| n <= number).collect();
        let hidden: Vec<Square> =
            played.iter().filter(|&&(_, n)| n > number).map(|&(s, _)| s).collect();
        let so_far = without(position, &hidden)?;
        let zone = zone.clone().filter(|_| number == last);
        let mut picture = dressed(&options.picture, &so_far, &shown, zone)?;
        if let Some((a, b)) = window {
            picture = picture.window(a, b);
        }
        frames.push(picture.svg());
    }
    let ms = options.frame_ms;
    let last_ms = ms.saturating_mul(LAST_FRAME_FACTOR);
    raster::gif(&frames, RasterSize::of(options.picture.width), ms, last_ms).map_err(raster_failure)
}

/// All frames of an unbounded board show the part around the last position.
fn window_of_all(options: &cli::Show, loaded: &Loaded) -> Result<Option<(Square, Square)>> {
    let game = loaded.position.game();
    if let Some(window) = &options.picture.window {
        return notation::window(game, window).map(Some);
    }
    if !game.is_unbounded() {
        return Ok(None);
    }
    const MARGIN: i32 = 4;
    let squares = || loaded.position.stones().map(|(s, _)| s);
    let low = |of: fn(Square) -> i32| squares().map(of).min().unwrap_or(0) - MARGIN;
    let high = |of: fn(Square) -> i32| squares().map(of).max().unwrap_or(0) + MARGIN;
    let corner = Square::new(low(|s| s.x), low(|s| s.y));
    Ok(Some((corner, Square::new(high(|s| s.x), high(|s| s.y)))))
}

/// The position without some of its stones; whose move it is then does not show.
fn without(position: &Position, hidden: &[Square]) -> Result<Position> {
    if hidden.is_empty() {
        return Ok(position.clone());
    }
    let game = position.game();
    let stones = |color: Color| -> Vec<Square> {
        position.squares_of(color).filter(|s| !hidden.contains(s)).collect()
    };
    let (black, white) = (stones(Color::Black), stones(Color::White));
    let (to_move, left) = game.turn(black.len() + white.len());
    Position::set_up(game, &black, &white, to_move, left)
        .or_else(|_| Position::set_up(game, &black, &white, to_move, 1))
        .map_err(|e| Failure::new(e.to_string()))
}

/// The picture with everything that was asked for.
pub(super) fn dressed(
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

/// The zone to draw: that of a certificate which the checker accepts.
fn zone(options: &cli::Show, source: &Source) -> Result<Option<ZoneLayers>> {
    let file: PathBuf = match (&options.zone, &source.certificate) {
        (None, _) => return Ok(None),
        (Some(Some(file)), _) => file.clone(),
        (Some(None), Some(file)) => file.clone(),
        (Some(None), None) => {
            return Err(Failure::new("the position is no certificate, so it has no zone")
                .help("name a certificate of this position: --zone=FILE"));
        }
    };
    let name = file.display();
    let certified = certify_path(&file, &mut ()).map_err(|refused| {
        Failure::new(match refused.is_unreadable() {
            true => format!("{name}: {refused}"),
            false => format!("{name}: rejected, so it has no zone: {refused}"),
        })
    })?;
    if certified.claim().position != source.loaded.position {
        return Err(Failure::new(format!("{name}: the zone of another position"))
            .help("show the certificate itself: sixproof show FILE.cert --zone"));
    }
    Ok(Some(certified.layers()))
}

fn position_json(
    position: &Position,
    played: &[(Square, u32)],
    zone: Option<&ZoneLayers>,
) -> serde_json::Value {
    let game = position.game();
    let names = |squares: &mut dyn Iterator<Item = Square>| -> Vec<String> {
        squares.map(|s| game.square_name(s)).collect()
    };
    let threats = |color: Color| -> Vec<String> {
        let ends = position.threats(color).into_iter().map(|s| s.ends(game));
        ends.map(|e| e.map(|s| game.square_name(s)).join("-")).collect()
    };
    let played: Vec<_> = played
        .iter()
        .map(|&(square, number)| json!({ "square": game.square_name(square), "move": number }))
        .collect();
    let mut value = json!({
        "game": game.to_string(),
        "black": names(&mut position.squares_of(Color::Black)),
        "white": names(&mut position.squares_of(Color::White)),
        "to_move": position.to_move().to_string(),
        "stones": position.left(),
        "winner": position.winner().map(|c| c.to_string()),
        "irregularity": position.irregularity(),
        "played": played,
        "threats": { "black": threats(Color::Black), "white": threats(Color::White) },
    });
    if let Some(zone) = zone {
        value["zone"] = zone_json(game, zone);
    }
    value
}

/// The zone as it is drawn.
pub(super) fn zone_json(game: Game, zone: &ZoneLayers) -> serde_json::Value {
    let names = |squares: &mut dyn Iterator<Item = &Square>| -> Vec<String> {
        squares.map(|&s| game.square_name(s)).collect()
    };
    json!({
        "solid": names(&mut zone.solid.iter()),
        "hatched": names(&mut zone.hatched.iter()),
    })
}
