//! How a position is given on the command line: one way for all commands.

use std::collections::BTreeSet;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use sixproof_certificate::Reader;
use sixproof_game::load::{self, Content, Games, Loaded};
use sixproof_game::{Game, Position, Record, named};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files::{self, FilePart, Part};
use sixproof_solve::output::Output;
use sixproof_solve::typed::{self, content, starts_certificate};

use crate::options::{PositionArgs, ReadingArgs};

/// A position, and where it came from.
pub(crate) struct PositionSource {
    pub(crate) loaded: Loaded,
    /// The certificate whose claim it is.
    pub(crate) certificate: Option<PathBuf>,
}

impl PositionSource {
    /// The positions that led to this one, the latest first.
    pub(crate) fn earlier(&self) -> Vec<Position> {
        let Loaded { record, node, .. } = &self.loaded;
        let path = record.path_to(*node);
        let before = path.iter().rev().skip(1);
        before.filter_map(|&node| Some(record.reach(node).ok()?.position)).collect()
    }
}

/// Finds out what the text means and reads it; warns of what is odd about the position, of games
/// that are left out, and of other rules.
pub(crate) fn position(arguments: &PositionArgs, output: Output) -> Result<PositionSource> {
    let text = &arguments.position;
    let source = read(text, &options(&arguments.reading)?)?;
    let Loaded { games, position, record, .. } = &source.loaded;
    if *games > 1 && !is_chosen(text) {
        output.warn(format!("game 1 of {games}: {}", how_to_choose(text)));
    }
    if let Some(odd) = position.irregularity() {
        output.warn(odd);
    }
    if let Some(rules) = typed::other_rules(record) {
        output.warn(rules);
    }
    Ok(source)
}

/// Whether the text says which game of a file is meant.
pub(crate) fn is_chosen(text: &str) -> bool {
    FilePart::find(text).is_some_and(|found| found.part.number.is_some())
}

/// How another game of a collection is named.
fn how_to_choose(text: &str) -> String {
    match file_of(text).map(Path::display) {
        Some(name) => {
            format!("{name}#2 is the second one, `sixproof list {name}` lists them all")
        }
        None => "keep the others in a file, and name them FILE#2, FILE#3 and so on".to_string(),
    }
}

/// All games that are meant: those of a file, where none of them is chosen, else the one.
pub(crate) fn games(arguments: &PositionArgs, output: Output) -> Result<Vec<Loaded>> {
    let (text, options) = (&arguments.position, options(&arguments.reading)?);
    let found = FilePart::find(text);
    let loaded = match found {
        _ if text == "-" => {
            let bytes = files::read(Path::new("-"))?;
            match piped(&bytes, &options) {
                Some(one) => vec![one?],
                None => typed::contents(STANDARD_INPUT, &bytes, &options)?,
            }
        }
        Some(FilePart { path, part }) if part == Part::default() && !is_certificate(path)? => {
            typed::contents(&path.display().to_string(), &files::read(path)?, &options)?
        }
        _ => return Ok(vec![position(arguments, output)?.loaded]),
    };
    let remarks: BTreeSet<String> =
        loaded.iter().filter_map(|loaded| typed::other_rules(&loaded.record)).collect();
    remarks.iter().for_each(|rules| output.warn(rules));
    Ok(loaded)
}

/// The file that a position is in, if it is in one.
pub(crate) fn file_of(text: &str) -> Option<&Path> {
    FilePart::find(text).map(|found| found.path)
}

/// What a file made from a position is called when the user does not say: `game-3-12` after
/// `game.sgf#3@12`, the name of a named position, else `proof`.
pub(crate) fn stem(text: &str) -> String {
    let (name, part) = match FilePart::find(text) {
        Some(FilePart { path, part }) => {
            let path = if path.extension().is_some_and(|e| e == "zst") {
                path.with_extension("")
            } else {
                path.to_path_buf()
            };
            (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), part)
        }
        None => match text.rsplit_once('@') {
            Some((name, node)) => (name.to_string(), Part { node: Some(node), number: None }),
            None => (text.to_string(), Part::default()),
        },
    };
    let is_named = file_of(text).is_some() || named::find(&name).is_some();
    if !is_named || name.is_empty() {
        return "proof".to_string();
    }
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let part: String =
        [part.number, part.node].into_iter().flatten().map(|part| format!("-{part}")).collect();
    name.trim().chars().chain(part.chars()).map(plain).collect()
}

/// Reads the game trees of a file, which are taken for `game` where they do not say.
pub(crate) fn records(path: &Path, flip: bool, game: Game) -> Result<Vec<Record>> {
    let options = load::Options { game: Some(game), flip };
    let name = path.display().to_string();
    let bytes = files::read(path)?;
    let Some(format) = load::detect(&bytes) else {
        return Err(Failure::new(format!("{name}: not a game that can be read"))
            .help("a game tree is best kept as SGF"));
    };
    let failed = |e| Failure::input(&name, &bytes, e);
    let games = Games::read(&bytes, format, options).map_err(failed)?;
    let record = |index| match games.get(index).map_err(failed)? {
        Content::Record(record) => Ok(record),
        Content::Position(_) => Err(Failure::new(format!("{name}: a {format} has no moves"))
            .help("a game tree is best kept as SGF")),
    };
    (0..games.count()).map(record).collect()
}

fn options(reading: &ReadingArgs) -> Result<load::Options> {
    let game = reading.game.as_deref().map(typed::game).transpose()?;
    Ok(load::Options { game, flip: reading.flip })
}

fn read(text: &str, options: &load::Options) -> Result<PositionSource> {
    let plain = |loaded| PositionSource { loaded, certificate: None };
    if text == "-" {
        return standard_input(options).map(plain);
    }
    if let Some(FilePart { path, part }) = FilePart::find(text) {
        return file(path, part, options);
    }
    typed::typed(text, options).map(plain)
}

/// What messages call standard input.
const STANDARD_INPUT: &str = "standard input";

/// Standard input takes what a file holds, and what could be typed.
fn standard_input(options: &load::Options) -> Result<Loaded> {
    let bytes = files::read(Path::new("-"))?;
    let one = piped(&bytes, options);
    one.unwrap_or_else(|| content(STANDARD_INPUT, &bytes, Part::default(), options))
}

/// The position of bytes that are a certificate, or that could be typed; `None` for all else.
fn piped(bytes: &[u8], options: &load::Options) -> Option<Result<Loaded>> {
    /// No name and no game is longer.
    const TYPED_BYTES_MAX: usize = 100;
    if starts_certificate(bytes) {
        let reader = Reader::new(bytes).map_err(|e| Failure::new(format!("{STANDARD_INPUT}: {e}")));
        return Some(reader.map(|reader| Loaded::position(reader.claim().position.clone())));
    }
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let is_short = (1..=TYPED_BYTES_MAX).contains(&text.len()) && !text.contains('\n');
    (is_short && load::detect(bytes).is_none()).then(|| typed::typed(text, options))
}

fn file(path: &Path, part: Part<'_>, options: &load::Options) -> Result<PositionSource> {
    let name = path.display().to_string();
    if is_certificate(path)? {
        if part != Part::default() {
            return Err(Failure::new(format!("{name}: a certificate has no nodes to show"))
                .help("write its strategy with `sixproof check FILE --sgf OUT.sgf` first"));
        }
        let input = files::open(path).map_err(|e| Failure::io(&name, &e))?;
        let reader = Reader::new(input).map_err(|e| Failure::new(format!("{name}: {e}")))?;
        let loaded = Loaded::position(reader.claim().position.clone());
        return Ok(PositionSource { loaded, certificate: Some(path.to_path_buf()) });
    }
    let bytes = files::read(path)?;
    Ok(PositionSource { loaded: content(&name, &bytes, part, options)?, certificate: None })
}

/// Whether a file, plain or compressed, starts like a certificate.
fn is_certificate(path: &Path) -> Result<bool> {
    let failed = |e| Failure::io(path.display(), &e);
    let mut input = files::open(path).map_err(failed)?;
    Ok(starts_certificate(input.fill_buf().map_err(failed)?))
}
