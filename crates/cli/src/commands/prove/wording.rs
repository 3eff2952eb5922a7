//! The question in plain words, before anything is searched.

use sixproof_game::{Color, Game, Square};

use super::request::Request;
use crate::drawing;
use crate::layout;
use crate::options;
use sixproof_solve::output::Output;

/// More stones than these are counted rather than named: the board shows them better.
const NAMED_MAX: usize = 8;

impl Request<'_> {
    /// Whether the question is the one that `prove` asks when no position is given.
    pub(in super::super) fn is_example(&self) -> bool {
        self.given.position == options::EXAMPLE && self.attack.is_none()
    }

    /// Says what is asked; of the example also which game it is, and how the board looks.
    pub(super) fn say_asked(&self, output: Output) {
        if self.is_example() {
            output.say(wrapped(
                "The example is an opening of Connect6: six in a row win, and a move is two \
                 stones, but for Black's first, which is one.",
            ));
        }
        output.say(wrapped(&self.asked()));
        if self.is_example()
            && let Ok(picture) = drawing::board(self.picture, self.position(), self.played, None)
        {
            drawing::say(&picture, self.picture.ascii, output);
            output.say("");
        }
    }

    /// The question: `Connect6: Black has J10, White I8 H9. Can Black, to move, win by force,
    /// whatever White does?`
    pub(super) fn asked(&self) -> String {
        let attacker = self.claim.attacker;
        let (one, other) = (attacker.title(), (!attacker).title());
        let question = match self.attack {
            Some(squares) => format!(
                "{one} plays {}. Does {one} then win by force, whatever {other} does?",
                self.game().square_names(squares)
            ),
            None if self.position().to_move() == attacker => {
                format!("Can {one}, to move, win by force, whatever {other} does?")
            }
            None => {
                format!("{other} is to move. Can {one} win by force, whatever {other} does?")
            }
        };
        format!("{}: {} {question}", game_name(self.game()), self.stones())
    }

    /// The stones before the move that is asked about.
    fn stones(&self) -> String {
        let attack = self.attack.unwrap_or_default();
        let stones = |color: Color| -> Vec<Square> {
            self.position().squares_of(color).filter(|square| !attack.contains(square)).collect()
        };
        let names = |squares: &[Square]| self.game().square_names(squares);
        let [black, white] = [Color::Black, Color::White].map(stones);
        match (black.len(), white.len()) {
            (0, 0) => "the board is empty.".to_string(),
            (_, 0) => format!("Black has {}.", names(&black)),
            (0, _) => format!("White has {}.", names(&white)),
            (own, other) if own + other <= NAMED_MAX => {
                format!("Black has {}, White {}.", names(&black), names(&white))
            }
            (own, other) => format!("{} stones are on the board.", own + other),
        }
    }
}

/// The name that people know.
fn game_name(game: Game) -> String {
    if game == Game::CONNECT6 { "Connect6".to_string() } else { game.title() }
}

fn wrapped(text: &str) -> String {
    layout::wrapped(text, layout::columns()).join("\n")
}
