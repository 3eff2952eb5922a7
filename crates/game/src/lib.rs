//! The family Connect(m,n,k,p,q) of k-in-a-row games: rules, positions, notation, the file
//! formats that people have, and pictures of boards.
//!
//! Start with [`Game`] (which game), [`Square`] (where), [`Position`] (the stones, the side to
//! move, the stones left in its move) and [`Record`] (a tree of moves, as files hold it).
//!
//! # Rules
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
//! # Files and notation
//!
//! [`load`] recognises the format, and reads it into a [`Record`]; [`sgf`], [`moves`], [`diagram`],
//! [`psq`], [`ccgc`], [`renlib`] and [`connectk`] are the formats.
//!
//! ```
//! use sixproof_game::{Game, moves, sgf};
//!
//! let record = moves::read(Game::CONNECT6, "J10 / I8 H9")?;
//! let end = record.main_line_end(0);
//! assert_eq!(record.reach(end)?.position.stones().count(), 3);
//! let text = sgf::from_record(&record).write();
//! assert!(text.ends_with(b";B[jj];W[il];W[hk])\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Pictures
//!
//! ```
//! use sixproof_game::picture::{Picture, TerminalStyle};
//! use sixproof_game::{Game, Position};
//!
//! let picture = Picture::new(&Position::new(Game::CONNECT6)).caption("The empty board");
//! assert!(picture.svg().starts_with("<svg "));
//! assert!(picture.terminal(TerminalStyle::default()).contains("Black to move"));
//! ```
//!
//! # Features
//!
//! - `serde` (off by default): [`Game`], [`Square`], [`Color`] and [`Position`] implement
//!   `Serialize` and `Deserialize`. A position that [`Position::set_up`] refuses is refused when it
//!   is read, with the same reason. Cost: the package serde with its macros.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use sixproof_game::{Color, Position};
//!
//! let text = r#"{"game":"connect6","black":[[9,9]],"white":[],"to_move":"white","left":2}"#;
//! let position: Position = serde_json::from_str(text)?;
//! assert_eq!(position.to_move(), Color::White);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Text and bytes go in, values come out: the crate reads no file, clock or environment.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

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
pub use record::{IllegalRecord, Mark, Node, NodeId, Reached, Record, Replay, Summary, Unknown};
pub use segment::{DIRECTIONS, Segment};
pub use square::{COORDINATE_MAX, Square, SquareError};
pub use stones::Move;
pub use symmetry::Symmetry;
