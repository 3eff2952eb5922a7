//! Lines on the terminal that are drawn over again: how a search goes, while it goes.
//!
//! A frame is one write: up to the first line, every line with the rest of its row cleared, and
//! whatever an older frame had below. So nothing flickers. No state of the terminal is changed, so
//! there is none to restore when the program is ended by force; the cursor stands below the lines,
//! where the shell goes on. A line is never longer than the terminal is wide.
//!
//! After Ctrl-C the lines stay: the terminal throws away what it had not shown yet, so nobody knows
//! where the cursor is, and going up could wipe what was there before.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use sixproof_solve::output::HINT;

/// Frames are at least so far apart.
const FRAME_EVERY: Duration = Duration::from_millis(100);
/// Nothing is drawn for what ends sooner.
const FIRST_AFTER: Duration = Duration::from_millis(300);
/// Columns and rows of a terminal that does not tell.
const SIZE_DEFAULT: (usize, usize) = (80, 24);
/// Columns of the labels.
const LABEL_COLUMNS: usize = 9;

/// A line: a label and what it says.
pub(crate) type Row = (&'static str, String);

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

    /// Draws the lines over the ones that are there.
    pub(crate) fn draw(&mut self, rows: &[Row]) {
        self.due = Instant::now() + FRAME_EVERY;
        let size = terminal_size::terminal_size_of(io::stderr());
        let size = size.map_or(SIZE_DEFAULT, |(width, height)| (width.0.into(), height.0.into()));
        let frame = frame(&mut self.shown, rows, size, self.has_colors);
        write(&frame);
    }

    /// Takes the lines away, so that something else can be said.
    pub(crate) fn wipe(&mut self) {
        let size = terminal_size::terminal_size_of(io::stderr());
        let width = size.map_or(SIZE_DEFAULT.0, |(width, _)| width.0.into());
        if !self.shown.is_empty() {
            write(&format!("{}\x1b[J", up(&self.shown, width)));
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

/// A terminal that has gone away is no reason to stop a search.
fn write(text: &str) {
    let mut out = io::stderr().lock();
    let _written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// What goes to the terminal for the next frame; `shown` is what the last one left there.
fn frame(
    shown: &mut Vec<usize>,
    rows: &[Row],
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

/// From below the lines to the first of them. A terminal that became narrower has wrapped them.
fn up(shown: &[usize], width: usize) -> String {
    let rows: usize = shown.iter().map(|columns| columns.div_ceil(width.max(1)).max(1)).sum();
    match rows {
        0 => "\r".to_string(),
        rows => format!("\r\x1b[{rows}A"),
    }
}

/// A text in so many columns. Of a line of play, moves are left out of its middle: it is told by
/// its first moves and its last ones.
fn shortened(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_string();
    }
    let moves: Vec<&str> = text.split(" / ").collect();
    let mut kept: Option<String> = None;
    for count in 2..moves.len() {
        let (head, tail) = (count.div_ceil(2), count / 2);
        let tail = moves[moves.len() - tail..].join(" / ");
        let shorter = format!("{} / … / {tail}", moves[..head].join(" / "));
        if shorter.chars().count() > columns {
            break;
        }
        kept = Some(shorter);
    }
    kept.unwrap_or_else(|| {
        let start = text.chars().take(columns.saturating_sub(1));
        start.chain("…".chars().take(columns)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
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

    #[test]
    fn a_long_line_of_play_keeps_its_first_and_last_moves() {
        let line = "K11 L10 / I8 H9 / J11 L9 / G13 M7 / L8 I11 / H12 N6";
        assert_eq!(shortened(line, 80), line);
        assert_eq!(shortened(line, 40), "K11 L10 / I8 H9 / … / L8 I11 / H12 N6");
        assert_eq!(shortened(line, 27), "K11 L10 / … / H12 N6");
        assert_eq!(shortened(line, 12), "K11 L10 / I…");
        for columns in 0..60 {
            assert!(shortened(line, columns).chars().count() <= columns);
        }
    }
}
