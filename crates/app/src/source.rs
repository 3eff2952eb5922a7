//! How a position is given on the command line: one way for all commands.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use sixproof_game::load::{self, Content, Loaded};
use sixproof_game::{Game, Record, named};
use sixproof_prover::certificate::Reader;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::Output;
use sixproof_solve::typed::{self, content, starts_certificate};

use crate::cli::{PositionArgs, ReadingArgs};

/// A position, and where it came from.
pub(crate) struct Source {
    pub(crate) loaded: Loaded,
    /// The certificate whose claim it is.
    pub(crate) certificate: Option<PathBuf>,
}

/// Finds out what the text means and reads it; tells what is odd about the position.
pub(crate) fn position(arguments: &PositionArgs, output: Output) -> Result<Source> {
    let source = read(&arguments.position, &options(&arguments.reading)?)?;
    if let Some(odd) = source.loaded.position.irregularity() {
        output.warn(odd);
    }
    Ok(source)
}

/// The file that a position is in, if it is in one.
pub(crate) fn file_of(text: &str) -> Option<&Path> {
    file_and_node(text).map(|(path, _)| path)
}

/// What a file made from a position is called when nobody says: `game-12` after `game.sgf@12`, the
/// name of a named position, else `proof`.
pub(crate) fn stem(text: &str) -> String {
    let (name, node) = match file_and_node(text) {
        Some((path, node)) => {
            let path = if path.extension().is_some_and(|e| e == "zst") {
                path.with_extension("")
            } else {
                path.to_path_buf()
            };
            (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), node)
        }
        None => match text.rsplit_once('@') {
            Some((name, node)) => (name.to_string(), Some(node)),
            None => (text.to_string(), None),
        },
    };
    let is_named = file_of(text).is_some() || named::find(&name).is_some();
    if !is_named || name.is_empty() {
        return "proof".to_string();
    }
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let node = node.map(|node| format!("-{node}")).unwrap_or_default();
    name.trim().chars().chain(node.chars()).map(plain).collect()
}

/// Reads the game tree of a file, which is taken for `game` where it does not say.
pub(crate) fn record(path: &Path, reading: &ReadingArgs, game: Game) -> Result<Record> {
    let options = load::Options { game: Some(game), flip: reading.flip };
    let name = path.display().to_string();
    let bytes = files::read(path)?;
    let Some(format) = load::detect(&bytes) else {
        return Err(Failure::new(format!("{name}: not a game that can be read"))
            .help("a game tree is best kept as SGF"));
    };
    match load::read(&bytes, format, options).map_err(|e| Failure::input(&name, &bytes, e))? {
        Content::Record(record) => Ok(record),
        Content::Position(_) => Err(Failure::new(format!("{name}: a {format} has no moves"))
            .help("a game tree is best kept as SGF")),
    }
}

fn options(reading: &ReadingArgs) -> Result<load::Options> {
    let game = reading.game.as_deref().map(typed::game).transpose()?;
    Ok(load::Options { game, flip: reading.flip })
}

fn read(text: &str, options: &load::Options) -> Result<Source> {
    let plain = |loaded| Source { loaded, certificate: None };
    if text == "-" {
        return standard_input(options).map(plain);
    }
    if let Some((path, node)) = file_and_node(text) {
        return file(path, node, options);
    }
    typed::typed(text, options).map(plain)
}

/// Standard input takes what a file holds, and what could be typed.
fn standard_input(options: &load::Options) -> Result<Loaded> {
    /// No name and no game is longer.
    const TYPED_BYTES_MAX: usize = 100;
    let name = "standard input";
    let bytes = files::read(Path::new("-"))?;
    if starts_certificate(&bytes) {
        let reader = Reader::new(&bytes[..]).map_err(|e| Failure::new(format!("{name}: {e}")))?;
        return Ok(Loaded::position(reader.claim().position.clone()));
    }
    match std::str::from_utf8(&bytes).map(str::trim) {
        Ok(text) if (1..=TYPED_BYTES_MAX).contains(&text.len()) && !text.contains('\n') => {
            if load::detect(&bytes).is_none() {
                return typed::typed(text, options);
            }
            content(name, &bytes, None, options)
        }
        _ => content(name, &bytes, None, options),
    }
}

/// `FILE` or `FILE@path`, when there is such a file. Names, games and moves are never files unless
/// they are there.
fn file_and_node(text: &str) -> Option<(&Path, Option<&str>)> {
    let whole = Path::new(text);
    if text.len() < 4096 && whole.exists() {
        return Some((whole, None));
    }
    let (path, node) = text.rsplit_once('@')?;
    let path = Path::new(path);
    path.exists().then_some((path, Some(node)))
}

fn file(path: &Path, node: Option<&str>, options: &load::Options) -> Result<Source> {
    let name = path.display().to_string();
    if is_certificate(path)? {
        if node.is_some() {
            return Err(Failure::new(format!("{name}: a certificate has no nodes to show"))
                .help("write its strategy with `sixproof check FILE --sgf OUT.sgf` first"));
        }
        let input = files::open(path).map_err(|e| Failure::io(&name, &e))?;
        let reader = Reader::new(input).map_err(|e| Failure::new(format!("{name}: {e}")))?;
        let loaded = Loaded::position(reader.claim().position.clone());
        return Ok(Source { loaded, certificate: Some(path.to_path_buf()) });
    }
    let bytes = files::read(path)?;
    Ok(Source { loaded: content(&name, &bytes, node, options)?, certificate: None })
}

/// Whether a file, plain or compressed, starts like a certificate.
fn is_certificate(path: &Path) -> Result<bool> {
    let failed = |e| Failure::io(path.display(), &e);
    let mut input = files::open(path).map_err(failed)?;
    Ok(starts_certificate(input.fill_buf().map_err(failed)?))
}
