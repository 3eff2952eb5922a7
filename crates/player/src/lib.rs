//! Plays Connect(m,n,k,p,q): a position and limits in, a move and its reason out.
//!
//! Start with [`Engine`]: it thinks in one of the [`Style`]s. Nothing here reads a clock: an engine
//! asks a [`ThinkWatch`] for the time that has passed, and whether the move is wanted now.
//!
//! # Think about a move
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
//!
//! # Talk to other programs
//!
//! A [`protocol`] is a state machine between lines and engine.
//!
//! ```
//! use sixproof_player::protocol::{Effect, ProtocolName, Setup};
//!
//! let mut protocol = ProtocolName::Gtp.begin(&Setup::default())?;
//! assert_eq!(protocol.line("name"), [Effect::Say("= sixproof\n".to_string())]);
//! let effects = protocol.line("genmove black");
//! assert!(matches!(effects[..], [Effect::Think(..)]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Compare players
//!
//! [`rating`] has what the games of a match say about strength.
//!
//! ```
//! use sixproof_player::rating::Pairs;
//!
//! let mut pairs = Pairs::default();
//! // Two games with one opening and colours swapped, in half points: a win and a draw.
//! for halves in [3, 3, 2, 4] {
//!     pairs.add(halves);
//! }
//! assert_eq!(pairs.score().value, 0.75);
//! ```
//!
//! The crate has no features. A [`Score::Win`] comes with a certificate: a program announces the
//! win when the checker has accepted it. With one thread, a seed and limits in nodes, the same game
//! gives the same moves.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

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
pub use limits::{Control, Limits, ThinkWatch, Unwatched};
pub use style::{Style, UnknownStyle};
pub use thought::{Counts, Reason, Score, Thought, WinProof};
