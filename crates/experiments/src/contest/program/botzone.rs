//! Botzone: the program is started for each move, reads the whole game as one line of JSON, and
//! answers with one line.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sixproof_game::{Color, Game, Square};
use sixproof_player::protocol::squares::{from_numbers, to_numbers};

use super::super::player::{Fault, PlayerTurn};
use super::super::process::Process;

/// The names of the numbers of a move.
const FIELDS: [[&str; 2]; 2] = [["x0", "y0"], ["x1", "y1"]];

pub(super) fn think(
    words: &[String],
    color: Color,
    turn: &PlayerTurn<'_>,
) -> Result<Vec<Square>, Fault> {
    let game = turn.position.game();
    let mut process = Process::start(words)
        .map_err(|error| Fault::Crash(format!("cannot be started: {error}")))?;
    process.send(&request(game, color, turn.moves))?;
    process.close();
    loop {
        let line = process.line(turn.deadline, turn.stop)?;
        if !line.is_empty() {
            return answer(game, &line);
        }
    }
}

/// The game as the program sees it: what it was asked, and what it answered.
fn request(game: Game, color: Color, moves: &[Vec<Square>]) -> String {
    let mut requests = Vec::new();
    let mut responses = Vec::new();
    if color == Color::Black {
        requests.push(stones(game, &[]));
    }
    let sides = [Color::Black, Color::White];
    for (index, squares) in moves.iter().enumerate() {
        let list = if sides[index % 2] == color { &mut responses } else { &mut requests };
        list.push(stones(game, squares));
    }
    let mut text = json!({ "requests": requests, "responses": responses }).to_string();
    writeln!(text).expect("memory takes all");
    text
}

/// A move; -1 for a missing stone.
fn stones(game: Game, squares: &[Square]) -> Value {
    let mut value = json!({});
    for (index, [x_name, y_name]) in FIELDS.into_iter().enumerate() {
        let (x, y) = squares.get(index).map_or((-1, -1), |&square| to_numbers(game, square));
        value[x_name] = x.into();
        value[y_name] = y.into();
    }
    value
}

/// Reads `{"response":{"x0":…}}`, or the four numbers alone.
fn answer(game: Game, line: &str) -> Result<Vec<Square>, Fault> {
    let garbage =
        || Fault::Garbage(format!("it says `{}`", line.chars().take(60).collect::<String>()));
    let numbers: Vec<i64> = match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(object)) => {
            let response = object.get("response").ok_or_else(garbage)?;
            let number = |name: &str| match response.get(name) {
                None => Some(-1),
                Some(value) => value.as_i64(),
            };
            FIELDS.into_iter().flatten().map(number).collect::<Option<_>>().ok_or_else(garbage)?
        }
        _ => {
            let numbers = line.split_whitespace().map(|word| word.parse().ok());
            numbers.collect::<Option<_>>().ok_or_else(garbage)?
        }
    };
    if numbers.len() != 4 {
        return Err(garbage());
    }
    let stones = numbers.chunks(2).filter(|pair| *pair != [-1, -1]);
    let squares: Result<Vec<Square>, _> = stones.map(|p| from_numbers(game, p[0], p[1])).collect();
    match squares {
        Ok(squares) if squares.is_empty() => Err(garbage()),
        Ok(squares) => Ok(squares),
        Err(bad) => Err(Fault::Illegal(bad.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_described_from_the_programs_side() {
        let game: Game = "15,15,6,2,1".parse().unwrap();
        let square = |name: &str| game.parse_square(name).unwrap();
        let moves = vec![vec![square("H8")], vec![square("A15"), square("O1")]];
        assert_eq!(
            request(game, Color::Black, &moves),
            "{\"requests\":[{\"x0\":-1,\"x1\":-1,\"y0\":-1,\"y1\":-1},\
             {\"x0\":0,\"x1\":14,\"y0\":0,\"y1\":14}],\
             \"responses\":[{\"x0\":7,\"x1\":-1,\"y0\":7,\"y1\":-1}]}\n"
        );
        assert_eq!(
            request(game, Color::White, &moves[..1]),
            "{\"requests\":[{\"x0\":7,\"x1\":-1,\"y0\":7,\"y1\":-1}],\"responses\":[]}\n"
        );
    }

    #[test]
    fn both_forms_of_an_answer_are_read() {
        let game: Game = "15,15,6,2,1".parse().unwrap();
        let two = vec![game.parse_square("A15").unwrap(), game.parse_square("O1").unwrap()];
        for line in ["0 0 14 14", r#"{"response":{"x0":0,"y0":0,"x1":14,"y1":14},"debug":1}"#] {
            assert_eq!(answer(game, line), Ok(two.clone()), "{line}");
        }
        assert_eq!(answer(game, "0 0 -1 -1"), Ok(two[..1].to_vec()));
        for line in ["", "0 0", "hello", "{}", r#"{"response":{"x0":"a"}}"#, "-1 -1 -1 -1", "[1]"] {
            assert!(matches!(answer(game, line), Err(Fault::Garbage(_))), "{line}");
        }
        assert!(matches!(answer(game, "15 0 1 1"), Err(Fault::Illegal(_))));
    }
}
