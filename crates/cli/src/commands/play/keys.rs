//! What keys do: a cursor on the board, and a line of text. Pure: from keys to actions.
//!
//! The letters h, j, k and l move the cursor, but columns and commands begin with them, too. Such a
//! letter is taken for text after all when what follows makes it one: a digit (`k11`), or, after a
//! letter that stood alone, what goes on with a command (`hint`, `level`).

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sixproof_game::{COORDINATE_MAX, Game, Square};

use super::command::{self, PlayCommand};

/// Characters of a line of text.
const TEXT_MAX: usize = 200;
/// Squares that PageUp and PageDown move the cursor.
const PAGE: i32 = 5;

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KeyAction {
    /// Only the screen changes.
    Look,
    /// A command.
    Do(PlayCommand),
    /// The line of text is not a command, and why.
    Mistake(String),
    /// Ctrl-C.
    Interrupt,
    /// Esc, where it means nothing else.
    Escape,
}

/// The cursor and the line of text.
pub(super) struct Keyboard {
    game: Game,
    pub(super) cursor: Square,
    pub(super) text: String,
    /// The letter that moved the cursor just now.
    letter: Option<Letter>,
}

/// A letter that moved the cursor, and may become text.
#[derive(Clone, Copy)]
struct Letter {
    letter: char,
    /// Where the cursor was.
    from: Square,
    /// Whether the key before it was none of its kind.
    alone: bool,
}

impl Keyboard {
    pub(super) fn new(game: Game, cursor: Square) -> Keyboard {
        Keyboard { game, cursor, text: String::new(), letter: None }
    }

    /// What a key asks for.
    pub(super) fn press(&mut self, key: KeyEvent) -> KeyAction {
        let letter = self.letter.take();
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control(key.code);
        }
        match key.code {
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Up => self.step(0, 1),
            KeyCode::Down => self.step(0, -1),
            KeyCode::PageUp => self.step(0, PAGE),
            KeyCode::PageDown => self.step(0, -PAGE),
            KeyCode::Home => self.step(-PAGE, 0),
            KeyCode::End => self.step(PAGE, 0),
            KeyCode::Tab => KeyAction::Do(PlayCommand::Hint),
            KeyCode::F(1) => KeyAction::Do(PlayCommand::Help),
            KeyCode::Esc if !self.text.is_empty() => {
                self.text.clear();
                KeyAction::Look
            }
            KeyCode::Esc => KeyAction::Escape,
            KeyCode::Backspace if !self.text.is_empty() => {
                self.text.pop();
                KeyAction::Look
            }
            KeyCode::Backspace | KeyCode::Delete => KeyAction::Do(PlayCommand::TakeBack),
            KeyCode::Enter => self.enter(),
            KeyCode::Char(' ') if self.text.is_empty() => {
                KeyAction::Do(PlayCommand::Stone(self.cursor))
            }
            KeyCode::Char('?') if self.text.is_empty() => KeyAction::Do(PlayCommand::Help),
            KeyCode::Char(c) => self.character(c, letter),
            _ => KeyAction::Look,
        }
    }

    fn control(&mut self, code: KeyCode) -> KeyAction {
        match code {
            KeyCode::Char('c') => KeyAction::Interrupt,
            KeyCode::Char('z') => KeyAction::Do(PlayCommand::Undo),
            KeyCode::Char('w') => KeyAction::Do(PlayCommand::Why),
            KeyCode::Char('t') => KeyAction::Do(PlayCommand::Threats),
            KeyCode::Char('s') => KeyAction::Do(PlayCommand::Save(None)),
            KeyCode::Char('n') => KeyAction::Do(PlayCommand::New),
            KeyCode::Char('d' | 'q') => KeyAction::Do(PlayCommand::Quit),
            KeyCode::Char('u') => {
                self.text.clear();
                KeyAction::Look
            }
            // What Enter and Backspace are on some terminals.
            KeyCode::Char('j' | 'm') => self.enter(),
            KeyCode::Char('h') if !self.text.is_empty() => {
                self.text.pop();
                KeyAction::Look
            }
            KeyCode::Char('h') => KeyAction::Do(PlayCommand::TakeBack),
            _ => KeyAction::Look,
        }
    }

    fn enter(&mut self) -> KeyAction {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return KeyAction::Do(PlayCommand::Stone(self.cursor));
        }
        match command::parse(&text) {
            Ok(Some(command)) => KeyAction::Do(command),
            Ok(None) => KeyAction::Look,
            Err(mistake) => KeyAction::Mistake(mistake),
        }
    }

    fn character(&mut self, c: char, before: Option<Letter>) -> KeyAction {
        if let Some(Letter { letter, from, alone }) = before {
            let is_command = || alone && command::begins_command(&format!("{letter}{c}"));
            if c.is_ascii_digit() || is_command() {
                self.cursor = from;
                self.text.push(letter);
            }
        }
        let step = match c {
            'h' => Some((-1, 0)),
            'j' => Some((0, -1)),
            'k' => Some((0, 1)),
            'l' => Some((1, 0)),
            _ => None,
        };
        if let Some((dx, dy)) = step.filter(|_| self.text.is_empty()) {
            let from = self.cursor;
            self.step(dx, dy);
            self.letter = Some(Letter { letter: c, from, alone: before.is_none() });
            return KeyAction::Look;
        }
        if self.text.chars().count() < TEXT_MAX && !c.is_control() {
            self.text.push(c);
        }
        KeyAction::Look
    }

    /// Moves the cursor, as far as the board goes.
    fn step(&mut self, dx: i32, dy: i32) -> KeyAction {
        let bound = |high: u32| match high {
            0 => (-COORDINATE_MAX, COORDINATE_MAX),
            high => (0, high as i32 - 1),
        };
        let ((x0, x1), (y0, y1)) = (bound(self.game.cols()), bound(self.game.rows()));
        let Square { x, y } = self.cursor;
        self.cursor = Square::new((x + dx).clamp(x0, x1), (y + dy).clamp(y0, y1));
        KeyAction::Look
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_player::Level;

    fn keyboard() -> Keyboard {
        Keyboard::new(Game::CONNECT6, Square::new(9, 9))
    }

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    /// Types a text; the action of the last key.
    fn typed(keyboard: &mut Keyboard, text: &str) -> KeyAction {
        let code = |c| if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
        text.chars().map(|c| keyboard.press(key(code(c)))).last().unwrap()
    }

    #[test]
    fn keys_move_the_cursor_as_far_as_the_board_goes() {
        let mut keyboard = keyboard();
        keyboard.press(key(KeyCode::Up));
        keyboard.press(key(KeyCode::Left));
        assert_eq!(keyboard.cursor, Square::new(8, 10));
        typed(&mut keyboard, "jjlll");
        assert_eq!(keyboard.cursor, Square::new(11, 8));
        typed(&mut keyboard, &"h".repeat(50));
        typed(&mut keyboard, &"k".repeat(50));
        assert_eq!(keyboard.cursor, Square::new(0, 18));
        assert_eq!(keyboard.text, "");
        assert_eq!(
            typed(&mut keyboard, " "),
            KeyAction::Do(PlayCommand::Stone(Square::new(0, 18)))
        );
        assert_eq!(
            typed(&mut keyboard, "\n"),
            KeyAction::Do(PlayCommand::Stone(Square::new(0, 18)))
        );
    }

    #[test]
    fn moves_and_commands_can_be_typed_whatever_they_begin_with() {
        for (text, command) in [
            ("k11 l10\n", PlayCommand::Stones("k11 l10".to_string())),
            ("h9\n", PlayCommand::Stones("h9".to_string())),
            ("a1b2\n", PlayCommand::Stones("a1b2".to_string())),
            ("hint\n", PlayCommand::Hint),
            ("help\n", PlayCommand::Help),
            ("level 3\n", PlayCommand::Level(Level::new(3).unwrap())),
            ("undo\n", PlayCommand::Undo),
            ("u\n", PlayCommand::Undo),
            (":why\n", PlayCommand::Why),
        ] {
            let mut keyboard = keyboard();
            assert_eq!(typed(&mut keyboard, text), KeyAction::Do(command), "{text}");
            assert_eq!(keyboard.cursor, Square::new(9, 9), "{text}");
        }
    }

    #[test]
    fn letters_that_moved_the_cursor_are_text_only_before_a_digit() {
        let mut keyboard = keyboard();
        assert_eq!(
            typed(&mut keyboard, "kkk11\n"),
            KeyAction::Do(PlayCommand::Stones("k11".to_string()))
        );
        assert_eq!(keyboard.cursor, Square::new(9, 11));
        // Two steps to the left, then a square in column e.
        assert_eq!(
            typed(&mut keyboard, "hhe5\n"),
            KeyAction::Do(PlayCommand::Stones("e5".to_string()))
        );
        assert_eq!(keyboard.cursor, Square::new(7, 11));
    }

    #[test]
    fn a_text_can_be_corrected_and_dropped() {
        let mut keyboard = keyboard();
        typed(&mut keyboard, "c12");
        keyboard.press(key(KeyCode::Backspace));
        assert_eq!(keyboard.text, "c1");
        assert_eq!(keyboard.press(key(KeyCode::Esc)), KeyAction::Look);
        assert_eq!(keyboard.text, "");
        assert_eq!(keyboard.press(key(KeyCode::Esc)), KeyAction::Escape);
        assert_eq!(keyboard.press(key(KeyCode::Backspace)), KeyAction::Do(PlayCommand::TakeBack));
        assert!(matches!(typed(&mut keyboard, "xyzzy\n"), KeyAction::Mistake(_)));
        assert_eq!(keyboard.text, "");
        typed(&mut keyboard, &"a".repeat(10_000));
        assert_eq!(keyboard.text.len(), TEXT_MAX);
    }

    #[test]
    fn commands_have_keys() {
        let mut keyboard = keyboard();
        let mut control =
            |c| keyboard.press(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
        assert_eq!(control('c'), KeyAction::Interrupt);
        assert_eq!(control('z'), KeyAction::Do(PlayCommand::Undo));
        assert_eq!(control('q'), KeyAction::Do(PlayCommand::Quit));
        assert_eq!(keyboard.press(key(KeyCode::Tab)), KeyAction::Do(PlayCommand::Hint));
        assert_eq!(typed(&mut keyboard, "?"), KeyAction::Do(PlayCommand::Help));
    }

    #[test]
    fn an_unbounded_board_has_no_edge() {
        let mut keyboard = Keyboard::new("inf,6,2,1".parse().unwrap(), Square::new(0, 0));
        typed(&mut keyboard, &"h".repeat(30));
        assert_eq!(keyboard.cursor, Square::new(-30, 0));
        let stones = PlayCommand::Stones("-3,4 0,1".to_string());
        assert_eq!(typed(&mut keyboard, "-3,4 0,1\n"), KeyAction::Do(stones));
    }
}
