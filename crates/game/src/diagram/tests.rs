//! Tests of diagrams.

use super::*;
use crate::moves::sample;

const SAMPLE: &str = include_str!("../../../../suite/formats/diagram.txt");

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

fn names(position: &Position, color: Color) -> String {
    position.game().square_names(&position.squares_of(color).collect::<Vec<_>>())
}

/// Everything about a position in one line.
fn told(position: &Position) -> String {
    format!(
        "{} | {} | {} | {} {}",
        position.game(),
        names(position, Color::Black),
        names(position, Color::White),
        position.to_move(),
        position.left()
    )
}

#[test]
fn the_sample_file_is_read_and_written_unchanged() {
    let position = read(SAMPLE, None).unwrap();
    assert_eq!(told(&position), "connect6 | J10 | I8 H9 | black 2");
    assert_eq!(write(&position), SAMPLE);
    assert!(looks_like_diagram(SAMPLE));
}

#[test]
fn drawings_of_many_kinds_are_the_same_position() {
    let drawings = [
        "....\n.O..\n.XX.\n",
        ". . . .\r\n. O . .\r\n. X X .\r\n",
        "  A B C D\n3 . . . . 3\n2 . O . . 2\n1 . X X . 1\n  A B C D\n",
        "  abcd\n1 ____\n2 _w__\n3 _bb_\n",
        "+----+\n|    |\n|....|\n|.O..|\n|.XX.|\n+----+\n",
        "3|. . . .|\n2|. O . .|\n1|. X X .|\n +-------+\n",
        "┌─┬─┬─┐\n│ │ │ │\n├─○─┼─┤\n│ │ │ │\n└─●─●─┘\n",
        "┌┬┬┐\n├○┼┤\n└●●┘\n",
        "╔════╗\n║....║\n║.0..║\n║.##.║\n╚════╝\n",
        "```\n0 1 2 3\n- - - -\n- ⚪ - -\n- ⚫\u{fe0f} ⚫\u{fe0f} -\n```\n",
        "2 ....\n1 .0..\n0 .@@.\n",
        "·  ·  ·  ·\n\n·  ○  ·  ·\n\n·  ●  ●  ·\n",
    ];
    for drawing in drawings {
        let position = read(drawing, Some(game("4,3,3,1,1"))).unwrap();
        assert_eq!(told(&position), "4,3,3,1,1 | B1 C1 | B2 | white 1", "{drawing}");
        assert!(looks_like_diagram(drawing), "{drawing}");
    }
}

#[test]
fn zeros_at_the_ends_of_rows_are_white_stones() {
    let position = read("0..\n0.0\nXXX\n", Some(game("3,3,3,1,1"))).unwrap();
    assert_eq!(names(&position, Color::White), "A2 C2 A3");
    let position = read("3 0 . .\n2 0 . 0\n1 X X X\n", Some(game("3,3,3,1,1"))).unwrap();
    assert_eq!(names(&position, Color::White), "A2 C2 A3");
}

#[test]
fn the_game_is_given_or_named_or_connect6_of_that_size() {
    let board = "......\n".repeat(6);
    assert_eq!(read(&board, None).unwrap().game(), game("6,6,6,2,1"));
    for line in ["Connect(6,6,4,2,2)", "6,6,4,2,2", "game 6 6 4 2 2", "Game: 6,6,4,2,2"] {
        let text = format!("{line}\n{board}");
        assert_eq!(read(&text, None).unwrap().game(), game("6,6,4,2,2"), "{line}");
        assert_eq!(read(&text, Some(game("6,6,5,1,1"))).unwrap().game(), game("6,6,5,1,1"));
    }
    let exact = format!("{board}game 6 6 4 2 2 exact\n");
    assert_eq!(read(&exact, None).unwrap().game(), game("6,6,4,2,2,exact"));
}

#[test]
fn the_side_to_move_is_said_or_follows_from_the_counts() {
    let of = |stones: &str, line: &str| {
        let text = format!("{stones}\n......\n......\n......\n......\n......\n{line}\n");
        let position = read(&text, None).unwrap();
        (position.to_move(), position.left())
    };
    use Color::{Black, White};
    assert_eq!(of("......", ""), (Black, 1));
    assert_eq!(of("X.....", ""), (White, 2));
    assert_eq!(of("XO....", ""), (White, 1));
    assert_eq!(of("XOO...", ""), (Black, 2));
    assert_eq!(of("XOO...", "white to play"), (White, 2));
    assert_eq!(of("XOO...", "White to move, 1 stone"), (White, 1));
    assert_eq!(of("XOO...", "to-move black 1"), (Black, 1));
    assert_eq!(of("XXX...", ""), (White, 2));
    assert_eq!(of("OOO...", ""), (Black, 2));
    assert_eq!(of("XXXOO.", "to move: white"), (White, 2));
}

#[test]
fn unbounded_boards_have_an_origin_or_a_list() {
    let game = game("inf,6,2,1");
    let text = "origin -1,5\n.X\nO.\n";
    let position = read(text, Some(game)).unwrap();
    assert_eq!(told(&position), "inf,6,2,1 | 0,6 | -1,5 | white 1");
    assert_eq!(write(&position), "Connect(6,2,1)\nWhite to move, 1 stone\norigin -1,5\n. X\nO .\n");
    let far = Position::set_up(
        game,
        &[Square::new(0, 0), Square::new(900_000, -4)],
        &[Square::new(7, 7)],
        Color::White,
        1,
    )
    .unwrap();
    let written = write(&far);
    assert_eq!(written, "Connect(6,2,1)\nWhite to move, 1 stone\nblack 900000,-4 0,0\nwhite 7,7\n");
    assert_eq!(read(&written, None), Ok(far));
    assert!(looks_like_diagram(&written));
}

#[test]
fn errors_have_line_and_column() {
    let c6 = "......\n......\n......\n......\n......\n";
    for (text, expected) in [
        ("", "1:1+1: there is no board here"),
        ("Connect(19,19,6,2,1)\n", "2:1+1: there is no board here"),
        ("...\n.X.\n...\n", "1:1+1: which game is this? no line of 6 fits on a board of 3 x 3"),
        ("...\n..\n", "2:1+2: row 2 has 2 squares, the first row has 3"),
        ("...\n.*.\n", "2:2+1: `*` is not a square"),
        ("...\n.ä.\n", "2:2+2: `ä` is not a square"),
        ("3 ...\n2 ...\n4 ...\n", "3:1+1: row number 4 where 1 is due"),
        ("3 ...\n3 ...\n", "2:1+1: row number 3 where 4 is due"),
        ("3 ...\n...\n1 ...\n", "2:1+3: this row has no number, others have one"),
        ("game 3 3 4 1 1\n...\n", "1:1+14: no line of 4 fits on a board of 3 x 3"),
        (
            "Connect(3,3\n...\n",
            "1:1+11: `Connect(3,3` is not a game; write connect6, gomoku, gomoku-exact, \
             tic-tac-toe, m,n,k,p,q[,exact] or inf,k,p,q[,exact]",
        ),
        (
            "tic-tac-toe\n....\n",
            "2:1+4: the diagram is of 4 x 1 squares, the board of Connect(3,3,3,1,1) of 3 x 3",
        ),
        ("tic-tac-toe\ntic-tac-toe\n", "2:1+11: the game is said twice"),
        ("someone to move\n", "1:1+15: who is to move?"),
    ] {
        let error = read(text, None).unwrap_err();
        let (line, column) = error.line_and_column(text.as_bytes());
        assert_eq!(format!("{line}:{column}+{}: {}", error.len, error.message), expected);
    }
    for (line, expected) in [
        ("White to move, 3 stones", "3 stones to place are not possible here; write 1 to 2"),
        ("White to move, 99999999999", "`99999999999` is not a number of stones"),
        ("origin 3,4", "only a diagram of the unbounded board has an origin"),
        ("white A1 A1", "there are two stones on `A1`"),
        ("white T1", "`T1` is off the board of 6 x 5 (A1 to F5)"),
    ] {
        let text = format!("{c6}{line}\n");
        let error = read(&text, None).unwrap_err();
        assert_eq!((error.line_and_column(text.as_bytes()).0, &*error.message), (6, expected));
    }
}

#[test]
fn other_texts_do_not_look_like_diagrams() {
    for text in
        ["", "X", "XO", "connect6", "J10 / I8 H9", "JJ@@IIKI", "(;B[j10])", "19 6 2 1 0\na1"]
    {
        assert!(!looks_like_diagram(text), "{text}");
    }
}

#[test]
fn what_is_drawn_reads_back_as_the_same_position() {
    arbtest::arbtest(|u| {
        let game = sample::game(u)?;
        let position = sample::position(u, game)?;
        let text = write(&position);
        assert_eq!(read(&text, None), Ok(position.clone()), "{text}");
        assert_eq!(read(&text, Some(game)), Ok(position));
        assert!(looks_like_diagram(&text), "{text}");
        Ok(())
    })
    .budget_ms(1_000);
}

#[test]
fn any_text_is_read_or_refused_without_a_panic() {
    for text in [SAMPLE, "origin -1,5\ninf,6,2,1\n.X\nO.\n", "1 ┌─┬─┐ 1\n2 ├─●─┤ 2\nwhite A1"]
    {
        sample::check_text_reader(text, |text| {
            looks_like_diagram(text);
            read(text, None)
        });
    }
}

#[test]
fn a_diagram_of_too_many_rows_is_refused() {
    let error = read(&"..\n".repeat(1_001), None).unwrap_err();
    assert_eq!(error.message, "there are more than 1000 rows");
    let error = read(&".".repeat(1_001), None).unwrap_err();
    assert_eq!(error.message, "there are more than 1000 columns");
}
