//! The protocol of Gomocup: that of the manager Piskvork, with its extension to moves of more
//! stones.
//!
//! | line | meaning | answer |
//! | --- | --- | --- |
//! | `START 20`, `RECTSTART 30,20` | a new game on a board of this size | `OK` |
//! | `RESTART` | a new game on the same board | `OK` |
//! | `BEGIN` | you begin | `9,9` |
//! | `TURN 10,10` | the other side's move; `TURN 8,10 10,10` has two stones | a move |
//! | `BOARD`, lines `x,y,who`, `DONE` | a position: 1 is you, 2 the other; you move | a move |
//! | `TAKEBACK 9,9` | take the last stone back | `OK` |
//! | `INFO key value` | time, memory, rules: below | none |
//! | `STOP`, `YXSTOP` | the move, now | none but that move |
//! | `ABOUT` | who are you? | `name="…", version="…", …` |
//! | `END` | the end | none |
//!
//! Keys of `INFO` are `timeout_turn`, `timeout_match`, `time_left` (milliseconds), `max_memory`
//! (bytes) and `rule`: 0 for k or more in a row, 1 for exactly k; continuous games (2), renju (4)
//! and caro (8) are refused. Other keys are ignored, as the protocol asks. A malformed line is
//! answered with `ERROR …`, an unknown command with `UNKNOWN …`.

use std::time::Duration;

use sixproof_game::{Color, Game, Position, Square};

use super::board::GameBoard;
use super::squares::{from_comma, to_comma};
use super::{Effect, Interruption, Protocol, Setup, shown};
use crate::Thought;

/// The time that Piskvork sends for "no limit" of a match.
const UNLIMITED_MS: u64 = i32::MAX as u64;

/// The engine's end of Gomocup's protocol.
#[derive(Clone, Debug)]
pub struct Gomocup {
    name: String,
    board: GameBoard,
    /// Whether there is a board.
    started: bool,
    /// The lines after `BOARD`.
    block: Option<Block>,
}

/// Lines between `BOARD` and `DONE`.
#[derive(Clone, Debug, Default)]
struct Block {
    /// Each stone, and whether it is the engine's.
    stones: Vec<(Square, bool)>,
    /// The first error.
    wrong: Option<String>,
}

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Command {
    Nothing,
    Start(u32, u32),
    Restart,
    Begin,
    Turn(Vec<Square>),
    Board,
    Takeback(Square),
    Info(Info),
    Stop,
    About,
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Info {
    Turn(Duration),
    Match(Option<Duration>),
    Left(Option<Duration>),
    Memory(u64),
    Exact(bool),
    Other,
}

/// Why a line is refused.
enum Refused {
    /// The command is unknown.
    Unknown(String),
    /// The command is known, and malformed.
    Wrong(String),
}

impl From<String> for Refused {
    fn from(why: String) -> Refused {
        Refused::Wrong(why)
    }
}

impl Gomocup {
    pub(super) fn new(game: Game, setup: &Setup) -> Gomocup {
        let board = GameBoard::new(game, setup.control, to_comma);
        Gomocup { name: setup.name.clone(), board, started: false, block: None }
    }

    fn parse(&self, line: &str) -> Result<Command, Refused> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let alone = |command: Command| match rest {
            "" => Ok(command),
            _ => Err(Refused::Wrong(format!("there is more after {word}: `{}`", shown(rest)))),
        };
        match word.to_ascii_uppercase().as_str() {
            "" => Ok(Command::Nothing),
            "START" => {
                let size = number(rest)?;
                Ok(Command::Start(size, size))
            }
            "RECTSTART" => match rest.split_once(',') {
                Some((cols, rows)) => Ok(Command::Start(number(cols)?, number(rows)?)),
                None => Err(Refused::Wrong("a board is columns,rows, as in 30,20".to_string())),
            },
            "RESTART" => alone(Command::Restart),
            "BEGIN" => alone(Command::Begin),
            "TURN" => {
                let squares = rest.split_whitespace().map(|text| self.square(text));
                let squares: Vec<Square> = squares.collect::<Result<_, String>>()?;
                if squares.is_empty() {
                    return Err(Refused::Wrong("TURN has no square".to_string()));
                }
                Ok(Command::Turn(squares))
            }
            "BOARD" => alone(Command::Board),
            "TAKEBACK" => Ok(Command::Takeback(self.square(rest)?)),
            "INFO" => Ok(Command::Info(info(rest)?)),
            "STOP" | "YXSTOP" => alone(Command::Stop),
            "ABOUT" => alone(Command::About),
            "END" => alone(Command::End),
            "DONE" => Err(Refused::Wrong("DONE without BOARD".to_string())),
            _ => Err(Refused::Unknown(format!("command `{}`", shown(word)))),
        }
    }

    fn square(&self, text: &str) -> Result<Square, String> {
        from_comma(self.board.game(), text).map_err(|error| error.to_string())
    }

    fn obey(&mut self, command: Command) -> Result<Vec<Effect>, Refused> {
        let ok = || Effect::Say("OK".to_string());
        let needs_board = matches!(
            command,
            Command::Restart
                | Command::Begin
                | Command::Turn(_)
                | Command::Board
                | Command::Takeback(_)
        );
        if needs_board && !self.started {
            return Err(Refused::Wrong("there is no board; send START first".to_string()));
        }
        Ok(match command {
            Command::Nothing | Command::Stop => Vec::new(),
            Command::Start(cols, rows) => {
                let game = self.board.game().resized(cols, rows).map_err(|e| e.to_string())?;
                self.board.restart(game);
                self.started = true;
                vec![Effect::NewGame, ok()]
            }
            Command::Restart => {
                self.board.restart(self.board.game());
                vec![Effect::NewGame, ok()]
            }
            Command::Begin => {
                if self.board.position().stones().next().is_some() {
                    let why = "BEGIN is for the empty board; send RESTART first";
                    return Err(Refused::Wrong(why.to_string()));
                }
                vec![self.board.think()?]
            }
            Command::Turn(squares) => {
                self.board.play_move(&squares)?;
                match self.board.result() {
                    Some(result) => vec![Effect::Say(format!("MESSAGE {result}"))],
                    None => vec![self.board.think()?],
                }
            }
            Command::Board => {
                self.block = Some(Block::default());
                Vec::new()
            }
            Command::Takeback(square) => {
                if self.board.stones().last() != Some(&square) {
                    let name = to_comma(self.board.game(), square);
                    return Err(Refused::Wrong(format!("{name} is not the last stone")));
                }
                self.board.take_back();
                vec![ok()]
            }
            Command::Info(info) => self.inform(info)?,
            Command::About => {
                let version = env!("CARGO_PKG_VERSION");
                let name = &self.name;
                vec![Effect::Say(format!("name=\"{name}\", version=\"{version}\""))]
            }
            Command::End => vec![Effect::Quit],
        })
    }

    fn inform(&mut self, info: Info) -> Result<Vec<Effect>, String> {
        match info {
            Info::Turn(time) => self.board.clock.set_turn(time),
            Info::Match(total) => self.board.clock.set_game(total, None),
            // The protocol does not say whose time it is: it is the engine's, which has one colour
            // at a time.
            Info::Left(Some(left)) => {
                self.board.clock.set_left(Color::Black, left);
                self.board.clock.set_left(Color::White, left);
            }
            Info::Left(None) | Info::Other => {}
            Info::Memory(bytes) => return Ok(vec![Effect::Memory(bytes)]),
            Info::Exact(exact) => {
                let game = self.board.game();
                if game.exact() != exact {
                    let (cols, rows) = (game.cols(), game.rows());
                    let game = Game::new(cols, rows, game.k(), game.p(), game.q(), exact)
                        .map_err(|error| error.to_string())?;
                    self.board.change_rule(game)?;
                }
            }
        }
        Ok(Vec::new())
    }

    /// A line between `BOARD` and `DONE`.
    fn block_line(&mut self, line: &str) -> Option<Vec<Effect>> {
        let block = self.block.as_ref()?;
        let line = line.trim();
        if line.eq_ignore_ascii_case("DONE") {
            let block = self.block.take().unwrap_or_default();
            return Some(self.refusing(|engine| engine.set_up(block)));
        }
        if line.is_empty() {
            return Some(Vec::new());
        }
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            // A command ends an unfinished board.
            self.block = None;
            return None;
        }
        let stone = self.stone(line);
        let many = self.board.game().area().is_some_and(|area| block.stones.len() >= area);
        let block = self.block.as_mut()?;
        match stone {
            Ok(_) if many => block.wrong = Some("more stones than squares".to_string()),
            Ok(stone) => block.stones.push(stone),
            Err(why) => block.wrong = Some(block.wrong.take().unwrap_or(why)),
        }
        Some(Vec::new())
    }

    /// Reads `x,y,who`.
    fn stone(&self, line: &str) -> Result<(Square, bool), String> {
        let (square, who) = line.rsplit_once(',').unwrap_or((line, ""));
        match who.trim() {
            "1" => Ok((self.square(square)?, true)),
            "2" => Ok((self.square(square)?, false)),
            _ => Err(format!("`{}` is not a stone; write x,y,1 or x,y,2", shown(line))),
        }
    }

    /// Takes over a whole position, with the engine to move.
    fn set_up(&mut self, block: Block) -> Result<Vec<Effect>, Refused> {
        if let Some(why) = block.wrong {
            return Err(Refused::Wrong(why));
        }
        let mut board = self.board.clone();
        let game = board.game();
        // In the order of a game the stones can be taken back, and say who is Black.
        let colors: Vec<Color> = (0..block.stones.len()).map(|i| game.turn(i).0).collect();
        let (me, _) = game.turn(block.stones.len());
        let mut stones = block.stones.iter().zip(&colors);
        let squares: Vec<Square> = block.stones.iter().map(|(square, _)| *square).collect();
        let in_order = stones.all(|((_, own), &color)| *own == (color == me));
        if !in_order || board.replay(game, &squares).is_err() {
            board.set_up(set_up(game, &block.stones))?;
        }
        if board.position().is_over() {
            return Err(Refused::Wrong("the game on this board is over".to_string()));
        }
        let effect = board.think()?;
        self.board = board;
        Ok(vec![effect])
    }

    fn refusing(
        &mut self,
        act: impl FnOnce(&mut Gomocup) -> Result<Vec<Effect>, Refused>,
    ) -> Vec<Effect> {
        let said = match act(self) {
            Ok(effects) => return effects,
            Err(Refused::Unknown(what)) => format!("UNKNOWN {what}"),
            Err(Refused::Wrong(why)) => format!("ERROR {why}"),
        };
        vec![Effect::Say(said)]
    }
}

/// The position of stones in no order: the engine is the side whose turn it is in a game that leads
/// to this number of stones. Where there is no such game, it is Black.
fn set_up(game: Game, stones: &[(Square, bool)]) -> Result<Position, sixproof_game::SetupError> {
    let of = |own: bool| -> Vec<Square> {
        stones.iter().filter(|stone| stone.1 == own).map(|stone| stone.0).collect()
    };
    let (own, other) = (of(true), of(false));
    let as_side = |me: Color| {
        let (black, white) = if me == Color::Black { (&own, &other) } else { (&other, &own) };
        let (_, left) = game.turn_after(black.len(), white.len(), Some(me));
        Position::set_up(game, black, white, me, left)
    };
    let regular = [Color::Black, Color::White]
        .into_iter()
        .filter_map(|me| as_side(me).ok())
        .find(|position| position.irregularity().is_none());
    regular.map_or_else(|| as_side(Color::Black), Ok)
}

fn number(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| format!("`{}` is not a size", shown(text)))
}

fn info(rest: &str) -> Result<Info, String> {
    let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let value = value.trim();
    let number = || -> Result<u64, String> {
        let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        let number = if digits { value.parse().ok() } else { None };
        number.ok_or_else(|| format!("`{}` is no value of {key}", shown(value)))
    };
    let time = Duration::from_millis;
    // Piskvork counts the time that is left down below zero.
    let left = || if value.starts_with('-') { Ok(0) } else { number() };
    Ok(match key.to_ascii_lowercase().as_str() {
        "timeout_turn" => Info::Turn(time(number()?)),
        "timeout_match" => Info::Match(match number()? {
            0 | UNLIMITED_MS.. => None,
            limit => Some(time(limit)),
        }),
        "time_left" => Info::Left(match left()? {
            UNLIMITED_MS.. => None,
            left => Some(time(left)),
        }),
        "max_memory" => match number()? {
            0 => Info::Other,
            bytes => Info::Memory(bytes),
        },
        "rule" => match number()? {
            0 => Info::Exact(false),
            1 => Info::Exact(true),
            _ => {
                let why = "only 0 (k or more in a row) and 1 (exactly k) can be played";
                return Err(format!("rule {}: {why}", shown(value)));
            }
        },
        _ => Info::Other,
    })
}

impl Protocol for Gomocup {
    fn line(&mut self, line: &str) -> Vec<Effect> {
        if let Some(effects) = self.block_line(line) {
            return effects;
        }
        self.refusing(|engine| {
            let command = engine.parse(line)?;
            engine.obey(command)
        })
    }

    fn thought(&mut self, thought: &Thought, spent: Duration) -> Vec<Effect> {
        let game = self.board.game();
        let said = match self.board.answer(thought, spent) {
            Ok(squares) => {
                let names: Vec<String> = squares.iter().map(|&s| to_comma(game, s)).collect();
                names.join(" ")
            }
            Err(why) => format!("ERROR {why}"),
        };
        vec![Effect::Say(said)]
    }

    fn interruption(&self, line: &str) -> Interruption {
        match self.parse(line) {
            Ok(Command::Begin | Command::Turn(_) | Command::Stop) => Interruption::Hurry,
            Ok(
                Command::Start(..)
                | Command::Restart
                | Command::Board
                | Command::Takeback(_)
                | Command::End,
            ) => Interruption::Drop,
            // The rule of a game does not change while the engine thinks about it.
            Ok(Command::Info(Info::Exact(_))) => Interruption::Hurry,
            _ => Interruption::Nothing,
        }
    }

    fn position(&self) -> &Position {
        self.board.position()
    }

    fn is_error(&self, said: &str) -> bool {
        said.starts_with("ERROR") || said.starts_with("UNKNOWN")
    }
}
