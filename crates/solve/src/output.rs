//! How all commands print: colours, JSON, and closed pipes.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use serde_json::json;

/// A heading or a command.
pub const STRONG: Style = Style::new().bold();
/// A good answer.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// A bad answer.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// A warning.
pub const WARN: Style = AnsiColor::Yellow.on_default().bold();
/// A detail.
pub const HINT: Style = AnsiColor::Cyan.on_default();

/// How a command prints.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// JSON instead of text for people.
    pub json: bool,
}

impl Output {
    /// Prints to standard output; styles are dropped where there is no terminal.
    pub fn say(self, text: impl AsRef<str>) {
        let mut out = anstream::stdout().lock();
        gone(writeln!(out, "{}", text.as_ref()).and_then(|()| out.flush()));
    }

    /// Prints one JSON value on a line of its own.
    pub fn say_json(self, value: &serde_json::Value) {
        self.say(value.to_string());
    }

    /// Prints something that is not part of the answer.
    pub fn note(self, text: impl AsRef<str>) {
        gone(writeln!(anstream::stderr().lock(), "{}", text.as_ref()));
    }

    /// Prints a warning about something odd that was accepted.
    pub fn warn(self, text: impl AsRef<str>) {
        if self.json {
            self.note(serde_json::json!({ "warning": text.as_ref() }).to_string());
            return;
        }
        self.note(format!("{WARN}warning:{WARN:#} {}", text.as_ref()));
    }

    /// Writes a warning of a server into its log, which is standard error. A line that cannot be
    /// written is dropped: a full disk stops no server.
    pub fn log(self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let line = match self.json {
            true => json!({ "warning": text }).to_string(),
            false => format!("{WARN}warning:{WARN:#} {text}"),
        };
        let _dropped = writeln!(anstream::stderr().lock(), "{line}");
    }

    /// Reports a file that was written: as the answer in JSON, else beside it.
    pub fn written(self, path: &Path, bytes: usize) {
        let path = path.display().to_string();
        if self.json {
            self.say_json(&json!({ "written": path, "bytes": bytes }));
        } else {
            self.note(format!("{HINT}written:{HINT:#} {path}"));
        }
    }

    /// Whether standard output is a terminal that shows colours.
    pub fn has_colors(self) -> bool {
        use anstream::ColorChoice;
        match anstream::AutoStream::choice(&io::stdout()) {
            ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
            ColorChoice::Never | ColorChoice::Auto => false,
        }
    }

    /// Whether progress can be shown.
    pub fn shows_progress(self) -> bool {
        !self.json && io::stderr().is_terminal()
    }
}

/// A reader that has gone away (`sixproof show … | head -1`) is no error: the exit code still
/// answers.
fn gone(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        // Where nothing can be written, no error can be reported.
        std::process::exit(2);
    }
}

/// A number with commas, for people: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
