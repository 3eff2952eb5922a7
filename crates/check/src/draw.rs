//! The claim drawn as text, so that people see what is proved as the checker read it.

use std::fmt;

use crate::claim::{Claim, Color, Square};

/// The number of rows and columns of an unbounded board shown around the stones.
const MARGIN: i32 = 2;
/// The widest part of an unbounded board that is drawn; a wider one is listed.
const WINDOW_MAX: i32 = 59;

impl fmt::Display for Claim {
    /// Game, position and claim, a few lines of plain text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.game;
        if game.is_unbounded() {
            write!(f, "Connect({},{},{}), unbounded board", game.k, game.p, game.q)?;
        } else {
            let (m, n) = (game.cols, game.rows);
            write!(f, "Connect({m},{n},{},{},{})", game.k, game.p, game.q)?;
        }
        writeln!(f, "{}", if game.exact { ", exact rule" } else { "" })?;
        self.draw(f)?;
        let stones = if self.stones == 1 { "stone" } else { "stones" };
        write!(
            f,
            "{} to move, {} {stones} to place. Claim: {} wins.",
            self.to_move.title(),
            self.stones,
            self.attacker.title()
        )
    }
}

impl Claim {
    fn draw(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = || self.black.iter().chain(&self.white);
        let span = |of: fn(&Square) -> i32, size: u32| {
            if size > 0 {
                return (0, size as i32 - 1);
            }
            let low = all().map(of).min().unwrap_or(0);
            let high = all().map(of).max().unwrap_or(0);
            (low - MARGIN, high + MARGIN)
        };
        let (left, right) = span(|s| s.x, self.game.cols);
        let (bottom, top) = span(|s| s.y, self.game.rows);
        if right - left > WINDOW_MAX || top - bottom > WINDOW_MAX {
            return self.list(f);
        }
        for y in (bottom..=top).rev() {
            let label = if self.game.is_unbounded() { y } else { y + 1 };
            write!(f, "{label:>4} ")?;
            for x in left..=right {
                let square = Square { x, y };
                let stone = if self.black.contains(&square) {
                    'X'
                } else if self.white.contains(&square) {
                    'O'
                } else {
                    '.'
                };
                write!(f, "{stone:>2}")?;
            }
            writeln!(f)?;
        }
        f.write_str("     ")?;
        for x in left..=right {
            let name = self.game.square_name(Square { x, y: 0 });
            let letters = if self.game.is_unbounded() { "" } else { name.trim_end_matches('1') };
            write!(f, "{letters:>2}")?;
        }
        if self.game.is_unbounded() {
            write!(f, " columns {left} to {right}")?;
        }
        writeln!(f)
    }

    fn list(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in [Color::Black, Color::White] {
            write!(f, "{}:", color.title())?;
            for &square in self.stones_of(color) {
                write!(f, " {}", self.game.square_name(square))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
