//! The protocol of the platform of the Chinese Computer Games Contest.
//!
//! | line | meaning | answer |
//! | --- | --- | --- |
//! | `name?` | who are you? | `name …` |
//! | `new black` | a new game; you are Black, and begin | `move JJ@@` |
//! | `new white` | a new game; you are White | none |
//! | `move XXXX` | the other side's move | `move XXXX` |
//! | `error` | your move was not accepted: nothing that could be mended | none |
//! | `end` | the game is over | none |
//! | `quit` | the end | none |
//!
//! Letters are those of c6; a stone that is not there is `@@`. What is refused is answered with
//! `error …`.

use std::time::Duration;

use sixproof_game::{Color, Game, Position, Square};

use super::board::GameBoard;
use super::c6::side;
use super::squares::{move_from_letters, move_to_ccgc, to_letters};
use super::{Effect, Interruption, Protocol, Setup, shown};
use crate::Thought;

/// The number of stones that every move names.
const STONES: usize = 2;

/// The engine's end of ccgc.
#[derive(Clone, Debug)]
pub struct Ccgc {
    name: String,
    board: GameBoard,
}

/// A parsed line.
enum Command {
    Nothing,
    Name,
    New(Color),
    Move(Vec<Square>),
    End,
    Quit,
}

impl Ccgc {
    pub(super) fn new(game: Game, setup: &Setup) -> Ccgc {
        let board = GameBoard::new(game, setup.control, |_, square| to_letters(square));
        Ccgc { name: setup.name.clone(), board }
    }

    fn parse(&self, line: &str) -> Result<Command, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            // The platform's complaint: the stones stay, since the platform decides.
            [] | ["error", ..] => Ok(Command::Nothing),
            ["name?"] | ["name"] => Ok(Command::Name),
            ["new", text] => Ok(Command::New(side(text)?)),
            ["move", text] => move_from_letters(self.board.game(), text)
                .map(Command::Move)
                .map_err(|error| error.to_string()),
            ["end", ..] => Ok(Command::End),
            ["quit"] => Ok(Command::Quit),
            _ => Err(format!("`{}` is not understood", shown(line.trim()))),
        }
    }

    fn obey(&mut self, command: Command) -> Result<Vec<Effect>, String> {
        Ok(match command {
            Command::Nothing | Command::End => Vec::new(),
            Command::Name => vec![Effect::Say(format!("name {}", self.name))],
            Command::New(color) => {
                self.board.restart(self.board.game());
                let mut effects = vec![Effect::NewGame];
                if color == Color::Black {
                    effects.push(self.board.think()?);
                }
                effects
            }
            Command::Move(squares) => {
                self.board.play_move(&squares)?;
                // The platform says `end` when the game is over.
                self.board.think().into_iter().collect()
            }
            Command::Quit => vec![Effect::Quit],
        })
    }
}

impl Protocol for Ccgc {
    fn line(&mut self, line: &str) -> Vec<Effect> {
        let effects = self.parse(line).and_then(|command| self.obey(command));
        effects.unwrap_or_else(|why| vec![Effect::Say(format!("error {why}"))])
    }

    fn thought(&mut self, thought: &Thought, spent: Duration) -> Vec<Effect> {
        let said = match self.board.answer(thought, spent) {
            Ok(squares) => format!("move {}", move_to_ccgc(&squares, STONES)),
            Err(why) => format!("error {why}"),
        };
        vec![Effect::Say(said)]
    }

    fn interruption(&self, line: &str) -> Interruption {
        match self.parse(line) {
            Ok(Command::New(_) | Command::End | Command::Quit) => Interruption::Drop,
            Ok(Command::Move(_)) => Interruption::Hurry,
            _ => Interruption::Nothing,
        }
    }

    fn position(&self) -> &Position {
        self.board.position()
    }

    fn is_error(&self, said: &str) -> bool {
        said.starts_with("error")
    }
}
