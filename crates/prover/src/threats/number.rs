//! The number of threats (Wu & Huang, definitions 1 and 3): how many stones the other side needs to
//! keep this side from winning in its next move.
//!
//! With more than p threats a side has won, unless the other wins first. On one line the sliding
//! window counts; where lines cross, one stone may block threats of several lines, and the number
//! is that of the smallest set of squares which meets the empty squares of every threat.

use std::collections::BTreeSet;
use std::fmt;
use std::iter::Sum;

use sixproof_game::{Color, Position, Square};

use super::threat::has_no_end;
use super::{Threat, hitting, threats};

/// How many threats a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Number {
    /// This number of stones blocks all threats, and fewer do not.
    Exactly(u32),
    /// Fewer stones do not block all threats. How many do took too many steps to find out.
    AtLeast(u32),
    /// No number of stones blocks all threats: a segment is full, or the threats have no end.
    Infinite,
}

impl Number {
    /// Whether this number of stones is known to be too small to block all threats.
    pub fn exceeds(self, stones: u32) -> bool {
        match self {
            Number::Exactly(number) | Number::AtLeast(number) => number > stones,
            Number::Infinite => true,
        }
    }
}

impl Sum for Number {
    fn sum<I: Iterator<Item = Number>>(numbers: I) -> Number {
        numbers.fold(Number::Exactly(0), |sum, number| match (sum, number) {
            (Number::Exactly(a), Number::Exactly(b)) => Number::Exactly(a + b),
            (Number::Infinite, _) | (_, Number::Infinite) => Number::Infinite,
            (Number::Exactly(a) | Number::AtLeast(a), Number::Exactly(b) | Number::AtLeast(b)) => {
                Number::AtLeast(a + b)
            }
        })
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Exactly(number) => write!(f, "{number}"),
            Number::AtLeast(number) => write!(f, "at least {number}"),
            Number::Infinite => f.write_str("infinitely many"),
        }
    }
}

/// The number of threats of a side.
pub fn number(position: &Position, side: Color) -> Number {
    if has_no_end(position.game()) {
        return Number::Infinite;
    }
    hitting::least(&empties(&threats(position, side)))
}

/// The empty squares of each threat.
pub(super) fn empties(threats: &[Threat]) -> Vec<BTreeSet<Square>> {
    threats.iter().map(|threat| threat.empties.clone()).collect()
}
