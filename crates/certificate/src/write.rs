//! The writer: steps in, certificate bytes out; it keeps only the shape.

use std::io::{self, Write};

use sixproof_game::{Color, Game, Square};

use crate::Claim;
use crate::step::{Shape, Step};

/// The greatest depth by which lines are indented.
const INDENT_MAX: usize = 16;

/// Streams a certificate to `out`. Steps are given in prefix order; a step that cannot stand where
/// it is given is a mistake of the caller, and panics.
pub struct Writer<W> {
    out: W,
    game: Game,
    shape: Shape,
    nodes: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    pub fn new(mut out: W, claim: &Claim) -> io::Result<Writer<W>> {
        let position = &claim.position;
        let game = position.game();
        writeln!(out, "sixproof-certificate 1")?;
        let (cols, rows, k, p, q) = (game.cols(), game.rows(), game.k(), game.p(), game.q());
        write!(out, "game {cols} {rows} {k} {p} {q}")?;
        writeln!(out, "{}", if game.exact() { " exact" } else { "" })?;
        writeln!(out, "attacker {}", claim.attacker)?;
        let mut writer = Writer { out, game, shape: Shape::new(), nodes: 0 };
        for color in [Color::Black, Color::White] {
            write!(writer.out, "{color}")?;
            writer.squares(&position.squares_of(color).collect::<Vec<_>>())?;
            writeln!(writer.out)?;
        }
        writeln!(writer.out, "to-move {} {}", position.to_move(), position.left())?;
        Ok(writer)
    }

    /// Writes a line of remarks, which readers skip. Only in front of the first node.
    pub fn comment(&mut self, text: &str) -> io::Result<()> {
        assert!(self.nodes == 0, "comments stand in front of the first node");
        text.lines().try_for_each(|line| writeln!(self.out, "# {line}"))
    }

    /// The number of nodes written so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Writes one step. Returns the number of the mark when it is a [`Step::Mark`].
    pub fn step(&mut self, step: &Step) -> io::Result<Option<u64>> {
        let depth = self.shape.depth();
        assert!(self.shape.take(step), "{step:?} cannot stand here");
        match step {
            Step::Win { squares } => {
                self.nodes += 1;
                write!(self.out, "W")?;
                self.squares(squares)?;
                writeln!(self.out)?;
            }
            Step::Attack { squares } => {
                self.nodes += 1;
                write!(self.out, "A")?;
                self.squares(squares)?;
                write!(self.out, " ")?;
            }
            Step::Defence { relies_on, replies } => {
                self.nodes += 1;
                match relies_on {
                    None => write!(self.out, "D")?,
                    Some(threats) => {
                        write!(self.out, "D! {}", threats.len())?;
                        for ends in threats {
                            let [a, b] = ends.map(|s| self.game.square_name(s));
                            write!(self.out, " {a}-{b}")?;
                        }
                    }
                }
                writeln!(self.out, " {replies}")?;
            }
            Step::Reply { squares, slack } => {
                write!(self.out, "{:indent$}R", "", indent = depth.min(INDENT_MAX))?;
                self.squares(squares)?;
                if let Some(slack) = slack {
                    write!(self.out, " ~{slack}")?;
                }
                write!(self.out, " ")?;
            }
            Step::Mark => {
                write!(self.out, "@ ")?;
                return Ok(Some(self.shape.marks - 1));
            }
            Step::Reference { mark } => writeln!(self.out, "= {mark}")?,
        }
        Ok(None)
    }

    fn squares(&mut self, squares: &[Square]) -> io::Result<()> {
        squares.iter().try_for_each(|&s| write!(self.out, " {}", self.game.square_name(s)))
    }

    /// Ends the certificate and hands the output back. Panics when it is not complete.
    pub fn finish(mut self) -> io::Result<W> {
        assert!(self.shape.wants().is_none(), "the certificate is not complete");
        self.out.flush()?;
        Ok(self.out)
    }
}
