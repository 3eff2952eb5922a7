//! `sixproof show`: a position on the terminal or as a picture.

use std::path::PathBuf;

use serde_json::json;
use sixproof_game::load::Loaded;
use sixproof_game::picture::ZoneLayers;
use sixproof_game::{Color, Position, Square, diagram};
use sixproof_picture::raster::{self, RasterSize};
use sixproof_solve::checked::certify_path;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::notation;
use sixproof_solve::output::Output;

use crate::Exit;
use crate::drawing;
use crate::input::{self, PositionSource};
use crate::options;

/// The factor of the time of the last picture of an animation.
const LAST_FRAME_FACTOR: u32 = 4;

pub(crate) fn run(options: &options::Show, output: Output) -> Result<Exit> {
    if let Some(path) = &options.out {
        files::keep(&[input::file_of(&options.position.position)], path)?;
    }
    let source = input::position(&options.position, output)?;
    let zone = zone(options, &source)?;
    let Loaded { position, played, .. } = &source.loaded;
    let picture = drawing::board(&options.picture, position, played, zone.clone())?;
    let Some(path) = &options.out else {
        if output.json {
            let mut value = position_json(position, played, zone.as_ref());
            if source.loaded.games > 1 {
                value["number"] = source.loaded.number.into();
                value["games"] = source.loaded.games.into();
            }
            output.say_json(&value);
        } else {
            drawing::say(&picture, options.picture.ascii, output);
        }
        return Ok(Exit::Yes);
    };
    let bytes = match drawing::extension(path).as_str() {
        "svg" => picture.svg().into_bytes(),
        "png" => drawing::png(&picture, options.picture.width)?,
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

/// One picture for each move, from the first to the position asked for.
fn animation(
    options: &options::Show,
    loaded: &Loaded,
    zone: Option<ZoneLayers>,
) -> Result<Vec<u8>> {
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
        let mut picture = drawing::board(&options.picture, &so_far, &shown, zone)?;
        if let Some((a, b)) = window {
            picture = picture.window(a, b);
        }
        frames.push(picture.svg());
    }
    let ms = options.frame_ms;
    let last_ms = ms.saturating_mul(LAST_FRAME_FACTOR);
    raster::gif(&frames, RasterSize::of(options.picture.width), ms, last_ms)
        .map_err(drawing::failure)
}

/// All frames of an unbounded board show the part around the last position.
fn window_of_all(options: &options::Show, loaded: &Loaded) -> Result<Option<(Square, Square)>> {
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

/// The zone to draw: that of a certificate which the checker accepts.
fn zone(options: &options::Show, source: &PositionSource) -> Result<Option<ZoneLayers>> {
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
        value["zone"] = drawing::zone_json(game, zone);
    }
    value
}
