//! Games and positions out of what people send: files that are dropped, texts that are pasted,
//! links that are shared. Nothing here opens a file: what is sent is all there is.

use std::borrow::Cow;

use sixproof_certificate::Reader;
use sixproof_game::load::{self, Content, Format, Games, Loaded};
use sixproof_game::{Game, Record, Summary};

use super::problem::{Answer, Problem, ProblemKind};
use super::wire::GameSummary;
use sixproof_solve::failure::Failure;
use sixproof_solve::typed;
use sixproof_store::packing::{self, TooMuch, Unpacked};

/// What a file holds.
pub(crate) enum Sent {
    /// A certificate, unpacked.
    Certificate(Vec<u8>),
    /// A game tree, and the format it was in.
    Tree(Box<Record>, String),
}

/// The most games of a file that are listed.
const GAMES_MAX: usize = 100_000;

/// What of a file is wanted, and how it is to be read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Choice {
    /// The game, where the file does not say it.
    pub(crate) game: Option<Game>,
    /// The number of the game in the file, from 1; without it, the first.
    pub(crate) number: Option<usize>,
    /// Whether a game with other rules is read, too.
    pub(crate) anyway: bool,
}

/// The first game of a file, whatever its rules: one that was opened before.
pub(crate) fn file(bytes: &[u8], name: &str, game: Option<Game>) -> Answer<Sent> {
    let choice = Choice { game, number: None, anyway: true };
    opened(bytes, name, &choice).map(|(sent, _)| sent)
}

/// Finds out what the bytes are, and reads them; also tells how many games they hold.
pub(crate) fn opened(bytes: &[u8], name: &str, choice: &Choice) -> Answer<(Sent, usize)> {
    let bytes = unpacked(bytes)?;
    let game = choice.game;
    if typed::starts_certificate(&bytes) {
        return Ok((Sent::Certificate(bytes.into_owned()), 1));
    }
    let format = load::detect(&bytes);
    let text = std::str::from_utf8(&bytes).ok();
    if format.is_none()
        && let Some(text) = text.map(str::trim).filter(|text| text.len() < 200)
    {
        let kind = if text.is_empty() { ProblemKind::Empty } else { ProblemKind::UnknownFormat };
        let loaded = typed::typed(text, &load::Options { game, flip: false })
            .map_err(|failure| Problem::unreadable(&failure).kind(kind))?;
        return Ok((Sent::Tree(Box::new(loaded.record), "name".to_string()), 1));
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
    Ok((Sent::Tree(Box::new(record), format), count))
}

/// The first tree in a text of any format.
pub(crate) fn tree(bytes: &[u8], game: Option<Game>) -> Answer<Record> {
    let games = games_of("text", bytes, load::detect(bytes), game)?;
    record_of("text", bytes, games, 1)
}

/// Refuses a text with several games, of which all but one would be lost.
pub(crate) fn one_game(bytes: &[u8]) -> Answer<()> {
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
pub(crate) fn games(bytes: &[u8]) -> Answer<Vec<GameSummary>> {
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
        // What is read all the same has one game: a name, or nothing.
        return match opened(&bytes, "file", &Choice::default())? {
            (Sent::Tree(record, _), _) => Ok(vec![summary(1, record.summary())]),
            (Sent::Certificate(_), _) => Ok(Vec::new()),
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

fn games_of(name: &str, bytes: &[u8], format: Option<Format>, game: Option<Game>) -> Answer<Games> {
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

/// A game as a tree, from 1.
fn record_of(name: &str, bytes: &[u8], games: Games, number: usize) -> Answer<Record> {
    let content = games.take(number - 1);
    let content =
        content.map_err(|error| Problem::unreadable(&Failure::input(name, bytes, error)))?;
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
