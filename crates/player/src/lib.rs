//! Plays Connect(m,n,k,p,q): a position and limits in, a move and its reason out.
//!
//! Start with [`Engine`]: it thinks in one of the [`Style`]s. Nothing here reads a clock: a
//! [`Watch`] says how much time has passed, and whether the move is wanted now.
//!
//! ```
//! use sixproof_game::{Game, Position};
//! use sixproof_player::{Engine, Limits, Settings, Style, Unwatched};
//!
//! let game: Game = "connect6".parse()?;
//! let mut engine = Engine::new(Settings { style: Style::Greedy, ..Settings::default() });
//! let thought = engine.think(&Position::new(game), &Limits::default(), &Unwatched);
//! assert_eq!(thought.squares.len(), 1, "Black's first move is one stone");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod book;
mod certified;
mod engine;
pub mod eval;
mod level;
mod limits;
pub mod protocol;
pub mod rating;
mod search;
mod style;
mod thought;

pub use engine::{Engine, Settings};
pub use level::{Level, UnknownLevel};
pub use limits::{Control, Limits, Unwatched, Watch};
pub use style::{Style, UnknownStyle};
pub use thought::{Counts, Reason, Score, Thought, WinProof};
