//! The feature `serde`: games, squares, sides and positions in files and messages of other
//! programs.
//!
//! | type | as JSON |
//! | --- | --- |
//! | [`Game`] | its name or its parameters: `"connect6"`, `"9,7,4,1,1"`, `"inf,6,2,3"` |
//! | [`Square`] | column and row, both from 0: `[9, 9]`; a name such as `J10` needs a game |
//! | [`Color`] | `"black"` or `"white"` |
//! | [`Position`] | `{"game": …, "black": [[9, 9]], "white": [], "to_move": "white", "left": 2}` |
//!
//! Binary formats get the same parts in the same order. What is read is valid: coordinates are
//! within [`COORDINATE_MAX`], and a position that [`Position::set_up`] refuses is refused here,
//! with the same reason.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::{COORDINATE_MAX, Color, Game, Position, Square};

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x, self.y).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        let (x, y): (i32, i32) = Deserialize::deserialize(deserializer)?;
        if x.unsigned_abs().max(y.unsigned_abs()) > COORDINATE_MAX.unsigned_abs() {
            let why = format!("[{x}, {y}] is too far away; coordinates go up to {COORDINATE_MAX}");
            return Err(D::Error::custom(why));
        }
        Ok(Square { x, y })
    }
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        match &*Cow::<str>::deserialize(deserializer)? {
            "black" => Ok(Color::Black),
            "white" => Ok(Color::White),
            other => Err(D::Error::unknown_variant(other, &["black", "white"])),
        }
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let squares = |color| self.squares_of(color).collect::<Vec<Square>>();
        let mut parts = serializer.serialize_struct("Position", 5)?;
        parts.serialize_field("game", &self.game())?;
        parts.serialize_field("black", &squares(Color::Black))?;
        parts.serialize_field("white", &squares(Color::White))?;
        parts.serialize_field("to_move", &self.to_move())?;
        parts.serialize_field("left", &self.left())?;
        parts.end()
    }
}

/// The parts of a position, which need not fit together.
#[derive(serde::Deserialize)]
#[serde(rename = "Position", deny_unknown_fields)]
struct Parts {
    game: Game,
    black: Vec<Square>,
    white: Vec<Square>,
    to_move: Color,
    left: u32,
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let Parts { game, black, white, to_move, left } = Deserialize::deserialize(deserializer)?;
        Position::set_up(game, &black, &white, to_move, left).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;
    use serde_json::{from_str, to_string};

    #[test]
    fn the_table_of_the_module_is_what_is_written() {
        let mut position = Position::new(Game::CONNECT6);
        position.place(Square::new(9, 9)).unwrap();
        let text = r#"{"game":"connect6","black":[[9,9]],"white":[],"to_move":"white","left":2}"#;
        assert_eq!(to_string(&position).unwrap(), text);
        assert_eq!(from_str::<Position>(text).unwrap(), position);
        for game in ["9,7,4,1,1", "inf,6,2,3", "gomoku-exact"] {
            let game: Game = game.parse().unwrap();
            assert_eq!(to_string(&game).unwrap(), format!("\"{game}\""));
            assert_eq!(from_str::<Game>(&format!("\"{game}\"")).unwrap(), game);
        }
        // Texts with escapes cannot be borrowed from the input.
        assert_eq!(from_str::<Color>(r#""\u0077hite""#).unwrap(), Color::White);
    }

    #[test]
    fn positions_come_back_from_text_and_from_bytes() {
        arbtest(|u| {
            let bounded = u.arbitrary()?;
            let (cols, rows) = if bounded { (u.int_in_range(1..=7)?, 5) } else { (0, 0) };
            let (p, q) = (u.int_in_range(1..=3)?, u.int_in_range(1..=4)?);
            let game = Game::new(cols, rows, 3, p, q, u.arbitrary()?).unwrap();
            let mut position = Position::new(game);
            for _ in 0..u.int_in_range(0..=40)? {
                let square = Square::new(u.int_in_range(0..=6)?, u.int_in_range(0..=4)?);
                match u.ratio(1, 8)? {
                    true => position.pass(),
                    // Refused where the square is occupied or off the board, or the game is over.
                    false => drop(position.place(square)),
                }
            }
            let text = to_string(&position).unwrap();
            assert_eq!(from_str::<Position>(&text).unwrap(), position, "{text}");
            let bytes = postcard::to_allocvec(&position).unwrap();
            assert_eq!(postcard::from_bytes::<Position>(&bytes).unwrap(), position);
            Ok(())
        });
    }

    #[test]
    fn whatever_is_read_is_valid_and_comes_back() {
        let samples = [
            r#"{"game":"connect6","black":[[9,9]],"white":[],"to_move":"white","left":2}"#,
            r#"{"game":"inf,3,1,1","black":[[9,-9],[0,1]],"white":[[FAR,7]],
                "to_move":"black","left":1}"#,
        ]
        .map(|text| text.replace("FAR", &COORDINATE_MAX.to_string()));
        let characters = b"0123456789-,[]{}\"aeklnt ";
        let comes_back = |text: &[u8]| match serde_json::from_slice::<Position>(text) {
            Ok(position) => {
                let again = to_string(&position).unwrap();
                assert_eq!(from_str::<Position>(&again).unwrap(), position, "{again}");
                true
            }
            Err(_) => false,
        };
        for text in samples.iter().map(String::as_bytes) {
            assert!(comes_back(text));
            for index in 0..text.len() {
                for &character in characters {
                    let mut text = text.to_vec();
                    text[index] = character;
                    comes_back(&text);
                }
            }
        }
        arbtest(|u| {
            let mut text = u.choose(&samples)?.as_bytes().to_vec();
            for _ in 0..u.int_in_range(2..=3)? {
                let index = u.choose_index(text.len())?;
                text[index] = *u.choose(characters)?;
            }
            comes_back(&text);
            Ok(())
        });
    }

    #[test]
    fn bad_input_is_refused_with_the_reason() {
        let position = |stones: &str, turn: &str| {
            let text = format!(r#"{{"game":"connect6",{stones},{turn}}}"#);
            from_str::<Position>(&text).unwrap_err().to_string()
        };
        let (stones, turn) = (r#""black":[[9,9]],"white":[]"#, r#""to_move":"white","left":2"#);
        for (error, reason) in [
            (position(r#""black":[[9,9]],"white":[[9,9]]"#, turn), "`J10` has two stones"),
            (position(r#""black":[[19,0]],"white":[]"#, turn), "`T1` is off the board"),
            (position(r#""black":[[-1,0]],"white":[]"#, turn), "`-1,0` is off the board"),
            (position(stones, r#""to_move":"white","left":3"#), "3 stones to place are not"),
            (position(stones, r#""to_move":"white","left":0"#), "0 stones to place are not"),
            (position(stones, r#""to_move":"White","left":2"#), "unknown variant `White`"),
            (position(stones, r#""to_move":"white""#), "missing field `left`"),
            (position(stones, r#""to_move":"white","left":2,"k":6"#), "unknown field `k`"),
            (position(r#""black":["J10"],"white":[]"#, turn), "expected a tuple of size 2"),
            (position(r#""black":[[1]],"white":[]"#, turn), "expected a tuple of size 2"),
            (position(r#""black":[[1,2,3]],"white":[]"#, turn), "trailing characters"),
            (position(r#""black":[[1,99999999999]],"white":[]"#, turn), "expected i32"),
            (
                from_str::<Square>("[0,-1000000001]").unwrap_err().to_string(),
                "[0, -1000000001] is too far away; coordinates go up to 1000000000",
            ),
            (from_str::<Square>("[-2147483648,0]").unwrap_err().to_string(), "too far away"),
            (from_str::<Game>("\"chess\"").unwrap_err().to_string(), "`chess` is not a game"),
            (from_str::<Game>("\"19,19,20,2,1\"").unwrap_err().to_string(), "k = 20"),
            (from_str::<Game>("6").unwrap_err().to_string(), "expected a string"),
        ] {
            assert!(error.contains(reason), "{reason}: {error}");
        }
        assert!(postcard::from_bytes::<Position>(&[]).is_err());
    }
}
