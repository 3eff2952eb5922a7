//! `sixproof convert`: games from any format that is read into any that is written. All games of a
//! collection are kept, or the command is refused.

use std::path::{Path, PathBuf};

use serde_json::json;
use sixproof_game::load::Loaded;
use sixproof_game::sgf;
use sixproof_solve::export::written;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::Output;

use crate::Exit;
use crate::input;
use crate::options::{self, FormatName};

pub(crate) fn run(options: &options::Convert, output: Output) -> Result<Exit> {
    let format = format(options)?;
    let text = &options.position.position;
    if let Some(path) = options.out.as_ref().filter(|_| !options.force && !options.each) {
        files::keep(&[input::file_of(text)], path).map_err(|failure| {
            failure.help("--force replaces it; or give the new file another name")
        })?;
    }
    let games = input::games(&options.position, output)?;
    if let Some(path) = options.out.as_ref().filter(|_| options.each) {
        return each(&games, format, (path, options.force), output);
    }
    let bytes = match &games[..] {
        // A node without the number of its game.
        [game] if game.games > 1 && !input::is_chosen(text) => {
            return Err(too_many(text, game.games, options));
        }
        [game] => written(game, format.format())?,
        games if format == FormatName::Sgf => collection(games),
        games => return Err(too_many(text, games.len(), options)),
    };
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
    Ok(Exit::Yes)
}

/// All games in one file.
fn collection(games: &[Loaded]) -> Vec<u8> {
    let mut all = sgf::Collection::new();
    for game in games {
        all.append(sgf::from_record(&game.record));
    }
    all.write()
}

/// Each game in a file of its own: `game-1.psq`, `game-2.psq` and so on after `game.psq`, with as
/// many digits as the last one has.
fn each(
    games: &[Loaded],
    format: FormatName,
    (path, force): (&Path, bool),
    output: Output,
) -> Result<Exit> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension =
        path.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
    let digits = games.len().to_string().len();
    let name = |number: usize| path.with_file_name(format!("{stem}-{number:0digits$}{extension}"));
    let names: Vec<PathBuf> = (1..=games.len()).map(name).collect();
    if let Some(taken) = names.iter().find(|name| !force && name.exists()) {
        return Err(Failure::new(format!("{}: exists already", taken.display()))
            .help("--force replaces it; or give the new files another name"));
    }
    // All games are converted before the first file is written.
    let files: Vec<Vec<u8>> =
        games.iter().map(|game| written(game, format.format())).collect::<Result<_>>()?;
    for (name, bytes) in names.iter().zip(&files) {
        files::write(name, bytes)?;
        output.written(name, bytes.len());
    }
    Ok(Exit::Yes)
}

/// Several games where one is needed: a format that holds one, a node of one.
fn too_many(text: &str, count: usize, options: &options::Convert) -> Failure {
    let one = match input::file_of(text) {
        Some(path) => format!("{}#1", path.display()),
        None => "FILE#1".to_string(),
    };
    let out = options.out.as_deref().unwrap_or(Path::new("FILE")).display();
    Failure::new(format!("there are {count} games, and one is needed here")).help(format!(
        "choose one, as in {one}; or write a file for each: --each --out {out}; \
         or keep all: --to sgf"
    ))
}

/// The format asked for, else the one that the name of the output says.
fn format(options: &options::Convert) -> Result<FormatName> {
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
