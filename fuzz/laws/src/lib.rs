//! The laws behind the fuzz targets: what must hold for all bytes.
//!
//! A law is a function of bytes that returns when the law holds and panics when it does not. "Does
//! not crash" is the least of it: readers and writers agree, checkers agree, what is accepted is
//! true. Each law has one row in [`LAWS`], one file in `fuzz/fuzz_targets` that calls it, and runs
//! in three ways: under libFuzzer (`cargo xtask fuzz`), under the mutations of [`explore`]
//! (`cargo xtask fuzz --builtin`), and as a test of this crate in every `cargo test --workspace`.
//!
//! To add a law, write the function, its row and its target; a test complains about what is
//! forgotten. Only tests and `xtask` use this crate.

pub mod certificate;
pub mod document;
mod draw;
pub mod explore;
pub mod farm;
pub mod lines;
pub mod load;
pub mod notation;
pub mod picture;
pub mod protocol;
pub mod seeds;
pub mod sgf;
pub mod structure;

use sixproof_game::InputError;

/// Something that holds for all bytes.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// The name of the fuzz target.
    pub name: &'static str,
    /// What holds, in half a sentence.
    pub rule: &'static str,
    /// Panics if the law is broken by these bytes.
    pub run: fn(&[u8]),
    /// Files to start from: the beginnings of their paths under `suite/`.
    pub seeds: &'static [&'static str],
    /// Pieces that random bytes would not find.
    pub words: &'static [&'static str],
}

/// The certificates of the suite.
const CERTIFICATES: &[&str] = &["bad/", "good/", "oracle/"];

/// All laws; `cargo xtask fuzz --list` shows this table.
pub const LAWS: &[Law] = &[
    Law {
        name: "certificate",
        rule: "all ways to read a certificate lead to one verdict, and the oracle shares it",
        run: certificate::law,
        seeds: CERTIFICATES,
        words: certificate::WORDS,
    },
    Law {
        name: "certificate_structure",
        rule: "a certificate of a tiny game is accepted only if its claim is true",
        run: structure::law,
        seeds: &[],
        words: &[],
    },
    Law {
        name: "sgf",
        rule: "what is parsed is written and parsed as before, what is read as its normal form",
        run: sgf::law,
        seeds: &["sgf/"],
        words: sgf::WORDS,
    },
    Law {
        name: "document",
        rule: "a file becomes a document and comes back, and every edit can be undone and redone",
        run: document::law,
        seeds: &["sgf/"],
        words: document::WORDS,
    },
    Law {
        name: "notation",
        rule: "games, squares and paths are read as they are written",
        run: notation::law,
        seeds: &["formats/inline", "formats/connectk", "formats/little-golem"],
        words: notation::WORDS,
    },
    Law {
        name: "moves",
        rule: "moves in a line are written, in both forms, and read as before",
        run: lines::moves_law,
        seeds: &["formats/inline", "formats/little-golem"],
        words: &["J10", " / ", "; ", "1.", "2.i9l10", "resign", "swap", "0,0", "-1,2", "aa59"],
    },
    Law {
        name: "diagram",
        rule: "a diagram is drawn and read as before",
        run: lines::diagram_law,
        seeds: &["formats/diagram"],
        words: lines::DIAGRAM_WORDS,
    },
    Law {
        name: "psq",
        rule: "a .psq file is written and read as before",
        run: lines::psq_law,
        seeds: &["formats/gomocup"],
        words: &["Piskvorky 20x20, 11:11, 0\n", "\n1,1,0", ", 1\n", "-1\n", "\r\n", "x", "\u{a0}"],
    },
    Law {
        name: "renlib",
        rule: "a library that can be played is SGF that reads as before",
        run: lines::renlib_law,
        seeds: &["formats/renlib"],
        words: &["\x00\x08", "\x00\x01\x00\x01", "x\x48", "x\x10", "text\x00"],
    },
    Law {
        name: "ccgc",
        rule: "a CCGC record is written, in both forms, and read as before",
        run: lines::ccgc_law,
        seeds: &["formats/ccgc"],
        words: &["{[C6]", "[", "]", ";B(J,10)", ";W(I,11)", "}", "JJ@@", "IIKI", "@@", "先手胜"],
    },
    Law {
        name: "connectk",
        rule: "a move list of connectk is written and read as before",
        run: lines::connectk_law,
        seeds: &["formats/connectk"],
        words: &["19 6 2 1 0\n", "j10\n", "Bj10\n", "Wi9\n", " 1\n", "59 19 9 19 2\n"],
    },
    Law {
        name: "load",
        rule: "any input is refused with a place in it, or read and reached node by node",
        run: load::law,
        seeds: &["formats/", "sgf/"],
        words: &[
            "(;",
            ";B[jj]",
            "J10 / ",
            "{[C6]",
            "Piskvorky ",
            "Connect(6,2,1)\n",
            "19 6 2 1 0\n",
        ],
    },
    Law {
        name: "picture",
        rule: "a picture is well-formed SVG without scripts, and even rows in a terminal",
        run: picture::law,
        seeds: &[],
        words: picture::WORDS,
    },
    Law {
        name: "protocol",
        rule: "a line that an engine refuses changes nothing, and others change it by the rules",
        run: protocol::law,
        seeds: &["protocols/"],
        words: protocol::WORDS,
    },
    Law {
        name: "farm_message",
        rule: "a message of the farm is of one kind, within its limits, and written as it is read",
        run: farm::message_law,
        seeds: &["farm/message"],
        words: farm::MESSAGE_WORDS,
    },
    Law {
        name: "farm_journal",
        rule: "a journal is read up to its damage, and what is read is written as before",
        run: farm::journal_law,
        seeds: &["farm/journal"],
        words: farm::JOURNAL_WORDS,
    },
];

/// The law that must be found broken: it proves that failures are noticed.
pub const CANARY: Law = Law {
    name: "canary",
    rule: "does not hold: to see that a failure is noticed",
    run: canary,
    seeds: &[],
    words: &["bu"],
};

/// Holds until the bytes have a certain word in them.
pub fn canary(bytes: &[u8]) {
    let word = |w: &[u8]| w[0] == b'b' && w[1] == b'u' && w[2] == b'g';
    assert!(!bytes.windows(3).any(word), "the canary sings");
}

/// The law of this name; the canary is one of them.
pub fn find(name: &str) -> Option<&'static Law> {
    LAWS.iter().chain([&CANARY]).find(|law| law.name == name)
}

/// Every error points into its input, or just behind it.
fn assert_error_points(input: &[u8], error: &InputError) {
    assert!(error.len >= 1 && !error.message.is_empty(), "{error}");
    assert!(error.offset + error.len <= input.len() + 1, "{error} of {} bytes", input.len());
    let (line, column) = error.line_and_column(input);
    assert!(line >= 1 && column >= 1);
}

/// The same for text, where a place is one between characters.
fn assert_error_points_in_text(text: &str, error: &InputError) {
    assert_error_points(text.as_bytes(), error);
    assert!(text.is_char_boundary(error.offset), "{error}");
}
