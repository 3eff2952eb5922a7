//! The benchmark set: positions with known verdicts, one a line.
//!
//! The files are in `suite/bench`, with a page on their format, and are part of the program, so
//! that every copy of it can be measured. A file is a group.

use sixproof_game::{Color, Game, InputError, Position, Record, diagram, load, moves};

/// The groups with their files.
const FILES: [(&str, &str); 7] = [
    ("connect623", include_str!("../../../../../suite/bench/connect623.txt")),
    ("openings", include_str!("../../../../../suite/bench/openings.txt")),
    ("connect6", include_str!("../../../../../suite/bench/connect6.txt")),
    ("composed", include_str!("../../../../../suite/bench/composed.txt")),
    ("gomoku", include_str!("../../../../../suite/bench/gomoku.txt")),
    ("other-games", include_str!("../../../../../suite/bench/other-games.txt")),
    ("no-wins", include_str!("../../../../../suite/bench/no-wins.txt")),
];

/// Positions for the player.
const PLAY: &str = include_str!("../../../../../suite/bench/play.txt");

/// The columns of a line.
const COLUMNS: usize = 6;

/// One position of the set.
#[derive(Clone, Debug)]
pub(crate) struct BenchPosition {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) position: Position,
    pub(crate) attacker: Color,
    pub(crate) expected: Expected,
    /// Left out unless all are asked for.
    pub(crate) slow: bool,
}

/// A position in which the player is to choose a move.
#[derive(Clone, Debug)]
pub(crate) struct PlayPosition {
    pub(crate) name: &'static str,
    pub(crate) position: Position,
}

/// What a position is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Attacker wins, and no search for a lower order finds it.
    Win { order: u32 },
    /// No strategy up to this order wins, or none is known.
    NoWin { order: u32 },
}

impl Expected {
    /// The highest order that is tried.
    pub(crate) fn order(self) -> u32 {
        match self {
            Expected::Win { order } | Expected::NoWin { order } => order,
        }
    }
}

/// The names of the groups.
pub(crate) fn groups() -> impl Iterator<Item = &'static str> {
    FILES.into_iter().map(|(group, _)| group)
}

/// The positions for the player.
pub(crate) fn questions() -> Vec<PlayPosition> {
    let all = PLAY.lines().enumerate().filter_map(|(number, line)| {
        let question = question(line.trim())?;
        Some(question.unwrap_or_else(|why| panic!("suite/bench/play.txt:{}: {why}", number + 1)))
    });
    all.collect()
}

/// Reads a line, unless it is empty or a remark.
fn question(line: &'static str) -> Option<Result<PlayPosition, String>> {
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, game, position, source] = &columns[..] else {
        return Some(Err(format!("{} columns, not 4", columns.len())));
    };
    if name.is_empty() || source.is_empty() {
        return Some(Err("a column is empty".to_string()));
    }
    let game = game.parse().map_err(|e: sixproof_game::GameError| e.to_string());
    let position = game.and_then(|game| read_position(game, position).map_err(|e| e.message));
    Some(position.map(|position| PlayPosition { name, position }))
}

/// All positions, group by group.
pub(crate) fn cases() -> Vec<BenchPosition> {
    let all = FILES.into_iter().flat_map(|(group, text)| {
        text.lines().enumerate().filter_map(move |(number, line)| {
            let case = case(group, line.trim())?;
            Some(case.unwrap_or_else(|why| panic!("suite/bench/{group}.txt:{}: {why}", number + 1)))
        })
    });
    all.collect()
}

/// Reads a line, unless it is empty or a remark.
fn case(group: &'static str, line: &'static str) -> Option<Result<BenchPosition, String>> {
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, game, position, attacker, verdict, source] = &columns[..] else {
        return Some(Err(format!("{} columns, not {COLUMNS}", columns.len())));
    };
    let read = || -> Result<BenchPosition, String> {
        let game: Game = game.parse().map_err(|e: sixproof_game::GameError| e.to_string())?;
        let attacker = match attacker {
            "black" => Color::Black,
            "white" => Color::White,
            _ => return Err(format!("`{attacker}` is no side")),
        };
        if name.is_empty() || source.is_empty() {
            return Err("a column is empty".to_string());
        }
        let position = read_position(game, position).map_err(|e| e.message)?;
        let (expected, slow) = read_verdict(verdict)?;
        Ok(BenchPosition { group, name, position, attacker, expected, slow })
    };
    Some(read())
}

/// Reads moves, or stones as in `black J9 K10; white A1; to-move white 2`.
fn read_position(game: Game, text: &str) -> Result<Position, InputError> {
    if text.contains("to-move") {
        return diagram::read(&text.replace(';', "\n"), Some(game));
    }
    let record: Record = moves::read(game, text)?;
    Ok(load::Loaded::at(record, None)?.position)
}

/// Reads `win order 2` or `no win order 1`, perhaps with `slow` behind it.
fn read_verdict(text: &str) -> Result<(Expected, bool), String> {
    let unknown = || format!("`{text}` is no verdict");
    let (verdict, slow) = match text.strip_suffix(" slow") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (word, number) = verdict.rsplit_once(' ').ok_or_else(unknown)?;
    let order = number.parse().map_err(|_| unknown())?;
    match word {
        "win order" => Ok((Expected::Win { order }, slow)),
        "no win order" => Ok((Expected::NoWin { order }, slow)),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_set_is_read_and_has_what_it_promises() {
        let cases = cases();
        let names: BTreeSet<_> = cases.iter().map(|case| case.name).collect();
        assert_eq!(names.len(), cases.len(), "every name is given once");
        for group in groups() {
            assert!(cases.iter().any(|case| case.group == group && !case.slow), "{group}");
        }
        for color in [Color::Black, Color::White] {
            for order in 1..=3 {
                let of = |case: &&BenchPosition| {
                    case.attacker == color && case.expected == Expected::Win { order }
                };
                assert!(cases.iter().filter(of).count() >= 3, "{color}, order {order}");
            }
        }
        let p = |p| move |case: &&BenchPosition| case.position.game().p() == p;
        assert!((1..=3).all(|stones| cases.iter().filter(p(stones)).count() >= 3));
        assert!(cases.iter().all(|case| case.position.winner().is_none()));
    }

    #[test]
    fn the_player_is_asked_in_games_of_all_kinds() {
        let questions = questions();
        let names: BTreeSet<_> = questions.iter().map(|question| question.name).collect();
        assert_eq!(names.len(), questions.len(), "every name is given once");
        for stones in 1..=3 {
            assert!(questions.iter().any(|question| question.position.game().p() == stones));
        }
        let is_over = |question: &PlayPosition| question.position.winner().is_some();
        assert!(!questions.iter().any(is_over));
        assert!(question("").is_none() && question("# a remark").is_none());
        assert_eq!(question("a | connect6 | J10").unwrap().unwrap_err(), "3 columns, not 4");
        assert!(question("a | connect6 | J10 | ").unwrap().is_err());
        assert!(question("a | connect6 | J10 / J10 K9 | b").unwrap().is_err());
    }

    #[test]
    fn lines_that_are_no_positions_are_refused() {
        let wrong = |line| case("group", line).unwrap().unwrap_err();
        assert_eq!(wrong("a | connect6"), "2 columns, not 6");
        assert_eq!(wrong("a | connect6 | J10 | green | win order 1 | b"), "`green` is no side");
        assert_eq!(wrong("a | connect6 | J10 | white | won | b"), "`won` is no verdict");
        assert!(wrong("a | connect6 | J10 J10 | white | win order 1 | b").contains("J10"));
        assert!(case("group", "# a remark").is_none());
    }
}
