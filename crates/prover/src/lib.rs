//! Proofs of Connect(m,n,k,p,q) positions.
//!
//! Everything in this crate is untrusted: a win is claimed only with a certificate, and believed
//! only because the independent crate `sixproof-check` accepts it.
//!
//! Start with [`prove`]: a position in, a verdict out. Below it [`tree`] searches strategies of
//! higher orders, [`driver`] those with quiet moves, and [`vcdt`] forced wins, on a [`board`] made
//! for that; [`zone`] is what a proof depends on. [`threats`] has the same notions by the textbook,
//! for people and for tests, [`dependency`] is Allis's threat-space search, and [`value`] finds the
//! winner of small games. A callback that can stop the work breaks a `ControlFlow`: see [`stop`].
//!
//! # Prove a win
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use sixproof_certificate::{Claim, certify};
//! use sixproof_game::{Color, Game, Position};
//! use sixproof_prover::prove::{Options, Outcome, prove};
//!
//! let position = Position::new("4,4,3,1,1".parse::<Game>()?);
//! let claim = Claim { position, attacker: Color::Black };
//! let options = Options { nodes_max: 10_000, ..Options::default() };
//! // The closure sees the progress; a break would stop the search.
//! let report = prove(&claim, &options, &mut |_| ControlFlow::Continue(()));
//! let Outcome::Proved { certificate, .. } = report.outcome else { panic!("Black wins") };
//! // Now it is a claim with a proof. The checker makes it a fact.
//! certify(&claim, &certificate)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Verify a move
//!
//! Which replies does a move leave unsolved? Here the position has Defender to move.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use sixproof_certificate::Claim;
//! use sixproof_game::{Color, Game, Position};
//! use sixproof_prover::prove::{NoJournal, Options, Resources, verify};
//!
//! let game: Game = "5,5,3,1,1".parse()?;
//! let mut position = Position::new(game);
//! position.place(game.parse_square("C3")?)?;
//! let claim = Claim { position, attacker: Color::Black };
//! let (options, resources) = (Options::default(), Resources::local(&NoJournal));
//! let mut watch = |_| ControlFlow::Continue(());
//! let verification = verify(&claim, &options, 1_000, resources, &mut watch);
//! assert!(verification.unsolved.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Threats
//!
//! ```
//! use sixproof_game::{Color, Game, Position};
//! use sixproof_prover::threats::{Number, number};
//!
//! let game = Game::CONNECT6;
//! let four = ["F10", "G10", "H10", "I10"].map(|name| game.parse_square(name).unwrap());
//! let position = Position::set_up(game, &four, &[], Color::White, 2)?;
//! assert_eq!(number(&position, Color::Black), Number::Exactly(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate has no features, and reads no file, clock or environment. With one thread a search
//! gives the same proof in every run.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

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
pub mod stop;
pub mod threats;
pub mod tree;
pub mod value;
pub mod vcdt;
pub mod zone;
