//! Tests of diagrams.

use super::*;
use crate::load;
use crate::moves::sample;
use crate::picture::{Mark, Picture, TerminalStyle};

const SAMPLE: &str = include_str!("../../../../suite/formats/diagram.txt");

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

fn names(position: &Position, color: Color) -> String {
    position.game().square_names(&position.squares_of(color).collect::<Vec<_>>())
}

/// Everything about a position in one line.
fn described(position: &Position) -> String {
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
    assert_eq!(described(&position), "connect6 | J10 | I8 H9 | black 2");
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
        assert_eq!(described(&position), "4,3,3,1,1 | B1 C1 | B2 | white 1", "{drawing}");
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
    assert_eq!(described(&position), "inf,6,2,1 | 0,6 | -1,5 | white 1");
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
        ("tic-tac-toe\ngomoku\n", "2:1+6: the game is said twice, and differently"),
        ("tictactoe\n...\n", "1:1+9: `tictactoe` is not a game; did you mean `tic-tac-toe`?"),
        ("...\nand so on\n...\n", "2:1+9: `and so on` is not a row"),
        ("...\nJ10 K11\n", "2:1+1: `J` is not a square"),
        ("..X\n.aX\n(a Black, b White)\n", "2:2+1: `a` is not a square"),
        ("someone to move\n", "1:1+15: who is to move?"),
    ] {
        let error = read(text, None).unwrap_err();
        let (line, column) = error.line_and_column(text.as_bytes());
        assert_eq!(format!("{line}:{column}+{}: {}", error.len, error.message), expected);
    }
    for (line, expected) in [
        ("White to move, 3 stones", "3 stones to place are not possible here; write 1 to 2"),
        ("White to move, 99999999999", "`99999999999` is not a number of stones"),
        ("origin 3,4", "`3,4` is not a square; write letters and a number as in `J10`"),
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
    for text in [
        "",
        "X",
        "XO",
        "connect6",
        "J10 / I8 H9",
        "JJ@@IIKI",
        "(;B[j10])",
        "19 6 2 1 0\na1",
        "X3 O4\nO5 X6",
        "So do\nwe two.",
        "Look:\nno\nboo\nwow\ncats and dogs\n",
    ] {
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
    .budget_ms(sixproof_oracle::effort(300, 1_000));
}

/// The two ways in which a terminal without colour shows a picture.
fn shown(picture: &Picture) -> [String; 2] {
    [true, false].map(|unicode| picture.terminal(TerminalStyle { unicode, ..Default::default() }))
}

#[test]
fn what_a_terminal_shows_reads_back_as_the_same_position() {
    arbtest::arbtest(|u| {
        let game = sample::game(u)?;
        let (record, last) = sample::line(u, game)?;
        let reached = record.reach(last).unwrap();
        let number = reached.played.last().map(|stone| stone.2);
        let last_move = reached.played.iter().filter(|stone| Some(stone.2) == number);
        let mut played = Picture::new(&reached.position)
            .last_move(last_move.map(|stone| stone.0))
            .coordinates(u.arbitrary()?);
        if u.arbitrary()? {
            played = played.numbers(reached.played.iter().map(|&(square, _, n)| (square, n)));
        }
        if u.arbitrary()? {
            played = played.caption("Black wins on J10: remarks of 2 lines may say all but whose turn it is, and are left out");
        }
        for text in shown(&played) {
            assert_eq!(read(&text, None).as_ref(), Ok(&reached.position), "{text}");
            assert_eq!(load::detect(text.as_bytes()), Some(load::Format::Diagram), "{text}");
        }
        let set_up = sample::position(u, game)?;
        // The picture of a game that is over does not show the turn.
        if set_up.winner().is_none() && !set_up.is_full() {
            for text in shown(&Picture::new(&set_up)) {
                assert_eq!(read(&text, None).as_ref(), Ok(&set_up), "{text}");
            }
        }
        Ok(())
    })
    .budget_ms(sixproof_oracle::effort(500, 2_000));
}

#[test]
fn a_part_of_the_board_is_read_unless_stones_are_missing() {
    let game = Game::CONNECT6;
    let at = |name: &str| game.parse_square(name).unwrap();
    let position =
        Position::set_up(game, &[at("J10")], &[at("I8"), at("H9")], Color::Black, 1).unwrap();
    for text in shown(&Picture::new(&position).window(at("F5"), at("L12"))) {
        assert_eq!(read(&text, None).as_ref(), Ok(&position), "{text}");
    }
    for text in shown(&Picture::new(&position).window(at("A1"), at("I10"))) {
        let error = read(&text, None).unwrap_err();
        assert_eq!(error.message, "stones are missing in this picture");
        assert!(looks_like_diagram(&text));
    }
    let error = read("connect6\norigin S18\n..\n..\n", None).unwrap_err();
    assert_eq!(error.message, "the row goes beyond the board, to T19");
}

#[test]
fn labels_marks_and_ghosts_are_not_taken_for_stones() {
    let game = Game::CONNECT6;
    let position = Position::new(game);
    let (square, picture) = (Square::new(9, 9), Picture::new(&position));
    for picture in [
        picture.clone().label(square, "b"),
        picture.clone().label(square, "7"),
        picture.clone().mark(square, Mark::Cross),
        picture.clone().mark(square, Mark::Square),
        picture.clone().ghost(square, Color::White, None),
    ] {
        for text in shown(&picture) {
            let error = read(&text, None).unwrap_err();
            assert!(error.message.ends_with("is not a square"), "{error}\n{text}");
            assert!(looks_like_diagram(&text));
        }
    }
    for label in ["X", "O2", "●", "○"] {
        for text in shown(&picture.clone().label(square, label)) {
            assert_ne!(read(&text, None).map(|p| p.stones().count()), Ok(1), "{text}");
        }
    }
}

#[test]
fn numbered_and_bracketed_stones_are_stones() {
    let game = game("4,3,3,1,1");
    for drawing in [
        "(X1) . . O10\n.  X3|X100 .\n. . . O20\n",
        "●1 · · ○10\n· (●3|●100)·\n· · · ○20\n",
        "3 X1..O10 3\n2 .X3X100. 2\n1 ...O20 1\n",
    ] {
        let position = read(drawing, Some(game)).unwrap();
        assert_eq!(described(&position), "4,3,3,1,1 | B2 C2 A3 | D1 D3 | white 1", "{drawing}");
        assert!(looks_like_diagram(drawing), "{drawing}");
    }
    let position = read("X0X0\n0X00\n....\n", Some(game)).unwrap();
    assert_eq!(names(&position, Color::White), "A2 C2 D2 B3 D3");
}

#[test]
fn a_turn_may_be_said_twice_but_not_differently() {
    let board = "......\n".repeat(6);
    let turn = |first: &str, second: &str| {
        let text = format!("{first}\n{board}{second}\n");
        assert!(looks_like_diagram(&text));
        read(&text, None).map(|p| (p.to_move(), p.left())).map_err(|e| (e.offset, e.message))
    };
    assert_eq!(turn("White to move", "White to move, 1 stone"), Ok((Color::White, 1)));
    assert_eq!(turn("White to move, 1 stone", "white to play"), Ok((Color::White, 1)));
    assert_eq!(turn("White to play and win in 3", "to-move white 2"), Ok((Color::White, 2)));
    let error = |offset, message: &str| Err((offset, message.to_string()));
    assert_eq!(
        turn("White to move", "Black to move"),
        error(56, "the side to move is said twice, and differently")
    );
    assert_eq!(
        turn("White to move, 1 stone", "White to move, 2 stones"),
        error(65, "how many stones are left is said twice, and differently")
    );
    let won =
        read("6,6,6,2,1 - Black has won\n......\n......\n......\n......\n......\n......\n", None);
    assert_eq!(won.unwrap_err().message, "Black has not won here");
}

#[test]
fn wrong_diagrams_look_like_diagrams() {
    for text in [
        "...\n..\n",
        "...\n.Z.\n",
        "Some board\n3 . . .\n2 . * .\n1 . . .\n",
        "White to move\n...\n...\n...\nBlack to move\n",
        ". . .\n. . X\nO X Q\n",
    ] {
        assert!(looks_like_diagram(text), "{text}");
        assert!(read(text, None).is_err(), "{text}");
    }
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
