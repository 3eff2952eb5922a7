//! The worth of patterns: data, one file, fitted on games (`cargo xtask tune`).

use std::fmt;

use super::pattern::{MISSING_MAX, Pattern};

/// The weights that were fitted.
const FITTED: &str = include_str!("../../data/weights.txt");
/// The number of missing stones from which weights are the same.
const CLASSES: usize = MISSING_MAX + 1;

/// The side that moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The side whose pattern it is.
    Own = 0,
    /// The other side.
    Other = 1,
}

/// The worth of every pattern, in thousandths of the logarithm of the odds of winning: more to the
/// side that moves next than to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By turn, stones missing for two threats, stones missing for one.
    worth: [[[i32; CLASSES]; CLASSES]; 2],
}

/// NCTU6's weights for Connect6: of a live pattern by the stones it needs
/// for two threats (live-4, which is not in the list, live-3, live-2, live-1), of a dead one by
/// those it needs for a threat.
const LIVE: [i32; CLASSES] = [500, 600, 125, 25, 5, 0];
const DEAD: [i32; CLASSES] = [250, 125, 25, 5, 1, 0];
/// The worth of a live pattern with one stone a move: two threats cannot be stopped.
const UNSTOPPABLE: i32 = 5_000;
/// The worth of a pattern when the other side moves next, in percent.
const OTHER_PERCENT: i32 = 67;

impl Weights {
    /// The weights of games with this number of stones a move: fitted ones where the file has them.
    pub fn of(p: u32) -> Weights {
        let mut weights = Weights::rule_of_thumb(p);
        weights.read(FITTED, &Weights::section(p)).expect("the embedded weights are well formed");
        weights
    }

    /// The weights of NCTU6.
    pub fn rule_of_thumb(p: u32) -> Weights {
        let worth = |live: usize, dead: usize| {
            let two = if live == 0 && p == 1 { UNSTOPPABLE } else { LIVE[live] };
            two + if dead < live { DEAD[dead] } else { 0 }
        };
        let table = |percent: i32| {
            std::array::from_fn(|live| {
                std::array::from_fn(|dead| worth(live, dead) * percent / 100)
            })
        };
        Weights { worth: [table(100), table(OTHER_PERCENT)] }
    }

    /// The line that begins the weights of games with this number of stones a move.
    pub fn section(p: u32) -> String {
        format!("[p {p}]")
    }

    /// All possible patterns: one threat never needs more stones than two.
    pub fn patterns() -> impl Iterator<Item = Pattern> {
        (0..MISSING_MAX as u8)
            .flat_map(|dead| (dead..=MISSING_MAX as u8).map(move |live| Pattern { live, dead }))
    }

    /// The worth of a pattern.
    #[inline]
    pub fn worth(&self, turn: Turn, pattern: Pattern) -> i32 {
        self.worth[turn as usize][usize::from(pattern.live)][usize::from(pattern.dead)]
    }

    /// Sets the worth of a pattern.
    pub fn set(&mut self, turn: Turn, pattern: Pattern, worth: i32) {
        self.worth[turn as usize][usize::from(pattern.live)][usize::from(pattern.dead)] = worth;
    }

    /// Reads one section of a file of weights. Nothing changes where the file has no such section.
    pub fn read(&mut self, text: &str, section: &str) -> Result<(), BadWeights> {
        let mut here = false;
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.starts_with('[') {
                here = line == section;
            } else if here && !line.is_empty() {
                let numbers: Vec<i32> =
                    line.split_whitespace().map_while(|word| word.parse().ok()).collect();
                let (pattern, own, other) = match numbers[..] {
                    [dead @ 0..5, live @ 0..=5, own, other] => {
                        (Pattern { live: live as u8, dead: dead as u8 }, own, other)
                    }
                    _ => return Err(BadWeights { line: index + 1 }),
                };
                self.set(Turn::Own, pattern, own);
                self.set(Turn::Other, pattern, other);
            }
        }
        Ok(())
    }

    /// A section in the form that [`Weights::read`] takes.
    pub fn write(&self, p: u32) -> String {
        let mut text = Weights::section(p) + "\n";
        for pattern in Weights::patterns() {
            let [own, other] = [Turn::Own, Turn::Other].map(|turn| self.worth(turn, pattern));
            text.push_str(&format!("{} {} {own:6} {other:6}\n", pattern.dead, pattern.live));
        }
        text
    }
}

/// A line of a file of weights that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWeights {
    line: usize,
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "line {}: expected four numbers: stones missing for one threat (0 to 4) ",
            self.line
        )?;
        write!(f, "and for two (0 to 5), and the weights of the side to move and of the other")
    }
}

impl std::error::Error for BadWeights {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_has_weights_for_one_and_two_stones_a_move() {
        for p in [1, 2] {
            assert!(FITTED.lines().any(|line| line == Weights::section(p)), "{p}");
            assert!(FITTED.contains(Weights::of(p).write(p).trim_end()), "as it is written: {p}");
        }
    }

    #[test]
    fn weights_are_read_as_they_are_written() {
        let mut weights = Weights::rule_of_thumb(2);
        weights.set(Turn::Other, Pattern { live: 3, dead: 1 }, -17);
        let mut read = Weights::rule_of_thumb(1);
        read.read(&weights.write(2), &Weights::section(2)).unwrap();
        for pattern in Weights::patterns() {
            for turn in [Turn::Own, Turn::Other] {
                assert_eq!(read.worth(turn, pattern), weights.worth(turn, pattern));
            }
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let mut weights = Weights::rule_of_thumb(2);
        for text in ["[p 2]\n1 2 3", "[p 2]\n5 5 1 1", "[p 2]\n1 x 3 4", "[p 2]\n1 2 3 4 5"] {
            assert_eq!(weights.read(text, "[p 2]"), Err(BadWeights { line: 2 }), "{text}");
        }
        assert_eq!(weights.read("[p 3]\nnonsense", "[p 2]"), Ok(()));
    }
}
