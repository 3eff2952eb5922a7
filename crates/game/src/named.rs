//! Positions that have a name: the games that people know, on the empty board, and openings in the
//! literature and in our own measurements.

use std::sync::LazyLock;

use crate::{Game, Record, moves};

/// A position with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name, in small letters.
    pub name: &'static str,
    /// What it is and where it comes from, in one line.
    pub about: &'static str,
    /// The game.
    pub game: Game,
    /// The moves that lead to the position, as [`moves::read`] reads them.
    pub moves: &'static str,
}

impl Named {
    /// The position as a record: it is the last node of the main line.
    pub fn record(&self) -> Record {
        moves::read(self.game, self.moves).expect("the table is tested")
    }
}

/// Name, game, moves, description. In all openings of Connect6 Black is to move.
const OPENINGS: [(&str, &str, &str, &str); 12] = [
    (
        "connect623",
        "19,19,6,2,3",
        "J9 J11 K10",
        "Connect(6,2,3) on 19 x 19 after a first move of Black, White to move",
    ),
    (
        "example",
        "connect6",
        "J10 / F10 N10",
        "opening F10-N10, which `sixproof prove` takes without a position",
    ),
    ("tx-h9", "connect6", "J10 / I8 H9", "opening TX-H9, known as a Black win"),
    ("tx-h8", "connect6", "J10 / I8 H8", "opening TX-H8, known as a Black win"),
    ("xx-j6", "connect6", "J10 / H8 J6", "opening XX-J6, known as a Black win"),
    ("i7-g9", "connect6", "J10 / I7 G9", "opening I7-G9, known as a Black win"),
    ("x-k9", "connect6", "J10 / I9 K9", "opening X-K9, perhaps the one called Mickey Mouse"),
    ("xx-l8", "connect6", "J10 / H8 L8", "opening XX-L8, perhaps the one called Mickey Mouse"),
    ("f10-n10", "connect6", "J10 / F10 N10", "White's stones four away on both sides"),
    ("g10-m10", "connect6", "J10 / G10 M10", "White's stones three away on both sides"),
    ("j6-n10", "connect6", "J10 / J6 N10", "White's stones four away, below and right"),
    ("l7-m13", "connect6", "J10 / L7 M13", "White's stones three away on the right"),
];

static ALL: LazyLock<Vec<Named>> = LazyLock::new(|| {
    let games = Game::named().map(|(name, game, about)| Named { name, about, game, moves: "" });
    let openings = OPENINGS.into_iter().map(|(name, game, moves, about)| {
        let game = game.parse().expect("the table is tested");
        Named { name, about, game, moves }
    });
    games.chain(openings).collect()
});

/// All named positions, games on the empty board first.
pub fn all() -> impl Iterator<Item = &'static Named> {
    ALL.iter()
}

/// The position of a name; capital letters will do.
pub fn find(name: &str) -> Option<Record> {
    let name = name.trim();
    all().find(|named| named.name.eq_ignore_ascii_case(name)).map(Named::record)
}

/// The nearest name, which was probably meant.
pub fn suggest(name: &str) -> Option<&'static str> {
    nearest(name, all().map(|named| named.name))
}

/// The nearest of some names by edit distance, when it is near enough to be meant.
pub(crate) fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// The most characters of a name, typing errors included.
    const LEN_MAX: usize = 40;
    let typed: Vec<char> = typed.trim().to_lowercase().chars().take(LEN_MAX).collect();
    let distances = names.map(|name| (edit_distance(&typed, name), name));
    let (distance, name) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance <= name.len() / 3).then_some(name)
}

/// The number of characters to insert, remove or replace to make one text of the other
/// (Levenshtein).
fn edit_distance(from: &[char], to: &str) -> usize {
    let mut row: Vec<usize> = (0..=from.len()).collect();
    for (i, wanted) in to.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &have) in from.iter().enumerate() {
            let replaced = diagonal + usize::from(have != wanted);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[from.len()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_name_is_found_once_and_leads_to_a_legal_line() {
        let names: BTreeSet<_> = all().map(|named| named.name).collect();
        assert_eq!(names.len(), all().count());
        for named in all() {
            let record = find(&named.name.to_ascii_uppercase()).unwrap();
            let written = moves::write(&record, record.main_line_end(0)).unwrap();
            assert_eq!(written, named.moves);
            assert_eq!(named.name, named.name.to_ascii_lowercase());
            assert!(!named.about.is_empty() && !named.about.contains('\n'));
        }
        for (name, game, _) in Game::named() {
            assert_eq!(find(name), Some(Record::new(game)));
        }
        assert_eq!(find("no such name"), None);
    }

    #[test]
    fn openings_are_black_j10_and_two_white_stones_named_by_them() {
        let openings = all().filter(|n| n.game == Game::CONNECT6 && !n.moves.is_empty());
        for named in openings.filter(|n| n.name != "example") {
            let record = named.record();
            assert_eq!(record.nodes().len(), 4, "{}", named.name);
            let last_square = named.name.rsplit('-').next().unwrap().to_ascii_uppercase();
            assert!(named.moves.split(' ').any(|s| s == last_square), "{}", named.name);
        }
    }

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        for (typed, meant) in [
            ("conect6", Some("connect6")),
            ("Gomuko", Some("gomoku")),
            ("tx-h7", Some("tx-h9")),
            ("tictactoe", Some("tic-tac-toe")),
            ("connect-623", Some("connect623")),
            ("chess", None),
            ("", None),
        ] {
            assert_eq!(suggest(typed), meant, "{typed}");
        }
        assert_eq!(suggest(&"x".repeat(1_000_000)), None);
    }
}
