//! What can be typed: words that become commands.

use std::path::PathBuf;

use sixproof_game::Square;
use sixproof_player::Level;

use crate::options;

/// A command of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand {
    /// Stones, as they were typed.
    Stones(String),
    /// One stone.
    Stone(Square),
    /// The last stone of an incomplete move back.
    TakeBack,
    Undo,
    Hint,
    /// Why did the engine play that?
    Why,
    /// What does the engine think of the position now?
    Now,
    Threats,
    Resign,
    Save(Option<PathBuf>),
    Level(Level),
    Swap,
    New,
    /// The engine moves for the side to move, or goes on.
    Go,
    Board,
    Moves,
    Help,
    Quit,
}

/// The words, with one that is shorter.
const WORDS: [(&str, &str); 16] = [
    ("undo", "u"),
    ("back", "x"),
    ("hint", "tip"),
    ("why", "w"),
    ("now", "eval"),
    ("threats", "t"),
    ("resign", "r"),
    ("save", "s"),
    ("level", "lv"),
    ("swap", "flip"),
    ("new", "n"),
    ("go", "g"),
    ("board", "b"),
    ("moves", "m"),
    ("help", "?"),
    ("quit", "q"),
];

pub(super) const HELP: &str = "\
k11 l10      places stones: all of a move, or some of them
back, x      takes the last stone of an incomplete move back
undo, u      takes your last move back, and the reply to it
hint         a move that the engine would play for you
why, w       why the engine played its last move
now          what the engine thinks of the position as it is
threats, t   what each side threatens, and how to defend
go, g        the engine moves for the side to move
swap         you take the other side
level N      how strong the style sixproof plays, from 1 to 10
resign, r    you give up
new, n       another game from the same start
save [FILE]  writes the game as SGF
board, b     shows the board
moves, m     lists the moves
help, ?      shows this
quit, q      ends the program";

/// Whether a command begins like that.
pub(super) fn begins_command(text: &str) -> bool {
    WORDS.iter().any(|(word, _)| word.starts_with(text))
}

/// Reads a line; `None` when it is blank.
pub(super) fn parse(line: &str) -> Result<Option<PlayCommand>, String> {
    let line = line.trim();
    let line = line.strip_prefix([':', '/']).unwrap_or(line).trim();
    let Some(first) = line.split_whitespace().next() else { return Ok(None) };
    let rest = line[first.len()..].trim();
    let lower = first.to_lowercase();
    let known = WORDS.iter().find(|(word, short)| lower == *word || lower == *short);
    let Some((word, _)) = known else {
        return match other(first, &lower, line) {
            Ok(command) => Ok(Some(command)),
            Err(message) => Err(message),
        };
    };
    let command = match *word {
        "undo" => PlayCommand::Undo,
        "back" => PlayCommand::TakeBack,
        "hint" => PlayCommand::Hint,
        "why" if rest.eq_ignore_ascii_case("now") => return Ok(Some(PlayCommand::Now)),
        "why" => PlayCommand::Why,
        "now" => PlayCommand::Now,
        "threats" => PlayCommand::Threats,
        "resign" => PlayCommand::Resign,
        "save" if rest.is_empty() => PlayCommand::Save(None),
        "save" => return Ok(Some(PlayCommand::Save(Some(PathBuf::from(rest))))),
        "level" => {
            let level = options::level(rest).map_err(|why| format!("{why}: write `level 5`"))?;
            return Ok(Some(PlayCommand::Level(level)));
        }
        "swap" => PlayCommand::Swap,
        "new" => PlayCommand::New,
        "go" => PlayCommand::Go,
        "board" => PlayCommand::Board,
        "moves" => PlayCommand::Moves,
        "help" => PlayCommand::Help,
        _ => PlayCommand::Quit,
    };
    if !rest.is_empty() {
        return Err(format!("`{word}` stands alone; `help` shows the commands"));
    }
    Ok(Some(command))
}

/// What is no command by name: stones, or a mistake.
fn other(first: &str, lower: &str, line: &str) -> Result<PlayCommand, String> {
    match lower {
        "exit" | "bye" => return Ok(PlayCommand::Quit),
        "why?" => return Ok(PlayCommand::Why),
        _ => {}
    }
    let is_word = first.chars().all(char::is_alphabetic);
    if !is_word {
        return Ok(PlayCommand::Stones(line.to_string()));
    }
    let shown: String = first.chars().take(20).collect();
    let meant = lower.len() > 1 && lower.is_char_boundary(2);
    match WORDS.iter().find(|(word, _)| meant && word.starts_with(&lower[..2])) {
        Some((word, _)) => Err(format!("`{shown}` is not a command; did you mean `{word}`?")),
        None => Err(format!("`{shown}` is neither a square nor a command; `help` shows them")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_short_forms_are_commands() {
        for (line, command) in [
            ("undo", PlayCommand::Undo),
            (" U ", PlayCommand::Undo),
            (":hint", PlayCommand::Hint),
            ("why?", PlayCommand::Why),
            ("why now", PlayCommand::Now),
            ("?", PlayCommand::Help),
            ("level 7", PlayCommand::Level(Level::new(7).unwrap())),
            ("save", PlayCommand::Save(None)),
            ("save My Game.sgf", PlayCommand::Save(Some(PathBuf::from("My Game.sgf")))),
            ("flip", PlayCommand::Swap),
            ("k11 l10", PlayCommand::Stones("k11 l10".to_string())),
            ("-3,4", PlayCommand::Stones("-3,4".to_string())),
            ("exit", PlayCommand::Quit),
        ] {
            assert_eq!(parse(line), Ok(Some(command)), "{line}");
        }
        assert_eq!(parse("  "), Ok(None));
    }

    #[test]
    fn what_is_no_command_is_told_so() {
        for (line, part) in [
            ("level", "to 10"),
            ("level 11", "to 10"),
            ("undo 2", "stands alone"),
            ("und", "did you mean `undo`"),
            ("xyzzy", "neither a square nor a command"),
            ("ä", "neither a square nor a command"),
            ("ää", "neither a square nor a command"),
        ] {
            let message = parse(line).unwrap_err();
            assert!(message.contains(part), "{line}: {message}");
        }
    }

    #[test]
    fn every_word_is_explained_and_understood() {
        for (word, short) in WORDS {
            assert!(HELP.lines().any(|line| line.starts_with(word)), "{word}");
            let line = if word == "level" { "level 1" } else { word };
            assert!(matches!(parse(line), Ok(Some(_))), "{word}");
            assert!(WORDS.iter().filter(|other| other.0 == short || other.1 == short).count() == 1);
        }
    }
}
