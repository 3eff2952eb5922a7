//! Commands that an answer suggests, as the reader can type them.

use std::ffi::OsStr;
use std::path::Path;

use crate::layout;
use sixproof_solve::output::{HINT, Output, STRONG};

/// Columns in front of commands, and between them and what they do.
const INDENT: usize = 2;

/// A command without the name of the program, and what it does.
pub(crate) type Suggestion = (String, &'static str);

/// How the user calls the program: through cargo, if cargo has started it.
pub(crate) fn program() -> &'static str {
    let path = std::env::args_os().next();
    program_at(path.as_deref(), std::env::var_os("CARGO").is_some())
}

/// What to type for a program at this path, which cargo may have started.
fn program_at(path: Option<&OsStr>, is_started_by_cargo: bool) -> &'static str {
    let folders: Vec<&OsStr> = match path {
        Some(path) if is_started_by_cargo => Path::new(path).iter().collect(),
        _ => return "sixproof",
    };
    let is_built = |profile: &str| folders.windows(2).any(|pair| pair == ["target", profile]);
    match () {
        () if is_built("release") => "cargo run --release --",
        () if is_built("debug") => "cargo run --",
        () => "sixproof",
    }
}

/// A whole command, to be typed: `sixproof check proof.cert`.
pub(crate) fn command(arguments: &str) -> String {
    format!("{} {arguments}", program())
}

/// Suggests what to do next, one command a line.
pub(crate) fn say(suggestions: &[Suggestion], output: Output) {
    output.say(format!("\n{STRONG}Try next{STRONG:#}\n{}", listed(suggestions)));
}

/// The commands with what they do beside them, or below them where there is no room.
pub(crate) fn listed(suggestions: &[Suggestion]) -> String {
    in_columns(suggestions, program(), layout::columns())
}

fn in_columns(suggestions: &[Suggestion], program: &str, columns: usize) -> String {
    let width = |text: &str| text.chars().count();
    let commands: Vec<String> =
        suggestions.iter().map(|(words, _)| format!("{program} {words}")).collect();
    let widest = commands.iter().map(|command| width(command)).max().unwrap_or(0);
    let longest = suggestions.iter().map(|(_, what)| width(what)).max().unwrap_or(0);
    let between = match INDENT + widest + INDENT + longest <= columns {
        true => "  ",
        false => "\n      ",
    };
    let rows = commands.iter().zip(suggestions).map(|(command, (_, what))| {
        let padding = if between == "  " { widest - width(command) } else { 0 };
        format!("  {HINT}{command}{HINT:#}{:padding$}{between}{what}", "")
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// A path as a shell reads it.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./+,:@%".contains(c);
    if text.chars().all(plain) && !text.starts_with('-') {
        return text;
    }
    let escaped = text.replace('\'', "'\\''");
    let dashed = if text.starts_with('-') { "./" } else { "" };
    format!("'{dashed}{escaped}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_suggested_as_the_program_was_started() {
        for (path, is_started_by_cargo, expected) in [
            ("target/release/sixproof", true, "cargo run --release --"),
            ("/six/target/release/sixproof", true, "cargo run --release --"),
            ("target/debug/sixproof", true, "cargo run --"),
            ("target/release/sixproof", false, "sixproof"),
            ("/usr/bin/sixproof", true, "sixproof"),
            ("sixproof", false, "sixproof"),
        ] {
            assert_eq!(program_at(Some(OsStr::new(path)), is_started_by_cargo), expected, "{path}");
        }
        assert_eq!(program_at(None, true), "sixproof");
    }

    #[test]
    fn what_commands_do_stands_where_there_is_room() {
        let list = [("play".to_string(), "a game"), ("prove a.sgf".to_string(), "who wins?")];
        let plain = |columns| {
            let list = in_columns(&list, "sixproof", columns);
            anstream::adapter::strip_str(&list).to_string()
        };
        assert_eq!(plain(33), "  sixproof play         a game\n  sixproof prove a.sgf  who wins?");
        assert_eq!(
            plain(32),
            "  sixproof play\n      a game\n  sixproof prove a.sgf\n      who wins?"
        );
    }

    #[test]
    fn paths_are_quoted_where_a_shell_needs_it() {
        for (path, expected) in [
            ("proof.cert", "proof.cert"),
            ("my proofs/a.cert", "'my proofs/a.cert'"),
            ("it's.cert", "'it'\\''s.cert'"),
            ("-x.cert", "'./-x.cert'"),
        ] {
            assert_eq!(quoted(Path::new(path)), expected);
        }
    }
}
