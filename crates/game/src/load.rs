//! One door for all formats: the format of an input, and its content.

use std::fmt;

use crate::{Game, InputError, NodeId, Position, Record, Square, Summary};
use crate::{ccgc, connectk, diagram, moves, psq, renlib, sgf};

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SGF in any of its dialects.
    Sgf,
    /// A record of the Chinese Computer Games Contest.
    Ccgc,
    /// A Gomocup `.psq` file.
    Psq,
    /// A RenLib `.lib` library.
    Renlib,
    /// A connectk move list.
    Connectk,
    /// A board diagram.
    Diagram,
    /// Moves in a line, our own or Little Golem's.
    Moves,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Sgf => "SGF",
            Format::Ccgc => "CCGC record",
            Format::Psq => "psq",
            Format::Renlib => "RenLib",
            Format::Connectk => "connectk",
            Format::Diagram => "diagram",
            Format::Moves => "moves",
        })
    }
}

/// The facts that a file lacks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The game, where the format leaves it open.
    pub game: Option<Game>,
    /// SGF only: rows are counted from the bottom.
    pub flip: bool,
}

/// The games of an input. Its syntax is read at once, and a game when the caller wants it. Only SGF
/// has more than one.
#[derive(Clone, Debug)]
pub struct Games(Source);

#[derive(Clone, Debug)]
enum Source {
    Sgf(Box<sgf::Collection>, Options),
    One(Box<Content>),
}

impl Games {
    /// Reads an input of a known format.
    pub fn read(bytes: &[u8], format: Format, options: Options) -> Result<Games, InputError> {
        let text = || {
            std::str::from_utf8(bytes).map_err(|error| {
                InputError::new(error.valid_up_to(), 1, "not UTF-8 text")
                    .help("save the file as UTF-8, or check that it is the right file")
            })
        };
        let game = options.game;
        let content = match format {
            Format::Sgf => {
                return Ok(Games(Source::Sgf(Box::new(sgf::parse(bytes)?), options)));
            }
            Format::Ccgc => Content::Record(ccgc::read(bytes)?),
            Format::Psq => Content::Record(psq::read(bytes, game)?),
            Format::Renlib => Content::Record(renlib::read(bytes, game)?),
            Format::Connectk => Content::Record(connectk::read(text()?)?),
            Format::Diagram => Content::Position(diagram::read(text()?, game)?),
            Format::Moves => Content::Record(moves::read(game.unwrap_or(Game::CONNECT6), text()?)?),
        };
        Ok(Games(Source::One(Box::new(content))))
    }

    /// The number of games, at least 1.
    pub fn count(&self) -> usize {
        match &self.0 {
            Source::Sgf(collection, _) => collection.roots().len(),
            Source::One(_) => 1,
        }
    }

    /// One game, from 0.
    pub fn get(&self, index: usize) -> Result<Content, InputError> {
        match &self.0 {
            Source::Sgf(collection, options) => {
                let options = of_sgf(*options, index);
                Ok(Content::Record(sgf::interpret(collection, &options)?))
            }
            Source::One(content) if index == 0 => Ok((**content).clone()),
            Source::One(_) => Err(InputError::new(0, 1, "there is one game in it")),
        }
    }

    /// One game, from 0, when no other is wanted.
    pub fn take(self, index: usize) -> Result<Content, InputError> {
        match self.0 {
            Source::One(content) if index == 0 => Ok(*content),
            _ => self.get(index),
        }
    }

    /// What a list shows of one game, from 0.
    pub fn summary(&self, index: usize) -> Result<Summary, InputError> {
        match &self.0 {
            Source::Sgf(collection, options) => sgf::summary(collection, &of_sgf(*options, index)),
            Source::One(_) => Ok(match self.get(index)? {
                Content::Record(record) => record.summary(),
                Content::Position(position) => {
                    Summary { game: Some(position.game()), ..Summary::default() }
                }
            }),
        }
    }
}

fn of_sgf(options: Options, tree: usize) -> sgf::Options {
    sgf::Options { game: options.game, flip: options.flip, tree }
}

/// The content of an input: a tree of moves, or a single position.
#[derive(Clone, Debug)]
pub enum Content {
    /// A game tree.
    Record(Record),
    /// A position without a history.
    Position(Position),
}

/// A position of an input, with the stones that led to it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The position.
    pub position: Position,
    /// The stones placed, each with the number of its move, from 1; empty when only the position is
    /// known.
    pub played: Vec<(Square, u32)>,
    /// The tree that the position is in, and its node there.
    pub record: Record,
    /// The node of the position.
    pub node: NodeId,
    /// The number of the game among those of the input, from 1.
    pub number: usize,
    /// The number of games in the input.
    pub games: usize,
}

/// The format of an input, judged by its content alone.
pub fn detect(bytes: &[u8]) -> Option<Format> {
    if renlib::looks_like_renlib(bytes) {
        return Some(Format::Renlib);
    }
    if psq::looks_like_psq(bytes) {
        return Some(Format::Psq);
    }
    if ccgc::looks_like_ccgc(bytes) {
        return Some(Format::Ccgc);
    }
    let text = String::from_utf8_lossy(bytes);
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if start.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';')) {
        return Some(Format::Sgf);
    }
    if connectk::looks_like_connectk(&text) {
        return Some(Format::Connectk);
    }
    if diagram::looks_like_diagram(&text) {
        return Some(Format::Diagram);
    }
    if moves::looks_like_moves(&text) {
        return Some(Format::Moves);
    }
    // Mail headers and the like may stand in front of an SGF tree.
    (text.contains("(;")).then_some(Format::Sgf)
}

/// Reads an input of a known format: the first of its [`Games`].
pub fn read(bytes: &[u8], format: Format, options: Options) -> Result<Content, InputError> {
    Games::read(bytes, format, options)?.take(0)
}

impl Loaded {
    /// The node of a record that a path names, or the end of its main line.
    pub fn at(record: Record, path: Option<&str>) -> Result<Loaded, InputError> {
        let node = match path {
            Some(path) => record.find(path)?,
            None => record.main_line_end(0),
        };
        let reached = record.reach(node).map_err(|illegal| {
            let name = record.game.square_name(illegal.square);
            let path = record.path_of(illegal.node);
            InputError::new(0, 1, format!("no stone on {name} (node {path}): {}", illegal.reason))
        })?;
        let played = reached.played.iter().map(|&(square, _, number)| (square, number)).collect();
        let position = reached.position;
        Ok(Loaded { position, played, record, node, number: 1, games: 1 })
    }

    /// A position without a history.
    pub fn position(position: Position) -> Loaded {
        let mut record = Record::new(position.game());
        let root = record.node_mut(0);
        root.setup = position.stones().map(|(square, color)| (square, Some(color))).collect();
        root.player = Some(position.to_move());
        let derived = record.reach(0).map(|reached| reached.position.left());
        if derived != Ok(position.left()) {
            record.node_mut(0).left = Some(position.left());
        }
        Loaded { position, played: Vec::new(), record, node: 0, number: 1, games: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::sample;

    #[test]
    fn every_position_survives_a_file_of_its_own() {
        arbtest::arbtest(|u| {
            let game = sample::game(u)?;
            let position = sample::position(u, game)?;
            let loaded = Loaded::position(position.clone());
            let file = sgf::from_record(&loaded.record).write();
            let Content::Record(record) = read(&file, Format::Sgf, Options::default()).unwrap()
            else {
                panic!("SGF holds records");
            };
            assert_eq!(Loaded::at(record, None).unwrap().position, position);
            Ok(())
        })
        .budget_ms(sixproof_oracle::effort(300, 1_000));
    }

    #[test]
    fn every_game_of_a_collection_is_read_and_summarised() {
        let file = include_bytes!("../../../suite/sgf/two-games.sgf");
        let games = Games::read(file, Format::Sgf, Options::default()).unwrap();
        let game = |index| match games.get(index).unwrap() {
            Content::Record(record) => record,
            Content::Position(_) => panic!("SGF holds records"),
        };
        assert_eq!(games.count(), 2);
        let names = [0, 1].map(|index| game(index).game.to_string());
        assert_eq!(names, ["connect6", "gomoku"]);
        for index in [0, 1] {
            assert_eq!(games.summary(index).unwrap(), game(index).summary(), "{index}");
        }
        assert_eq!(games.summary(1).unwrap().moves, 2);
        assert!(games.get(2).is_err() && games.summary(2).is_err());
    }

    #[test]
    fn collections_put_together_have_the_games_of_both() {
        let of = |text: &str| sgf::parse(text.as_bytes()).unwrap();
        let mut all = of("(;B[aa](;W[bb])(;W[cc]))\n");
        all.append(of("(;B[dd];W[ee])\n(;B[ff])\n"));
        assert_eq!(all, of("(;B[aa](;W[bb])(;W[cc]))\n(;B[dd];W[ee])\n(;B[ff])\n"));
    }

    #[test]
    fn other_rules_are_kept_with_the_record_and_in_its_file() {
        for (rules, game, differ) in [
            ("Renju", "gomoku", true),
            ("Renju", "19,19,6,2,1", true),
            ("Standard", "gomoku", true),
            ("Standard", "gomoku-exact", false),
            ("Japanese", "connect6", false),
        ] {
            let text = format!("(;GM[4]SZ[15]RU[{rules}]PB[x];B[hh])");
            let options = sgf::Options { game: game.parse().ok(), ..sgf::Options::default() };
            let record = sgf::read(text.as_bytes(), &options).unwrap();
            assert_eq!(record.other_rules().is_some(), differ, "{rules} as {game}");
            let file = sgf::from_record(&record).write();
            let again = sgf::read(&file, &sgf::Options::default()).unwrap();
            assert_eq!(again, sgf::normal_form(&record), "{}", file.escape_ascii());
            assert_eq!((again.game, again.info), (record.game, record.info));
        }
    }

    #[test]
    fn stones_left_are_written_only_where_the_counts_do_not_say_so() {
        let game = Game::CONNECT6;
        let black = [Square::new(9, 9)];
        let of = |left| {
            let position = Position::set_up(game, &black, &[], crate::Color::White, left).unwrap();
            let file = sgf::from_record(&Loaded::position(position).record).write();
            String::from_utf8(file).unwrap()
        };
        assert!(of(2).ends_with("AB[jj]PL[W])\n"));
        assert!(of(1).ends_with("AB[jj]PL[W]SXL[1])\n"));
    }
}
