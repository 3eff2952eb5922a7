//! The protocol c6: the text protocol of Cloudict, which most public Connect6 engines imitate.
//!
//! | line | meaning | answer |
//! | --- | --- | --- |
//! | `name` | who are you? | `name …` |
//! | `new black` | a new game; you are Black, and begin | `move JJ` |
//! | `new white` | a new game; you are White | none |
//! | `move XXXX` | the other side's move | `move XXXX` |
//! | `black XXXX`, `white XXXX` | stones of a side, only to be placed | none |
//! | `next` | move for the side to move | `move XXXX` |
//! | `depth d` | look at most d moves ahead | none |
//! | `vcf`, `unvcf` | search for forced wins, or not: ours is never switched off | none |
//! | `print`, `help` | the board; these commands | several lines |
//! | `quit` | the end | none |
//!
//! `XXXX` is column letter, row letter, twice, rows from the bottom; a move of one stone has two
//! letters, or the same two twice. What is refused is answered with `error …`.

use std::time::Duration;

use sixproof_game::{Color, Game, Position, Square};

use super::board::GameBoard;
use super::squares::{move_from_letters, move_to_letters, to_letters};
use super::{Effect, Interruption, Protocol, Setup, drawing, shown};
use crate::Thought;

/// The lines of `help`.
const HELP: &str = "\
name                      the name of this engine
new black                 a new game, which the engine begins
new white                 a new game, in which the engine waits for the first move
move XXXX                 your move; the engine answers with its own
black XXXX, white XXXX    place stones without an answer
next                      a move for the side to move
depth D                   look at most D moves ahead
vcf, unvcf                accepted; forced wins are always searched
print                     the board
quit                      end";

/// The deepest search that a line may ask for.
const DEPTH_MAX: u32 = 99;

/// The engine's end of c6.
#[derive(Clone, Debug)]
pub struct C6 {
    name: String,
    board: GameBoard,
    depth: Option<u32>,
}

/// A parsed line.
enum Command {
    Nothing,
    Name,
    New(Color),
    Move(Vec<Square>),
    Place(Color, Vec<Square>),
    Next,
    Depth(u32),
    ForcedWins,
    Print,
    Help,
    Quit,
}

impl C6 {
    pub(super) fn new(game: Game, setup: &Setup) -> C6 {
        let board = GameBoard::new(game, setup.control, |_, square| to_letters(square));
        C6 { name: setup.name.clone(), board, depth: None }
    }

    fn parse(&self, line: &str) -> Result<Command, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&word, rest)) = words.split_first() else { return Ok(Command::Nothing) };
        let squares = |text: &str| self.squares(text);
        match (word, rest) {
            ("name", []) => Ok(Command::Name),
            ("new", &[side]) => Ok(Command::New(self::side(side)?)),
            ("move", &[text]) => Ok(Command::Move(squares(text)?)),
            ("black", &[text]) => Ok(Command::Place(Color::Black, squares(text)?)),
            ("white", &[text]) => Ok(Command::Place(Color::White, squares(text)?)),
            ("next", []) => Ok(Command::Next),
            ("depth", &[text]) => match text.parse() {
                Ok(depth @ 1..=DEPTH_MAX) => Ok(Command::Depth(depth)),
                _ => Err(format!("`{}` is not a depth from 1 to {DEPTH_MAX}", shown(text))),
            },
            ("vcf" | "unvcf", []) => Ok(Command::ForcedWins),
            ("print", []) => Ok(Command::Print),
            ("help", []) => Ok(Command::Help),
            ("quit" | "exit", []) => Ok(Command::Quit),
            _ => Err(format!("`{}` is not understood; try help", shown(line.trim()))),
        }
    }

    /// The stones of a move. A single stone may be named twice.
    fn squares(&self, text: &str) -> Result<Vec<Square>, String> {
        let mut squares =
            move_from_letters(self.board.game(), text).map_err(|error| error.to_string())?;
        if let [first, second] = squares[..]
            && first == second
            && self.board.position().left() == 1
        {
            squares.pop();
        }
        Ok(squares)
    }

    fn think(&self) -> Result<Effect, String> {
        let mut effect = self.board.think()?;
        if let Effect::Think(_, limits) = &mut effect {
            limits.depth = self.depth;
        }
        Ok(effect)
    }

    fn obey(&mut self, command: Command) -> Result<Vec<Effect>, String> {
        Ok(match command {
            Command::Nothing | Command::ForcedWins => Vec::new(),
            Command::Name => vec![Effect::Say(format!("name {}", self.name))],
            Command::New(color) => {
                self.board.restart(self.board.game());
                let mut effects = vec![Effect::NewGame];
                if color == Color::Black {
                    effects.push(self.think()?);
                }
                effects
            }
            Command::Move(squares) => {
                self.board.play_move(&squares)?;
                match self.board.result() {
                    Some(result) => vec![Effect::Say(result)],
                    None => vec![self.think()?],
                }
            }
            Command::Place(color, squares) => {
                let mover = self.board.position().to_move();
                if mover != color {
                    return Err(format!("illegal move: it is the turn of {mover}"));
                }
                self.board.play_stones(&squares)?;
                Vec::new()
            }
            Command::Next => vec![self.think()?],
            Command::Depth(depth) => {
                self.depth = Some(depth);
                Vec::new()
            }
            Command::Print => {
                let letter = |x: u32| char::from(b'A' + x as u8);
                vec![Effect::Say(drawing(self.board.position(), letter))]
            }
            Command::Help => vec![Effect::Say(HELP.to_string())],
            Command::Quit => vec![Effect::Quit],
        })
    }
}

/// The side of the engine in a new game.
pub(super) fn side(text: &str) -> Result<Color, String> {
    match text {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err(format!("`{}` is neither black nor white", shown(text))),
    }
}

impl Protocol for C6 {
    fn line(&mut self, line: &str) -> Vec<Effect> {
        let effects = self.parse(line).and_then(|command| self.obey(command));
        effects.unwrap_or_else(|why| vec![Effect::Say(format!("error {why}"))])
    }

    fn thought(&mut self, thought: &Thought, spent: Duration) -> Vec<Effect> {
        let said = match self.board.answer(thought, spent) {
            Ok(squares) => format!("move {}", move_to_letters(&squares)),
            Err(why) => format!("error {why}"),
        };
        vec![Effect::Say(said)]
    }

    fn interruption(&self, line: &str) -> Interruption {
        match self.parse(line) {
            Ok(Command::New(_) | Command::Quit) => Interruption::Drop,
            Ok(Command::Move(_) | Command::Place(..) | Command::Next) => Interruption::Hurry,
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
