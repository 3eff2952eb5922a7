//! Requests that are not about a document: the server itself, names, players, typed positions.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sixproof_game::{Game, named};
use sixproof_player::Style;

use super::EditorState;
use crate::extract::{Body, blocking};
use crate::problem::{ApiResult, Problem};
use crate::{reading, wire};

/// The server.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Status {
    version: String,
    /// A random text, different after each start of the server.
    epoch: String,
    /// The file of the store; null if it is temporary.
    store: Option<String>,
    threads: usize,
    /// The number of the last live message.
    sequence: u64,
}

/// The version and the state of the server.
#[cfg_attr(test, utoipa::path(get, path = "/status", tag = "general", responses((status = 200, body = Status))))]
pub(super) async fn status(State(editor): EditorState) -> Json<Status> {
    Json(Status {
        version: env!("CARGO_PKG_VERSION").to_string(),
        epoch: editor.hub.epoch().to_string(),
        store: editor.is_kept.then(|| editor.store.path().display().to_string()),
        threads: editor.threads,
        sequence: editor.hub.last(),
    })
}

/// Games and positions that have a name.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Names {
    games: Vec<NamedGame>,
    positions: Vec<NamedPosition>,
}

/// A game that has a name.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct NamedGame {
    name: String,
    about: String,
    game: wire::Game,
}

/// A position that has a name.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct NamedPosition {
    name: String,
    about: String,
    game: String,
    moves: String,
}

/// Games and positions that have a name.
#[cfg_attr(test, utoipa::path(get, path = "/names", tag = "general", responses((status = 200, body = Names))))]
pub(super) async fn names() -> Json<Names> {
    let games = Game::named().map(|(name, game, about)| NamedGame {
        name: name.to_string(),
        about: about.to_string(),
        game: game.into(),
    });
    let positions = named::all().map(|named| NamedPosition {
        name: named.name.to_string(),
        about: named.about.to_string(),
        game: named.game.to_string(),
        moves: named.moves.to_string(),
    });
    Json(Names { games: games.collect(), positions: positions.collect() })
}

/// The opponents: styles and levels.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct Players {
    styles: Vec<NamedStyle>,
    /// Levels of the style sixproof, from 1.
    levels: u8,
    default_level: u8,
}

/// A way of playing.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct NamedStyle {
    name: String,
    about: String,
}

/// The opponents of the engine: styles and levels.
#[cfg_attr(test, utoipa::path(get, path = "/players", tag = "general", responses((status = 200, body = Players))))]
pub(super) async fn players() -> Json<Players> {
    let style = |style: &Style| NamedStyle {
        name: style.name().to_string(),
        about: style.about().to_string(),
    };
    let styles = Style::ALL.iter().map(style).collect();
    Json(Players { styles, levels: 10, default_level: 5 })
}

/// The puzzle of the first page.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Puzzle {
    /// The side to move, which wins.
    attacker: wire::Color,
    /// The document that holds it.
    document: String,
    node: u32,
}

/// A position to begin with: the side to move wins, but how?
#[cfg_attr(test, utoipa::path(get, path = "/puzzle", tag = "general",
    responses((status = 200, body = Puzzle), (status = 500, body = Problem))))]
pub(super) async fn puzzle(State(editor): EditorState) -> ApiResult<Json<Puzzle>> {
    blocking(move || {
        let (document, node, attacker) = editor.library.puzzle()?;
        Ok(Json(Puzzle { attacker: attacker.into(), document, node }))
    })
    .await
}

/// A position as text.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Typed {
    /// The game, for texts that do not name it.
    game: Option<String>,
    /// A name, a game, moves, a diagram, SGF.
    text: String,
}

/// The position of a typed text.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Read {
    game: wire::Game,
    position: wire::Position,
}

/// Reads a position: a name, a game, moves, a diagram, SGF.
#[cfg_attr(test, utoipa::path(post, path = "/positions", tag = "general", request_body = Typed,
    responses((status = 200, body = Read), (status = 400, body = Problem),
        (status = 422, body = Problem))))]
pub(super) async fn position(Body(typed): Body<Typed>) -> ApiResult<Json<Read>> {
    blocking(move || {
        let loaded = reading::position(&typed.text, typed.game.as_deref())?;
        let (position, record) = (&loaded.position, &loaded.record);
        let reached =
            record.reach(loaded.node).map_err(|_| Problem::bad("the position does not exist"))?;
        Ok(Json(Read {
            game: position.game().into(),
            position: wire::Position::new(position, reached.played),
        }))
    })
    .await
}
