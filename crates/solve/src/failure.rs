//! Failures, described so that the user can mend them: what, where (file, line and
//! caret), and what to do.

use std::fmt::{self, Write as _};
use std::io;

use sixproof_game::InputError;

/// A command that could not decide: exit code 2.
#[derive(Debug)]
pub struct Failure {
    message: String,
    place: Option<Box<Place>>,
    help: Option<String>,
}

/// A place in an input, with what is needed to draw it.
#[derive(Debug)]
struct Place {
    name: String,
    line: usize,
    column: usize,
    excerpt: Option<Excerpt>,
}

/// The part of a line around the error.
#[derive(Debug)]
struct Excerpt {
    text: String,
    /// Characters in front of the caret, and its length.
    before: usize,
    len: usize,
}

/// How much of a long line is shown on each side of the error: files with one long line are common.
const CONTEXT_CHARS: usize = 40;

/// What a command or a request came to.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure that says what went wrong.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), place: None, help: None }
    }

    /// Trouble with a file, or with something else that has a name.
    pub fn io(name: impl fmt::Display, error: &io::Error) -> Failure {
        let help = match error.kind() {
            io::ErrorKind::NotFound => Some("check the path"),
            io::ErrorKind::PermissionDenied => Some("check the permissions"),
            io::ErrorKind::IsADirectory => Some("name a file in it"),
            _ => None,
        };
        let failure = Failure::new(format!("{name}: {error}"));
        match help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }

    /// The same with advice on what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    /// An error in an input that is called `name`.
    pub fn input(name: &str, input: &[u8], error: InputError) -> Failure {
        let (line, column) = error.line_and_column(input);
        let excerpt = excerpt(input, &error);
        let place = Place { name: name.to_string(), line, column, excerpt };
        Failure { message: error.message, place: Some(Box::new(place)), help: error.help }
    }

    /// An error at a line and column of a file of which only that line is at hand, or nothing.
    pub fn at(
        name: &str,
        line: u64,
        column: u64,
        text: Option<&[u8]>,
        message: impl Into<String>,
    ) -> Failure {
        let (line, column) = (line as usize, column as usize);
        let excerpt = text.and_then(|text| {
            let offset = column.saturating_sub(1).min(text.len());
            let is_word = |b: &&u8| !b.is_ascii_whitespace();
            let len = text[offset..].iter().take_while(is_word).count();
            excerpt(text, &InputError::new(offset, len.max(1), ""))
        });
        let place = Place { name: name.to_string(), line, column, excerpt };
        Failure { message: message.into(), place: Some(Box::new(place)), help: None }
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do.
    pub fn advice(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The line of the input, and a caret below it.
    pub fn excerpt(&self) -> Option<String> {
        let Place { name, line, column, excerpt } = &**self.place.as_ref()?;
        let mut text = format!("{name}:{line}:{column}");
        if let Some(Excerpt { text: shown, before, len }) = excerpt {
            let _ = write!(text, "\n{shown}\n{:before$}{}", "", "^".repeat(*len));
        }
        Some(text)
    }

    /// The failure for programs.
    pub fn to_json(&self) -> serde_json::Value {
        let mut error = serde_json::json!({ "message": self.message });
        if let Some(place) = &self.place {
            error["file"] = place.name.clone().into();
            error["line"] = place.line.into();
            error["column"] = place.column.into();
        }
        if let Some(help) = &self.help {
            error["help"] = help.clone().into();
        }
        serde_json::json!({ "error": error })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::output::{BAD, HINT};
        write!(f, "{BAD}error:{BAD:#} {}", self.message)?;
        if let Some(place) = &self.place {
            let Place { name, line, column, excerpt } = &**place;
            let gutter = line.to_string().len();
            write!(f, "\n{:gutter$}{HINT}-->{HINT:#} {name}:{line}:{column}", "")?;
            if let Some(Excerpt { text, before, len }) = excerpt {
                let caret = "^".repeat(*len);
                write!(f, "\n{HINT}{line} |{HINT:#} {text}")?;
                write!(f, "\n{:gutter$} {HINT}|{HINT:#} {:before$}{BAD}{caret}{BAD:#}", "", "")?;
            }
        }
        if let Some(help) = &self.help {
            write!(f, "\n{HINT}help:{HINT:#} {help}")?;
        }
        Ok(())
    }
}

/// The line of the error, cut to what is near it, without control characters; `None` for binary
/// input and at the end of an empty one.
fn excerpt(input: &[u8], error: &InputError) -> Option<Excerpt> {
    if input.is_empty() {
        return None;
    }
    let offset = error.offset.min(input.len());
    let start = input[..offset].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = input[offset..].iter().position(|&b| b == b'\n').map_or(input.len(), |i| offset + i);
    let near_start = start.max(offset.saturating_sub(CONTEXT_CHARS * 4));
    let near_end = end.min(offset + error.len.min(CONTEXT_CHARS) + CONTEXT_CHARS * 4);
    let (before, after) = (&input[near_start..offset], &input[offset..near_end]);
    if [before, after].iter().any(|part| part.contains(&0)) {
        return None;
    }
    let printable = |bytes: &[u8]| -> Vec<char> {
        let text = String::from_utf8_lossy(bytes);
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    };
    let (before, after) = (printable(before), printable(after));
    let wrong = printable(&input[offset..(offset + error.len).min(near_end)]).len();
    let cut = before.len().saturating_sub(CONTEXT_CHARS);
    let mut text = String::new();
    if cut > 0 || near_start > start {
        text.push('…');
    }
    text.extend(&before[cut..]);
    let before = text.chars().count();
    let shown = after.len().min(wrong + CONTEXT_CHARS);
    text.extend(&after[..shown]);
    if shown < after.len() || near_end < end {
        write!(text, "…").ok()?;
    }
    Some(Excerpt { text, before, len: wrong.clamp(1, CONTEXT_CHARS) })
}
