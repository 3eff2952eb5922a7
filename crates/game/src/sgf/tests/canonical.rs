//! The canonical form of a file, as the module describes it.

use super::*;

#[test]
fn the_canonical_form_is_as_documented() {
    let mut record = Record::new(Game::CONNECT6);
    record.info = vec![("PB".into(), "a]b".into()), ("no key".into(), "lost".into())];
    let square = |name: &str| record.game.parse_square(name).unwrap();
    let (j10, i11, k9, k11) = (square("J10"), square("I11"), square("K9"), square("K11"));
    let black = record.add_stone(0, Color::Black, j10);
    let mut both = record::Node::default();
    both.stones = vec![(Color::White, i11), (Color::White, k9)];
    both.comment = "two\r\nlines".into();
    both.labels = vec![(j10, "a:b".into())];
    both.marks = vec![(k9, Mark::Cross), (i11, Mark::Triangle), (j10, Mark::Cross)];
    both.arrows = vec![(k9, i11)];
    both.dimmed = vec![k11];
    both.results = vec![r#"{"a":["]"]}"#.into(), String::new()];
    record.add(black, both);
    // A shared first stone: each of its second stones becomes a variation with both.
    let shared = record.add_stone(black, Color::White, i11);
    record.node_mut(shared).comment = "said once".into();
    record.add_stone(shared, Color::White, k9);
    record.add_stone(shared, Color::White, k11);
    let text = String::from_utf8(from_record(&record).write()).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "(;FF[4]GM[511]CA[UTF-8]AP[sixproof:{version}]SZ[19]RU[connect(19,19,6,2,1)]PB[a\\]b]\n\
         ;B[jj]\n\
         (;W[ii];W[kk]C[two\nlines]LB[jj:a\\:b]TR[ii]MA[kk][jj]AR[kk:ii]DD[ki]\
         SXR[{{\"a\":[\"\\]\"\\]}}])\n\
         (;W[ii]C[said once];W[kk])\n\
         (;W[ii];W[ki]))\n"
    );
    assert_eq!(text, expected);
    for (game, head) in [
        ("gomoku", "GM[4]CA[UTF-8]AP[sixproof:V]SZ[15]RU[connect(15,15,5,1,1)]"),
        ("gomoku-exact", "GM[4]CA[UTF-8]AP[sixproof:V]SZ[15]RU[connect(15,15,5,1,1,exact)]"),
        ("9,7,4,1,1", "GM[511]CA[UTF-8]AP[sixproof:V]SZ[9:7]RU[connect(9,7,4,1,1)]"),
        ("inf,6,2,1", "GM[511]CA[UTF-8]AP[sixproof:V]RU[connect(inf,inf,6,2,1)]"),
    ] {
        let record = Record::new(game.parse().unwrap());
        let text = String::from_utf8(from_record(&record).write()).unwrap();
        assert_eq!(text, format!("(;FF[4]{})\n", head.replace(":V]", &format!(":{version}]"))));
    }
}
