//! The client's side of the engine protocols: sends a program the moves and reads its answers.
//!
//! A program receives what it does not know yet: first the opening, then each move of the other
//! side. Lines that are not an answer (logs, messages) are passed over.

mod botzone;

use std::io;
use std::time::{Duration, Instant};

use sixproof_game::{Color, Game, Square};
use sixproof_player::Control;
use sixproof_player::protocol::ProtocolName;
use sixproof_player::protocol::squares::{
    from_comma, from_gtp, move_from_letters, move_to_ccgc, move_to_letters, to_comma, to_gtp,
};

use super::player::{Fault, PlayerReply, PlayerTurn};
use super::process::Process;

/// The longest start of a program.
const READY_WITHIN: Duration = Duration::from_secs(10);
/// The longest wait for the name of a program; not all programs send it.
const NAME_WITHIN: Duration = Duration::from_secs(2);

type Answer<T> = Result<T, Fault>;

/// A program that plays a game.
pub(super) struct Program {
    protocol: ProtocolName,
    words: Vec<String>,
    color: Color,
    process: Option<Process>,
    /// Moves that the program knows.
    sent: usize,
}

impl Program {
    pub(super) fn new(protocol: ProtocolName, words: Vec<String>, color: Color) -> Program {
        Program { protocol, words, color, process: None, sent: 0 }
    }

    /// Checks that a program can be started.
    pub(super) fn try_out(words: &[String]) -> io::Result<()> {
        Process::start(words).map(drop)
    }

    /// Starts the program and sends it the game.
    pub(super) fn prepare(&mut self, game: Game, turn: &PlayerTurn<'_>) -> Answer<()> {
        let process = Process::start(&self.words)
            .map_err(|error| Fault::Crash(format!("cannot be started: {error}")))?;
        self.process = Some(process);
        match self.protocol {
            ProtocolName::C6 => {
                self.name("name", turn)?;
                // As White it does not move by itself, and so can receive an opening.
                self.send("new white\n")?;
                turn.depth.map_or(Ok(()), |depth| self.send(&format!("depth {depth}\n")))
            }
            ProtocolName::Ccgc => self.name("name?", turn),
            ProtocolName::Gomocup => self.start_gomocup(game, turn),
            ProtocolName::Gtp => self.start_gtp(game, turn),
            // Started for each move.
            ProtocolName::Botzone => {
                self.process = None;
                Ok(())
            }
        }
    }

    /// The program's move.
    pub(super) fn think(&mut self, turn: &PlayerTurn<'_>) -> Answer<PlayerReply> {
        if let Some(process) = &mut self.process {
            process.forget();
        }
        let squares = match self.protocol {
            ProtocolName::C6 => self.c6(turn),
            ProtocolName::Ccgc => self.ccgc(turn),
            ProtocolName::Gomocup => self.gomocup(turn),
            ProtocolName::Gtp => self.gtp(turn),
            ProtocolName::Botzone => botzone::think(&self.words, self.color, turn),
        }?;
        self.sent = turn.moves.len() + 1;
        Ok(PlayerReply { squares, ..PlayerReply::default() })
    }

    /// Asks the program to end, and kills it if it does not.
    pub(super) fn end(&mut self) {
        if let Some(process) = self.process.take() {
            process.end(if self.protocol == ProtocolName::Gomocup { "END\n" } else { "quit\n" });
        }
    }

    fn process(&mut self) -> Answer<&mut Process> {
        self.process.as_mut().ok_or_else(|| Fault::Crash("the program does not run".to_string()))
    }

    fn send(&mut self, text: &str) -> Answer<()> {
        self.process()?.send(text)
    }

    fn line(&mut self, turn: &PlayerTurn<'_>, deadline: Instant) -> Answer<String> {
        self.process()?.line(deadline, turn.stop)
    }

    /// Asks for the name, to see that the program answers; it need not.
    fn name(&mut self, question: &str, turn: &PlayerTurn<'_>) -> Answer<()> {
        self.send(&format!("{question}\n"))?;
        let deadline = Instant::now() + NAME_WITHIN;
        loop {
            match self.line(turn, deadline) {
                Ok(line) if line.starts_with("name") => return Ok(()),
                Ok(_) => {}
                Err(Fault::Late) => return Ok(()),
                Err(fault) => return Err(fault),
            }
        }
    }

    /// The side that made a move of the game, which the program does not know.
    fn untold<'a>(
        &self,
        turn: &'a PlayerTurn<'_>,
    ) -> impl Iterator<Item = (Color, &'a Vec<Square>)> {
        let sides = [Color::Black, Color::White];
        let all = turn.moves.iter().enumerate().map(move |(i, squares)| (sides[i % 2], squares));
        all.skip(self.sent)
    }

    fn c6(&mut self, turn: &PlayerTurn<'_>) -> Answer<Vec<Square>> {
        let mut text = String::new();
        match turn.moves.last() {
            Some(last) if self.sent > 0 && self.sent + 1 == turn.moves.len() => {
                text += &format!("move {}\n", move_to_letters(last));
            }
            _ => {
                for (color, squares) in self.untold(turn) {
                    text += &format!("{color} {}\n", move_to_letters(squares));
                }
                text += "next\n";
            }
        }
        self.send(&text)?;
        self.letters(turn)
    }

    fn ccgc(&mut self, turn: &PlayerTurn<'_>) -> Answer<Vec<Square>> {
        let mut text = String::new();
        if self.sent == 0 {
            text += &format!("new {}\n", self.color);
        }
        if let Some(last) = turn.moves.last() {
            let stones = turn.position.game().p() as usize;
            text += &format!("move {}\n", move_to_ccgc(last, stones));
        }
        self.send(&text)?;
        self.letters(turn)
    }

    /// Waits for `move XXXX`.
    fn letters(&mut self, turn: &PlayerTurn<'_>) -> Answer<Vec<Square>> {
        loop {
            let line = self.line(turn, turn.deadline)?;
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some("move"), Some(letters)) => {
                    let is_squares = letters.bytes().all(|b| b.is_ascii_alphabetic() || b == b'@')
                        && letters.len() % 2 == 0;
                    return move_from_letters(turn.position.game(), letters)
                        .map_err(|bad| misread(is_squares, &bad.to_string()));
                }
                (Some("error"), _) => return Err(Fault::Garbage(format!("it says `{line}`"))),
                _ => {}
            }
        }
    }

    fn start_gomocup(&mut self, game: Game, turn: &PlayerTurn<'_>) -> Answer<()> {
        let (cols, rows) = (game.cols(), game.rows());
        self.send(&match cols == rows {
            true => format!("START {cols}\n"),
            false => format!("RECTSTART {cols},{rows}\n"),
        })?;
        let deadline = Instant::now() + READY_WITHIN;
        loop {
            let line = self.line(turn, deadline)?;
            match line.split_whitespace().next() {
                Some("OK") => break,
                Some("ERROR") => return Err(Fault::Crash(format!("it says `{line}`"))),
                _ => {}
            }
        }
        let (each, all) = match turn.control {
            Some(Control::Move(time)) => (time.as_millis(), 0),
            Some(Control::Game { total, .. }) => (total.as_millis(), total.as_millis()),
            None => (0, 0),
        };
        let rule = u32::from(game.exact());
        self.send(&format!(
            "INFO timeout_turn {each}\nINFO timeout_match {all}\nINFO max_memory 0\n\
             INFO game_type 1\nINFO rule {rule}\n"
        ))
    }

    fn gomocup(&mut self, turn: &PlayerTurn<'_>) -> Answer<Vec<Square>> {
        let game = turn.position.game();
        let mut text = format!("INFO time_left {}\n", turn.left.as_millis().min(i32::MAX as u128));
        match turn.moves.last() {
            None => text += "BEGIN\n",
            Some(last) if self.sent > 0 => {
                let squares: Vec<String> = last.iter().map(|&s| to_comma(game, s)).collect();
                text += &format!("TURN {}\n", squares.join(" "));
            }
            Some(_) => {
                text += "BOARD\n";
                for (color, squares) in self.untold(turn) {
                    let field = if color == self.color { 1 } else { 2 };
                    for &square in squares {
                        text += &format!("{},{field}\n", to_comma(game, square));
                    }
                }
                text += "DONE\n";
            }
        }
        self.send(&text)?;
        loop {
            let line = self.line(turn, turn.deadline)?;
            let first = line.split_whitespace().next().unwrap_or_default();
            match first.to_ascii_uppercase().as_str() {
                "" | "MESSAGE" | "DEBUG" | "SUGGEST" | "OK" => {}
                "ERROR" | "UNKNOWN" => return Err(Fault::Garbage(format!("it says `{line}`"))),
                _ => {
                    let is_squares =
                        line.bytes().all(|b| b.is_ascii_digit() || b", -".contains(&b));
                    let squares = line.split_whitespace().map(|word| from_comma(game, word));
                    return squares
                        .collect::<Result<_, _>>()
                        .map_err(|bad| misread(is_squares, &bad.to_string()));
                }
            }
        }
    }

    fn start_gtp(&mut self, game: Game, turn: &PlayerTurn<'_>) -> Answer<()> {
        let (cols, rows) = (game.cols(), game.rows());
        let deadline = Instant::now() + READY_WITHIN;
        let size = match cols == rows {
            true => format!("boardsize {cols}"),
            false => format!("rectangular_boardsize {cols} {rows}"),
        };
        for command in [&size[..], "clear_board"] {
            self.command(command, turn, deadline)?
                .map_err(|error| Fault::Crash(format!("`{command}`: it says `{error}`")))?;
        }
        // A program that does not know this command ignores it.
        let _known = match turn.control {
            Some(Control::Move(time)) => {
                let seconds = time.as_secs_f64();
                self.command(&format!("time_settings 0 {seconds} 1"), turn, deadline)?
            }
            Some(Control::Game { total, .. }) => {
                let seconds = total.as_secs();
                self.command(&format!("time_settings {seconds} 0 0"), turn, deadline)?
            }
            None => Ok(String::new()),
        };
        Ok(())
    }

    fn gtp(&mut self, turn: &PlayerTurn<'_>) -> Answer<Vec<Square>> {
        let color = self.color;
        let untold: Vec<_> = self.untold(turn).map(|(c, squares)| (c, squares.clone())).collect();
        for (color, squares) in untold {
            for square in squares {
                let command = format!("play {color} {}", to_gtp(square));
                self.command(&command, turn, turn.deadline)?
                    .map_err(|error| Fault::Garbage(format!("`{command}`: it says `{error}`")))?;
            }
        }
        if let Some(Control::Game { .. }) = turn.control {
            let seconds = turn.left.as_secs();
            let _known =
                self.command(&format!("time_left {color} {seconds} 0"), turn, turn.deadline)?;
        }
        let mut position = turn.position.clone();
        let mut squares = Vec::new();
        while position.to_move() == color && position.winner().is_none() && !position.is_full() {
            let answer = self
                .command(&format!("genmove {color}"), turn, turn.deadline)?
                .map_err(|error| Fault::Garbage(format!("genmove: it says `{error}`")))?;
            if answer.eq_ignore_ascii_case("resign") {
                return Ok(Vec::new());
            }
            let square = from_gtp(position.game(), &answer)
                .map_err(|bad| misread(answer.eq_ignore_ascii_case("pass"), &bad.to_string()))?;
            squares.push(square);
            if let Err(why) = position.place(square) {
                return Err(Fault::Illegal(format!("{answer}: {why}")));
            }
        }
        Ok(squares)
    }

    /// Sends a command of GTP: the answer of the program, or its error message.
    fn command(
        &mut self,
        command: &str,
        turn: &PlayerTurn<'_>,
        deadline: Instant,
    ) -> Answer<Result<String, String>> {
        self.send(&format!("{command}\n"))?;
        loop {
            let line = self.line(turn, deadline)?;
            let text = |rest: &str| {
                rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_string()
            };
            if let Some(rest) = line.strip_prefix('=') {
                return Ok(Ok(text(rest)));
            }
            if let Some(rest) = line.strip_prefix('?') {
                return Ok(Err(text(rest)));
            }
        }
    }
}

/// An answer that names no squares of the board: squares off it, or none at all.
fn misread(is_squares: bool, why: &str) -> Fault {
    match is_squares {
        true => Fault::Illegal(why.to_string()),
        false => Fault::Garbage(why.to_string()),
    }
}
