//! Arguments that nobody means well: never a panic, never an endless run.
