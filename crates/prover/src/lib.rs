//! Proofs of Connect(m,n,k,p,q) positions.
//!
//! Everything in this crate is untrusted: a win is claimed only with a certificate, and believed
//! only because the independent crate `sixproof-check` accepts it.
//!
//! Start with [`prove`]: a position in, a verdict out. Below it [`tree`] searches strategies of
//! higher orders and [`vcdt`] forced wins, on a [`board`] made for that; [`zone`] tells what a
//! proof depends on, and [`certificate`] is how it leaves; [`strategy`] is a certificate to be
//! walked. [`threats`] has the same notions by the
//! textbook, for people and for tests, and [`dependency`] is Allis's threat-space search.
//!
//! ```
//! use sixproof_game::{Color, Game, Position};
//! use sixproof_prover::prove::{Options, Outcome, prove};
//!
//! let game: Game = "4,4,3,1,1".parse()?;
//! let report = prove(&Position::new(game), &Options::new(Color::Black), &mut |_| false);
//! assert!(matches!(report.outcome, Outcome::Proved { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arena;
pub mod board;
pub mod candidates;
pub mod cover;
pub mod dependency;
pub mod driver;
mod mirror;
pub mod moves;
pub mod proof;
pub mod prove;
pub mod search_tree;
pub mod threats;
pub mod tree;
pub mod value;
pub mod vcdt;
pub mod zone;
