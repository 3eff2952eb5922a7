//! The first step of reading a diagram: the kind of each line, regardless of the rules.
//!
//! Lines with a fact about the position are known by their words (`heading.rs`). All others are
//! rows, unless they look like words: then they are remarks, which may not stand among the rows. A
//! line that is neither is taken for a row, so that it is refused rather than overlooked.

use super::heading::heading;
use crate::moves::input::Part;
use crate::square::column_name;
use crate::{BOARD_MAX, Color, Game, InputError};

/// The most columns or rows of a diagram.
const SIDE_MAX: usize = 1_000;

/// Characters of frames and brackets: they may stand around and between squares and mean nothing.
const FRAME: &str = "|│┃║─━═()";
/// Corners, which are frame at the ends of a line of frame, and empty squares elsewhere.
const CORNERS: &str = "┌┐└┘╔╗╚╝╭╮╰╯";
/// Crossings: empty squares.
const CROSSINGS: &str = "┼├┤┬┴╋┠┨┯┷╬╠╣╦╩╂┿╟╢╤╧";
const BLACK: &str = "Xx#Bb@●⚫×";
const WHITE: &str = "OoWw0○⚪";
/// Empty squares; the signs behind the dots are those of threats and zones in our own pictures.
const EMPTY: &str = ".,+-_·!▒░:'";
/// Asks for a drawing of the character before it as a picture; it is not a square.
const VARIATION_SELECTOR: char = '\u{fe0f}';

/// A text taken apart.
#[derive(Default)]
pub(super) struct Scan<'a> {
    /// The game that the text names.
    pub(super) game: Option<Game>,
    /// The line that names the side to move, the side, and the stones left if it has them.
    pub(super) turn: Option<(Part<'a>, Color, Option<u32>)>,
    /// The line that names the winner.
    pub(super) winner: Option<(Part<'a>, Color)>,
    /// The signs of black and white stones, when the text defines them: then there are no others.
    pub(super) signs: Option<[char; 2]>,
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
    let mut remark: Option<Part<'_>> = None;
    for line in Part::whole(text).lines() {
        if is_nothing(line) || heading(&mut scan, line)? {
            continue;
        }
        if is_remark(line) {
            // One word in front of the board is rather meant as the game.
            if rows.is_empty() && !line.text.contains(char::is_whitespace) {
                line.text.parse::<Game>().map_err(|error| line.error(error.to_string()))?;
            }
            remark = remark.or(Some(line).filter(|_| !rows.is_empty()));
            continue;
        }
        if let Some(remark) = remark {
            let help = "every row has one character a square";
            return Err(remark.error(format!("{} is not a row", remark.quoted())).help(help));
        }
        if rows.len() == SIDE_MAX {
            return Err(line.error(format!("there are more than {SIDE_MAX} rows")));
        }
        rows.push(line);
    }
    let squares = without_numbers(without_numbers(rows.clone(), End::Left)?, End::Right)?;
    for (line, squares) in rows.into_iter().zip(squares) {
        let cells = cells(squares, scan.signs)?;
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

/// Whether most lines of a text that say anything look like rows of a board, and at least two do.
pub(super) fn mostly_rows(text: &str) -> bool {
    let (mut rows, mut others) = (0, 0);
    for line in Part::whole(text).lines().filter(|&line| !is_nothing(line)) {
        match heading(&mut Scan::default(), line) {
            Ok(false) if likeness(line).is_row() => rows += 1,
            Ok(false) => others += 1,
            Ok(true) | Err(_) => {}
        }
    }
    rows >= 2 && rows > others
}

/// Whether a line has no meaning of its own.
fn is_nothing(line: Part<'_>) -> bool {
    line.text.is_empty()
        || line.text.starts_with("```")
        || is_frame(line.text)
        || names_columns(line)
}

/// The kinds of the characters of a line, digits and filling left out.
#[derive(Default)]
struct Likeness {
    squares: usize,
    letters: usize,
    others: usize,
}

fn likeness(line: Part<'_>) -> Likeness {
    let mut count = Likeness::default();
    for c in line.text.chars().filter(|&c| !is_filler(c) && !c.is_ascii_digit()) {
        match cell(c, None) {
            Some(_) => count.squares += 1,
            None if c.is_alphabetic() => count.letters += 1,
            None => count.others += 1,
        }
    }
    count
}

impl Likeness {
    /// Squares, with at most a few letters that are none.
    fn is_row(&self) -> bool {
        let all = self.squares + self.letters + self.others;
        self.squares > self.letters + self.others && self.letters <= (all / 5).max(1)
    }
}

/// Whether a line is a remark: it has a word, and is not like a row.
fn is_remark(line: Part<'_>) -> bool {
    const WORD_MIN: usize = 3;
    let mut words = line.words(|c: char| !c.is_alphabetic());
    let has_word = words.any(|word| word.text.chars().count() >= WORD_MIN);
    has_word && !likeness(line).is_row()
}

/// The stone of a character, if it is a square at all.
fn cell(c: char, signs: Option<[char; 2]>) -> Option<Option<Color>> {
    let is_black = signs.map_or(BLACK.contains(c), |[black, _]| c == black);
    let is_white = signs.map_or(WHITE.contains(c), |[_, white]| c == white);
    match c {
        _ if is_black => Some(Some(Color::Black)),
        _ if is_white => Some(Some(Color::White)),
        _ if EMPTY.contains(c) || CROSSINGS.contains(c) || CORNERS.contains(c) => Some(None),
        _ => None,
    }
}

fn is_filler(c: char) -> bool {
    c.is_whitespace() || FRAME.contains(c) || c == VARIATION_SELECTOR
}

fn cells(squares: Part<'_>, signs: Option<[char; 2]>) -> Result<Vec<Option<Color>>, InputError> {
    let mut cells = Vec::new();
    // Where the number of a stone may go on, and the first of the digits before this character.
    let (mut number_at, mut first_digit) = (None, None);
    for (i, c) in squares.text.char_indices() {
        let begun = first_digit;
        first_digit = c.is_ascii_digit().then_some(begun.unwrap_or(c));
        // A number does not begin with 0, which may be a stone.
        let goes_on = c != '0' || begun.is_some_and(|first| first != '0');
        if number_at == Some(i) && c.is_ascii_digit() && goes_on {
            number_at = Some(i + 1);
            continue;
        }
        if is_filler(c) {
            continue;
        }
        let part = squares.slice(i, i + c.len_utf8());
        let color = cell(c, signs).ok_or_else(|| {
            let help = match (c, signs) {
                (_, Some([black, white])) => {
                    format!("write {black} for a black stone, {white} for a white one, as said")
                }
                ('*', _) => "write X for a black stone, . for an empty square".to_string(),
                _ => "write X for a black stone, O for a white one, . for an empty square"
                    .to_string(),
            };
            part.error(format!("{} is not a square", part.quoted())).help(help)
        })?;
        number_at = color.map(|_| i + c.len_utf8());
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
    if counts_letters(&words) {
        return true;
    }
    // On an unbounded board every n-th column has a number.
    let signed: Option<Vec<i64>> = words.iter().map(|word| signed_number(*word)).collect();
    let steps = |n: &[i64]| n[1] - n[0];
    if let Some(numbers) = signed.filter(|numbers| numbers.iter().any(|&n| n != 0)) {
        let mut all = numbers.windows(2).map(steps);
        let step = all.next();
        let single = step.is_none() && !(0..10).contains(&numbers[0]);
        if single || step.is_some_and(|step| step > 0 && all.all(|s| s == step)) {
            return true;
        }
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

/// Whether words are the letters of neighbouring columns, as in `F G H`, and not only stones.
fn counts_letters(words: &[Part<'_>]) -> bool {
    let name = |word: &Part<'_>| word.text.to_ascii_uppercase();
    let Some(start) = words.first().map(name) else { return false };
    let first = (0..BOARD_MAX).find(|&x| column_name(x) == start);
    first.is_some_and(|first| (first..).zip(words).all(|(x, word)| column_name(x) == name(word)))
        && words.iter().flat_map(|word| word.text.chars()).any(|c| cell(c, None).is_none())
}

/// Which end of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Left,
    Right,
}

/// Takes the row numbers off one end, if there are any. A lone 0 may be a white stone, and digits
/// behind a stone may be its number: numbers are row numbers when one of them is neither, and then
/// every row must have one, counting up or down.
fn without_numbers(rows: Vec<Part<'_>>, end: End) -> Result<Vec<Part<'_>>, InputError> {
    let split: Vec<(Part<'_>, Part<'_>)> = rows.iter().map(|&row| split_number(row, end)).collect();
    let values: Vec<Option<i64>> = split.iter().map(|(number, _)| signed_number(*number)).collect();
    let on_stone = |rest: Part<'_>| {
        let last = rest.text.chars().next_back();
        end == End::Right
            && last.is_some_and(|c| c.is_alphabetic() || cell(c, None).flatten().is_some())
    };
    let is_row_number = |(value, (_, rest)): (&Option<i64>, &(_, Part<'_>))| {
        value.is_some_and(|v| v != 0) && !on_stone(*rest)
    };
    if !values.iter().zip(&split).any(is_row_number) {
        return Ok(rows);
    }
    let mut due: Option<(i64, i64)> = None;
    for (index, &(number, row)) in split.iter().enumerate() {
        let Some(value) = values[index] else {
            let (part, message) = match number.text {
                "" => (row, "this row has no number, others have one".to_string()),
                _ => (number, format!("row number {} is too large", number.quoted())),
            };
            return Err(part.error(message));
        };
        let next = values.get(index + 1).copied().flatten();
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

/// A number that may have a minus sign.
fn signed_number(part: Part<'_>) -> Option<i64> {
    let sign = usize::from(part.text.starts_with('-'));
    let size = i64::from(part.slice(sign, part.text.len()).number()?);
    Some(if sign == 1 { -size } else { size })
}

/// The digits at one end of a row, and the rest. On the left they may have a minus sign: it is an
/// empty square unless it stands right before a number.
fn split_number(row: Part<'_>, end: End) -> (Part<'_>, Part<'_>) {
    let text = row.text;
    let digits_of = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    match end {
        End::Left => {
            let start = text.len() - text.trim_start_matches(is_filler).len();
            let negative = |rest: &str| rest.starts_with(|c: char| ('1'..='9').contains(&c));
            let sign = text[start..].strip_prefix('-').filter(|rest| negative(rest));
            let first = start + usize::from(sign.is_some());
            let stop = first + digits_of(&text[first..]);
            (row.slice(start, stop), row.slice(stop, text.len()))
        }
        End::Right => {
            let stop = text.trim_end_matches(is_filler).len();
            let digits = text[..stop].bytes().rev().take_while(u8::is_ascii_digit).count();
            (row.slice(stop - digits, stop), row.slice(0, stop - digits))
        }
    }
}
