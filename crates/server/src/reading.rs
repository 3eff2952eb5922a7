//! Games and positions from requests: files that the user drops on the page, texts that the user
//! pastes, links. Nothing here opens a file: the bytes of the request are the whole input.

use std::borrow::Cow;

use sixproof_certificate::Reader;
use sixproof_game::load::{self, Content, Format, Games, Loaded};
use sixproof_game::{Game, Record, Summary};

use super::problem::{ApiResult, Problem, ProblemKind};
use super::wire::GameSummary;
use sixproof_solve::failure::Failure;
use sixproof_solve::typed;
use sixproof_store::packing::{self, TooMuch, Unpacked};

/// The content of a file.
pub(crate) enum FileContent {
    /// A certificate, unpacked.
    Certificate(Vec<u8>),
    /// A game tree, and the format it was in.
    Tree(Box<Record>, String),
}

/// The most games that the list of a file may have.
const GAMES_MAX: usize = 100_000;

/// Which game of a file is wanted, and how it is read.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadOptions {
    /// The game, for files that do not name it.
    pub(crate) game: Option<Game>,
    /// The number of the game in the file, from 1; without it, the first.
    pub(crate) number: Option<usize>,
    /// Whether a game with unknown rules is read all the same.
    pub(crate) anyway: bool,
}

/// The first game of a file, whatever its rules: the user has accepted them before.
pub(crate) fn file(bytes: &[u8], name: &str, game: Option<Game>) -> ApiResult<FileContent> {
    let choice = ReadOptions { game, number: None, anyway: true };
    opened(bytes, name, &choice).map(|(sent, _)| sent)
}

/// Detects the format of the bytes and reads them; also returns the number of games in them.
pub(crate) fn opened(
    bytes: &[u8],
    name: &str,
    choice: &ReadOptions,
) -> ApiResult<(FileContent, usize)> {
    let bytes = unpacked(bytes)?;
    let game = choice.game;
    if typed::starts_certificate(&bytes) {
        return Ok((FileContent::Certificate(bytes.into_owned()), 1));
    }
    let format = load::detect(&bytes);
    let text = std::str::from_utf8(&bytes).ok();
    if format.is_none()
        && let Some(text) = text.map(str::trim).filter(|text| text.len() < 200)
    {
        let kind = if text.is_empty() { ProblemKind::Empty } else { ProblemKind::UnknownFormat };
        let loaded = typed::typed(text, &load::Options { game, flip: false })
            .map_err(|failure| Problem::unreadable(&failure).kind(kind))?;
        return Ok((FileContent::Tree(Box::new(loaded.record), "name".to_string()), 1));
    }
    let games = games_of(name, &bytes, format, game)?;
    let count = games.count();
    let number = choice.number.map_or(Ok(1), |n| typed::number(name, &n.to_string(), count))?;
    let record = record_of(name, &bytes, games, number)?;
    if let Some(rules) = record.other_rules().filter(|_| !choice.anyway && game.is_none()) {
        let shown: String = rules.chars().take(60).collect();
        let problem = format!("{name}: its rules are `{shown}`, which are not known here");
        let title = record.game.title();
        let help = format!("it can be opened as {title}, whose wins need not be wins there");
        return Err(Problem::conflict(problem).kind(ProblemKind::OtherRules).help(help));
    }
    let format = format.map_or_else(String::new, |format| format.to_string());
    Ok((FileContent::Tree(Box::new(record), format), count))
}

/// The first tree in a text of any format.
pub(crate) fn tree(bytes: &[u8], game: Option<Game>) -> ApiResult<Record> {
    let games = games_of("text", bytes, load::detect(bytes), game)?;
    record_of("text", bytes, games, 1)
}

/// Refuses a text with several games, of which all but one would be lost.
pub(crate) fn one_game(bytes: &[u8]) -> ApiResult<()> {
    let format = load::detect(bytes).filter(|&format| format == Format::Sgf);
    let Some(format) = format else { return Ok(()) };
    match games_of("text", bytes, Some(format), None)?.count() {
        1 => Ok(()),
        count => {
            let failure = Failure::new(format!("the text has {count} games"))
                .help("open it as a file, and choose one of them");
            Err(Problem::unreadable(&failure))
        }
    }
}

/// The games of a file, to choose from.
pub(crate) fn games(bytes: &[u8]) -> ApiResult<Vec<GameSummary>> {
    let bytes = unpacked(bytes)?;
    if typed::starts_certificate(&bytes) {
        let reader = Reader::new(&bytes[..]).map_err(|error| {
            let failure = Failure::new(error.to_string());
            Problem::unreadable(&failure).kind(ProblemKind::CertificateUnreadable)
        })?;
        let game = Some(reader.claim().position.game());
        return Ok(vec![summary(1, Summary { game, ..Summary::default() })]);
    }
    let Some(format) = load::detect(&bytes) else {
        // A text without a format can still be a name, which is one game.
        return match opened(&bytes, "file", &ReadOptions::default())? {
            (FileContent::Tree(record, _), _) => Ok(vec![summary(1, record.summary())]),
            (FileContent::Certificate(_), _) => Ok(Vec::new()),
        };
    };
    let games = games_of("file", &bytes, Some(format), None)?;
    let count = games.count();
    if count > GAMES_MAX {
        let failure = Failure::new(format!("the file has {count} games; {GAMES_MAX} are listed"))
            .help("divide the file, or open a game by its number");
        return Err(Problem::unreadable(&failure).kind(ProblemKind::TooLarge));
    }
    let failed = |error| Problem::unreadable(&Failure::input("file", &bytes, error));
    let one = |number| Ok(summary(number, games.summary(number - 1).map_err(failed)?));
    (1..=count).map(one).collect()
}

fn summary(number: usize, summary: Summary) -> GameSummary {
    let Summary { title, game, black, white, result, moves } = summary;
    GameSummary { number, title, game: game.map(Into::into), black, white, result, moves }
}

fn games_of(
    name: &str,
    bytes: &[u8],
    format: Option<Format>,
    game: Option<Game>,
) -> ApiResult<Games> {
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
    Games::read(bytes, format, options)
        .map_err(|error| Problem::unreadable(&Failure::input(name, bytes, error)))
}

/// The game of a number, from 1, as a tree.
fn record_of(name: &str, bytes: &[u8], games: Games, number: usize) -> ApiResult<Record> {
    let content = games.take(number - 1);
    let content =
        content.map_err(|error| Problem::unreadable(&Failure::input(name, bytes, error)))?;
    Ok(match content {
        Content::Record(record) => record,
        Content::Position(position) => Loaded::position(position).record,
    })
}

/// A position as typed text: a name, a game, moves, a diagram.
pub(crate) fn position(text: &str, game: Option<&str>) -> ApiResult<Loaded> {
    let game = game.map(typed::game).transpose()?;
    Ok(typed::typed(text, &load::Options { game, flip: false })?)
}

/// Unpacks zstd, up to the size of the largest certificate.
fn unpacked(bytes: &[u8]) -> ApiResult<Cow<'_, [u8]>> {
    if !packing::is_packed(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let plain = Unpacked::whole(bytes, super::proofs::CERTIFICATE_BYTES_MAX);
    plain.map(Cow::Owned).map_err(|error| {
        let problem = Problem::unreadable(&Failure::io("the file", &error));
        match TooMuch::is_in(&error) {
            true => problem.kind(ProblemKind::TooLarge),
            false => problem,
        }
    })
}
