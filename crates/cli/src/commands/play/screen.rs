//! The front end of keys: the board on the whole screen of a terminal. A frame is one write, drawn
//! over the last one, so that nothing flickers. However the program ends, the terminal is as it was
//! before.

use std::io::{self, Write as _};
use std::sync::Once;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use crossterm::{cursor, execute, queue, terminal};
use sixproof_game::Square;
use sixproof_game::picture::TerminalStyle;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::Output;

use super::keys::{KeyAction, Keyboard};
use super::session::{Effect, Purpose, Session};
use super::signals::{POLL_EVERY, Signals};
use super::view::{View, Words, wrapped};
use crate::options::UserSide;

/// The time between two frames while the engine thinks.
const FRAME_EVERY: Duration = Duration::from_millis(100);
/// What the keys do.
const KEYS: &str = "Arrows, Space: place a stone\nBackspace: take it back\n\
    k11 l10, Enter: a move by name\nTab: hint   Ctrl-Z: undo\nCtrl-W: why  ?: all commands";

/// The terminal in the state that a game needs. Dropped, it is as before.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Raw> {
        // The message of a panic must not go to a screen that is about to vanish.
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let usual = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                usual(panic);
            }));
        });
        terminal::enable_raw_mode()?;
        let raw = Raw;
        execute!(
            io::stdout(),
            terminal::EnterAlternateScreen,
            terminal::DisableLineWrap,
            cursor::Hide
        )?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, whether or not it was taken.
fn restore() {
    if terminal::is_raw_mode_enabled().unwrap_or(true) {
        // A terminal that has gone away needs nothing.
        let _given_back = execute!(
            io::stdout(),
            cursor::Show,
            terminal::EnableLineWrap,
            terminal::LeaveAlternateScreen
        );
        let _given_back = terminal::disable_raw_mode();
    }
}

/// What happened while waiting.
enum ScreenEvent {
    Key(KeyEvent),
    /// The window has another size.
    Resize,
    Interrupt,
    /// The program is to end, or the terminal has gone away.
    End,
    Nothing,
}

struct Screen {
    session: Session,
    signals: Signals,
    keyboard: Keyboard,
    view: View,
    style: TerminalStyle,
    said: String,
    /// The frame that is on the terminal: the same is not drawn again.
    drawn: Vec<u8>,
    events: Receiver<io::Result<Event>>,
    /// Whether the terminal has gone away.
    is_gone: bool,
}

/// What happens on the terminal, read in a thread of its own: where a terminal goes away, the
/// library's reader never returns, and the game must be saved all the same.
fn events() -> Receiver<io::Result<Event>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || while sender.send(event::read()).is_ok() {});
    receiver
}

/// Plays until the user quits.
pub(super) fn run(session: Session, signals: Signals, ascii: bool, output: Output) -> Result<()> {
    let game = session.played.game();
    let centre = Square::new(game.cols() as i32 / 2, game.rows() as i32 / 2);
    let cursor = session.played.last_squares().last().copied().unwrap_or(centre);
    let style = TerminalStyle { color: output.has_colors(), unicode: !ascii, width: None };
    let said = format!("{}\n\n{KEYS}", session.greeting());
    let keyboard = Keyboard::new(game, cursor);
    let (view, drawn) = (View::default(), Vec::new());
    let raw = Raw::enter().map_err(|e| {
        Failure::new(format!("the terminal cannot be used: {e}"))
            .help("play with lines of text: --plain")
    })?;
    let (events, is_gone) = (events(), false);
    let mut screen =
        Screen { session, signals, keyboard, view, style, said, drawn, events, is_gone };
    let played = screen.run();
    drop(raw);
    let is_read = played.is_ok() && !screen.is_gone && !screen.signals.is_end();
    if let Some(text) = screen.session.closing_text(is_read) {
        output.say(text);
    }
    played
}

impl Screen {
    fn run(&mut self) -> Result<()> {
        let mut is_warned = false;
        loop {
            if self.session.played.is_engines_turn() {
                if !self.think(Purpose::Move)? {
                    return Ok(());
                }
                continue;
            }
            self.draw_all()?;
            let action = match self.wait(Duration::from_millis(200)) {
                ScreenEvent::Key(key) => self.keyboard.press(key),
                ScreenEvent::Interrupt => KeyAction::Interrupt,
                ScreenEvent::End => return Ok(()),
                ScreenEvent::Resize | ScreenEvent::Nothing => continue,
            };
            match action {
                KeyAction::Interrupt if is_warned => return Ok(()),
                KeyAction::Interrupt => {
                    self.said = "Ctrl-C again quits.".to_string();
                    is_warned = true;
                    continue;
                }
                KeyAction::Look | KeyAction::Escape => {}
                KeyAction::Mistake(mistake) => self.said = mistake,
                KeyAction::Do(command) => match self.session.act(command) {
                    Effect::Said(text) => self.said = text,
                    Effect::Board => self.said.clear(),
                    Effect::Think(purpose) => {
                        if !self.think(purpose)? {
                            return Ok(());
                        }
                    }
                    Effect::Quit => return Ok(()),
                },
            }
            is_warned = false;
        }
    }

    /// Waits for the engine; false when the user quits.
    fn think(&mut self, purpose: Purpose) -> Result<bool> {
        let thinking = self.session.start_thinking(purpose)?;
        let mut due = Instant::now();
        while !thinking.is_finished() {
            if due <= Instant::now() {
                due = Instant::now() + FRAME_EVERY;
                let progress = self.session.progress(&thinking);
                let prompt = format!("{progress}  (Esc: move now)");
                self.draw(&prompt, None)?;
            }
            let is_stop = match self.wait(POLL_EVERY) {
                ScreenEvent::End => return Ok(false),
                ScreenEvent::Interrupt if thinking.is_stopped() => return Ok(false),
                ScreenEvent::Interrupt => true,
                ScreenEvent::Resize | ScreenEvent::Nothing => false,
                ScreenEvent::Key(key) => match self.keyboard.press(key) {
                    KeyAction::Interrupt if thinking.is_stopped() => return Ok(false),
                    KeyAction::Interrupt | KeyAction::Escape => true,
                    // The cursor may be moved; commands wait for the user's turn.
                    _ => false,
                },
            };
            if is_stop {
                thinking.stop();
                // An engine that plays itself waits for the next command after a stop.
                let plays_itself = self.session.played.side_of_user() == UserSide::None;
                self.session.played.pause(plays_itself);
            }
        }
        self.said = self.session.conclude(purpose, thinking);
        // The cursor stays where it is, unless the move would not be seen.
        let last = self.session.played.last_squares();
        if let Some(&hidden) = last.iter().find(|&&square| !self.view.shows(square)) {
            self.keyboard.cursor = hidden;
        }
        Ok(true)
    }

    /// The next thing that happens, within a time.
    fn wait(&mut self, time: Duration) -> ScreenEvent {
        if self.signals.is_end() {
            return ScreenEvent::End;
        }
        if self.signals.take_interrupt() {
            return ScreenEvent::Interrupt;
        }
        match self.events.recv_timeout(time) {
            Ok(Ok(Event::Key(key))) if key.kind != KeyEventKind::Release => ScreenEvent::Key(key),
            Ok(Ok(Event::Resize(..))) => {
                self.drawn.clear();
                ScreenEvent::Resize
            }
            Ok(Ok(_)) | Err(RecvTimeoutError::Timeout) => ScreenEvent::Nothing,
            Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => ScreenEvent::Nothing,
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                self.is_gone = true;
                ScreenEvent::End
            }
        }
    }

    /// Draws the board with the prompt, or first the words where they need a screen of their own.
    fn draw_all(&mut self) -> Result<()> {
        let prompt = format!("{}> {}", self.session.prompt(), self.keyboard.text);
        let column = (!self.keyboard.text.is_empty()).then_some(prompt.chars().count());
        if !self.draw(&prompt, column)? {
            self.show_words()?;
            self.said.clear();
            self.draw(&prompt, column)?;
        }
        Ok(())
    }

    /// Shows long words alone, screen by screen, until a key is pressed after the last.
    fn show_words(&mut self) -> Result<()> {
        let mut from = 0;
        loop {
            let (width, height) = size();
            let lines = wrapped(&self.said, width);
            let page = height.saturating_sub(1).max(1);
            if from >= lines.len() {
                return Ok(());
            }
            let mut shown: Vec<String> = lines.iter().skip(from).take(page).cloned().collect();
            shown.resize(page, String::new());
            shown.push("(press a key)".chars().take(width).collect());
            self.write(&shown, None)?;
            match self.wait(Duration::from_millis(200)) {
                ScreenEvent::Key(_) => from += page,
                ScreenEvent::End | ScreenEvent::Interrupt => return Ok(()),
                ScreenEvent::Resize | ScreenEvent::Nothing => {}
            }
        }
    }

    /// Draws a frame with a last line; where to put the terminal's own cursor in it, if anywhere.
    /// False when not all words fit.
    fn draw(&mut self, prompt: &str, column: Option<usize>) -> Result<bool> {
        let moves = self.session.moves();
        // The first words have the keys.
        let keys = if self.said.ends_with(KEYS) { "" } else { KEYS };
        let clock = self.session.clock_text();
        let words = Words { said: &self.said, prompt, moves: &moves, clock, keys };
        let board = (self.session.picture(), self.session.played.game(), self.keyboard.cursor);
        let frame = self.view.frame(board, &words, self.style, size());
        self.write(&frame.lines, column)?;
        Ok(frame.has_all)
    }

    fn write(&mut self, lines: &[String], column: Option<usize>) -> Result<()> {
        let mut out = Vec::new();
        let written = frame(&mut out, lines, column, self.style.color);
        let written = written.and_then(|()| {
            if out == self.drawn {
                return Ok(());
            }
            let mut stdout = io::stdout().lock();
            stdout.write_all(&out).and_then(|()| stdout.flush())
        });
        written.map_err(|e| Failure::io("the terminal", &e))?;
        self.drawn = out;
        Ok(())
    }
}

/// The bytes of a frame.
fn frame(
    out: &mut Vec<u8>,
    lines: &[String],
    column: Option<usize>,
    has_colors: bool,
) -> io::Result<()> {
    queue!(out, terminal::BeginSynchronizedUpdate, cursor::Hide)?;
    for (row, line) in lines.iter().enumerate() {
        queue!(out, cursor::MoveTo(0, row as u16))?;
        match has_colors {
            true => out.extend(line.as_bytes()),
            false => out.extend(strip_str(line).to_string().as_bytes()),
        }
        queue!(out, terminal::Clear(terminal::ClearType::UntilNewLine))?;
    }
    queue!(out, terminal::Clear(terminal::ClearType::FromCursorDown))?;
    if let (Some(column), Some(row)) = (column, lines.len().checked_sub(1)) {
        queue!(out, cursor::MoveTo(column as u16, row as u16), cursor::Show)?;
    }
    queue!(out, terminal::EndSynchronizedUpdate)
}

/// Columns and rows to draw on. The last column is left free: what is erased after a character
/// there is that character, on some terminals.
fn size() -> (usize, usize) {
    let (width, height) = terminal::size().unwrap_or((80, 24));
    (usize::from(width).saturating_sub(1).max(1), usize::from(height).max(1))
}
