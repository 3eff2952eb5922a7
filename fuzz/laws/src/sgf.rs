//! The law of SGF: nothing is lost between reading and writing, known or not.

use sixproof_game::Record;
use sixproof_game::sgf::{self, Options};

use crate::assert_error_points;

/// Pieces of SGF.
pub const WORDS: &[&str] = &[
    "(;",
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    ":",
    "B[jj]",
    "W[iikk]",
    "W[]",
    "W[tt]",
    "AB[aa:cc]",
    "AE[bb]",
    "PL[W]",
    "C[text]",
    "N[name]",
    "LB[jj:a]",
    "MA[aa]",
    "TR[bb:cc]",
    "AR[aa:bb]",
    "DD[aa]",
    "DD[]",
    "SXR[x]",
    "SXL[1]",
    "CA[Big5]",
    "CA[gb18030]",
    "CA[shift_jis]",
    "CA[UTF-8]",
    "SZ[5:9]",
    "SZ[15]",
    "GM[4]",
    "GM[511]",
    "FF[3]",
    "ZZ[x]",
    "RU[connect(9,9,3,2,1)]",
    "RU[connect(inf,inf,6,2,1)]",
    "RU[renju]",
    "RU[Standard]",
    "SXG[connect(9,9,5,1,1)]",
    "B[0,-3]",
    "Black[j10]",
    "PB[x]",
    "GC[a]",
];

/// The most games of a collection that are read.
const GAMES_MAX: usize = 3;

/// The law.
pub fn law(bytes: &[u8]) {
    let collection = match sgf::parse(bytes) {
        Ok(collection) => collection,
        Err(error) => return assert_error_points(bytes, &error),
    };
    let written = collection.write();
    let again = sgf::parse(&written);
    // Unknown properties are compared, too.
    assert_eq!(again.as_ref(), Ok(&collection), "{}", written.escape_ascii());
    assert_eq!(again.expect("it is equal").write(), written, "writing is not settled");
    let games = 0..collection.roots().len().min(GAMES_MAX);
    for (tree, flip) in games.flat_map(|tree| [(tree, false), (tree, true)]) {
        let options = Options { flip, tree, game: None };
        let summary = sgf::summary(&collection, &options).expect("every game is in the list");
        match sgf::interpret(&collection, &options) {
            Ok(record) => {
                assert_eq!(summary.game, Some(record.game), "the list has another game");
                canonical_file_says_the_normal_form(&record);
            }
            Err(error) => assert_error_points(bytes, &error),
        }
    }
}

/// Of every record that SGF can express, the canonical file reads as the normal form, and a normal
/// form is its own.
pub(crate) fn canonical_file_says_the_normal_form(record: &Record) {
    let normal = sgf::normal_form(record);
    let file = sgf::from_record(record).write();
    let again = sgf::read(&file, &Options::default());
    assert_eq!(again.as_ref(), Ok(&normal), "{}", file.escape_ascii());
    assert_eq!(sgf::normal_form(&normal), normal);
    assert_eq!(sgf::from_record(&normal).write(), file);
}
