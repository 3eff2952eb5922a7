//! What keys do: a cursor on the board, and a line of text. Pure: a key in, a wish out.
//!
//! The letters h, j, k and l move the cursor, but columns and commands begin with them, too. Such a
//! letter is taken for text after all when what follows makes it one: a digit (`k11`), or, after a
//! letter that stood alone, what goes on with a command (`hint`, `level`).

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sixproof_game::{COORDINATE_MAX, Game, Square};

use super::command::{self, Command};

/// Characters of a line of text.
const TEXT_MAX: usize = 200;
/// Squares that PageUp and PageDown move the cursor.
const PAGE: i32 = 5;

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Nothing but to be seen.
    Look,
    /// A command.
    Do(Command),
    /// The line of text is not a command, and why.
    Mistake(String),
    /// Ctrl-C.
    Interrupt,
    /// Esc, where it means nothing else.
    Escape,
}

/// The cursor and the line of text.
pub(super) struct Desk {
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

impl Desk {
    pub(super) fn new(game: Game, cursor: Square) -> Desk {
        Desk { game, cursor, text: String::new(), letter: None }
    }

    /// What a key asks for.
    pub(super) fn press(&mut self, key: KeyEvent) -> Wish {
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
            KeyCode::Tab => Wish::Do(Command::Hint),
            KeyCode::F(1) => Wish::Do(Command::Help),
            KeyCode::Esc if !self.text.is_empty() => {
                self.text.clear();
                Wish::Look
            }
            KeyCode::Esc => Wish::Escape,
            KeyCode::Backspace if !self.text.is_empty() => {
                self.text.pop();
                Wish::Look
            }
            KeyCode::Backspace | KeyCode::Delete => Wish::Do(Command::TakeBack),
            KeyCode::Enter => self.enter(),
            KeyCode::Char(' ') if self.text.is_empty() => Wish::Do(Command::Stone(self.cursor)),
            KeyCode::Char('?') if self.text.is_empty() => Wish::Do(Command::Help),
            KeyCode::Char(c) => self.character(c, letter),
            _ => Wish::Look,
        }
    }

    fn control(&mut self, code: KeyCode) -> Wish {
        match code {
            KeyCode::Char('c') => Wish::Interrupt,
            KeyCode::Char('z') => Wish::Do(Command::Undo),
            KeyCode::Char('w') => Wish::Do(Command::Why),
            KeyCode::Char('t') => Wish::Do(Command::Threats),
            KeyCode::Char('s') => Wish::Do(Command::Save(None)),
            KeyCode::Char('n') => Wish::Do(Command::New),
            KeyCode::Char('d' | 'q') => Wish::Do(Command::Quit),
            KeyCode::Char('u') => {
                self.text.clear();
                Wish::Look
            }
            // What Enter and Backspace are on some terminals.
            KeyCode::Char('j' | 'm') => self.enter(),
            KeyCode::Char('h') if !self.text.is_empty() => {
                self.text.pop();
                Wish::Look
            }
            KeyCode::Char('h') => Wish::Do(Command::TakeBack),
            _ => Wish::Look,
        }
    }

    fn enter(&mut self) -> Wish {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return Wish::Do(Command::Stone(self.cursor));
        }
        match command::parse(&text) {
            Ok(Some(command)) => Wish::Do(command),
            Ok(None) => Wish::Look,
            Err(mistake) => Wish::Mistake(mistake),
        }
    }

    fn character(&mut self, c: char, before: Option<Letter>) -> Wish {
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
            return Wish::Look;
        }
        if self.text.chars().count() < TEXT_MAX && !c.is_control() {
            self.text.push(c);
        }
        Wish::Look
    }

    /// Moves the cursor, as far as the board goes.
    fn step(&mut self, dx: i32, dy: i32) -> Wish {
        let bound = |high: u32| match high {
            0 => (-COORDINATE_MAX, COORDINATE_MAX),
            high => (0, high as i32 - 1),
        };
        let ((x0, x1), (y0, y1)) = (bound(self.game.cols()), bound(self.game.rows()));
        let Square { x, y } = self.cursor;
        self.cursor = Square::new((x + dx).clamp(x0, x1), (y + dy).clamp(y0, y1));
        Wish::Look
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_player::Level;

    fn desk() -> Desk {
        Desk::new(Game::CONNECT6, Square::new(9, 9))
    }

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    /// Types a text, and tells what the last key asked for.
    fn typed(desk: &mut Desk, text: &str) -> Wish {
        let code = |c| if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
        text.chars().map(|c| desk.press(key(code(c)))).last().unwrap()
    }

    #[test]
    fn keys_move_the_cursor_as_far_as_the_board_goes() {
        let mut desk = desk();
        desk.press(key(KeyCode::Up));
        desk.press(key(KeyCode::Left));
        assert_eq!(desk.cursor, Square::new(8, 10));
        typed(&mut desk, "jjlll");
        assert_eq!(desk.cursor, Square::new(11, 8));
        typed(&mut desk, &"h".repeat(50));
        typed(&mut desk, &"k".repeat(50));
        assert_eq!(desk.cursor, Square::new(0, 18));
        assert_eq!(desk.text, "");
        assert_eq!(typed(&mut desk, " "), Wish::Do(Command::Stone(Square::new(0, 18))));
        assert_eq!(typed(&mut desk, "\n"), Wish::Do(Command::Stone(Square::new(0, 18))));
    }

    #[test]
    fn moves_and_commands_can_be_typed_whatever_they_begin_with() {
        for (text, command) in [
            ("k11 l10\n", Command::Stones("k11 l10".to_string())),
            ("h9\n", Command::Stones("h9".to_string())),
            ("a1b2\n", Command::Stones("a1b2".to_string())),
            ("hint\n", Command::Hint),
            ("help\n", Command::Help),
            ("level 3\n", Command::Level(Level::new(3).unwrap())),
            ("undo\n", Command::Undo),
            ("u\n", Command::Undo),
            (":why\n", Command::Why),
        ] {
            let mut desk = desk();
            assert_eq!(typed(&mut desk, text), Wish::Do(command), "{text}");
            assert_eq!(desk.cursor, Square::new(9, 9), "{text}");
        }
    }

    #[test]
    fn letters_that_moved_the_cursor_are_text_only_before_a_digit() {
        let mut desk = desk();
        assert_eq!(typed(&mut desk, "kkk11\n"), Wish::Do(Command::Stones("k11".to_string())));
        assert_eq!(desk.cursor, Square::new(9, 11));
        // Two steps to the left, then a square in column e.
        assert_eq!(typed(&mut desk, "hhe5\n"), Wish::Do(Command::Stones("e5".to_string())));
        assert_eq!(desk.cursor, Square::new(7, 11));
    }

    #[test]
    fn a_text_can_be_corrected_and_dropped() {
        let mut desk = desk();
        typed(&mut desk, "c12");
        desk.press(key(KeyCode::Backspace));
        assert_eq!(desk.text, "c1");
        assert_eq!(desk.press(key(KeyCode::Esc)), Wish::Look);
        assert_eq!(desk.text, "");
        assert_eq!(desk.press(key(KeyCode::Esc)), Wish::Escape);
        assert_eq!(desk.press(key(KeyCode::Backspace)), Wish::Do(Command::TakeBack));
        assert!(matches!(typed(&mut desk, "xyzzy\n"), Wish::Mistake(_)));
        assert_eq!(desk.text, "");
        typed(&mut desk, &"a".repeat(10_000));
        assert_eq!(desk.text.len(), TEXT_MAX);
    }

    #[test]
    fn commands_have_keys() {
        let mut desk = desk();
        let mut control = |c| desk.press(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
        assert_eq!(control('c'), Wish::Interrupt);
        assert_eq!(control('z'), Wish::Do(Command::Undo));
        assert_eq!(control('q'), Wish::Do(Command::Quit));
        assert_eq!(desk.press(key(KeyCode::Tab)), Wish::Do(Command::Hint));
        assert_eq!(typed(&mut desk, "?"), Wish::Do(Command::Help));
    }

    #[test]
    fn an_unbounded_board_has_no_edge() {
        let mut desk = Desk::new("inf,6,2,1".parse().unwrap(), Square::new(0, 0));
        typed(&mut desk, &"h".repeat(30));
        assert_eq!(desk.cursor, Square::new(-30, 0));
        let stones = Command::Stones("-3,4 0,1".to_string());
        assert_eq!(typed(&mut desk, "-3,4 0,1\n"), Wish::Do(stones));
    }
}
