//! The oracle: what sixproof's tests believe instead of sixproof.
//!
//! Textbook rules, an exhaustive minimax, a certificate format of its own, two reference checkers
//! and provers that are honest or lie. Everything is written from the specification a second time,
//! slowly and obviously, and depends on nothing: a mistake in the trusted checker must not find its
//! twin here. Nothing but tests may ever use this crate.
//!
//! Where to start reading: [`rules`] (the game), [`solve`] (the truth), [`certificate`] (the file),
//! [`literal`] (the rules of certificates, word by word), [`meaning`] (a certificate as a strategy
//! that is played), [`provers`], [`liars`] and [`mutants`] (where the files of the tests come
//! from), [`effort`] (how often tests repeat themselves), [`output`](fn@output) (what examples
//! write). `checker.py` beside this crate's manifest is one more checker, in another language.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod effort;
mod output;

pub mod certificate;
pub mod liars;
pub mod literal;
pub mod meaning;
pub mod mutants;
pub mod parse;
pub mod provers;
pub mod random;
pub mod rules;
pub mod solve;

pub use effort::effort;
pub use output::output;
