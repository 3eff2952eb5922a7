//! How a caller stops a search.
//!
//! One convention holds for all callbacks, here and in every crate above: a callback that can stop
//! the work returns [`ControlFlow`], and breaks to stop it. A function that only answers a
//! question, such as whether a key was pressed, returns a `bool` named after the question.

use std::ops::ControlFlow;

/// Breaks if the caller's condition holds: a flag is set, or a deadline has passed.
pub fn break_if(condition: bool) -> ControlFlow<()> {
    if condition { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
