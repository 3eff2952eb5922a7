//! One question answered: who wins here, and how do you know?
//!
//! [`question::Question`] is the one way from a claim to an answer, for the command line, the editor's
//! server, the atlas and the survey: rules, store, prover with journal and hints, checker. Around it:
//! how positions are typed, the usual limits, files, and the words for what was found.

pub mod checked;
pub mod defaults;
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
pub mod typed;
pub mod words;
