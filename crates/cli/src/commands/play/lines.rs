//! The front end of lines: the board and a prompt, a line of text, an answer. For pipes, scripts
//! and screen readers.

use std::io::{self, BufRead, IsTerminal as _, Read as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Instant;

use sixproof_game::Position;
use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use super::command;
use super::session::{Effect, Purpose, Session};
use super::signals::{POLL_EVERY, Signals};
use crate::drawing;
use crate::live::Live;
use crate::options::UserSide;

/// Bytes of a line; what is longer is no command.
const LINE_BYTES_MAX: u64 = 1_000;
/// Lines that are read before they are needed.
const LINES_AHEAD: usize = 64;

/// What the user sends.
enum Input {
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// No more input, or the end of the program is asked for.
    End,
}

struct Lines {
    session: Session,
    input: Receiver<String>,
    signals: Signals,
    ascii: bool,
    output: Output,
    /// The position that was shown last.
    shown: Option<Position>,
}

/// Plays until the user quits or the input ends.
pub(super) fn run(session: Session, signals: Signals, ascii: bool, output: Output) -> Result<()> {
    let input = read_lines()?;
    output.say(session.greeting());
    Lines { session, input, signals, ascii, output, shown: None }.run()
}

impl Lines {
    fn run(mut self) -> Result<()> {
        let mut is_warned = false;
        loop {
            if self.session.played.is_engines_turn() {
                if !self.think(Purpose::Move)? {
                    break;
                }
                continue;
            }
            self.show_board(false);
            self.say_prompt();
            match self.next_input() {
                Input::End => break,
                Input::Interrupt if is_warned => break,
                Input::Interrupt => {
                    is_warned = true;
                    self.output.say("\nCtrl-C again quits.");
                }
                Input::Line(line) => {
                    is_warned = false;
                    if !self.run_line(&line)? {
                        break;
                    }
                }
            }
        }
        if let Some(text) = self.session.closing_text(!self.signals.is_end()) {
            self.output.say(text);
        }
        Ok(())
    }

    /// Runs the command of a line; false at the end.
    fn run_line(&mut self, line: &str) -> Result<bool> {
        let command = match command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Ok(true),
            Err(mistake) => {
                self.output.say(mistake);
                return Ok(true);
            }
        };
        match self.session.act(command) {
            Effect::Said(text) if text.is_empty() => {}
            Effect::Said(text) => self.output.say(text),
            Effect::Board => self.show_board(true),
            Effect::Think(purpose) => return self.think(purpose),
            Effect::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn show_board(&mut self, wanted: bool) {
        let played = &self.session.played;
        let position = played.position();
        // The stones of a move that is not complete were typed just now.
        let is_new = played.provisional().is_empty() && self.shown.as_ref() != Some(position);
        if wanted || is_new {
            self.shown = Some(position.clone());
            drawing::say(&self.session.picture(), self.ascii, self.output);
        }
    }

    fn say_prompt(&self) {
        // What is typed ends the line of the prompt; what comes from a file does not show.
        let end = if io::stdin().is_terminal() { " " } else { "\n" };
        let mut out = anstream::stdout().lock();
        // A reader that has gone away is found out when the input ends.
        let _written = write!(out, "{}>{end}", self.session.prompt()).and_then(|()| out.flush());
    }

    fn next_input(&self) -> Input {
        loop {
            if self.signals.is_end() {
                return Input::End;
            }
            if self.signals.take_interrupt() {
                return Input::Interrupt;
            }
            match self.input.recv_timeout(POLL_EVERY) {
                Ok(line) => return Input::Line(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Input::End,
            }
        }
    }

    /// Waits for the engine, and prints its answer; false when the user quits.
    fn think(&mut self, purpose: Purpose) -> Result<bool> {
        let thinking = self.session.start_thinking(purpose)?;
        let mut live = Live::on_terminal();
        while !thinking.is_finished() {
            if self.signals.is_end() {
                return Ok(false);
            }
            if self.signals.take_interrupt() {
                if thinking.is_stopped() {
                    return Ok(false);
                }
                thinking.stop();
                // An engine that plays itself waits for the next command after a stop.
                let plays_itself = self.session.played.side_of_user() == UserSide::None;
                self.session.played.pause(plays_itself);
                if let Some(live) = &mut live {
                    live.leave();
                }
            }
            if let Some(live) = live.as_mut().filter(|live| live.is_due(Instant::now())) {
                live.draw(&[("engine", self.session.progress(&thinking))]);
            }
            thread::sleep(POLL_EVERY);
        }
        drop(live);
        let text = self.session.conclude(purpose, thinking);
        self.output.say(text);
        Ok(true)
    }
}

/// Lines of standard input, read by a thread, because no call waits for a line and for a signal.
fn read_lines() -> Result<Receiver<String>> {
    let (sender, receiver) = sync_channel(LINES_AHEAD);
    let work = move || {
        let mut input = io::stdin().lock();
        // An input that cannot be read has ended.
        while let Ok(Some(line)) = read_line(&mut input) {
            if sender.send(line).is_err() {
                return;
            }
        }
    };
    match thread::Builder::new().name("input".to_string()).spawn(work) {
        Ok(_) => Ok(receiver),
        Err(error) => Err(sixproof_solve::failure::Failure::io("standard input", &error)),
    }
}

/// The next line without its end; of a long one the beginning. `None` at the end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LINE_BYTES_MAX {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_odd_lines_are_read_as_one_line_each() {
        let long = "x".repeat(LINE_BYTES_MAX as usize * 3);
        let bytes = [b"a1\r\n\n", long.as_bytes(), b"\n\xff\nlast"].concat();
        let mut input = &bytes[..];
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next().as_deref(), Some("a1"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().map(|line| line.len() as u64), Some(LINE_BYTES_MAX));
        assert_eq!(next().as_deref(), Some("\u{fffd}"));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }
}
