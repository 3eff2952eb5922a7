//! The first step of reading a diagram: what each line is, without a thought on the rules.

use crate::moves::input::Part;
use crate::{Color, Game, InputError};

/// The most columns or rows of a diagram.
const SIDE_MAX: usize = 1_000;

/// Lines of frames: they may stand around and between squares and mean nothing.
const FRAME: &str = "|│┃║─━═";
/// Corners, which are frame at the ends of a line of frame, and empty squares elsewhere.
const CORNERS: &str = "┌┐└┘╔╗╚╝╭╮╰╯";
/// Crossings: empty squares.
const CROSSINGS: &str = "┼├┤┬┴╋┠┨┯┷╬╠╣╦╩╂┿╟╢╤╧";
const BLACK: &str = "Xx#Bb@●⚫×";
const WHITE: &str = "OoWw0○⚪";
const EMPTY: &str = ".,+-_·";
/// Asks for a drawing of the character before it as a picture; it is not a square.
const VARIATION_SELECTOR: char = '\u{fe0f}';

/// A text taken apart.
#[derive(Default)]
pub(super) struct Scan<'a> {
    /// The game that the text names.
    pub(super) game: Option<Game>,
    /// The line that names the side to move, the side, and the stones left if it says so.
    pub(super) turn: Option<(Part<'a>, Color, Option<u32>)>,
    /// The name of the square at the bottom left.
    pub(super) origin: Option<Part<'a>>,
    /// Stones by name.
    pub(super) listed: Vec<(Color, Part<'a>)>,
    /// The rows from the top, all of the same length.
    pub(super) rows: Vec<Row<'a>>,
}

/// A row of squares.
pub(super) struct Row<'a> {
    pub(super) line: Part<'a>,
    pub(super) cells: Vec<Option<Color>>,
}

impl Scan<'_> {
    /// The number of columns.
    pub(super) fn width(&self) -> usize {
        self.rows.first().map_or(0, |row| row.cells.len())
    }
}

/// Takes a text apart.
pub(super) fn scan(text: &str) -> Result<Scan<'_>, InputError> {
    let mut scan = Scan::default();
    let mut rows = Vec::new();
    for line in Part::whole(text).lines() {
        let skipped = line.text.is_empty()
            || line.text.starts_with("```")
            || is_frame(line.text)
            || names_columns(line);
        if skipped || heading(&mut scan, line)? {
            continue;
        }
        if rows.len() == SIDE_MAX {
            return Err(line.error(format!("there are more than {SIDE_MAX} rows")));
        }
        rows.push(line);
    }
    let squares = without_numbers(without_numbers(rows.clone(), End::Left)?, End::Right)?;
    for (line, squares) in rows.into_iter().zip(squares) {
        let cells = cells(squares)?;
        if cells.len() > SIDE_MAX {
            return Err(line.error(format!("there are more than {SIDE_MAX} columns")));
        }
        if !scan.rows.is_empty() && cells.len() != scan.width() {
            let (number, first) = (scan.rows.len() + 1, scan.width());
            let message =
                format!("row {number} has {} squares, the first row has {first}", cells.len());
            return Err(line.error(message).help("every row has one character a square"));
        }
        scan.rows.push(Row { line, cells });
    }
    Ok(scan)
}

/// The stone of a character, if it is a square at all.
fn cell(c: char) -> Option<Option<Color>> {
    match c {
        _ if BLACK.contains(c) => Some(Some(Color::Black)),
        _ if WHITE.contains(c) => Some(Some(Color::White)),
        _ if EMPTY.contains(c) || CROSSINGS.contains(c) || CORNERS.contains(c) => Some(None),
        _ => None,
    }
}

fn is_filler(c: char) -> bool {
    c.is_whitespace() || FRAME.contains(c) || c == VARIATION_SELECTOR
}

fn cells(squares: Part<'_>) -> Result<Vec<Option<Color>>, InputError> {
    let mut cells = Vec::new();
    for (i, c) in squares.text.char_indices().filter(|&(_, c)| !is_filler(c)) {
        let part = squares.slice(i, i + c.len_utf8());
        let color = cell(c).ok_or_else(|| {
            let help = match c {
                '*' => "write X for a black stone, . for an empty square",
                _ => "write X for a black stone, O for a white one, . for an empty square",
            };
            part.error(format!("{} is not a square", part.quoted())).help(help)
        })?;
        cells.push(color);
    }
    Ok(cells)
}

/// Whether a line is part of a frame: `+-----+`, `┌─────┐`, or the `│ │ │` between two rows.
fn is_frame(line: &str) -> bool {
    let ascii = line.starts_with('+')
        && line.ends_with('+')
        && (line.contains("--") || line.contains("=="))
        && line.chars().all(|c| "+-=".contains(c));
    let inside = line.trim_matches(|c| CORNERS.contains(c));
    ascii || (!inside.is_empty() && inside.chars().all(is_filler))
}

/// Whether a line has the names of the columns: letters from `A`, or numbers that count.
fn names_columns(line: Part<'_>) -> bool {
    let words: Vec<Part<'_>> = line.words(is_filler).collect();
    let letters = |text: &str| text.bytes().all(|b| b.is_ascii_alphabetic());
    if words.first().is_some_and(|word| word.text.starts_with(['A', 'a'])) {
        let short = words.len() == 1 || words.iter().all(|word| word.text.len() <= 2);
        return short && words.iter().all(|word| letters(word.text));
    }
    // Numbers above 9 are often cut to their last digit, with the first ones in a line above.
    let counts = |pair: &[Option<u32>]| match (pair[0], pair[1]) {
        (Some(a), Some(b)) => b == a || b == a + 1 || (a, b) == (9, 0),
        _ => false,
    };
    let numbers: Vec<Option<u32>> = match words[..] {
        [word] => word.text.chars().map(|c| c.to_digit(10)).collect(),
        _ => words.iter().map(|word| word.number().filter(|&n| n < 10_000)).collect(),
    };
    numbers.iter().any(|n| n.is_some_and(|n| n > 0))
        && numbers.iter().all(Option::is_some)
        && numbers.windows(2).all(counts)
}

/// Which end of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Left,
    Right,
}

/// Takes the row numbers off one end, if there are any. A lone 0 may be a white stone: numbers are
/// numbers when one of them is not 0, and then every row must have one, counting up or down.
fn without_numbers(rows: Vec<Part<'_>>, end: End) -> Result<Vec<Part<'_>>, InputError> {
    let split: Vec<(Part<'_>, Part<'_>)> = rows.iter().map(|&row| split_number(row, end)).collect();
    let values: Vec<Option<u32>> = split.iter().map(|(number, _)| number.number()).collect();
    if !values.iter().any(|value| value.is_some_and(|v| v > 0)) {
        return Ok(rows);
    }
    let mut due: Option<(i64, i64)> = None;
    for (index, &(number, row)) in split.iter().enumerate() {
        let Some(value) = values[index].map(i64::from) else {
            let (part, message) = match number.text {
                "" => (row, "this row has no number, others have one".to_string()),
                _ => (number, format!("row number {} is too large", number.quoted())),
            };
            return Err(part.error(message));
        };
        let next = values.get(index + 1).copied().flatten().map(i64::from);
        let step = match due {
            None if next.is_some_and(|next| next < value) => -1,
            None => 1,
            Some((_, step)) => step,
        };
        if let Some((expected, _)) = due.filter(|&(expected, _)| expected != value) {
            return Err(number.error(format!("row number {value} where {expected} is due")));
        }
        due = Some((value + step, step));
    }
    Ok(split.into_iter().map(|(_, row)| row).collect())
}

/// The digits at one end of a row, and the rest.
fn split_number(row: Part<'_>, end: End) -> (Part<'_>, Part<'_>) {
    let text = row.text;
    match end {
        End::Left => {
            let start = text.len() - text.trim_start_matches(is_filler).len();
            let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
            (row.slice(start, start + digits), row.slice(start + digits, text.len()))
        }
        End::Right => {
            let stop = text.trim_end_matches(is_filler).len();
            let digits = text[..stop].bytes().rev().take_while(u8::is_ascii_digit).count();
            (row.slice(stop - digits, stop), row.slice(0, stop - digits))
        }
    }
}

/// Reads a line that says something about the position; false when it is none of these.
fn heading<'a>(scan: &mut Scan<'a>, line: Part<'a>) -> Result<bool, InputError> {
    let lower = line.text.to_ascii_lowercase();
    let first = line.words(|c: char| c.is_whitespace() || c == ':').next().unwrap_or(line);
    let after = first.offset - line.offset + first.text.len();
    let rest = line.slice(after, line.text.len());
    let colon = rest.text.len() - rest.text.trim_start_matches(':').len();
    let rest = rest.slice(colon, rest.text.len()).trim();
    let color = [Color::Black, Color::White]
        .into_iter()
        .find(|color| first.text.eq_ignore_ascii_case(color.title()));
    let twice = |what: &str| line.error(format!("{what} is said twice"));
    if ["to move", "to-move", "to play"].iter().any(|words| lower.contains(words)) {
        if scan.turn.replace(turn(line)?).is_some() {
            return Err(twice("the side to move"));
        }
    } else if let Some(color) = color {
        scan.listed.extend(rest.words(char::is_whitespace).map(|word| (color, word)));
    } else if first.text.eq_ignore_ascii_case("origin") {
        if scan.origin.replace(rest).is_some() {
            return Err(twice("the origin"));
        }
    } else if let Some(game) = game(line, first, rest)? {
        if scan.game.replace(game).is_some() {
            return Err(twice("the game"));
        }
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// `White to move, 2 stones`, `to-move white 2`.
fn turn(line: Part<'_>) -> Result<(Part<'_>, Color, Option<u32>), InputError> {
    let words = || line.words(|c: char| !c.is_alphanumeric());
    let color = words().find_map(|word| match word.text.to_ascii_lowercase().as_str() {
        "black" => Some(Color::Black),
        "white" => Some(Color::White),
        _ => None,
    });
    let Some(color) = color else {
        let help = "write `White to move, 2 stones`";
        return Err(line.error("who is to move?").help(help));
    };
    let left = words().find(|word| word.text.starts_with(|c: char| c.is_ascii_digit()));
    let number = match left {
        Some(word) => {
            let wrong = || word.error(format!("{} is not a number of stones", word.quoted()));
            Some(word.number().ok_or_else(wrong)?)
        }
        None => None,
    };
    Ok((line, color, number))
}

/// `Connect(19,19,6,2,1)`, `connect6`, `game 19 19 6 2 1 exact`.
fn game(line: Part<'_>, first: Part<'_>, rest: Part<'_>) -> Result<Option<Game>, InputError> {
    let text = match first.text.eq_ignore_ascii_case("game") {
        true if rest.text.contains(',') => rest.text.to_string(),
        true => rest.words(char::is_whitespace).map(|w| w.text).collect::<Vec<_>>().join(","),
        false => line.text.to_string(),
    };
    let meant = first.text.eq_ignore_ascii_case("game")
        || line.text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("connect"));
    match text.parse::<Game>() {
        Ok(game) => Ok(Some(game)),
        Err(error) if meant => Err(line.error(error.to_string())),
        Err(_) => Ok(None),
    }
}
