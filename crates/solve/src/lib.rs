//! One question answered: who wins here, and how do you know?
//!
//! [`question::Question`] is the one way from a claim to an answer, for the command line, the
//! editor's server, the atlas and the survey: rules, store, prover with journal and hints, checker.
//! Around it: how positions are typed, the usual limits, files, and the words for what was found.
//!
//! # Ask
//!
//! ```
//! use sixproof_certificate::Claim;
//! use sixproof_game::{Color, Game, Position};
//! use sixproof_prover::prove::Options;
//! use sixproof_solve::output::Output;
//! use sixproof_solve::question::{Question, Verdict};
//! use sixproof_solve::store::Memory;
//! use std::ops::ControlFlow;
//!
//! let claim = Claim::new(&Position::new("4,4,3,1,1".parse::<Game>()?), Color::Black);
//! let options = Options::default();
//! // A store would answer at once what it knows, and keep what the search finds.
//! let memory = Memory::on(None, Output { json: false });
//! let (claim, options, memory) = (&claim, &options, &memory);
//! let question = Question::new(claim, options, memory);
//! let Ok(answer) = question.answer(&mut |_| ControlFlow::Continue(())) else { panic!("asked") };
//! // `Proved` holds a `Certified`: the checker has accepted the certificate.
//! let Verdict::Proved(proof) = answer.verdict else { panic!("Black wins") };
//! assert_eq!(proof.certified.claim(), claim);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Read what people type
//!
//! ```
//! use sixproof_solve::typed::typed;
//!
//! // A name, a game, moves or a diagram.
//! for text in ["tx-h9", "connect6", "J10 / I8 H9"] {
//!     assert_eq!(typed(text, &Default::default()).unwrap().position.game().k(), 6);
//! }
//! // A failure shows the place in the input, and what to do.
//! assert!(typed("J10 / Z99", &Default::default()).is_err());
//! ```
//!
//! # Read and write quantities
//!
//! ```
//! use sixproof_solve::quantity;
//! use std::time::Duration;
//!
//! assert_eq!(quantity::count("20k"), Ok(20_000));
//! assert_eq!(quantity::time("1m30s"), Ok(Duration::from_secs(90)));
//! assert_eq!(quantity::bytes("2G"), Ok(2 << 30));
//! ```
//!
//! The crate has no features. `files`, `output`, `defaults` and `stopwatch` touch the world; all
//! else is pure.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod checked;
pub mod defaults;
mod earlier;
pub mod explain;
pub mod export;
pub mod failure;
pub mod files;
pub mod foregone;
pub mod hints;
pub mod limits;
pub mod notation;
pub mod output;
pub mod quantity;
pub mod question;
pub mod stopwatch;
pub mod store;
pub mod tree;
pub mod typed;
pub mod walk;
pub mod words;
