//! Games, colours, squares and positions.

use serde::{Deserialize, Serialize};
use sixproof_game as game;

use crate::problem::{ApiResult, Problem};
pub(crate) use sixproof_solve::notation::{moves as line, names};

/// The name of a square: `J10`, or `x,y` on an unbounded board.
pub(crate) type SquareName = String;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Color {
    Black,
    White,
}

impl From<game::Color> for Color {
    fn from(color: game::Color) -> Color {
        match color {
            game::Color::Black => Color::Black,
            game::Color::White => Color::White,
        }
    }
}

impl From<Color> for game::Color {
    fn from(color: Color) -> game::Color {
        match color {
            Color::Black => game::Color::Black,
            Color::White => game::Color::White,
        }
    }
}

/// Connect(m,n,k,p,q). `cols` and `rows` are 0 when the board is unbounded.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Game {
    /// The name that users type: `connect6`, `9,9,5,1,1`.
    pub(crate) name: String,
    /// The name that the page shows.
    pub(crate) title: String,
    pub(crate) cols: u32,
    pub(crate) rows: u32,
    pub(crate) k: u32,
    pub(crate) p: u32,
    pub(crate) q: u32,
    pub(crate) exact: bool,
}

impl From<game::Game> for Game {
    fn from(game: game::Game) -> Game {
        Game {
            name: game.to_string(),
            title: title(game),
            cols: game.cols(),
            rows: game.rows(),
            k: game.k(),
            p: game.p(),
            q: game.q(),
            exact: game.exact(),
        }
    }
}

/// The title of a game: `Connect6, 19 x 19`, or its parameters.
fn title(game: game::Game) -> String {
    let name = game.to_string();
    if name.contains(',') {
        return game.title();
    }
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    if game.is_unbounded() {
        return name;
    }
    format!("{name}, {} x {}", game.cols(), game.rows())
}

/// A position, with the moves that led to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Position {
    pub(crate) black: Vec<SquareName>,
    pub(crate) white: Vec<SquareName>,
    pub(crate) to_move: Color,
    /// The stones that the side to move has left to place.
    pub(crate) left: u32,
    pub(crate) winner: Option<Color>,
    pub(crate) is_full: bool,
    /// The squares of k in a row, if a side has won.
    pub(crate) winning_squares: Vec<SquareName>,
    /// The stones that were played, in order.
    pub(crate) played: Vec<Played>,
}

/// A stone that was played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Played {
    pub(crate) square: SquareName,
    pub(crate) color: Color,
    /// The number of its move, from 1.
    pub(crate) turn: u32,
}

impl Position {
    /// A position, and the stones that led to it with the numbers of their moves.
    pub(crate) fn new(
        position: &game::Position,
        played: impl IntoIterator<Item = (game::Square, game::Color, u32)>,
    ) -> Position {
        let game = position.game();
        let of = |color| position.squares_of(color).map(|s| game.square_name(s)).collect();
        Position {
            black: of(game::Color::Black),
            white: of(game::Color::White),
            to_move: position.to_move().into(),
            left: position.left(),
            winner: position.winner().map(Color::from),
            is_full: position.is_full(),
            winning_squares: names(game, position.winning_squares()),
            played: played
                .into_iter()
                .map(|(square, color, turn)| Played {
                    square: game.square_name(square),
                    color: color.into(),
                    turn,
                })
                .collect(),
        }
    }
}

/// A square by its name.
pub(crate) fn square(game: game::Game, name: &str) -> ApiResult<game::Square> {
    game.parse_square(name).map_err(|error| {
        let shown: String = name.chars().take(40).collect();
        Problem::bad(format!("`{shown}`: {error}")).help(format!(
            "squares of {} are called {}",
            game.title(),
            example(game)
        ))
    })
}

/// Squares by their names.
pub(crate) fn squares(game: game::Game, names: &[SquareName]) -> ApiResult<Vec<game::Square>> {
    names.iter().map(|name| square(game, name)).collect()
}

fn example(game: game::Game) -> &'static str {
    if game.is_unbounded() { "x,y, as in -3,4" } else { "by letter and number, as in C3" }
}
