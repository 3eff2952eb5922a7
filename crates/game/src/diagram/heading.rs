//! Lines of a diagram with a fact about the position.

use super::scan::Scan;
use crate::moves::input::Part;
use crate::{Color, Game, InputError};

/// What a picture says that does not show all stones.
const INCOMPLETE: &str = "outside of this picture";

/// Reads a line with a fact about the position; false when it is not such a line.
pub(super) fn heading<'a>(scan: &mut Scan<'a>, line: Part<'a>) -> Result<bool, InputError> {
    let lower = line.text.to_ascii_lowercase();
    let first = line.words(|c: char| c.is_whitespace() || c == ':').next().unwrap_or(line);
    let after = first.offset - line.offset + first.text.len();
    let rest = line.slice(after, line.text.len());
    let colon = rest.text.len() - rest.text.trim_start_matches(':').len();
    let rest = rest.slice(colon, rest.text.len()).trim();
    let color = [Color::Black, Color::White]
        .into_iter()
        .find(|color| first.text.eq_ignore_ascii_case(color.title()));
    if lower.ends_with(INCOMPLETE) {
        let help = "show the whole board, or write the position with `--to diagram`";
        return Err(line.error("stones are missing in this picture").help(help));
    }
    if let Some((game, status)) = footer(line) {
        said(&mut scan.game, game, line, "the game")?;
        return footer_status(scan, status).map(|()| true);
    }
    if ["to move", "to-move", "to play"].iter().any(|words| lower.contains(words)) {
        said_turn(scan, turn(line)?)?;
    } else if let Some(color) = color.filter(|_| colon > 0 || starts_list(rest)) {
        scan.listed.extend(rest.words(char::is_whitespace).map(|word| (color, word)));
    } else if first.text.eq_ignore_ascii_case("origin") {
        let origin = rest.words(char::is_whitespace).next().unwrap_or(rest);
        said(&mut scan.origin.map(|part| part.text), origin.text, line, "the origin")?;
        scan.origin = Some(origin);
    } else if let Some(game) = game(line, first, rest)? {
        said(&mut scan.game, game, line, "the game")?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Keeps a fact; a later line may repeat it, but not contradict it.
fn said<T: PartialEq>(
    place: &mut Option<T>,
    value: T,
    line: Part<'_>,
    what: &str,
) -> Result<(), InputError> {
    match place {
        Some(before) if *before != value => {
            Err(line.error(format!("{what} is said twice, and differently")))
        }
        _ => {
            *place = Some(value);
            Ok(())
        }
    }
}

/// The same for the turn, of which one line may know more than the other.
fn said_turn<'a>(
    scan: &mut Scan<'a>,
    (line, color, left): (Part<'a>, Color, Option<u32>),
) -> Result<(), InputError> {
    let (mut to_move, mut stones) = (None, None);
    if let Some((_, color, left)) = scan.turn {
        (to_move, stones) = (Some(color), left);
    }
    said(&mut to_move, color, line, "the side to move")?;
    if let Some(left) = left {
        said(&mut stones, left, line, "how many stones are left")?;
    }
    scan.turn = Some((line, color, stones));
    Ok(())
}

/// Whether a list of stones begins here: `J10`, `0,0`, or nothing at all, but not
/// `White wins at J10`.
fn starts_list(rest: Part<'_>) -> bool {
    let first = rest.words(char::is_whitespace).next();
    first.is_none_or(|word| word.text.contains(|c: char| c.is_ascii_digit()))
}

/// The line that pictures for a terminal end with, in two: `Connect(19,19,6,2,1)` and `Black to
/// move, 2 stones left (● Black, ○ White)`.
fn footer(line: Part<'_>) -> Option<(Game, Part<'_>)> {
    [" — ", " - "].into_iter().find_map(|dash| {
        let at = line.text.find(dash)?;
        let game = line.text[..at].parse().ok()?;
        Some((game, line.slice(at + dash.len(), line.text.len())))
    })
}

/// Reads the second part of that line.
fn footer_status<'a>(scan: &mut Scan<'a>, mut status: Part<'a>) -> Result<(), InputError> {
    let bracket = status.text.rfind('(').unwrap_or(status.text.len());
    if let Some(signs) = signs(&status.text[bracket..]) {
        said(&mut scan.signs, signs, status, "which stones are black")?;
        status = status.slice(0, bracket).trim();
    }
    let winner = [Color::Black, Color::White]
        .into_iter()
        .find(|color| status.text == format!("{} has won", color.title()));
    if let Some(winner) = winner {
        scan.winner = Some((status, winner));
    } else if status.text.contains("to move") {
        said_turn(scan, turn(status)?)?;
    }
    Ok(())
}

/// `(● Black, ○ White)`.
fn signs(text: &str) -> Option<[char; 2]> {
    let (black, white) = text.strip_prefix('(')?.strip_suffix(" White)")?.split_once(" Black, ")?;
    let one = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    Some([one(black)?, one(white)?])
}

/// `White to move, 2 stones`, `to-move white 2`.
fn turn(line: Part<'_>) -> Result<(Part<'_>, Color, Option<u32>), InputError> {
    let words: Vec<Part<'_>> = line.words(|c: char| !c.is_alphanumeric()).collect();
    let is = |word: Part<'_>, names: &[&str]| {
        names.iter().any(|name| word.text.eq_ignore_ascii_case(name))
    };
    let color = words.iter().find_map(|&word| match word {
        _ if is(word, &["black"]) => Some(Color::Black),
        _ if is(word, &["white"]) => Some(Color::White),
        _ => None,
    });
    let Some(color) = color else {
        let help = "write `White to move, 2 stones`";
        return Err(line.error("who is to move?").help(help));
    };
    // Other numbers may be anything: `Black to move and win in 3`.
    let is_left = |&(i, word): &(usize, &Part<'_>)| {
        let after = i > 0 && is(words[i - 1], &["move", "play", "black", "white"]);
        let before = words.get(i + 1).is_some_and(|&next| is(next, &["stone", "stones"]));
        word.text.starts_with(|c: char| c.is_ascii_digit()) && (after || before)
    };
    let left = match words.iter().enumerate().find(is_left) {
        Some((_, word)) => {
            let wrong = || word.error(format!("{} is not a number of stones", word.quoted()));
            Some(word.number().ok_or_else(wrong)?)
        }
        None => None,
    };
    Ok((line, color, left))
}

/// `Connect(19,19,6,2,1)`, `connect6`, `game 19 19 6 2 1 exact`.
fn game(line: Part<'_>, first: Part<'_>, rest: Part<'_>) -> Result<Option<Game>, InputError> {
    let text = match first.text.eq_ignore_ascii_case("game") {
        true if rest.text.contains(',') => rest.text.to_string(),
        true => rest.words(char::is_whitespace).map(|w| w.text).collect::<Vec<_>>().join(","),
        false => line.text.to_string(),
    };
    let meant = first.text.eq_ignore_ascii_case("game")
        || line.text.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("connect("));
    match text.parse::<Game>() {
        Ok(game) => Ok(Some(game)),
        Err(error) if meant => Err(line.error(error.to_string())),
        Err(_) => Ok(None),
    }
}
