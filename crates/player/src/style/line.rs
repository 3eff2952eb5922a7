//! What a line is worth by its live and dead threats, with the weights of NCTU6.

use crate::eval::{Ruler, Turn, Weights};

/// The worth of a line to the side with stones on `own`; `windows` are the first squares of its
/// windows.
pub(crate) fn worth(ruler: Ruler, weights: &Weights, windows: u64, own: u64, other: u64) -> i32 {
    let mut sum = 0;
    ruler.patterns(windows, own, other, |pattern| sum += weights.worth(Turn::Own, pattern));
    sum
}

#[cfg(test)]
mod tests {
    use super::{Ruler, Weights, worth as worth_of};

    /// The worth of a line of Connect6 to `X`, written from position 0 on.
    fn worth(line: &str) -> i32 {
        let squares = |c: char| {
            line.chars().enumerate().filter(|&(_, d)| d == c).fold(0u64, |s, (i, _)| s | 1 << i)
        };
        let windows = (1u64 << (line.len() + 1 - 6)) - 1;
        let ruler = Ruler { k: 6, p: 2, exact: false };
        worth_of(ruler, &Weights::rule_of_thumb(2), windows, squares('X'), squares('O'))
    }

    #[test]
    fn lines_of_connect6_have_the_weights_of_nctu6() {
        for (line, expected) in [
            (".....XXX.....", 600),
            (".....X.XX....", 600),
            (".....XX......", 125),
            (".....X.......", 25),
            (".....XXXX....", 500),
            ("....OXXX.....", 125),
            ("....OXX......", 25),
            // A dead-3, and the live-2 that the same stones have, too.
            ("..O.XXX......", 125 + 125),
            ("....OXXXX....", 250),
            ("....OXXXXX...", 250),
            ("...OXXXXO....", 0),
            (".............", 0),
            (".....XXX.....O.....XXX....", 600 + 600),
        ] {
            assert_eq!(worth(line), expected, "{line}");
        }
    }

    #[test]
    fn the_worth_of_a_line_is_that_of_its_mirror_image() {
        for line in [".O..X.XX..X....", "X..XX.O....XXX.", "..XXXXX..O.X..X"] {
            let mirrored: String = line.chars().rev().collect();
            assert_eq!(worth(line), worth(&mirrored), "{line}");
        }
    }
}
