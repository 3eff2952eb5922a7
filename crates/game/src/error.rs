//! The one error of all readers of text and files in this crate.

use std::fmt;

/// The error in an input, and its place. The caller, who has the input and knows its name, turns
/// the offset into a line with a caret ([`InputError::line_and_column`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// Byte offset of the first byte that is wrong; the length of the input when it ended too soon.
    pub offset: usize,
    /// The number of wrong bytes (at least 1, for the caret).
    pub len: usize,
    /// The error, without a capital letter or a full stop: ``` `T20` is off the board ```.
    pub message: String,
    /// The way out, if there is one.
    pub help: Option<String>,
}

impl InputError {
    /// An error about `len` bytes from `offset` on.
    pub fn new(offset: usize, len: usize, message: impl Into<String>) -> InputError {
        InputError { offset, len: len.max(1), message: message.into(), help: None }
    }

    /// The same error with a hint on what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> InputError {
        self.help = Some(help.into());
        self
    }

    /// The same error, for an input that is a part of a larger one and starts there at `base`.
    #[must_use]
    pub fn shifted(mut self, base: usize) -> InputError {
        self.offset += base;
        self
    }

    /// Line and column of the error in `input`, both from 1; columns count characters.
    pub fn line_and_column(&self, input: &[u8]) -> (usize, usize) {
        let before = &input[..self.offset.min(input.len())];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
        (line, column)
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.offset)?;
        if let Some(help) = &self.help {
            write!(f, "; {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InputError {}
