//! The family Connect(m,n,k,p,q) of k-in-a-row games: rules, positions, notation, the file
//! formats that people have, and pictures.
//!
//! Start with [`Game`] (which game), [`Square`] (where), [`Position`] (who stands where, who moves,
//! how many stones are left in the move) and [`Record`] (a tree of moves, as files hold them).
//!
//! ```
//! use sixproof_game::{Color, Game, Position};
//!
//! let game: Game = "connect6".parse()?;
//! let mut position = Position::new(game);
//! position.place(game.parse_square("J10")?)?;
//! assert_eq!((position.to_move(), position.left()), (Color::White, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate is pure: text and bytes in, values out. It reads no file, clock or environment.

mod color;
mod error;
mod game;
mod key;
mod play;
mod position;
mod record;
mod rules;
mod segment;
#[cfg(feature = "serde")]
mod serial;
mod square;
mod stones;
mod symmetry;

pub mod ccgc;
pub mod connectk;
pub mod diagram;
pub mod load;
pub mod moves;
pub mod named;
pub mod picture;
pub mod psq;
pub mod renlib;
pub mod repeatable;
pub mod sgf;

pub use color::Color;
pub use error::InputError;
pub use game::{BOARD_MAX, Game, GameError, K_MAX, P_MAX, Q_MAX};
pub use key::Keys;
pub use play::{IllegalMove, Played};
pub use position::{IllegalStone, Position, SetupError};
pub use record::{IllegalRecord, Node, NodeId, Reached, Record, Replay, Summary, Unknown};
pub use segment::{DIRECTIONS, Segment};
pub use square::{COORDINATE_MAX, Square, SquareError};
pub use stones::Move;
pub use symmetry::Symmetry;
