//! The protocol of Botzone's ConnectSix, 15 x 15 unless another board is asked for.
//!
//! The judge starts the program for every move and sends the whole game so far, in one of two
//! forms; the program answers in the same form and ends.
//!
//! ```text
//! {"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[]}
//! {"response":{"x0":7,"y0":7,"x1":-1,"y1":-1}}
//! ```
//!
//! The simple form is the number of requests, then a line `x0 y0 x1 y1` for each request and each
//! response in turn. Squares are columns and rows from the top left, from 0; -1 is a missing stone,
//! and a request without stones says: you begin.
//!
//! A program that is kept running gets one request after the other: an object or a line. With
//! `keep_running` the answer is followed by the line that asks for that. The answer to a refused
//! line is an object without a response but with a `debug` text, which Botzone shows to people.

use std::time::Duration;

use serde_json::{Map, Value, json};
use sixproof_game::{Game, Position, Square};

use super::board::GameBoard;
use super::squares::{from_numbers, to_comma, to_numbers};
use super::{Effect, Interruption, Protocol, Setup, shown};
use crate::Thought;

/// The line after an answer that asks the judge not to end the program.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// The engine's end of Botzone's protocol.
#[derive(Clone, Debug)]
pub struct Botzone {
    board: GameBoard,
    keep_running: bool,
    /// The form of the last request.
    form: Form,
    /// Whether the next answer is the last.
    ends: bool,
    /// The number of lines of the simple form that are still to come, and those that came.
    lines: Option<(usize, Vec<Stones>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    Simple,
}

/// A request or a response: x0, y0, x1, y1.
type Stones = [i64; 4];

/// A parsed line.
enum Command {
    Nothing,
    /// All requests and responses.
    History(Form, Vec<Stones>),
    /// One more request.
    Request(Form, Stones),
    /// The number of requests that follow.
    Count(usize),
}

impl Botzone {
    pub(super) fn new(game: Game, setup: &Setup) -> Botzone {
        let board = GameBoard::new(game, setup.control, to_comma);
        let keep_running = setup.keep_running;
        Botzone { board, keep_running, form: Form::Json, ends: !keep_running, lines: None }
    }

    fn parse(&self, line: &str) -> Result<Command, String> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(Command::Nothing);
        }
        if line.starts_with('{') {
            let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            return json_command(&value);
        }
        let bad = || format!("`{}` is neither JSON nor a line x0 y0 x1 y1", shown(line));
        let words = line.split_whitespace().map(|word| word.parse().map_err(|_| bad()));
        match words.collect::<Result<Vec<i64>, String>>()?[..] {
            [count] => {
                let moves_max = self.board.game().area().unwrap_or_default() as i64;
                match usize::try_from(count) {
                    Ok(count @ 1..) if count as i64 <= moves_max => Ok(Command::Count(count)),
                    _ => Err(format!("{count} requests are not possible")),
                }
            }
            [x0, y0, x1, y1] => Ok(Command::Request(Form::Simple, [x0, y0, x1, y1])),
            _ => Err(bad()),
        }
    }

    fn obey(&mut self, command: Command) -> Result<Vec<Effect>, String> {
        match command {
            Command::Nothing => Ok(Vec::new()),
            Command::History(form, moves) => self.history(form, &moves),
            Command::Count(count) => {
                self.lines = Some((2 * count - 1, Vec::new()));
                Ok(Vec::new())
            }
            Command::Request(Form::Simple, stones) if self.lines.is_some() => {
                let (left, mut lines) = self.lines.take().unwrap_or_default();
                lines.push(stones);
                if lines.len() < left {
                    self.lines = Some((left, lines));
                    return Ok(Vec::new());
                }
                self.history(Form::Simple, &lines)
            }
            Command::Request(form, stones) => {
                let squares = self.squares(stones)?;
                let mut board = self.board.clone();
                let mut effects = Vec::new();
                if squares.is_empty() {
                    board.restart(board.game());
                    effects.push(Effect::NewGame);
                } else {
                    board.play_move(&squares)?;
                }
                effects.extend(self.request_move(board, form)?);
                self.ends = false;
                Ok(effects)
            }
        }
    }

    /// A whole game up to now: requests and responses in turn, a request last.
    fn history(&mut self, form: Form, moves: &[Stones]) -> Result<Vec<Effect>, String> {
        let mut board = self.board.clone();
        board.restart(board.game());
        for (index, &stones) in moves.iter().enumerate() {
            let squares = self.squares(stones).map_err(|why| at(index, &why))?;
            if index > 0 || !squares.is_empty() {
                board.play_move(&squares).map_err(|why| at(index, &why))?;
            }
        }
        let mut effects = vec![Effect::NewGame];
        effects.extend(self.request_move(board, form)?);
        self.ends = !self.keep_running;
        Ok(effects)
    }

    /// Takes over a game, and asks for a move in it.
    fn request_move(&mut self, board: GameBoard, form: Form) -> Result<Option<Effect>, String> {
        if board.position().is_over() {
            return Err("the game is over".to_string());
        }
        let effect = board.think()?;
        (self.board, self.form) = (board, form);
        Ok(Some(effect))
    }

    fn squares(&self, [x0, y0, x1, y1]: Stones) -> Result<Vec<Square>, String> {
        let mut squares = Vec::new();
        for (x, y) in [(x0, y0), (x1, y1)] {
            if (x, y) != (-1, -1) {
                let square = from_numbers(self.board.game(), x, y);
                squares.push(square.map_err(|error| error.to_string())?);
            }
        }
        Ok(squares)
    }

    fn answer(&self, squares: &[Square]) -> String {
        let game = self.board.game();
        let stone = |index: usize| squares.get(index).map_or((-1, -1), |&s| to_numbers(game, s));
        let ((x0, y0), (x1, y1)) = (stone(0), stone(1));
        match self.form {
            Form::Json => {
                json!({ "response": { "x0": x0, "y0": y0, "x1": x1, "y1": y1 } }).to_string()
            }
            Form::Simple => format!("{x0} {y0} {x1} {y1}"),
        }
    }
}

/// An error with its place in the history.
fn at(index: usize, why: &str) -> String {
    let list = if index.is_multiple_of(2) { "requests" } else { "responses" };
    format!("{list}[{}]: {why}", index / 2)
}

fn refusal(why: &str) -> Effect {
    Effect::Say(json!({ "debug": format!("error: {why}") }).to_string())
}

fn json_command(value: &Value) -> Result<Command, String> {
    let object = value.as_object().ok_or("the line is not an object")?;
    if !object.contains_key("requests") {
        return Ok(Command::Request(Form::Json, json_stones(value)?));
    }
    let requests = json_list(object, "requests")?;
    let responses = json_list(object, "responses")?;
    if requests.len() != responses.len() + 1 {
        let (requests, responses) = (requests.len(), responses.len());
        return Err(format!("{requests} requests and {responses} responses: one more is needed"));
    }
    let in_turn = requests
        .iter()
        .enumerate()
        .flat_map(|(i, request)| [Some(request), responses.get(i)])
        .flatten();
    let moves = in_turn.enumerate().map(|(i, stones)| json_stones(stones).map_err(|e| at(i, &e)));
    Ok(Command::History(Form::Json, moves.collect::<Result<_, _>>()?))
}

fn json_list<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a [Value], String> {
    match object.get(key) {
        Some(Value::Array(list)) => Ok(list),
        None => Ok(&[]),
        Some(_) => Err(format!("`{key}` is not a list")),
    }
}

/// A missing coordinate is a missing stone.
fn json_stones(value: &Value) -> Result<Stones, String> {
    let object = value.as_object().ok_or("a move is an object with x0, y0, x1 and y1")?;
    if !object.contains_key("x0") {
        return Err("a move is an object with x0, y0, x1 and y1".to_string());
    }
    let mut stones = [-1; 4];
    for (number, key) in stones.iter_mut().zip(["x0", "y0", "x1", "y1"]) {
        if let Some(value) = object.get(key) {
            *number = value.as_i64().ok_or_else(|| format!("`{key}` is not a whole number"))?;
        }
    }
    Ok(stones)
}

impl Protocol for Botzone {
    fn line(&mut self, line: &str) -> Vec<Effect> {
        let command = self.parse(line);
        if !matches!(command, Ok(Command::Nothing | Command::Request(Form::Simple, _))) {
            // An unfinished history in lines is invalid.
            self.lines = None;
        }
        let effects = command.and_then(|command| self.obey(command));
        effects.unwrap_or_else(|why| vec![refusal(&why)])
    }

    fn thought(&mut self, thought: &Thought, spent: Duration) -> Vec<Effect> {
        let mut effects = vec![match self.board.answer(thought, spent) {
            Ok(squares) => Effect::Say(self.answer(&squares)),
            Err(why) => refusal(&why),
        }];
        if self.keep_running {
            effects.push(Effect::Say(KEEP_RUNNING.to_string()));
        }
        if self.ends {
            effects.push(Effect::Quit);
        }
        effects
    }

    fn interruption(&self, line: &str) -> Interruption {
        match self.parse(line) {
            Ok(Command::Nothing) | Err(_) => Interruption::Nothing,
            Ok(Command::History(..) | Command::Request(..) | Command::Count(_)) => {
                Interruption::Hurry
            }
        }
    }

    /// The judge sends its one line and closes the input: the answer is still wanted.
    fn end(&self) -> Interruption {
        Interruption::Nothing
    }

    fn position(&self) -> &Position {
        self.board.position()
    }

    fn is_error(&self, said: &str) -> bool {
        said.starts_with("{\"debug\"")
    }
}
