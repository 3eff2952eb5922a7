//! The move list of the program connectk: a header `size k p q winner`, then one stone a line.
//!
//! ```text
//! 19 6 2 1 0
//! j10
//! i8
//! h9
//! ```
//!
//! Columns are letters from `a` (none is skipped), rows count from the bottom. A capital `B` or `W`
//! before the square (`Bj10`) names the side; the program itself writes none, and neither do we.
//! The winner is 0 for a game without one, 1 for Black, 2 for White; it may be missing.

use crate::moves::Unwritable;
use crate::moves::input::{Line, Part, info, moves_to};
use crate::{Color, Game, InputError, NodeId, Record};

/// Whether a text starts with the header of a connectk move list.
pub fn looks_like_connectk(text: &str) -> bool {
    let first = Part::whole(text).lines().find(|line| !line.text.is_empty());
    first.is_some_and(|line| {
        let numbers: Vec<_> = line.words(char::is_whitespace).map(Part::number).collect();
        (4..=5).contains(&numbers.len()) && numbers.iter().all(Option::is_some)
    })
}

/// Reads a move list.
pub fn read(text: &str) -> Result<Record, InputError> {
    let mut lines = Part::whole(text).lines().filter(|line| !line.text.is_empty());
    let header = lines.next().unwrap_or(Part { text: "", offset: text.len() });
    let (game, winner) = read_header(header)?;
    let mut line = Line::new(game);
    line.inform("RE", winner);
    for part in lines {
        let (color, name) = match part.text.as_bytes() {
            [b'B', b'a'..=b'z', ..] => (Some(Color::Black), part.slice(1, part.text.len())),
            [b'W', b'a'..=b'z', ..] => (Some(Color::White), part.slice(1, part.text.len())),
            _ => (None, part),
        };
        let square = game.parse_square(name.text).map_err(|e| name.error(e.to_string()))?;
        let color = color.unwrap_or(line.position().to_move());
        line.place_as(color, square, part.offset, part.text.len())?;
    }
    Ok(line.finish())
}

fn read_header(header: Part<'_>) -> Result<(Game, &'static str), InputError> {
    let help = "the first line is `size k p q winner`, as in `19 6 2 1 0`";
    let words: Vec<Part<'_>> = header.words(char::is_whitespace).collect();
    let mut numbers = Vec::new();
    for word in &words {
        let number = word.number();
        let message = || word.error(format!("{} is not a number", word.quoted())).help(help);
        numbers.push(number.ok_or_else(message)?);
    }
    let (size, k, p, q, winner) = match numbers[..] {
        [size, k, p, q] => (size, k, p, q, 0),
        [size, k, p, q, winner] => (size, k, p, q, winner),
        _ => {
            let message = format!("the header has {} numbers, not 5", numbers.len());
            return Err(header.error(message).help(help));
        }
    };
    let winner = match winner {
        0 => "",
        1 => "B+",
        2 => "W+",
        _ => {
            let message = format!("the winner is 0, 1 or 2, not {winner}");
            return Err(words[4].error(message).help(help));
        }
    };
    if size == 0 {
        return Err(words[0].error("a board of 0 x 0 is not possible").help(help));
    }
    let game = Game::new(size, size, k, p, q, false);
    Ok((game.map_err(|e| header.error(e.to_string()).help(help))?, winner))
}

/// The line from the root to a node as a move list.
pub fn write(record: &Record, node: NodeId) -> Result<String, Unwritable> {
    let game = record.game;
    if game.is_unbounded() || game.cols() != game.rows() || game.exact() {
        let reason = "connectk's move list holds square boards without the exact rule only";
        return Err(Unwritable(reason.to_string()));
    }
    let winner = match info(record, "RE").as_bytes() {
        [b'B', b'+', ..] => 1,
        [b'W', b'+', ..] => 2,
        _ => 0,
    };
    let (size, k, p, q) = (game.cols(), game.k(), game.p(), game.q());
    let mut text = format!("{size} {k} {p} {q} {winner}\n");
    for square in moves_to(record, node)?.into_iter().flatten() {
        text += &game.square_name(square).to_ascii_lowercase();
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::{self, sample};

    const SAMPLE: &str = include_str!("../../../suite/formats/connectk.txt");

    #[test]
    fn the_sample_file_is_read_and_written_unchanged() {
        let record = read(SAMPLE).unwrap();
        assert_eq!(record.game, Game::CONNECT6);
        let end = record.main_line_end(0);
        assert_eq!(moves::write(&record, end).unwrap(), "J10 / I8 H9 / K11 L10");
        assert_eq!(write(&record, end).unwrap(), SAMPLE);
        assert!(looks_like_connectk(SAMPLE));
    }

    #[test]
    fn sides_may_be_named() {
        let record = read("19 6 2 1\nBj10\nWi8\nh9\n").unwrap();
        assert_eq!(moves::write(&record, 3).unwrap(), "J10 / I8 H9");
        let wide = read("59 6 2 1 2\nba1\n").unwrap();
        assert_eq!(moves::write(&wide, 1).unwrap(), "BA1");
        assert_eq!(wide.info, [("RE".to_string(), "W+".to_string())]);
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, expected) in [
            ("", "1:1: the header has 0 numbers, not 5"),
            ("19 6 2\n", "1:1: the header has 3 numbers, not 5"),
            ("19 6 two 1 0\n", "1:6: `two` is not a number"),
            ("19 6 2 1 3\n", "1:10: the winner is 0, 1 or 2, not 3"),
            ("0 6 2 1 0\n", "1:1: a board of 0 x 0 is not possible"),
            ("5 6 2 1 0\n", "1:1: no line of 6 fits on a board of 5 x 5"),
            ("19 6 2 1 0\nj10\n\n  t1\n", "4:3: `t1` is off the board of 19 x 19 (A1 to S19)"),
            ("19 6 2 1 0\nWj10\n", "2:1: a white stone where black has 1 to place"),
        ] {
            let error = read(text).unwrap_err();
            let (line, column) = error.line_and_column(text.as_bytes());
            assert_eq!(format!("{line}:{column}: {}", error.message), expected);
        }
    }

    #[test]
    fn what_is_written_reads_back_as_the_same_record() {
        arbtest::arbtest(|u| {
            let (size, p, q) = (u.int_in_range(1..=59)?, u.int_in_range(1..=9)?, 3);
            let k = u.int_in_range(1..=size.min(19))?;
            let game = Game::new(size, size, k, p, q, false).unwrap();
            let (mut record, end) = sample::line(u, game)?;
            if u.arbitrary()? {
                record.info.push(("RE".to_string(), "B+".to_string()));
            }
            assert_eq!(read(&write(&record, end).unwrap()), Ok(record));
            Ok(())
        });
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic() {
        sample::check_text_reader(SAMPLE, |text| {
            looks_like_connectk(text);
            read(text)
        });
    }
}
