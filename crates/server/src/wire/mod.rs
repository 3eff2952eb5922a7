//! What is said over the wire, in JSON: the types of the REST API (`web/src/api/types.ts` has the
//! same for the page). They are not the types that we work with: each has one place where it is
//! made of those.

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
