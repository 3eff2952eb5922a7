//! Games and positions out of what people send: files that are dropped, texts that are pasted,
//! links that are shared. Nothing here opens a file: what is sent is all there is.

use std::borrow::Cow;
use std::io::Read as _;

use sixproof_game::load::{self, Content, Format, Loaded};
use sixproof_game::{Game, Record};

use super::problem::{Answer, Problem, ProblemKind};
use sixproof_solve::failure::Failure;
use sixproof_solve::files;
use sixproof_solve::typed;

/// What a file holds.
pub(crate) enum Sent {
    /// A certificate, unpacked.
    Certificate(Vec<u8>),
    /// A game tree, and the format it was in.
    Tree(Box<Record>, String),
}

/// Finds out what the bytes are, and reads them.
pub(crate) fn file(bytes: &[u8], name: &str, game: Option<Game>) -> Answer<Sent> {
    let bytes = unpacked(bytes)?;
    if typed::starts_certificate(&bytes) {
        return Ok(Sent::Certificate(bytes.into_owned()));
    }
    let format = load::detect(&bytes);
    let text = std::str::from_utf8(&bytes).ok();
    if format.is_none()
        && let Some(text) = text.map(str::trim).filter(|text| text.len() < 200)
    {
        let kind = if text.is_empty() { ProblemKind::Empty } else { ProblemKind::UnknownFormat };
        let loaded = typed::typed(text, &load::Options { game, flip: false })
            .map_err(|failure| Problem::unreadable(&failure).kind(kind))?;
        return Ok(Sent::Tree(Box::new(loaded.record), "name".to_string()));
    }
    let record = tree_of(name, &bytes, format, game)?;
    Ok(Sent::Tree(Box::new(record), format.map_or_else(String::new, |format| format.to_string())))
}

/// The tree in a text of any format.
pub(crate) fn tree(bytes: &[u8], game: Option<Game>) -> Answer<Record> {
    tree_of("text", bytes, load::detect(bytes), game)
}

fn tree_of(name: &str, bytes: &[u8], format: Option<Format>, game: Option<Game>) -> Answer<Record> {
    if bytes.trim_ascii().is_empty() {
        let failure = Failure::new(format!("{name}: there is nothing in it"));
        return Err(Problem::unreadable(&failure).kind(ProblemKind::Empty));
    }
    let options = load::Options { game, flip: false };
    let Some(format) = format else {
        let failure = Failure::new(format!("{name}: not a game, position or certificate")).help(
            "SGF, CCGC, psq, RenLib, connectk, diagrams, move lists and certificates are read",
        );
        return Err(Problem::unreadable(&failure).kind(ProblemKind::UnknownFormat));
    };
    let content = load::read(bytes, format, options)
        .map_err(|error| Problem::unreadable(&Failure::input(name, bytes, error)))?;
    Ok(match content {
        Content::Record(record) => record,
        Content::Position(position) => Loaded::position(position).record,
    })
}

/// A position that was typed: a name, a game, moves, a diagram.
pub(crate) fn position(text: &str, game: Option<&str>) -> Answer<Loaded> {
    let game = game.map(typed::game).transpose()?;
    Ok(typed::typed(text, &load::Options { game, flip: false })?)
}

/// Unpacks zstd, up to the size of the largest certificate.
fn unpacked(bytes: &[u8]) -> Answer<Cow<'_, [u8]>> {
    let max = super::proofs::CERTIFICATE_BYTES_MAX;
    let failed = |error| Problem::unreadable(&Failure::io("the file", &error));
    if !files::is_packed(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut plain = Vec::new();
    let input = zstd::Decoder::with_buffer(bytes).map_err(failed)?;
    input.take(max as u64 + 1).read_to_end(&mut plain).map_err(failed)?;
    if plain.len() > max {
        let failure = Failure::new("the file is too large when it is unpacked");
        return Err(Problem::unreadable(&failure).kind(ProblemKind::TooLarge));
    }
    Ok(Cow::Owned(plain))
}
