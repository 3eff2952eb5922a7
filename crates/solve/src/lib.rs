//! What answering "who wins here?" takes, on the command line and in the editor: how positions are
//! typed, which answers need no search, the store, the usual limits, the checker's word, and the
//! words for what was found.

pub mod checked;
pub mod defaults;
pub mod explain;
pub mod export;
pub mod failure;
pub mod files;
pub mod foregone;
pub mod hints;
pub mod notation;
pub mod output;
pub mod quantity;
pub mod store;
pub mod typed;
pub mod verdict;
