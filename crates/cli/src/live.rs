//! Lines on the terminal that are drawn over again: how a search goes, while it goes.
//!
//! A frame is one write: up to the first line, every line with the rest of its row cleared, and
//! whatever an older frame had below. So nothing flickers. The state of the terminal does not
//! change, and need not be restored after a kill; the cursor stands below the lines, where the
//! shell goes on. A line is never longer than the terminal is wide.
//!
//! A board may stand to the left of the lines, which then share the columns that are left. Where
//! the terminal is too small for both, the lines stand alone.
//!
//! After Ctrl-C the lines stay: the terminal throws away what it had not shown yet, so the place of
//! the cursor is unknown, and going up could wipe what was there before.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use crate::layout::{in_rows, shortened};
use sixproof_solve::output::HINT;

/// The least time between two frames.
const FRAME_EVERY: Duration = Duration::from_millis(100);
/// The first frame comes after this time: what ends sooner needs none.
const FIRST_AFTER: Duration = Duration::from_millis(300);
/// Columns and rows of a terminal whose size is unknown.
const SIZE_DEFAULT: (usize, usize) = (80, 24);
/// Columns of the labels.
const LABEL_COLUMNS: usize = 9;
/// Columns between a board and the lines beside it.
const GAP_COLUMNS: usize = 2;
/// The least columns of the lines beside a board.
const BESIDE_COLUMNS_MIN: usize = 34;
/// A text beside a board takes at most this many lines.
const BESIDE_LINES_MAX: usize = 4;

/// A line: a label and its text.
pub(crate) type LabelledText = (&'static str, String);

/// A board as text, one string a row, which may hold colours.
pub(crate) struct BoardText {
    pub(crate) rows: Vec<String>,
    /// Columns of the widest row on the terminal.
    pub(crate) columns: usize,
}

/// The lines on standard error.
pub(crate) struct Live {
    /// Columns of each line that is on the terminal.
    shown: Vec<usize>,
    due: Instant,
    has_colors: bool,
}

impl Live {
    /// The lines, if there is a terminal that can draw over them.
    pub(crate) fn on_terminal() -> Option<Live> {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
        if !io::stderr().is_terminal() || (is_dumb && !cfg!(windows)) {
            return None;
        }
        let choice = anstream::AutoStream::choice(&io::stderr());
        let has_colors = !matches!(choice, anstream::ColorChoice::Never);
        Some(Live { shown: Vec::new(), due: Instant::now() + FIRST_AFTER, has_colors })
    }

    /// Whether it is time for the next frame.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.due <= now
    }

    /// Whether the terminal shows colours.
    pub(crate) fn has_colors(&self) -> bool {
        self.has_colors
    }

    /// Draws the lines over the ones that are there.
    pub(crate) fn draw(&mut self, rows: &[LabelledText]) {
        self.due = Instant::now() + FRAME_EVERY;
        write(&frame(&mut self.shown, rows, size(), self.has_colors));
    }

    /// Draws a board with the lines beside it, or the lines alone where there is no room.
    pub(crate) fn draw_beside(&mut self, board: &BoardText, rows: &[LabelledText]) {
        if !has_room(board, size()) {
            return self.draw(rows);
        }
        self.due = Instant::now() + FRAME_EVERY;
        write(&frame_beside(&mut self.shown, board, rows, size(), self.has_colors));
    }

    /// Wipes the lines, so that other text can be printed.
    pub(crate) fn wipe(&mut self) {
        if !self.shown.is_empty() {
            write(&format!("{}\x1b[J", up(&self.shown, size().0)));
            self.shown.clear();
        }
    }

    /// Leaves the lines where they are, and goes on below them.
    pub(crate) fn leave(&mut self) {
        if !self.shown.is_empty() {
            write("\n");
            self.shown.clear();
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Columns and rows of the terminal.
fn size() -> (usize, usize) {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(SIZE_DEFAULT, |(width, height)| (width.0.into(), height.0.into()))
}

/// Whether a board fits with lines beside it. The last row and the last column stay free.
fn has_room(board: &BoardText, (width, height): (usize, usize)) -> bool {
    board.columns + GAP_COLUMNS + BESIDE_COLUMNS_MIN < width && board.rows.len() < height
}

/// A search goes on after its terminal has gone away.
fn write(text: &str) {
    let mut out = io::stderr().lock();
    let _written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// What goes to the terminal for the next frame; `shown` is what the last one left there.
fn frame(
    shown: &mut Vec<usize>,
    rows: &[LabelledText],
    (width, height): (usize, usize),
    has_colors: bool,
) -> String {
    let mut out = up(shown, width);
    shown.clear();
    // The last column is left free: some terminals go on to the next row after it.
    let columns = width.saturating_sub(1).max(1);
    for (label, text) in rows.iter().take(height.saturating_sub(1)) {
        let label: String = format!("{label:LABEL_COLUMNS$}").chars().take(columns).collect();
        let left = columns - label.chars().count();
        let text = shortened(text, left);
        shown.push(label.chars().count() + text.chars().count());
        if has_colors {
            writeln!(out, "{HINT}{label}{HINT:#}{text}\x1b[K").expect("memory takes all");
        } else {
            writeln!(out, "{label}{text}\x1b[K").expect("memory takes all");
        }
    }
    out.push_str("\x1b[J");
    out
}

/// The next frame with a board on the left. Every line of the text begins in the same column, to
/// which the cursor goes by number: the columns of the board's colours need not be counted.
fn frame_beside(
    shown: &mut Vec<usize>,
    board: &BoardText,
    rows: &[LabelledText],
    (width, height): (usize, usize),
    has_colors: bool,
) -> String {
    let mut out = up(shown, width);
    shown.clear();
    let left = board.columns + GAP_COLUMNS;
    let texts = beside(rows, width - 1 - left);
    let count = texts.len().max(board.rows.len()).min(height - 1);
    for index in 0..count {
        out += board.rows.get(index).map_or("", |row| row);
        out += "\x1b[K";
        let mut columns = board.columns;
        if let Some((label, text)) = texts.get(index) {
            columns = left + LABEL_COLUMNS + text.chars().count();
            write!(out, "\x1b[{}G", left + 1).expect("memory takes all");
            let label = format!("{label:LABEL_COLUMNS$}");
            out += &if has_colors { format!("{HINT}{label}{HINT:#}{text}") } else { label + text };
        }
        shown.push(columns);
        out.push('\n');
    }
    out.push_str("\x1b[J");
    out
}

/// The lines beside a board: a text that is too long for one line goes on below, without a label.
fn beside(rows: &[LabelledText], columns: usize) -> Vec<(&str, String)> {
    let mut lines = Vec::new();
    for (label, text) in rows {
        let texts = in_rows(text, columns - LABEL_COLUMNS, BESIDE_LINES_MAX);
        let labels = std::iter::once(*label).chain(std::iter::repeat(""));
        lines.extend(labels.zip(texts));
    }
    lines
}

/// From below the lines to the first of them. A terminal that became narrower has wrapped them.
fn up(shown: &[usize], width: usize) -> String {
    let rows: usize = shown.iter().map(|columns| columns.div_ceil(width.max(1)).max(1)).sum();
    match rows {
        0 => "\r".to_string(),
        rows => format!("\r\x1b[{rows}A"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<LabelledText> {
        vec![("root", "proof 7".to_string()), ("best", "K11 L10 / I8 H9 / J11 L9".to_string())]
    }

    #[test]
    fn a_frame_is_drawn_over_the_one_before_it() {
        let mut shown = Vec::new();
        let first = frame(&mut shown, &rows(), (80, 24), false);
        assert_eq!(
            first,
            "\rroot     proof 7\x1b[K\nbest     K11 L10 / I8 H9 / J11 L9\x1b[K\n\x1b[J"
        );
        assert_eq!(shown, [16, 33]);
        let second = frame(&mut shown, &rows()[..1], (80, 24), false);
        assert_eq!(second, "\r\x1b[2Aroot     proof 7\x1b[K\n\x1b[J");
    }

    #[test]
    fn no_line_is_longer_than_the_terminal_is_wide() {
        for width in 1..60 {
            for height in 0..4 {
                let mut shown = Vec::new();
                let text = frame(&mut shown, &rows(), (width, height), false);
                assert!(shown.iter().all(|&columns| columns < width.max(2)), "{width}: {text:?}");
                assert_eq!(shown.len(), 2.min(height.saturating_sub(1)));
                assert_eq!(text.matches('\n').count(), shown.len());
            }
        }
    }

    #[test]
    fn lines_that_a_narrower_terminal_wrapped_are_all_drawn_over() {
        let mut shown = vec![16, 33];
        assert!(frame(&mut shown, &rows(), (20, 24), false).starts_with("\r\x1b[3A"));
    }

    fn board() -> BoardText {
        BoardText { rows: vec!["1 . .".to_string(), "  A B".to_string()], columns: 5 }
    }

    #[test]
    fn a_board_stands_beside_the_lines() {
        let mut shown = Vec::new();
        let long = ("best", "K11 L10 / I8 H9 / J11 L9 / G13 M7".to_string());
        let rows = [("root", "proof 7".to_string()), long];
        let text = frame_beside(&mut shown, &board(), &rows, (44, 24), false);
        assert_eq!(
            text,
            "\r1 . .\x1b[K\x1b[8Groot     proof 7\n\
             \x20 A B\x1b[K\x1b[8Gbest     K11 L10 / I8 H9 / J11 L9 /\n\
             \x1b[K\x1b[8G         G13 M7\n\x1b[J"
        );
        assert_eq!(shown, [23, 42, 22]);
    }

    #[test]
    fn a_board_is_left_out_where_there_is_no_room() {
        assert!(has_room(&board(), (42, 3)));
        assert!(!has_room(&board(), (41, 3)) && !has_room(&board(), (42, 2)));
        let connect6 = BoardText { rows: vec![String::new(); 20], columns: 42 };
        assert!(has_room(&connect6, (80, 24)));
        for (width, height) in [(42, 3), (80, 24), (43, 3)] {
            let mut shown = Vec::new();
            let text = frame_beside(&mut shown, &board(), &rows(), (width, height), true);
            assert!(shown.iter().all(|&columns| columns < width), "{text:?}");
            assert!(shown.len() < height, "{text:?}");
        }
    }
}
