//! The laws of the formats that hold one line of moves, or one position: a record that is read is
//! written, where there is a writer, and read as before.

use sixproof_game::moves::Unwritable;
use sixproof_game::{Game, InputError, Record, ccgc, connectk, diagram, moves, psq, renlib};

use crate::sgf::canonical_file_says_the_normal_form;
use crate::{assert_error_points, assert_error_points_in_text};

/// Pieces of diagrams.
pub const DIAGRAM_WORDS: &[&str] = &[
    "Connect(3,3,3,1,1)\n",
    "game 3 3 3 1 1 exact\n",
    "connect6\n",
    "Connect(6,2,1)\n",
    "White to move, 2 stones\n",
    "to-move black 1\n",
    "origin -3,4\n",
    "black J10\n",
    "white 0,0 5,5\n",
    ". . .\n",
    "X O .\n",
    "+---+\n",
    "| . |\n",
    "●○┼\n",
    "  A B C\n",
    "3 ",
    "```\n",
];

/// Games of every kind: named, small, with long moves, exact, without borders.
fn games() -> [Game; 6] {
    ["connect6", "gomoku", "tic-tac-toe", "30,9,4,3,2", "5,5,3,2,5,exact", "inf,6,2,1"]
        .map(|name| name.parse().expect("a game"))
}

/// The law of moves in a line.
pub fn moves_law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    moves::looks_like_moves(&text);
    for game in games() {
        let Some(record) = read_text(&text, |text| moves::read(game, text)) else { continue };
        let again = |text: String| moves::read(game, &text);
        // The word that ends a game is read, but not written.
        same_nodes(&record, written(&record, moves::write), again);
        if !game.is_unbounded() {
            same_nodes(&record, written(&record, moves::write_little_golem), again);
        }
    }
}

/// The law of diagrams.
pub fn diagram_law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    diagram::looks_like_diagram(&text);
    for game in [None, Some(games()[2]), Some(games()[5])] {
        match diagram::read(&text, game) {
            Ok(position) => {
                let drawn = diagram::write(&position);
                for game in [None, Some(position.game())] {
                    assert_eq!(diagram::read(&drawn, game).as_ref(), Ok(&position), "{drawn}");
                }
            }
            Err(error) => assert_error_points_in_text(&text, &error),
        }
    }
}

/// The law of `.psq` files.
pub fn psq_law(bytes: &[u8]) {
    for game in [None, Some(Game::CONNECT6)] {
        let Some(record) = read_bytes(bytes, |bytes| psq::read(bytes, game)) else { continue };
        let text = written(&record, psq::write);
        let again = psq::read(text.as_bytes(), game);
        // Names are written if both players have one that does not look like a stone.
        let like_a_stone = |name: &str| name.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let names = record.info.len() == 2 && record.info.iter().all(|(_, n)| !like_a_stone(n));
        if names && is_plain(&record, &['\r', '\n']) {
            assert_eq!(again.as_ref(), Ok(&record), "{text}");
        }
        same_nodes(&record, text, |_| again);
    }
}

/// The law of RenLib's libraries, which are not written.
pub fn renlib_law(bytes: &[u8]) {
    let Some(record) = read_bytes(bytes, |bytes| renlib::read(bytes, None)) else { return };
    if (0..record.nodes().len()).all(|id| record.reach(id).is_ok()) {
        canonical_file_says_the_normal_form(&record);
    }
}

/// The law of CCGC's records.
pub fn ccgc_law(bytes: &[u8]) {
    ccgc::looks_like_ccgc(bytes);
    let Some(record) = read_bytes(bytes, ccgc::read) else { return };
    let text = written(&record, ccgc::write);
    let again = ccgc::read(text.as_bytes());
    if is_plain(&record, &['[', ']', '\r', '\n']) {
        assert_eq!(again.as_ref(), Ok(&record), "{text}");
    }
    same_nodes(&record, text, |_| again);
    let packed = written(&record, ccgc::write_packed);
    same_nodes(&record, packed, |text| ccgc::read(text.as_bytes()));
}

/// The law of connectk's move lists.
pub fn connectk_law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    connectk::looks_like_connectk(&text);
    let Some(record) = read_text(&text, connectk::read) else { return };
    let text = written(&record, connectk::write);
    assert_eq!(connectk::read(&text).as_ref(), Ok(&record), "{text}");
}

fn read_bytes(bytes: &[u8], read: impl Fn(&[u8]) -> Result<Record, InputError>) -> Option<Record> {
    read(bytes).inspect_err(|error| assert_error_points(bytes, error)).ok()
}

fn read_text(text: &str, read: impl Fn(&str) -> Result<Record, InputError>) -> Option<Record> {
    read(text).inspect_err(|error| assert_error_points_in_text(text, error)).ok()
}

/// Whether no fact about the game has to be changed when it is written: no fact has one of these
/// characters, or white space around it.
fn is_plain(record: &Record, replaced: &[char]) -> bool {
    record.info.iter().all(|(_, text)| !text.contains(replaced) && text.trim() == text)
}

/// The main line in a format that can hold it.
fn written(
    record: &Record,
    write: impl Fn(&Record, usize) -> Result<String, Unwritable>,
) -> String {
    write(record, record.main_line_end(0)).expect("what was read in this format can be written")
}

/// Read again, the text has the game and the nodes of the record.
fn same_nodes(
    record: &Record,
    text: String,
    read: impl FnOnce(String) -> Result<Record, InputError>,
) {
    let again = read(text.clone()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((again.game, again.nodes()), (record.game, record.nodes()), "{text}");
}
