//! The law of the one door: any input is refused with a place in it, or read; and then every node
//! can be named, and reached or refused.

use sixproof_game::load::{self, Content, Format, Loaded, Options};
use sixproof_game::{Game, Record};

use crate::assert_error_points;

/// All formats: each must be able to look at the files of the others.
const FORMATS: [Format; 7] = [
    Format::Sgf,
    Format::Ccgc,
    Format::Psq,
    Format::Renlib,
    Format::Connectk,
    Format::Diagram,
    Format::Moves,
];

/// The most nodes of a large record that are visited.
const VISITS_MAX: usize = 24;

/// The law.
pub fn law(bytes: &[u8]) {
    let detected = load::detect(bytes);
    let unbounded = Game::new(0, 0, 6, 2, 1, false).expect("a game");
    for options in [
        Options::default(),
        Options { game: "gomoku".parse().ok(), flip: true },
        Options { game: Some(unbounded), flip: false },
    ] {
        for format in FORMATS {
            match load::read(bytes, format, options) {
                Ok(Content::Record(record)) if detected == Some(format) => visit(&record),
                Ok(Content::Record(_)) => {}
                Ok(Content::Position(position)) => {
                    let loaded = Loaded::position(position.clone());
                    assert_eq!(loaded.position, position);
                    let reached = loaded.record.reach(loaded.node).expect("stones on the board");
                    assert!(reached.position.stones().eq(position.stones()));
                    assert_eq!(reached.position.to_move(), position.to_move());
                }
                Err(error) => assert_error_points(bytes, &error),
            }
        }
    }
}

/// Nodes of a record, by their paths.
fn visit(record: &Record) {
    let count = record.nodes().len();
    for id in (0..count).step_by(count.div_ceil(VISITS_MAX)).chain([count - 1]) {
        let path = record.path_of(id);
        let reached = record.reach(id);
        match Loaded::at(record.clone(), Some(&path)) {
            Ok(loaded) => {
                assert_eq!(loaded.node, id, "{path}");
                let reached = reached.expect("the same node was reached");
                assert_eq!(loaded.position, reached.position, "{path}");
                let played = loaded.played.iter().map(|&(square, _)| square);
                let stands = |square| loaded.position.at(square).is_some();
                assert!(played.into_iter().all(stands), "{path}");
            }
            Err(error) => assert!(reached.is_err(), "{path}: {error}"),
        }
    }
    let end = record.main_line_end(0);
    let loaded = Loaded::at(record.clone(), None);
    assert_eq!(loaded.ok().map(|l| l.node), record.reach(end).ok().map(|_| end));
}
