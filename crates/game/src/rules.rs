//! The rules that files name (`RU` of SGF) in words that are not ours, and whether these are the
//! rules of the game that a file is read as.
//!
//! Games of five in a row are played under several rules: free-style (five or more win), standard
//! (exactly five), and those that we do not know: Renju, which forbids moves to Black, Caro, and
//! any other name in a file. A proof under one of them need not hold under another, so that unknown
//! rules are kept with the record ([`Record::other_rules`]), and the reader of a file decides
//! whether to read it all the same.
//!
//! [`Record::other_rules`]: crate::Record::other_rules

use crate::Game;

/// The key of the rules among the facts about a game.
pub(crate) const RULES: &str = "RU";

/// The rules of RenLib's files: the program is one for Renju, and its files do not name others.
pub(crate) const RENJU: &str = "renju";

/// The meaning of a file's words for a game of five in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Five or more in a row win.
    FreeStyle,
    /// Exactly five in a row win.
    Exact,
    /// Rules of Go, which programs for Go write into all their files.
    Nothing,
    /// Rules that we do not know.
    Other,
}

/// Letters and digits only, in small letters: `Free-Style` is `freestyle`.
fn word(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn meaning(word: &str) -> Meaning {
    match word {
        "freestyle" | "gomoku" | "gomokufreestyle" | "freestylegomoku" | "fiveinarow" => {
            Meaning::FreeStyle
        }
        "standard" | "gomokustandard" | "standardgomoku" | "exactfive" | "exactlyfive" => {
            Meaning::Exact
        }
        "" | "aga" | "chinese" | "french" | "goe" | "ing" | "japanese" | "korean" | "nz"
        | "newzealand" | "tromptaylor" => Meaning::Nothing,
        _ => Meaning::Other,
    }
}

/// Whether the words are about five in a row, whatever else is in the file.
pub(crate) fn are_of_five(text: &str) -> bool {
    let word = word(text);
    word.contains("renju") || word.contains("moku")
}

/// Whether the words mean that exactly five in a row win.
pub(crate) fn are_exact(text: &str) -> bool {
    meaning(&word(text)) == Meaning::Exact
}

fn is_five(game: Game) -> bool {
    (game.k(), game.p(), game.q()) == (5, 1, 1)
}

/// Whether the words mean only the rules of the game.
fn are_those_of(game: Game, text: &str) -> bool {
    match meaning(&word(text)) {
        Meaning::FreeStyle => is_five(game) && !game.exact(),
        Meaning::Exact => is_five(game) && game.exact(),
        Meaning::Nothing | Meaning::Other => false,
    }
}

/// Whether the words are to be kept as a fact about the game: they do not name it.
pub(crate) fn are_kept(game: Game, text: &str) -> bool {
    let text = text.trim();
    let ours = text.to_ascii_lowercase().starts_with("connect(") || text.parse::<Game>().is_ok();
    !text.is_empty() && !ours && !are_those_of(game, text)
}

/// Whether the words are about other rules than those of the game.
pub(crate) fn differ(game: Game, text: &str) -> bool {
    (is_five(game) || are_of_five(text))
        && !are_those_of(game, text)
        && meaning(&word(text)) != Meaning::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_with_the_rules_of_the_game() {
        let games = ["gomoku", "gomoku-exact", "connect6"].map(|name| name.parse().unwrap());
        for (text, expected) in [
            ("Renju", [true, true, true]),
            ("RIF, Taraguchi-10", [true, true, false]),
            ("Caro", [true, true, false]),
            ("Free-Style", [false, true, false]),
            ("gomoku standard", [true, false, true]),
            ("Exactly five", [true, false, false]),
            ("Japanese", [false, false, false]),
            ("", [false, false, false]),
        ] {
            assert_eq!(games.map(|game| differ(game, text)), expected, "{text}");
        }
    }

    #[test]
    fn words_that_name_the_game_are_not_kept() {
        let game: Game = "gomoku".parse().unwrap();
        for text in ["connect(15,15,5,1,1)", "Connect(", "gomoku", "Freestyle", " ", "9,9,5,1,1"] {
            assert!(!are_kept(game, text), "{text}");
        }
        for text in ["Renju", "standard", "Japanese", "Swap2"] {
            assert!(are_kept(game, text), "{text}");
        }
    }
}
