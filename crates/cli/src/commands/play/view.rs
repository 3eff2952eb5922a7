//! What is shown where on the screen: the board, or the part of it around the cursor, the words
//! beside or below it, and the line of text at the bottom. Pure: no terminal is needed.

use anstream::adapter::strip_str;
use sixproof_game::picture::{Picture, TerminalStyle, WINDOW_MAX};
use sixproof_game::{COORDINATE_MAX, Game, Square};

/// Columns that words need to stand beside the board, and those between board and words.
const PANEL_MIN: usize = 28;
const PANEL_GAP: usize = 2;
/// Rows for words where they stand below the board.
const WORDS_BELOW: usize = 2;
/// Rows below the board: names of columns, and whose move it is.
const BELOW: usize = 2;
/// The same with the two lines about a part of the board.
const BELOW_PART: usize = BELOW + 2;
/// Squares that are kept between the cursor and the edge of a part of the board.
const AHEAD: i32 = 2;
/// The smallest terminal that is drawn on: columns and rows.
const SIZE_MIN: (usize, usize) = (24, 12);
/// Columns and rows of an unbounded board that are shown, if there is room.
const UNBOUNDED_SPAN: i32 = 25;

/// What stands on the screen beside the board.
pub(super) struct Words<'a> {
    /// What was said last; lines may be longer than the screen is wide.
    pub(super) said: &'a str,
    /// The last line.
    pub(super) prompt: &'a str,
    /// The moves of the game, one a line.
    pub(super) moves: &'a [String],
    /// The time of the engine, if it has one.
    pub(super) clock: Option<String>,
    /// What keys do.
    pub(super) keys: &'a str,
}

impl Words<'_> {
    /// What fills the rows that are left: the latest moves, the clock, and the keys. The keys stay
    /// longest where there are few rows.
    fn beside(&self, rows: usize) -> Vec<String> {
        let has_clock = self.keys.lines().count() + 2 < rows;
        let clock = self.clock.as_deref().filter(|_| has_clock);
        let mut keys: Vec<String> =
            clock.into_iter().chain(self.keys.lines()).map(str::to_string).collect();
        if !keys.is_empty() {
            keys.insert(0, String::new());
        }
        let Some(left) = rows.checked_sub(keys.len()) else { return Vec::new() };
        let count = self.moves.len().min(left.saturating_sub(1));
        let moves = &self.moves[self.moves.len() - count..];
        let gap = if moves.is_empty() { &[][..] } else { &[String::new()][..] };
        [gap, moves, &keys].concat()
    }
}

/// Where the board was shown last: it stays there until the cursor leaves it.
#[derive(Default)]
pub(super) struct View {
    /// The lowest and the highest square that are shown.
    shown: Option<(Square, Square)>,
}

/// A picture of the whole screen.
pub(super) struct ScreenFrame {
    /// Lines from the top, as many as the screen has at most; they fit.
    pub(super) lines: Vec<String>,
    /// Whether all words are shown.
    pub(super) has_all: bool,
}

impl View {
    /// The screen, of a width in columns and a height in rows.
    pub(super) fn frame(
        &mut self,
        (picture, game, cursor): (Picture, Game, Square),
        words: &Words<'_>,
        style: TerminalStyle,
        (width, height): (usize, usize),
    ) -> ScreenFrame {
        if width < SIZE_MIN.0 || height < SIZE_MIN.1 {
            let text = "This window is too small for a board: make it larger, or use --plain.";
            let mut lines = wrapped(text, width.max(1));
            lines.truncate(height);
            return ScreenFrame { lines, has_all: true };
        }
        let (low, high) = self.window(game, cursor, (width, height));
        let picture = picture.window(low, high).cursor(cursor);
        let text = picture.terminal(TerminalStyle { width: Some(width), ..style });
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let board_rows = (high.y - low.y + 2) as usize;
        for line in lines.iter_mut().skip(board_rows) {
            *line = cut(line, width);
        }
        let board_width = lines.iter().take(board_rows).map(|line| columns(line)).max();
        let panel_at = board_width.unwrap_or(0) + PANEL_GAP;
        let panel = width.saturating_sub(panel_at + 1);
        let below = wrapped(words.said, width);
        let room = height.saturating_sub(lines.len() + 1);
        let mut beside = wrapped(words.said, panel.max(1));
        let fits_beside = panel >= PANEL_MIN && beside.len() <= board_rows;
        if fits_beside {
            let more = words.beside(board_rows - beside.len());
            beside.extend(more.iter().map(|line| cut(line, panel)));
        }
        if fits_beside || (panel >= PANEL_MIN && below.len() > room) {
            for (line, said) in lines.iter_mut().take(board_rows).zip(&beside) {
                let blanks = " ".repeat(panel_at.saturating_sub(columns(line)));
                *line += &format!("{blanks}{said}");
            }
        } else {
            lines.extend(below.iter().take(room).cloned());
        }
        let has_all = fits_beside || below.len() <= room;
        lines.truncate(height - 1);
        lines.push(cut_front(words.prompt, width - 1));
        ScreenFrame { lines, has_all }
    }

    /// The part of the board that is shown: all of it, or what fits around the cursor.
    fn window(&mut self, game: Game, cursor: Square, size: (usize, usize)) -> (Square, Square) {
        let (cols, rows) = fitting(game, cursor, size);
        let centred = Square::new(cursor.x - cols / 2, cursor.y - rows / 2);
        let before = self.shown.map_or(centred, |(low, _)| low);
        let (x, y) = (
            scrolled(before.x, cursor.x, cols, game.cols()),
            scrolled(before.y, cursor.y, rows, game.rows()),
        );
        *self.shown.insert((Square::new(x, y), Square::new(x + cols - 1, y + rows - 1)))
    }

    /// Whether a square is on the screen.
    pub(super) fn shows(&self, square: Square) -> bool {
        self.shown.is_some_and(|(low, high)| {
            (low.x..=high.x).contains(&square.x) && (low.y..=high.y).contains(&square.y)
        })
    }
}

/// How many columns and rows of the board fit.
fn fitting(game: Game, cursor: Square, (width, height): (usize, usize)) -> (i32, i32) {
    let (pitch, margin) = if game.is_unbounded() {
        let far = cursor.y.unsigned_abs().max(100).to_string().len() + 1;
        (3, far + 1)
    } else {
        (if game.cols() > 26 { 3 } else { 2 }, game.rows().to_string().len() + 1)
    };
    let room = ((width - margin - 1) / pitch).clamp(1, WINDOW_MAX as usize) as i32;
    let cols = match game.cols() {
        0 => room.min(UNBOUNDED_SPAN),
        cols => room.min(cols as i32),
    };
    let beside = margin + cols as usize * pitch + 1 + PANEL_GAP + PANEL_MIN < width;
    let words = if beside { 0 } else { WORDS_BELOW };
    // The last row is the line of text.
    let whole = height.saturating_sub(BELOW + words + 1);
    if game.rows() > 0 && game.rows() as usize <= whole && cols == game.cols() as i32 {
        return (cols, game.rows() as i32);
    }
    let part = height.saturating_sub(BELOW_PART + words + 1).clamp(1, WINDOW_MAX as usize) as i32;
    let rows = match game.rows() {
        0 => part.min(UNBOUNDED_SPAN),
        rows => part.min(rows as i32),
    };
    (cols, rows)
}

/// Where a part of `span` squares begins that shows the cursor, as near as possible to `before`, on
/// an axis of `size` squares, or without an end.
fn scrolled(before: i32, cursor: i32, span: i32, size: u32) -> i32 {
    let ahead = AHEAD.min((span - 1) / 2);
    let start = before.clamp(cursor + ahead - span + 1, cursor - ahead);
    match size {
        0 => start.clamp(-COORDINATE_MAX, COORDINATE_MAX - span + 1),
        size => start.clamp(0, (size as i32 - span).max(0)),
    }
}

/// The columns that a line takes: escape sequences take none.
fn columns(line: &str) -> usize {
    strip_str(line).to_string().chars().count()
}

/// A text in lines of at most `width` columns. Styles end with their line.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        if columns(line) <= width {
            lines.push(line.to_string());
            continue;
        }
        let mut current = String::new();
        for word in strip_str(line).to_string().split(' ') {
            let mut word: Vec<char> = word.chars().collect();
            let used = current.chars().count();
            if used > 0 && used + 1 + word.len() > width {
                lines.push(std::mem::take(&mut current));
            } else if used > 0 {
                current.push(' ');
            }
            // A word that is longer than a line is broken.
            while word.len() > width {
                lines.push(word.drain(..width).collect());
            }
            current.extend(word);
        }
        lines.push(current);
    }
    lines
}

/// The beginning of a line that is too long.
fn cut(line: &str, width: usize) -> String {
    if columns(line) <= width {
        return line.to_string();
    }
    strip_str(line).to_string().chars().take(width).collect()
}

/// The end of a line that is too long: what was typed last.
fn cut_front(line: &str, width: usize) -> String {
    let count = line.chars().count();
    line.chars().skip(count.saturating_sub(width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::Position;

    fn words<'a>(said: &'a str, prompt: &'a str) -> Words<'a> {
        Words { said, prompt, moves: &[], clock: None, keys: "" }
    }

    fn frame(game: &str, cursor: Square, size: (usize, usize)) -> ScreenFrame {
        let game: Game = game.parse().unwrap();
        let picture = Picture::new(&Position::new(game));
        let words = words("White plays K11 L10.\nAnother line.", "Black> ");
        View::default().frame((picture, game, cursor), &words, TerminalStyle::default(), size)
    }

    #[test]
    fn no_screen_is_overrun_and_the_cursor_is_always_on_it() {
        for game in ["connect6", "tic-tac-toe", "59,59,6,2,1", "inf,6,2,1", "1,59,5,1,1"] {
            for (width, height) in [(24, 12), (40, 20), (80, 24), (200, 60), (30, 100), (10, 5)] {
                for cursor in [Square::new(0, 0), Square::new(0, 2), Square::new(2, 0)] {
                    let on_board = game.parse::<Game>().unwrap().contains(cursor);
                    let ScreenFrame { lines, .. } = frame(game, cursor, (width, height));
                    let text = lines.join("\n");
                    assert!(lines.len() <= height, "{game} {width}x{height}\n{text}");
                    assert!(lines.iter().all(|line| columns(line) <= width), "{game}\n{text}");
                    if width >= SIZE_MIN.0 && height >= SIZE_MIN.1 && on_board {
                        assert!(text.contains('['), "{game} {width}x{height}\n{text}");
                        assert!(text.ends_with("Black> "), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_usual_terminal_shows_all_of_connect6_with_the_words_beside_it() {
        let ScreenFrame { lines, has_all } = frame("connect6", Square::new(9, 9), (80, 24));
        assert!(lines[0].starts_with("19"), "{lines:?}");
        assert!(lines[0].contains("White plays K11 L10."), "{lines:?}");
        assert!(lines[18].starts_with(" 1"), "{lines:?}");
        assert!(has_all);
    }

    #[test]
    fn words_that_do_not_fit_beside_a_small_board_stand_below_it() {
        let game: Game = "tic-tac-toe".parse().unwrap();
        let picture = Picture::new(&Position::new(game));
        let shown = |said: &str| {
            let board = (picture.clone(), game, Square::new(1, 1));
            let words = words(said, ">");
            View::default().frame(board, &words, TerminalStyle::default(), (79, 24))
        };
        assert!(shown("one\ntwo").lines[1].contains("two"));
        let many = shown("1\n2\n3\n4\n5\nlast");
        assert!(many.has_all && many.lines.contains(&"last".to_string()), "{:?}", many.lines);
        assert!(!shown(&"line\n".repeat(30)).has_all);
    }

    #[test]
    fn the_panel_keeps_the_latest_moves_the_clock_and_the_keys() {
        let moves: Vec<String> = (1..=40).map(|number| format!("{number}. Black K11")).collect();
        let clock = Some("3s for a move".to_string());
        let words = Words { moves: &moves, clock, keys: "Tab: hint\n?: help", ..words("", "") };
        assert_eq!(
            words.beside(8),
            ["", "38. Black K11", "39. Black K11", "40. Black K11", "", "3s for a move"]
                .iter()
                .chain(&["Tab: hint", "?: help"])
                .map(|line| line.to_string())
                .collect::<Vec<_>>()
        );
        assert_eq!(words.beside(3), ["", "Tab: hint", "?: help"]);
        assert_eq!(words.beside(2), [""; 0]);
        for rows in 0..60 {
            assert!(words.beside(rows).len() <= rows, "{rows}");
        }
        let board = (Picture::new(&Position::new(Game::CONNECT6)), Game::CONNECT6);
        for size in [(80, 24), (200, 60)] {
            let board = (board.0.clone(), board.1, Square::new(9, 9));
            let frame = View::default().frame(board, &words, TerminalStyle::default(), size);
            let text = frame.lines.join("\n");
            for part in ["40. Black K11", "3s for a move", "Tab: hint", "?: help"] {
                assert!(text.contains(part), "{size:?}: no {part}\n{text}");
            }
        }
    }

    #[test]
    fn a_large_board_is_scrolled_no_more_than_needed() {
        let game: Game = "59,59,6,2,1".parse().unwrap();
        let mut view = View::default();
        let (low, high) = view.window(game, Square::new(29, 29), (80, 24));
        for x in low.x + AHEAD..=high.x - AHEAD {
            assert_eq!(view.window(game, Square::new(x, 29), (80, 24)), (low, high));
        }
        let (corner, _) = view.window(game, Square::new(0, 0), (80, 24));
        assert_eq!(corner, Square::new(0, 0));
        let (_, corner) = view.window(game, Square::new(58, 58), (80, 24));
        assert_eq!(corner, Square::new(58, 58));
    }

    #[test]
    fn words_are_wrapped_between_words_where_possible() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("a\n\nb", 4), ["a", "", "b"]);
        assert_eq!(wrapped("\x1b[1mbold\x1b[0m", 4), ["\x1b[1mbold\x1b[0m"]);
    }
}
