//! The types of the REST API, in JSON (`web/src/api/types.ts` has the same for the page). They are
//! separate from the types of the libraries: each is made of those in one place.

mod board;
mod document;
mod edit;
mod notes;
mod proof;
mod threats;

pub(crate) use board::*;
pub(crate) use document::*;
pub(crate) use edit::*;
pub(crate) use notes::*;
pub(crate) use proof::*;
pub(crate) use threats::*;
