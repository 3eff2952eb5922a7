//! What a worker does, one rule at a time; `tests/sim` has all of them at once.
