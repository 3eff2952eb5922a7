//! The law of names: games, squares and paths are read as they are written.

use sixproof_game::{Color, Game, Node, Record, Square};

use crate::assert_error_points_in_text;
use crate::draw::Draw;

/// Pieces of names.
pub const WORDS: &[&str] = &[
    "connect6",
    "gomoku-exact",
    "tic-tac-toe",
    "19,19,6,2,1",
    "Connect(",
    ")",
    "inf,",
    ",exact",
    "Connect(6,2,1), exact",
    "J10",
    "AA27",
    "-3,4",
    "1000000,0",
    "4.b.3",
    "+1",
    ".+b",
    "0",
];

/// The most nodes of a made-up record.
const NODES_MAX: usize = 40;

/// The law.
pub fn law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let unbounded = Game::new(0, 0, 6, 2, 1, false).expect("a game");
    let mut games = vec![Game::CONNECT6, unbounded];
    for line in text.lines().take(8) {
        games.extend(game(line));
        games.truncate(4);
    }
    let record = draw_record(&mut Draw::new(bytes), games[games.len() - 1]);
    for id in 0..record.nodes().len() {
        let path = record.path_of(id);
        assert_eq!(record.find(&path), Ok(id), "{path}");
    }
    for word in text.split_whitespace().take(32) {
        for &game in &games {
            square(game, word);
        }
        path(&record, word);
    }
}

/// A game that is read is written, plainly and as papers do, and read as before.
fn game(text: &str) -> Option<Game> {
    let game: Game = text.parse().ok()?;
    for written in [game.to_string(), game.title(), game.title().to_uppercase()] {
        assert_eq!(written.parse(), Ok(game), "{written}");
    }
    let rebuilt = Game::new(game.cols(), game.rows(), game.k(), game.p(), game.q(), game.exact());
    assert_eq!(rebuilt, Ok(game));
    Some(game)
}

/// A square that is read is on the board, and its name is read as the same square.
fn square(game: Game, text: &str) {
    match game.parse_square(text) {
        Ok(square) => {
            assert!(game.contains(square));
            let name = game.square_name(square);
            assert_eq!(game.parse_square(&name), Ok(square), "{name}");
            assert_eq!(game.parse_square(&name.to_lowercase()), Ok(square), "{name}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A path that is found leads to a node whose own path leads there, too.
fn path(record: &Record, text: &str) {
    match record.find(text) {
        Ok(id) => assert_eq!(record.find(&record.path_of(id)), Ok(id), "{text}"),
        Err(error) => assert_error_points_in_text(text, &error),
    }
}

/// A tree of nodes with a few stones, set-ups and players, in any order.
fn draw_record(draw: &mut Draw<'_>, game: Game) -> Record {
    let mut record = Record::new(game);
    while !draw.is_empty() && record.nodes().len() < NODES_MAX {
        let parent = record.nodes().len() - 1 - draw.below(record.nodes().len().min(5));
        let mut node = Node::default();
        for _ in 0..draw.pick(&[0, 1, 1, 1, 2, 3]) {
            let color = draw.pick(&[Color::Black, Color::White]);
            node.stones.push((color, Square::new(draw.between(0, 18), draw.between(0, 18))));
        }
        match draw.below(12) {
            10 => node.setup.push((Square::new(0, 0), None)),
            11 => node.player = Some(Color::White),
            _ => {}
        }
        record.add(parent, node);
    }
    record
}
