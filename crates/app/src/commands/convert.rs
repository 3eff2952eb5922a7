//! `sixproof convert`: games from any format that is read into any that is written.

use serde_json::json;
use sixproof_solve::export::written;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::Output;

use crate::Answer;
use crate::cli::{self, FormatName};
use crate::source;

pub(crate) fn run(options: &cli::Convert, output: Output) -> Result<Answer> {
    let loaded = source::position(&options.position, output)?.loaded;
    let format = format(options)?;
    let bytes = written(&loaded, format.format())?;
    match &options.out {
        Some(path) => {
            files::write(path, &bytes)?;
            output.written(path, bytes.len());
        }
        None => {
            let text = String::from_utf8_lossy(&bytes);
            if output.json {
                output.say_json(&json!({ "text": text }));
            } else {
                output.say(text.trim_end_matches('\n'));
            }
        }
    }
    Ok(Answer::Yes)
}

/// The format asked for, else the one that the name of the output says.
fn format(options: &cli::Convert) -> Result<FormatName> {
    if let Some(format) = options.to {
        return Ok(format);
    }
    let Some(path) = &options.out else { return Ok(FormatName::Sgf) };
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("sgf") => Ok(FormatName::Sgf),
        Some("psq") => Ok(FormatName::Psq),
        Some("txt") => Ok(FormatName::Diagram),
        _ => Err(Failure::new(format!("{}: which format is this?", path.display()))
            .help("name the file .sgf, .psq or .txt, or say --to FORMAT")),
    }
}
