//! Tests of the syntax and the meaning together: samples of every dialect, laws, and sizes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arbtest::arbitrary::{Result as Drawn, Unstructured};
use arbtest::arbtest;

mod canonical;
mod drawings;

use super::*;
use crate::record::Mark;
use crate::{Color, Game, InputError, Record, Square, record};

/// All sample files, by name.
fn samples() -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sgf");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sgf = entries.filter(|path| path.extension().is_some_and(|e| e == "sgf"));
    sgf.map(|path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, fs::read(path).unwrap())
    })
    .collect()
}

fn plain(text: &str) -> Result<Record, InputError> {
    read(text.as_bytes(), &Options::default())
}

/// A record in one line: the game, the facts, and the nodes behind the root in their order, each
/// with its parent if that is not the node before it.
fn shown(record: &Record) -> String {
    let game = record.game;
    let mut out = game.to_string();
    for (key, text) in &record.info {
        out += &format!(" {key}={text}");
    }
    for (id, node) in record.nodes().iter().enumerate() {
        out += &match node.parent() {
            Some(parent) if parent + 1 != id => format!(" | {parent}>"),
            Some(_) => " |".to_string(),
            None => String::new(),
        };
        for &(square, content) in &node.setup {
            let sign = content.map_or("-", |c| if c == Color::Black { "+b" } else { "+w" });
            out += &format!(" {sign}{}", game.square_name(square));
        }
        if let Some(player) = node.player {
            out += &format!(" {player} to move");
        }
        if let Some(left) = node.left {
            out += &format!(" {left} left");
        }
        for &(color, square) in &node.stones {
            let sign = if color == Color::Black { "b" } else { "w" };
            out += &format!(" {sign}{}", game.square_name(square));
        }
        if !node.comment.is_empty() {
            out += &format!(" {{{}}}", node.comment);
        }
        for (square, text) in &node.labels {
            out += &format!(" {}:{text}", game.square_name(*square));
        }
        for &(square, kind) in &node.marks {
            let sign = ['^', '#', 'o', '*'][kind as usize];
            out += &format!(" {sign}{}", game.square_name(square));
        }
        for &(from, to) in &node.arrows {
            out += &format!(" {}>{}", game.square_name(from), game.square_name(to));
        }
        for &square in &node.dimmed {
            out += &format!(" ~{}", game.square_name(square));
        }
    }
    out
}

#[test]
fn every_dialect_is_understood() {
    let expected = BTreeMap::from([
        (
            "big5",
            "connect6 PB=許功蓋 PW=設計者 | bJ10 {黑棋第一手下在天元，這是最常見的開局。} | wI11 wK9 {白棋的回應}",
        ),
        (
            "canonical",
            "connect6 PB=Black PW=White | bJ10 | wI11 | wL9 {a comment with a ] and a \\} J10:1 L9:a:b *I11 | bJ9 | bJ8 | 3> bK10 | bH10",
        ),
        ("gb2312", "connect6 PB=张三 PW=李四 | bJ10 {黑棋第一手} | wI11 wK9"),
        ("large", "59,59,6,2,1 | bAD30 | wA1 | wBG59"),
        ("latin1", "connect6 PB=Jürgen Müller PW=François | bJ10 {Größe und Höhe}"),
        (
            "little-golem",
            "connect6 EV=connect6.ch.16.1.1 PB=alice PW=bob SO=http://www.littlegolem.com | bJ10 | wI9 wL10 | bJ8 bL8 |",
        ),
        ("mail", "connect6 | bJ10 | wI11 | wK9"),
        ("nctu", "connect6 | bJ10 | wJ12 | wM9 | 1> wJ12 | wJ6"),
        ("old-style", "connect6 PB=one | bJ10 | wI11 wK9"),
        ("rectangle", "19,15,6,2,1 | bJ8 | wS1 | wA15"),
        (
            "renju",
            "gomoku RU=renju PB=N.N. +bH8 +bH15 +bI15 +bJ15 +wG9 +wG7 white to move {set up} | -I15 | wH9 | bH7 |",
        ),
        ("two-games", "connect6 | bJ10"),
        ("two-in-a-node", "connect6 | bJ10 | wI12 wH11 | bK9 bK11"),
        ("two-in-a-value", "connect6 | bJ10 | wJ12 wM9 | bI11 bK9"),
        ("unbounded", "inf,6,2,1 | b0,0 | w-1,1 | w12,-30"),
    ]);
    let samples = samples();
    assert!(samples.keys().eq(expected.keys()), "a line for each file: {:?}", samples.keys());
    for (name, bytes) in &samples {
        let record = read(bytes, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(shown(&record), expected[name.as_str()], "{name}");
        for id in 0..record.nodes().len() {
            record.reach(id).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
    let second = Options { tree: 1, ..Options::default() };
    assert_eq!(shown(&read(&samples["two-games"], &second).unwrap()), "gomoku | bH8 | wH9");
    let flip = Options { flip: true, ..Options::default() };
    let flipped = read(&samples["nctu"], &flip).unwrap();
    assert_eq!(shown(&flipped), "connect6 | bJ10 | wJ8 | wM11 | 1> wJ8 | wJ14");
}

#[test]
fn the_game_is_known_by_rules_then_caller_then_hints() {
    let caller: Game = "9,9,4,1,1".parse().unwrap();
    for (text, without, with) in [
        ("(;GM[1])", "connect6", "9,9,4,1,1"),
        ("(;SZ[13])", "13,13,6,2,1", "13,13,4,1,1"),
        ("(;SZ[ 13 : 9 ])", "13,9,6,2,1", "13,9,4,1,1"),
        ("(;GM[4])", "gomoku", "9,9,4,1,1"),
        ("(;GM[4]SZ[19])", "19,19,5,1,1", "19,19,4,1,1"),
        ("(;GM[4]RU[Renju])", "gomoku", "9,9,4,1,1"),
        ("(;RU[Renju]SZ[15])", "gomoku", "15,15,4,1,1"),
        ("(;GM[4]RU[Standard])", "gomoku-exact", "9,9,4,1,1"),
        ("(;GM[4]RU[renju]SXG[connect(9,9,5,1,1)])", "9,9,5,1,1", "9,9,5,1,1"),
        ("(;RU[connect(15,15,5,1,1,exact)])", "gomoku-exact", "gomoku-exact"),
        ("(;RU[Connect(6,2,1)])", "inf,6,2,1", "inf,6,2,1"),
        ("(;RU[connect(0,0,6,2,1)])", "inf,6,2,1", "inf,6,2,1"),
        ("(;RU[connect(inf,inf,6,2,1,exact)])", "inf,6,2,1,exact", "inf,6,2,1,exact"),
        ("(;RU[connect6]SZ[15])", "15,15,6,2,1", "15,15,6,2,1"),
    ] {
        assert_eq!(plain(text).unwrap().game.to_string(), without, "{text}");
        let options = Options { game: Some(caller), ..Options::default() };
        assert_eq!(read(text.as_bytes(), &options).unwrap().game.to_string(), with, "{text}");
    }
}

#[test]
fn errors_say_where_and_what_to_do() {
    for (text, at, message) in [
        ("", (1, 1), "there is no game tree (at byte 0); a game tree starts with `(;`"),
        (
            "\u{feff}nothing (here)",
            (1, 1),
            "there is no game tree (at byte 0); a game tree starts with `(;`",
        ),
        (
            "(;B[jj]",
            (1, 8),
            "the file ends within a game tree: one parenthesis is open (at byte 7); write `)` at the end, if nothing is missing",
        ),
        (
            "(;B[jj]\n(;W[ii](",
            (2, 9),
            "the file ends within a game tree: 3 parentheses are open (at byte 16); write `)))` at the end, if nothing is missing",
        ),
        (
            "(;\nC[abc\\];B)",
            (2, 2),
            "a value of `C` is not closed (at byte 4); write `]` at its end; within it, `]` is written `\\]`",
        ),
        (
            "(;B;W[aa])",
            (1, 3),
            "the property `B` has no value (at byte 2); an empty value is written `B[]`",
        ),
        (
            "(;B[aa]\n  é)",
            (2, 3),
            "unexpected `\\xc3` in a node (at byte 10); a property is written like `B[jj]`",
        ),
        (
            "(;[aa])",
            (1, 3),
            "a value without an identifier before it (at byte 2); within a value, `]` is written `\\]`",
        ),
        (
            "(;(B[aa]))",
            (1, 4),
            "a variation starts with `(;` (at byte 3); write `;` before the first property",
        ),
        (
            "(;(;B[aa]);W[bb])",
            (1, 11),
            "only `(` or `)` can follow the end of a variation (at byte 10); put what follows into a variation of its own: `(;…)`",
        ),
        (
            "(;B[jj]\n;W[tt])",
            (2, 4),
            "`tt` is off the board of 19 x 19 (at byte 11); the file is read as Connect(19,19,6,2,1)",
        ),
        (
            "(;B[j10];W[j20])",
            (1, 12),
            "`j20` is off the board of 19 x 19 (A1 to S19) (at byte 11); the file is read as Connect(19,19,6,2,1)",
        ),
        (
            "(;B[jjj])",
            (1, 5),
            "`jjj` is not a square; write a pair of letters (at byte 4); the file is read as Connect(19,19,6,2,1)",
        ),
        (
            "(;B[jj](;W[iijj])(;W[ii]))",
            (1, 12),
            "J10 is taken by a black stone already (at byte 11)",
        ),
        ("(;AB[jj]AW[ii:kk])", (1, 12), "J10 is set up twice in one node (at byte 11)"),
        ("(;PL[X])", (1, 6), "`X` is not a side (at byte 5); write `PL[B]` or `PL[W]`"),
        ("(;LB[jj])", (1, 6), "a label without a colon (at byte 5); write `LB[jj:A]`"),
        (
            "(;SZ[60])",
            (1, 6),
            "`60` is not a size (at byte 5); write `SZ[19]` or `SZ[19:15]`, up to 59",
        ),
        (
            "(;SZ[15]RU[connect(19,19,6,2,1)])",
            (1, 12),
            "`SZ` and `RU[connect(19,19,6,2,1)]` disagree on the board (at byte 11)",
        ),
        (
            "(;RU[connect(0,0,6,2,1)];B[jj])",
            (1, 28),
            "`jj` is not a square; write x,y as in `3,4` (at byte 27)",
        ),
    ] {
        let error = plain(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(error.line_and_column(text.as_bytes()), at, "{text}");
    }
    let utf16: Vec<u8> = "\u{feff}(;B[jj])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = read(&utf16, &Options::default()).unwrap_err();
    assert_eq!(error.help.as_deref(), Some("the file is in UTF-16: save it as UTF-8"));
    let error = read(b"(;)", &Options { tree: 2, ..Options::default() }).unwrap_err();
    assert_eq!(error.message, "there is no game tree number 3: the file has 1");
    let small = plain("(;SZ[5])").unwrap_err();
    assert!(small.message.contains("no line of 6 fits"), "{small}");
}

#[test]
fn limits_are_kept() {
    let nodes = [b"(".to_vec(), b";".repeat(NODES_MAX + 1), b")".to_vec()].concat();
    assert_eq!(parse(&nodes).unwrap_err().offset, NODES_MAX + 1);
    let values = [b"(;AB".to_vec(), b"[]".repeat(VALUES_MAX + 1), b")".to_vec()].concat();
    assert_eq!(parse(&values).unwrap_err().offset, 4 + 2 * VALUES_MAX);
    let bytes = vec![b' '; BYTES_MAX + 1];
    assert_eq!(parse(&bytes).unwrap_err().offset, BYTES_MAX);
    let points =
        [b"(".to_vec(), b";MA[aa:ss]".repeat(POINTS_MAX / 361 + 1), b")".to_vec()].concat();
    let error = read(&points, &Options::default()).unwrap_err();
    assert!(error.message.starts_with("too many squares in lists"), "{error}");
}

#[test]
fn unknown_properties_and_all_order_survive() {
    let text =
        "\u{feff}head (\n(;ZZ[b][a] Xy1[ \\] \\\\]B[jj]AA[]ZZ[c]\n(;W[ii])(;W[hh];KO[]))(tail)";
    let collection = parse(text.as_bytes()).unwrap();
    let written = String::from_utf8(collection.write()).unwrap();
    assert_eq!(
        written,
        "\u{feff}head (\n(;ZZ[b][a]Xy1[ \\] \\\\]B[jj]AA[]ZZ[c]\n(;W[ii])\n(;W[hh];KO[]))(tail)"
    );
    assert_eq!(parse(written.as_bytes()), Ok(collection));
}

#[test]
fn double_byte_characters_hide_no_brackets() {
    // 設 is B3 5D, 許 is B3 5C. A writer of characters puts them as they are.
    let plain = b"(;CA[Big5]PB[\xb3\x5d\xb3\x5c]PW[x])";
    let record = read(plain, &Options::default()).unwrap();
    assert_eq!(record.info[0], ("PB".to_string(), "設許".to_string()));
    // A writer of bytes escapes the second byte, which leaves no end of the value for the others.
    let escaped = b"(;CA[Big5]PW[x]PB[\xb3\x5c\x5c])";
    let record = read(escaped, &Options::default()).unwrap();
    assert_eq!(record.info[1], ("PB".to_string(), "許".to_string()));
    writes_and_parses_to_itself(escaped);
}

#[test]
fn texts_can_be_added_in_the_charset_of_the_file() {
    let mut collection = parse(&samples()["big5"]).unwrap();
    assert_eq!(collection.charset().name(), "Big5");
    collection.push(1, "GC", &["許 ]", "b"]).unwrap();
    assert_eq!(collection.push(1, "GC", &["ü€"]).unwrap_err().character, 'ü');
    let again = parse(&collection.write()).unwrap();
    assert_eq!(again, collection);
    let values = again.node(1).property("GC").unwrap().values();
    assert_eq!(again.charset().decode(&values[0].bytes), "許 ]");
}

/// The law of every file that can be parsed.
fn writes_and_parses_to_itself(bytes: &[u8]) {
    if let Ok(collection) = parse(bytes) {
        let written = collection.write();
        assert_eq!(parse(&written).as_ref(), Ok(&collection));
        for flip in [false, true] {
            if let Ok(record) = interpret(&collection, &Options { flip, ..Options::default() }) {
                canonical_says_the_normal_form(&record);
            }
        }
    }
}

/// The law of every record that is legal enough.
fn canonical_says_the_normal_form(record: &Record) {
    let normal = normal_form(record);
    let file = from_record(record).write();
    let again = read(&file, &Options::default());
    assert_eq!(again.as_ref(), Ok(&normal), "{}", file.escape_ascii());
    assert_eq!(normal_form(&normal), normal);
    assert!(normal.nodes().iter().all(|node| node.stones.len() <= 1));
}

#[test]
fn samples_and_their_canonical_forms_round_trip() {
    for (_, bytes) in samples() {
        writes_and_parses_to_itself(&bytes);
    }
}

#[test]
fn random_bytes_never_panic() {
    arbtest(|u| {
        let len = u.arbitrary_len::<u8>()?;
        writes_and_parses_to_itself(u.bytes(len)?);
        Ok(())
    });
}

#[test]
fn random_tokens_never_panic_and_round_trip() {
    const TOKENS: [&[u8]; 32] = [
        b"(;",
        b"(;",
        b"(",
        b")",
        b")",
        b";",
        b"[",
        b"]",
        b"]",
        b"\\",
        b":",
        b"B",
        b"W[",
        b"B[jj]",
        b"W[iikk]",
        b"AB[aa:cc]",
        b"AE",
        b"C[",
        b"CA[Big5]",
        b"CA[gb18030]",
        b"CA[shift_jis]",
        b"\xb3",
        b"\x81",
        b"\xe3\x81\x82",
        b" ",
        b"\n",
        b"\r",
        b"SZ[5:9]",
        b"GM[4]",
        b"j10",
        b"Ab",
        b"RU[connect(9,9,3,2,1)]",
    ];
    arbtest(|u| {
        let mut bytes = Vec::new();
        while !u.is_empty() && bytes.len() < 400 {
            bytes.extend(*u.choose(&TOKENS)?);
        }
        writes_and_parses_to_itself(&bytes);
        Ok(())
    })
    .size_max(400);
}

#[test]
fn mutated_samples_never_panic_and_round_trip() {
    let samples: Vec<Vec<u8>> = samples().into_values().collect();
    arbtest(|u| {
        let mut bytes = u.choose(&samples)?.clone();
        for _ in 0..u.int_in_range(1..=6)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=3)? {
                0 => bytes[at] = u.arbitrary()?,
                1 => bytes.insert(at, *u.choose(b"()[];\\: \nBWabj\xb3\xff")?),
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => {
                    let other = u.choose(&samples)?;
                    let from = u.choose_index(other.len())?;
                    bytes.splice(at..at, other[from..].iter().copied());
                }
            }
        }
        writes_and_parses_to_itself(&bytes);
        Ok(())
    });
}

/// A tree of legal stones, or nearly: the sides are as they come.
fn random_record(u: &mut Unstructured<'_>) -> Drawn<Record> {
    let games = ["connect6", "gomoku-exact", "30,9,4,3,2", "55,3,4,9,19", "inf,4,2,3"];
    let mut record = Record::new(u.choose(&games)?.parse().unwrap());
    for key in ["PB", "GC", "odd", "RU"] {
        if u.ratio(1, 4)? {
            record.info.push((key.to_string(), text(u)?));
        }
    }
    if u.ratio(1, 4)? {
        let rules = ["renju", "Standard", "gomoku", " connect(", "caro\nrules"];
        record.info.push(("RU".to_string(), u.choose(&rules)?.to_string()));
    }
    for _ in 0..u.int_in_range(0..=30)? {
        let back = u.int_in_range(0..=3)?;
        let last = record.nodes().len() - 1;
        let parent = last.saturating_sub(back);
        let id = if u.ratio(1, 8)? { 0 } else { record.add(parent, record::Node::default()) };
        if id == 0 && !record.node(0).children().is_empty() {
            continue;
        }
        let mut node = record.node(id).clone();
        for _ in 0..*u.choose(&[0, 1, 1, 2, 3])? {
            let color = if u.arbitrary()? { Color::Black } else { Color::White };
            node.stones.push((color, fresh_square(&record, &node)));
        }
        if u.ratio(1, 6)? {
            for _ in 0..3 {
                let square = square(u, record.game)?;
                let free = |node: &record::Node| node.stones.iter().all(|s| s.1 != square);
                if record.path_to(id).iter().all(|&id| free(record.node(id))) && free(&node) {
                    node.setup.push((square, *u.choose(&[None, Some(Color::Black)])?));
                }
            }
        }
        if u.ratio(1, 8)? {
            node.player = Some(Color::White);
        }
        if u.ratio(1, 8)? {
            node.left = Some(u.int_in_range(0..=20)?);
        }
        if u.ratio(1, 4)? {
            node.comment = text(u)?;
            node.name = text(u)?;
            node.labels.push((square(u, record.game)?, text(u)?));
            for kind in [Mark::Cross, Mark::Triangle, Mark::Square, Mark::Circle] {
                if u.ratio(1, 4)? {
                    node.marks.push((square(u, record.game)?, kind));
                }
            }
            if u.ratio(1, 4)? {
                node.arrows.push((square(u, record.game)?, square(u, record.game)?));
                node.dimmed.push(square(u, record.game)?);
                node.results.push(text(u)?);
            }
        }
        record.set(id, node);
    }
    Ok(record)
}

/// A square without a stone or set-up at any node so far.
fn fresh_square(record: &Record, extra: &record::Node) -> Square {
    let used = |square: Square| {
        let mut nodes = record.nodes().iter().chain([extra]);
        nodes.any(|n| {
            n.stones.iter().any(|s| s.1 == square) || n.setup.iter().any(|s| s.0 == square)
        })
    };
    let all = (0..300).map(|i| match record.game.is_unbounded() {
        true => Square::new(i - 20, 3 - i),
        false => Square::new(i % record.game.cols() as i32, i / record.game.cols() as i32),
    });
    all.into_iter().find(|&s| !used(s)).unwrap()
}

fn square(u: &mut Unstructured<'_>, game: Game) -> Drawn<Square> {
    let mut coordinate = |size: u32| match size {
        0 => u.int_in_range(-30..=30),
        size => u.int_in_range(0..=size as i32 - 1),
    };
    Ok(Square::new(coordinate(game.cols())?, coordinate(game.rows())?))
}

fn text(u: &mut Unstructured<'_>) -> Drawn<String> {
    let parts = ["a", "]", "\\", ":", "\n", "\r", "\r\n", " ", "許", "(;", "\u{feff}", "\0"];
    (0..u.int_in_range(0..=6)?).map(|_| u.choose(&parts).copied()).collect()
}

#[test]
fn random_records_round_trip_through_their_canonical_files() {
    arbtest(|u| {
        canonical_says_the_normal_form(&random_record(u)?);
        Ok(())
    })
    .size_max(2_000);
}

/// Parses, interprets and writes; gives the numbers of nodes.
fn work(bytes: &[u8]) -> (usize, usize) {
    let collection = parse(bytes).unwrap();
    let record = interpret(&collection, &Options::default()).unwrap();
    let written = collection.write();
    assert_eq!(parse(&written).as_ref(), Ok(&collection));
    let canonical = from_record(&record);
    assert_eq!(canonical.clone().nodes().len(), canonical.nodes().len());
    (collection.nodes().len(), read(&canonical.write(), &Options::default()).unwrap().nodes().len())
}

#[test]
fn long_chains_and_many_siblings_need_no_stack() {
    // With a hundred bytes each on the stack that would be five times what a test has.
    const COUNT: usize = 100_000;
    let wrap = |head: &str, body: String| format!("(;{head}{body})").into_bytes();
    let stone = |i: usize| {
        let color = if i.div_ceil(2).is_multiple_of(2) { "B" } else { "W" };
        format!(";{color}[{},{}]", 2 * (i % 500), 2 * (i / 500))
    };
    let stones = wrap("RU[connect(inf,inf,6,2,1)]", (0..COUNT).map(stone).collect());
    assert_eq!(work(&stones), (COUNT + 1, COUNT + 1));
    let comments = wrap("", ";C[x]".repeat(COUNT));
    assert_eq!(work(&comments), (COUNT + 1, COUNT + 1));
    let siblings = wrap("", "(;B[jj])".repeat(COUNT));
    assert_eq!(work(&siblings), (COUNT + 1, COUNT + 1));
    let nested = wrap("", ["(;".repeat(COUNT), ")".repeat(COUNT)].concat());
    assert_eq!(work(&nested), (COUNT + 1, COUNT + 1));
}

#[test]
fn stones_left_are_read_and_bad_ones_refused() {
    let left = |value: &str| {
        let file = format!("(;AB[jj]PL[W]SXL[{value}])");
        read(file.as_bytes(), &Options::default()).map(|record| record.node(0).left)
    };
    assert_eq!(left("1"), Ok(Some(1)));
    assert_eq!(left(" 2 "), Ok(Some(2)));
    for bad in ["", "0", "3", "-1", "one", "99999999999"] {
        let error = left(bad).unwrap_err();
        assert_eq!(error.message, format!("`{bad}` is not a number of stones of a move"));
        assert_eq!(error.offset, 17);
    }
}

#[test]
fn properties_unknown_to_us_survive_the_canonical_form() {
    let file = "(;GM[511]SZ[19]KM[6.5]XX[a\\]b][c];B[jj]ZZ[1]C[hi];W[jhmk]YY[\u{9f20}])";
    let text = written(&read(file.as_bytes(), &Options::default()).unwrap());
    assert!(text.contains("RU[connect(19,19,6,2,1)]KM[6.5]XX[a\\]b][c]\n"), "{text}");
    assert!(text.contains(";B[jj]C[hi]ZZ[1];W[jh];W[mk]YY[\u{9f20}])"), "{text}");
    // Twice is the same as once, also from a legacy encoding.
    let again = written(&read(text.as_bytes(), &Options::default()).unwrap());
    assert_eq!(again, text);
    let latin = b"(;CA[ISO-8859-1]SZ[19]XX[\xe9\\]])";
    let text = written(&read(latin, &Options::default()).unwrap());
    assert!(text.contains("CA[UTF-8]") && text.contains("XX[\u{e9}\\]]"), "{text}");
}

fn written(record: &Record) -> String {
    String::from_utf8(from_record(record).write()).unwrap()
}
