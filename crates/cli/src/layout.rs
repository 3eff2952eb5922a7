//! Text that fits the columns it has. A line of play is wrapped between two moves, or loses moves
//! of its middle: its first and its last moves say most.

use std::io;

/// Columns of an answer where there is no terminal; longer lines are hard to read on a wide one.
const COLUMNS_MAX: usize = 100;
/// The narrowest terminal that text is wrapped for.
const COLUMNS_MIN: usize = 40;
/// Columns of the labels of an answer, as in `line        I9 K9`.
const LABEL_COLUMNS: usize = 12;

/// Columns of the text on standard output.
pub(crate) fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(COLUMNS_MAX, |(width, _)| usize::from(width.0).clamp(COLUMNS_MIN, COLUMNS_MAX))
}

/// A label of an answer and its text, wrapped in a column of its own.
pub(crate) fn labelled(label: &str, text: &str) -> String {
    let rows = wrapped(text, columns() - LABEL_COLUMNS);
    let indent = format!("\n{:LABEL_COLUMNS$}", "");
    format!("{label:LABEL_COLUMNS$}{}", rows.join(&indent))
}

/// A label of an answer and a line of play, shortened to one row.
pub(crate) fn labelled_row(label: &str, line: &str) -> String {
    format!("{label:LABEL_COLUMNS$}{}", shortened(line, columns() - LABEL_COLUMNS))
}

/// A text in rows that fit the columns, at least one: broken between two moves of a line of play,
/// else between two words. A longer word stays whole.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    let mut push = |part: &str| match rows.last_mut() {
        Some(row) if width(row) + 1 + width(part) <= columns => {
            row.push(' ');
            row.push_str(part);
        }
        _ => rows.push(part.to_string()),
    };
    for part in text.split_inclusive(" / ").map(str::trim_end) {
        if width(part) <= columns {
            push(part);
        } else {
            part.split(' ').for_each(&mut push);
        }
    }
    if rows.is_empty() { vec![String::new()] } else { rows }
}

/// A text that fits the columns. A line of play keeps its first and its last moves.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_string();
    }
    let moves: Vec<&str> = text.split(" / ").collect();
    let mut kept: Option<String> = None;
    for count in 2..moves.len() {
        let (head, tail) = (count.div_ceil(2), count / 2);
        let tail = moves[moves.len() - tail..].join(" / ");
        let shorter = format!("{} / … / {tail}", moves[..head].join(" / "));
        if width(&shorter) > columns {
            break;
        }
        kept = Some(shorter);
    }
    kept.unwrap_or_else(|| {
        let start = text.chars().take(columns.saturating_sub(1));
        start.chain("…".chars().take(columns)).collect()
    })
}

/// A text that fits columns and rows: wrapped, and shortened until it does.
pub(crate) fn in_rows(text: &str, columns: usize, rows_max: usize) -> Vec<String> {
    let mut rows = wrapped(text, columns);
    let mut left = columns * rows_max;
    while rows.len() > rows_max && left > columns {
        left -= 1;
        rows = wrapped(&shortened(text, left), columns);
    }
    rows.truncate(rows_max);
    rows
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "K11 L10 / I8 H9 / J11 L9 / G13 M7 / L8 I11 / H12 N6";

    #[test]
    fn a_long_line_of_play_keeps_its_first_and_last_moves() {
        assert_eq!(shortened(LINE, 80), LINE);
        assert_eq!(shortened(LINE, 40), "K11 L10 / I8 H9 / … / L8 I11 / H12 N6");
        assert_eq!(shortened(LINE, 27), "K11 L10 / … / H12 N6");
        assert_eq!(shortened(LINE, 12), "K11 L10 / I…");
        for columns in 0..60 {
            assert!(shortened(LINE, columns).chars().count() <= columns);
        }
    }

    #[test]
    fn a_line_of_play_is_wrapped_between_moves() {
        assert_eq!(wrapped(LINE, 30), ["K11 L10 / I8 H9 / J11 L9 /", "G13 M7 / L8 I11 / H12 N6"]);
        assert_eq!(wrapped("(A1 B1 C1 D1) / E5", 10), ["(A1 B1 C1", "D1) / E5"]);
        assert_eq!(wrapped("", 10), [""]);
        for columns in 4..60 {
            let rows = wrapped(LINE, columns);
            assert_eq!(rows.join(" "), LINE);
            assert!(rows.iter().all(|row| width(row) <= columns), "{columns}: {rows:?}");
        }
    }

    #[test]
    fn a_text_takes_at_most_its_rows() {
        for columns in 1..60 {
            for rows_max in 1..4 {
                let rows = in_rows(LINE, columns, rows_max);
                assert!((1..=rows_max).contains(&rows.len()), "{columns}: {rows:?}");
            }
        }
        assert_eq!(in_rows(LINE, 24, 2), ["K11 L10 / I8 H9 / … /", "L8 I11 / H12 N6"]);
    }
}
