//! Gomocup's `.psq` records, as the manager Piskvork writes them.
//!
//! ```text
//! Piskvorky 20x20, 11:11, 0
//! 11,11,0
//! 12,10,1024
//! pbrain-first.exe
//! pbrain-second.exe
//! -1
//! ```
//!
//! The header has columns, rows, the levels of the two players, and who began: with 1 the second
//! player was Black. Stones are `x,y,milliseconds` from 1, from the top left. Then come the names
//! of the players, if any, and a result code that does not name the winner. Times, levels and the
//! code are not kept. The file does not name its rules: by default five in a row win, or more.

use encoding_rs::Encoding;

use crate::moves::Unwritable;
use crate::moves::input::{Line, Part, guess_encoding, info, moves_to};
use crate::{Game, InputError, NodeId, Record, Square};

/// The beginning of every file.
const MAGIC: &str = "Piskvorky ";

/// Whether bytes start like a `.psq` file.
pub fn looks_like_psq(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(MAGIC.as_bytes())
}

/// Reads a file. A game given is taken for its k, p, q and rule, on the board of the file.
pub fn read(bytes: &[u8], game: Option<Game>) -> Result<Record, InputError> {
    let mut lines = lines(bytes).filter(|(_, line)| !line.is_empty()).peekable();
    let (offset, header) = lines.next().unwrap_or((bytes.len(), b""));
    let (game, swapped) = read_header(as_text(offset, header), game)?;
    let mut line = Line::new(game);
    while let Some((offset, text)) = lines.next_if(|(_, text)| is_stone(text)) {
        let part = as_text(offset, text);
        line.place(read_square(game, part)?, part.offset, part.text.len())?;
    }
    let mut names = lines.map(|(_, text)| text).take_while(|text| !is_code(text));
    let names = [names.next().unwrap_or_default(), names.next().unwrap_or_default()];
    let encoding: &Encoding = guess_encoding(names.into_iter());
    let [first, second] = names.map(|name| encoding.decode_without_bom_handling(name).0);
    let (black, white) = if swapped { (second, first) } else { (first, second) };
    line.inform("PB", &black);
    line.inform("PW", &white);
    Ok(line.finish())
}

/// Whether a line is read as a stone.
fn is_stone(line: &[u8]) -> bool {
    line[0].is_ascii_digit() && line.contains(&b',')
}

/// Whether a line is a number alone: the result code. Later versions add more after it.
fn is_code(line: &[u8]) -> bool {
    line.iter().all(|b| b.is_ascii_digit() || b"+-".contains(b))
}

/// The lines, trimmed, with their offsets.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut next = 0;
    bytes.split(|&b| b == b'\n').map(move |line| {
        let start = next + line.len() - line.trim_ascii_start().len();
        next += line.len() + 1;
        (start, line.trim_ascii())
    })
}

/// The part of a line up to the first byte that is not ASCII: no number has any.
fn as_text(offset: usize, line: &[u8]) -> Part<'_> {
    let end = line.iter().position(|b| !b.is_ascii()).unwrap_or(line.len());
    Part { text: std::str::from_utf8(&line[..end]).expect("ASCII is UTF-8"), offset }
}

/// The game, and whether the second player was Black.
fn read_header(header: Part<'_>, game: Option<Game>) -> Result<(Game, bool), InputError> {
    let help = "the first line is as in `Piskvorky 20x20, 11:11, 0`";
    let Some(rest) = header.text.strip_prefix(MAGIC) else {
        return Err(header.error("this is not a .psq file").help(help));
    };
    let rest = header.slice(header.text.len() - rest.len(), header.text.len());
    let fields: Vec<Part<'_>> = rest.words(|c| c == ',').map(Part::trim).collect();
    let size = fields.first().copied().unwrap_or(rest);
    let sides: Vec<Option<u32>> = size.words(|c| c == 'x' || c == 'X').map(Part::number).collect();
    let [Some(cols @ 1..), Some(rows @ 1..)] = sides[..] else {
        return Err(size.error(format!("{} is not a board size", size.quoted())).help(help));
    };
    let game = match game {
        Some(game) => game.resized(cols, rows),
        None => Game::new(cols, rows, 5, 1, 1, false),
    };
    let swapped = fields.get(2).is_some_and(|field| field.text == "1");
    Ok((game.map_err(|e| size.error(e.to_string()))?, swapped))
}

fn read_square(game: Game, line: Part<'_>) -> Result<Square, InputError> {
    let words: Vec<Part<'_>> = line.words(|c| c == ',').map(Part::trim).collect();
    let (&[x, y], times) = words.split_first_chunk::<2>().unwrap_or((&[line, line], &[]));
    let (Some(column), Some(row)) = (x.number(), y.number()) else {
        let help = "a stone is `x,y,milliseconds`, as in `11,11,0`";
        return Err(line.error(format!("{} is not a stone", line.quoted())).help(help));
    };
    if times.len() > 1 {
        return Err(times[1].error("there is more after the time"));
    }
    for (part, number, max) in [(x, column, game.cols()), (y, row, game.rows())] {
        if !(1..=max).contains(&number) {
            let message = format!("{} is off the board: coordinates are 1 to {max}", part.quoted());
            return Err(part.error(message));
        }
    }
    Ok(Square::new(column as i32 - 1, (game.rows() - row) as i32))
}

/// The line from the root to a node as a file. Names are written when both players have one that a
/// reader cannot take for a stone or a number.
pub fn write(record: &Record, node: NodeId) -> Result<String, Unwritable> {
    let game = record.game;
    if game.is_unbounded() {
        return Err(Unwritable("a .psq file has no unbounded board".to_string()));
    }
    let mut text = format!("{MAGIC}{}x{}, 11:11, 0\n", game.cols(), game.rows());
    for square in moves_to(record, node)?.into_iter().flatten() {
        text += &format!("{},{},0\n", square.x + 1, game.rows() as i32 - square.y);
    }
    let names = ["PB", "PW"].map(|key| info(record, key).replace(['\r', '\n'], " "));
    let names = names.each_ref().map(|name| name.trim_ascii());
    let is_name = |name: &&str| !name.is_empty() && !is_stone(name.as_bytes());
    if names.iter().all(|name| is_name(name) && !is_code(name.as_bytes())) {
        text += &format!("{}\n{}\n", names[0], names[1]);
    }
    Ok(text + "-1\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::{self, sample};

    const SAMPLE: &[u8] = include_bytes!("../../../suite/formats/gomocup.psq");

    #[test]
    fn the_sample_file_is_read() {
        let record = read(SAMPLE, None).unwrap();
        assert_eq!(record.game.to_string(), "20,20,5,1,1");
        assert_eq!(info(&record, "PB"), "pbrain-first.exe");
        assert_eq!(info(&record, "PW"), "pbrain-second.exe");
        let end = record.main_line_end(0);
        assert_eq!(moves::write(&record, end).unwrap(), "K10 / L11 / A20 / T1");
        let again = read(write(&record, end).unwrap().as_bytes(), None).unwrap();
        assert_eq!(again, record);
        assert!(looks_like_psq(SAMPLE));
    }

    #[test]
    fn a_game_given_sets_the_rules_but_not_the_board() {
        let exact: Game = "gomoku-exact".parse().unwrap();
        let record = read(SAMPLE, Some(exact)).unwrap();
        assert_eq!(record.game.to_string(), "20,20,5,1,1,exact");
    }

    #[test]
    fn the_second_player_may_begin_and_names_may_be_in_a_legacy_encoding() {
        let record = read(b"Piskvorky 15x15, 0:0, 1\n8,8,0\nJos\xe9\nPetr\n0\n", None).unwrap();
        assert_eq!((info(&record, "PB"), info(&record, "PW")), ("Petr", "José"));
        let record = read(b"Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n", None).unwrap();
        assert!(record.info.is_empty());
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, expected) in [
            ("", "1:1: this is not a .psq file"),
            ("Piskvorky 20, 11:11, 0\n", "1:11: `20` is not a board size"),
            ("Piskvorky 0x20, 11:11, 0\n", "1:11: `0x20` is not a board size"),
            (
                "Piskvorky 99x99, 0:0, 0\n",
                "1:11: a board of 99 x 99 is not possible; \
                 both sides are 1 to 59, or inf for the unbounded board",
            ),
            (
                "Piskvorky 20x20, 11:11, 0\n1,21,0\n",
                "2:3: `21` is off the board: coordinates are 1 to 20",
            ),
            ("Piskvorky 20x20, 11:11, 0\n1,x,0\n", "2:1: `1,x,0` is not a stone"),
            ("Piskvorky 20x20, 11:11, 0\n1,\n", "2:1: `1,` is not a stone"),
            ("Piskvorky 20x20, 11:11, 0\n1,2,3,4\n", "2:7: there is more after the time"),
            (
                "Piskvorky 20x20, 11:11, 0\n1,1,0\n 1,1,0\n",
                "3:2: no stone can be placed on A20: the square is taken by a black stone",
            ),
        ] {
            let error = read(text.as_bytes(), None).unwrap_err();
            let (line, column) = error.line_and_column(text.as_bytes());
            assert_eq!(format!("{line}:{column}: {}", error.message), expected);
        }
    }

    #[test]
    fn what_is_written_reads_back_as_the_same_record() {
        arbtest::arbtest(|u| {
            let game = sample::bounded_game(u)?;
            let (mut record, end) = sample::line(u, game)?;
            if u.arbitrary()? {
                record.info.push(("PB".to_string(), "one".to_string()));
                record.info.push(("PW".to_string(), "二".to_string()));
            }
            assert_eq!(read(write(&record, end).unwrap().as_bytes(), Some(game)), Ok(record));
            Ok(())
        });
    }

    #[test]
    fn any_bytes_are_read_or_refused_without_a_panic() {
        sample::check_reader(SAMPLE, |bytes| read(bytes, None));
    }
}
