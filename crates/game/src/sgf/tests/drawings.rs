//! Marks with their kinds, arrows, dimmed squares and results.

use super::*;

fn square(name: &str) -> Square {
    Game::CONNECT6.parse_square(name).unwrap()
}

fn first_node(text: &str) -> record::Node {
    read(text.as_bytes(), &Options::default()).unwrap().node(0).clone()
}

#[test]
fn marks_keep_their_kind_and_lists_may_have_rectangles() {
    let node = first_node("(;MA[aa]TR[bb]SQ[cc]CR[dd:ed]TR[ff])");
    let expected = [
        ("A19", Mark::Cross),
        ("B18", Mark::Triangle),
        ("C17", Mark::Square),
        ("D16", Mark::Circle),
        ("E16", Mark::Circle),
        ("F14", Mark::Triangle),
    ];
    assert_eq!(node.marks, expected.map(|(name, kind)| (square(name), kind)));
    canonical_says_the_normal_form(
        &read(b"(;MA[aa]TR[bb];B[jj]CR[jj])", &Options::default()).unwrap(),
    );
}

#[test]
fn arrows_and_dimmed_squares_are_read_or_kept_as_they_are() {
    let node = first_node("(;AR[aa:cc][b2:jj]DD[aa:ba][cc])");
    assert_eq!(node.arrows, [(square("A19"), square("C17")), (square("B2"), square("J10"))]);
    assert_eq!(node.dimmed, [square("A19"), square("B19"), square("C17")]);
    assert!(node.unknown().is_empty());
    for (text, ident) in [
        ("(;AR[aa])", "AR"),
        ("(;AR[aa:cc][what?])", "AR"),
        ("(;AR[aabb:cc])", "AR"),
        ("(;DD[])", "DD"),
        ("(;DD[aa][])", "DD"),
        ("(;DD[a:b])", "DD"),
    ] {
        let node = first_node(text);
        assert!(node.arrows.is_empty() && node.dimmed.is_empty(), "{text}");
        assert_eq!(node.unknown()[0].0, ident, "{text}");
        let written = from_record(&read(text.as_bytes(), &Options::default()).unwrap()).write();
        let kept = text.trim_start_matches("(;");
        assert!(String::from_utf8(written).unwrap().trim_end().ends_with(kept), "{text}");
    }
}

#[test]
fn results_are_texts_of_their_own() {
    let node = first_node("(;SXR[{\"a\": [1\\]}][two]SXR[][three])");
    assert_eq!(node.results, ["{\"a\": [1]}", "two", "three"]);
}
