//! Tests of move lists.

use super::*;
use crate::moves::sample;
use crate::{Position, Square};

const INLINE: &str = include_str!("../../../../suite/formats/inline.txt");
const LITTLE_GOLEM: &str = include_str!("../../../../suite/formats/little-golem.txt");

fn unbounded() -> Game {
    "inf,6,2,1".parse().unwrap()
}

/// The error of reading as `line:column: message`.
fn error(game: Game, text: &str) -> String {
    let error = read(game, text).unwrap_err();
    let (line, column) = error.line_and_column(text.as_bytes());
    format!("{line}:{column}+{}: {}", error.len, error.message)
}

fn rewritten(game: Game, text: &str) -> String {
    let record = read(game, text).unwrap();
    write(&record, record.main_line_end(0)).unwrap()
}

#[test]
fn the_sample_files_are_read() {
    assert_eq!(rewritten(Game::CONNECT6, INLINE), "J10 / I8 H9 / K11 L10 / H10 H11 / K9 M11");
    let record = read(Game::CONNECT6, LITTLE_GOLEM).unwrap();
    assert_eq!(record.info, [("RE".to_string(), "B+R".to_string())]);
    let end = record.main_line_end(0);
    assert_eq!(write(&record, end).unwrap(), "J10 / I9 L10 / J8 L8 / K9 J9 / M7 N6");
    assert_eq!(write_little_golem(&record, end).unwrap(), "1.j10 2.i9l10 3.j8l8 4.k9j9 5.m7n6");
}

#[test]
fn many_spellings_mean_the_same_moves() {
    for text in [
        "J10 / I8 H9 / K11",
        "j10/i8 h9/k11",
        "J10;I8 H9;K11",
        "J10 I8 H9 K11",
        "J10, I8, H9, K11",
        "j10i8h9k11",
        "1.j10 2.i8h9 3.k11",
        "1. J10\r\n2. I8 H9\r\n3. K11\r\n",
        "1.J10 / 2.I8 H9 / 3.K11",
    ] {
        assert_eq!(rewritten(Game::CONNECT6, text), "J10 / I8 H9 / K11", "{text}");
        assert!(looks_like_moves(text), "{text}");
    }
    assert_eq!(rewritten(unbounded(), "0,0 / -1,1 2,0"), "0,0 / -1,1 2,0");
    assert_eq!(rewritten(unbounded(), "0,0 J10 2,0"), "0,0 / 9,9 2,0");
    assert!(looks_like_moves("0,0 / -1,1 2,0"));
}

#[test]
fn other_texts_do_not_look_like_moves() {
    for text in
        ["", " / ", "connect6", "tx-h9", "resign", "19 6 2 1 0", "X O .", "JJ@@IIKI", "(;B[j10])"]
    {
        assert!(!looks_like_moves(text), "{text}");
    }
}

#[test]
fn errors_point_at_the_stone_or_the_move() {
    let game = Game::CONNECT6;
    for (text, expected) in [
        ("J10 / I8 / K11 L10", "1:7+2: White's move has 1 of its 2 stones"),
        ("J10 / I8 H9 / K11 /", "1:15+3: Black's move has 1 of its 2 stones"),
        ("J10 I8 / H9", "1:5+2: `I8` is one stone too many in this move"),
        ("J10 /\nI8 T9", "2:4+2: `T9` is off the board of 19 x 19 (A1 to S19)"),
        (
            "J10 / I8 J10",
            "1:10+3: no stone can be placed on J10: the square is taken by a black stone",
        ),
        ("J10 / / I8", "1:7+1: there is no move before the separator"),
        ("/ J10", "1:1+1: there is no move before the separator"),
        ("1.j10 3.i8h9", "1:7+1: move number 3 where 2 is due"),
        ("1.j10 99999999999.i8h9", "1:7+11: move number 99999999999 where 2 is due"),
        ("1.j10 2.resign j9", "1:16+2: there is more after `resign`"),
        ("1.j10 2.swap", "1:9+4: the swap rule is not part of these games"),
        ("J10 / ä8 H9", "1:7+3: `ä8` is not a square; write letters and a number as in `J10`"),
        ("hello", "1:1+5: `hello` is not a square; write letters and a number as in `J10`"),
    ] {
        assert_eq!(error(game, text), expected);
    }
    assert_eq!(
        error(unbounded(), "0,0 / 1,2,3"),
        "1:7+5: `1,2,3` is not a square; write x,y as in `-3,4`"
    );
}

#[test]
fn a_completed_line_ends_its_move_and_the_game() {
    let game: Game = "9,9,3,2,1".parse().unwrap();
    let text = "A1 / A9 B9 / A2 A3";
    assert_eq!(rewritten(game, text), text);
    let game: Game = "9,9,3,3,1".parse().unwrap();
    assert_eq!(rewritten(game, "A1 / A9 C9 E9 / A2 A3"), "A1 / A9 C9 E9 / A2 A3");
    assert_eq!(
        error(game, "A1 / A9 C9 E9 / A2 A3 D4"),
        "1:23+2: no stone can be placed on D4: the game is over: black has won"
    );
}

#[test]
fn set_up_stones_and_moves_out_of_turn_are_not_written() {
    let mut record = Record::new(Game::CONNECT6);
    let end = record.add_stone(0, Color::White, Square::new(0, 0));
    assert_eq!(
        write(&record, end).unwrap_err().to_string(),
        "a white stone where black has 1 to place"
    );
    record.node_mut(0).setup.push((Square::new(3, 3), Some(Color::Black)));
    assert!(write(&record, end).unwrap_err().to_string().contains("set-up"));
}

#[test]
fn what_is_written_reads_back_as_the_same_record() {
    arbtest::arbtest(|u| {
        let game = sample::game(u)?;
        let (record, end) = sample::line(u, game)?;
        assert_eq!(read(game, &write(&record, end).unwrap()), Ok(record.clone()));
        if !game.is_unbounded() {
            assert_eq!(read(game, &write_little_golem(&record, end).unwrap()), Ok(record));
        }
        Ok(())
    });
}

#[test]
fn any_text_is_read_or_refused_without_a_panic() {
    for text in [INLINE, LITTLE_GOLEM, "0,0 / -1,1 2,0"] {
        sample::check_text_reader(text, |text| {
            looks_like_moves(text);
            read(unbounded(), text).ok();
            read(Game::CONNECT6, text)
        });
    }
}

#[test]
fn an_endless_unbounded_game_is_refused() {
    let game: Game = "inf,19,1,1".parse().unwrap();
    let stones = (0..=input::STONES_MAX).map(|i| format!("{},{}", 2 * (i % 100), 2 * (i / 100)));
    let text = stones.collect::<Vec<_>>().join(" ");
    assert_eq!(error(game, &text).split(": ").nth(1), Some("there are more than 10000 stones"));
}

#[test]
fn the_position_after_a_partial_move_has_stones_left() {
    let record = read(Game::CONNECT6, "J10 / I8").unwrap();
    let mut position = Position::new(record.game);
    for id in record.path_to(record.main_line_end(0)) {
        for &(_, square) in &record.node(id).stones {
            position.place(square).unwrap();
        }
    }
    assert_eq!((position.to_move(), position.left()), (Color::White, 1));
}

/// The position after moves from the empty board.
fn after(game: &str, text: &str) -> Position {
    let record = read(game.parse().unwrap(), text).unwrap();
    record.reach(record.main_line_end(0)).unwrap().position
}

#[test]
fn a_single_move_is_read_in_any_spelling_and_played() {
    let position = after("connect6", "J10 / I8 H9");
    for text in ["K11 L10", "k11l10", " K11, L10 "] {
        let (squares, reached) = read_move(&position, text).unwrap();
        assert_eq!(position.game().square_names(&squares), "K11 L10");
        assert_eq!(reached, after("connect6", "J10 / I8 H9 / K11 L10"));
    }
    let rest = after("connect6", "J10 / I8 H9 / K11");
    assert_eq!(read_move(&rest, "L10").unwrap().1, after("connect6", "J10 / I8 H9 / K11 L10"));
}

#[test]
fn a_single_move_must_be_complete_unless_it_ends_the_game() {
    let position = after("connect6", "J10 / I8 H9");
    let error = |text: &str| {
        let error = read_move(&position, text).unwrap_err();
        format!("{}+{}: {}", error.offset, error.len, error.message)
    };
    assert_eq!(error(""), "0+1: there is no square in this move");
    assert_eq!(error("K11"), "0+3: Black's move has 1 of its 2 stones");
    assert_eq!(error("K11 L10 M9"), "8+2: `M9` is one stone too many in this move");
    assert_eq!(error("K11 / L10"), "4+1: `/` does not belong to a single move");
    assert!(error("K11 I8").ends_with("on I8: the square is taken by a white stone"));
    assert!(error("K11 T1").starts_with("4+2: `T1` is off the board"));
    assert!(error("pass").starts_with("0+4: "));
    let won = after("5,5,3,2,1", "A1 / A5 B5 / B1 E4 / A4 B4");
    assert_eq!(read_move(&won, "C1").unwrap().1.winner(), Some(Color::Black));
    assert!(read_move(&won, "C1 D1").unwrap_err().message.contains("game is over"));
    let last = after("2,2,2,4,1", "A1");
    assert_eq!(read_move(&last, "B2").unwrap_err().message, "White's move has 1 of its 4 stones");
}

#[test]
fn stones_of_a_move_may_be_read_one_after_the_other() {
    let position = after("connect6", "J10 / I8 H9");
    let (squares, half) = read_stones(&position, "k11").unwrap();
    assert_eq!(position.game().square_names(&squares), "K11");
    assert_eq!((half.to_move(), half.left()), (Color::Black, 1));
    let (_, whole) = read_stones(&half, "L10").unwrap();
    assert_eq!(whole, after("connect6", "J10 / I8 H9 / K11 L10"));
    assert_eq!(read_stones(&position, " ").unwrap_err().message, "there is no square in this move");
    assert!(read_stones(&half, "L10 M9").unwrap_err().message.contains("one stone too many"));
}
