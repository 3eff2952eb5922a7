//! Threats as the papers define them: what a side threatens, and what the other can do about it.
//!
//! This is the textbook: every idea in its own file, written for reading rather than for speed, for
//! any k and p, both rules, bounded and unbounded boards. A search has its own fast way to the same
//! answers, and is tested against this one.
//!
//! | file | idea | source |
//! | --- | --- | --- |
//! | [`threat`] | threats and their empty squares | Wu & Huang 4.1; Lin 1.2 |
//! | [`line`](mod@line) | threats by line | Wu & Huang 4.1 |
//! | [`window`] | the sliding window: the threats of a line, and where to defend | Liu 4.3 |
//! | [`hitting`] | least and minimal sets of squares that meet given sets | |
//! | [`number`](mod@number) | the number of threats | Wu & Huang, definition 3 |
//! | [`pattern`] | live-l and dead-l | Wu & Huang, definition 4 |
//! | [`defence`] | normal and relaxed critical defences | Lin 1.2, 3.2.3.3 |
//! | [`reply`] | the reply set: all defences at once | Wu's report, dependency-based search |
//!
//! ```
//! use sixproof_game::{Color, Game, Position};
//! use sixproof_prover::threats::{Number, number, reply_set};
//!
//! let game = Game::CONNECT6;
//! let four = ["F10", "G10", "H10", "I10"].map(|name| game.parse_square(name).unwrap());
//! let position = Position::set_up(game, &four, &[], Color::White, 2)?;
//! assert_eq!(number(&position, Color::Black), Number::Exactly(2));
//! let replies = reply_set(&position, Color::Black, 2).unwrap().unwrap();
//! assert_eq!(replies.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod defence;
pub mod hitting;
pub mod line;
pub mod number;
pub mod pattern;
pub mod reply;
pub mod threat;
pub mod window;

pub use defence::{Defence, DefenceKind, critical_defences};
pub use hitting::GivenUp;
pub use line::{Line, by_line};
pub use number::{Number, number};
pub use pattern::{Pattern, PatternKind, patterns};
pub use reply::reply_set;
pub use threat::{Threat, threats};
pub use window::{defensive_squares, number_by_lines, sliding_window};
