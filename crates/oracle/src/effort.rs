//! How much a test does.
//!
//! Some tests repeat one experiment many times: kills of a process, random positions, seeds of a
//! simulation. The usual run does a share of it; `scripts/test --long` and the seeded bugs do the
//! whole.

/// The variable that asks for the whole.
const LONG: &str = "SIXPROOF_LONG";

/// The usual share, or the whole if the environment has `SIXPROOF_LONG`.
pub fn effort<T>(usual: T, whole: T) -> T {
    if std::env::var_os(LONG).is_some() { whole } else { usual }
}
