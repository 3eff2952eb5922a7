//! The Go Text Protocol, version 2, for games of stones in a row: GoGui and its tools speak it.
//!
//! One stone is played with each `play` and each `genmove`, so that a move of two stones is two of
//! them in the same colour; the engine thinks once, and keeps the second stone for the second
//! `genmove`. There are no captures, no passes and no komi. `final_score` answers `B+1`, `W+1` or
//! `0`. Every command gets its response, in order: `=` and the result, or `?` and the reason.

use std::time::Duration;

use sixproof_game::{Color, Game, Position, Square};

use super::board::GameBoard;
use super::squares::{GTP_MAX, from_gtp, to_gtp};
use super::{Effect, Interruption, Protocol, Setup, drawing, shown};
use crate::Thought;

/// The commands.
const COMMANDS: [&str; 17] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// The longest time that a command may set, in seconds: a year.
const SECONDS_MAX: f64 = 366.0 * 86_400.0;

/// The engine's end of GTP.
#[derive(Clone, Debug)]
pub struct Gtp {
    name: String,
    board: GameBoard,
    /// The `genmove` that waits for a thought.
    asked: Option<Asked>,
    /// The other stones of the thought for the rest of this move.
    rest: Vec<Square>,
}

#[derive(Clone, Debug)]
struct Asked {
    id: String,
    /// Whether the stone is to be played.
    play: bool,
}

/// The response to a command: the text after `=`, unless that takes thinking, and further effects.
struct Answer(Option<String>, Vec<Effect>);

impl<T: Into<String>> From<T> for Answer {
    fn from(text: T) -> Answer {
        Answer(Some(text.into()), Vec::new())
    }
}

impl Gtp {
    pub(super) fn new(game: Game, setup: &Setup) -> Gtp {
        let board = GameBoard::new(game, setup.control, |_, square| to_gtp(square));
        Gtp { name: setup.name.clone(), board, asked: None, rest: Vec::new() }
    }

    /// Carries out a command, or returns why not.
    fn obey(&mut self, id: &str, words: &[&str]) -> Result<Answer, String> {
        let Some((&command, rest)) = words.split_first() else {
            return Err("there is no command".to_string());
        };
        let syntax = || {
            let given = shown(&rest.join(" "));
            format!("syntax error: `{given}` is not what {command} takes")
        };
        let color = |text: &str| parse_color(text).ok_or_else(syntax);
        let time = |text: &str| seconds(text).ok_or_else(syntax);
        let count = |text: &str| text.parse::<u32>().map_err(|_| syntax());
        Ok(match (command, rest) {
            ("protocol_version", []) => "2".into(),
            ("name", []) => self.name.clone().into(),
            ("version", []) => env!("CARGO_PKG_VERSION").into(),
            ("known_command", &[name]) => COMMANDS.contains(&name).to_string().into(),
            ("list_commands", []) => COMMANDS.join("\n").into(),
            ("quit", []) => Answer(Some(String::new()), vec![Effect::Quit]),
            ("boardsize", &[text]) => {
                let size = count(text)?;
                let game = self.board.game().resized(size, size).ok();
                match game.filter(|_| size <= GTP_MAX) {
                    Some(game) => self.restart(game),
                    None => return Err("unacceptable size".to_string()),
                }
            }
            ("clear_board", []) => self.restart(self.board.game()),
            ("komi", &[text]) => match text.parse::<f64>() {
                Ok(komi) if komi.is_finite() => "".into(),
                _ => return Err(syntax()),
            },
            ("play", &[side, square]) => {
                self.play(color(side)?, square)?;
                "".into()
            }
            ("genmove", &[side]) => self.generate(id, color(side)?, true)?,
            ("reg_genmove", &[side]) => self.generate(id, color(side)?, false)?,
            ("undo", []) => {
                self.board.take_back().ok_or("cannot undo")?;
                self.rest.clear();
                "".into()
            }
            ("showboard", []) => {
                let letter = |x: u32| char::from(b'A' + x as u8 + u8::from(x >= 8));
                format!("\n{}", drawing(self.board.position(), letter)).into()
            }
            ("time_settings", &[main, overtime, stones]) => {
                self.set_time(time(main)?, time(overtime)?, count(stones)?);
                "".into()
            }
            ("time_left", &[side, left, stones]) => {
                let (side, left) = (color(side)?, time(left)?);
                match count(stones)? {
                    0 => self.board.clock.set_left(side, left),
                    stones => self.board.clock.set_overtime(side, left / stones),
                }
                "".into()
            }
            ("final_score", []) => match self.board.position().winner() {
                Some(Color::Black) => "B+1".into(),
                Some(Color::White) => "W+1".into(),
                None if self.board.position().is_full() => "0".into(),
                None => return Err("the game is not over".to_string()),
            },
            _ if COMMANDS.contains(&command) => return Err(syntax()),
            _ => return Err("unknown command".to_string()),
        })
    }

    fn restart(&mut self, game: Game) -> Answer {
        self.board.restart(game);
        self.rest.clear();
        Answer(Some(String::new()), vec![Effect::NewGame])
    }

    /// Without overtime all time is main time; overtime for no stones is no limit at all.
    fn set_time(&mut self, main: Duration, overtime: Duration, stones: u32) {
        let clock = &mut self.board.clock;
        match stones {
            0 if overtime.is_zero() => clock.set_game(Some(main), None),
            0 => clock.set_game(None, None),
            _ => clock.set_game(Some(main), Some(overtime / stones)),
        }
    }

    fn ensure_turn(&self, color: Color) -> Result<(), String> {
        let position = self.board.position();
        if !position.is_over() && position.to_move() != color {
            return Err(format!("illegal move: it is the turn of {}", position.to_move()));
        }
        Ok(())
    }

    fn play(&mut self, color: Color, square: &str) -> Result<(), String> {
        self.ensure_turn(color)?;
        if square.eq_ignore_ascii_case("pass") || square.eq_ignore_ascii_case("resign") {
            return Err("illegal move: there is no passing in this game".to_string());
        }
        let square = from_gtp(self.board.game(), square)
            .map_err(|error| format!("illegal move: {error}"))?;
        self.board.play_stones(&[square])?;
        self.rest.clear();
        Ok(())
    }

    fn generate(&mut self, id: &str, color: Color, play: bool) -> Result<Answer, String> {
        self.ensure_turn(color)?;
        if let Some(&square) = self.rest.first() {
            if play {
                self.rest.remove(0);
                self.board.play_stones(&[square])?;
            }
            return Ok(to_gtp(square).into());
        }
        let effect = self.board.think()?;
        self.asked = Some(Asked { id: id.to_string(), play });
        Ok(Answer(None, vec![effect]))
    }

    /// The first stone of a thought is played; the others wait for the next `genmove`.
    fn choose(&mut self, thought: &Thought, play: bool, spent: Duration) -> Result<Square, String> {
        let mover = self.board.position().to_move();
        let (&first, rest) = thought.squares.split_first().ok_or("no move was found")?;
        self.board.play_stones(&[first]).map_err(|why| format!("no move was found ({why})"))?;
        self.board.clock.spend(mover, spent);
        if !play {
            self.board.take_back();
        } else if self.board.position().to_move() == mover && self.board.result().is_none() {
            self.rest = rest.to_vec();
        }
        Ok(first)
    }
}

fn parse_color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=SECONDS_MAX).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// A response as it is written: a line, or several, and an empty one.
fn said(sign: char, id: &str, text: &str) -> Effect {
    let blank = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
    Effect::Say(format!("{sign}{id}{blank}{text}\n"))
}

impl Protocol for Gtp {
    fn line(&mut self, line: &str) -> Vec<Effect> {
        let line: String = line
            .chars()
            .take_while(|&c| c != '#')
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let is_id = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
        let id = match words.first().filter(|word| is_id(word)) {
            Some(&id) => {
                words.remove(0);
                id
            }
            None if words.is_empty() => return Vec::new(),
            None => "",
        };
        match self.obey(id, &words) {
            Ok(Answer(text, effects)) => {
                let said = text.map(|text| said('=', id, &text));
                said.into_iter().chain(effects).collect()
            }
            Err(why) => vec![said('?', id, &why)],
        }
    }

    fn thought(&mut self, thought: &Thought, spent: Duration) -> Vec<Effect> {
        let Some(Asked { id, play }) = self.asked.take() else { return Vec::new() };
        vec![match self.choose(thought, play, spent) {
            Ok(square) => said('=', &id, &to_gtp(square)),
            Err(why) => said('?', &id, &why),
        }]
    }

    fn interruption(&self, line: &str) -> Interruption {
        // Responses come in the order of the commands, and every command has one.
        let is_empty = line.trim_start().is_empty() || line.trim_start().starts_with('#');
        if is_empty { Interruption::Nothing } else { Interruption::Hurry }
    }

    fn position(&self) -> &Position {
        self.board.position()
    }

    fn is_error(&self, said: &str) -> bool {
        said.starts_with('?')
    }
}
