//! The source of the property tests of all formats: games, lines, positions and damaged files.

use arbtest::arbitrary::{Result, Unstructured};

use crate::{BOARD_MAX, Color, Game, K_MAX, NodeId, P_MAX, Position, Q_MAX, Record, Square};

/// A game on a board with borders.
pub(crate) fn bounded_game(u: &mut Unstructured<'_>) -> Result<Game> {
    let (cols, rows) = (u.int_in_range(1..=BOARD_MAX)?, u.int_in_range(1..=BOARD_MAX)?);
    let k = u.int_in_range(1..=K_MAX.min(cols.max(rows)))?;
    let (p, q) = (u.int_in_range(1..=P_MAX)?, u.int_in_range(1..=Q_MAX)?);
    Ok(Game::new(cols, rows, k, p, q, u.arbitrary()?).expect("all parameters are in range"))
}

/// Any game.
pub(crate) fn game(u: &mut Unstructured<'_>) -> Result<Game> {
    let game = bounded_game(u)?;
    if !u.ratio(1, 4)? {
        return Ok(game);
    }
    let unbounded = Game::new(0, 0, game.k(), game.p(), game.q(), game.exact());
    Ok(unbounded.expect("the parameters are those of a game"))
}

/// A square of the game.
pub(crate) fn square(u: &mut Unstructured<'_>, game: Game) -> Result<Square> {
    let range = |size: u32| match size {
        0 => -9..=9,
        _ => 0..=size as i32 - 1,
    };
    let x = u.int_in_range(range(game.cols()))?;
    Ok(Square::new(x, u.int_in_range(range(game.rows()))?))
}

/// A line of moves by the rules, and its last node.
pub(crate) fn line(u: &mut Unstructured<'_>, game: Game) -> Result<(Record, NodeId)> {
    let (mut record, mut position, mut last) = (Record::new(game), Position::new(game), 0);
    for _ in 0..u.int_in_range(0..=40)? {
        let (square, color) = (square(u, game)?, position.to_move());
        if position.place(square).is_ok() {
            last = record.add_stone(last, color, square);
        }
    }
    Ok((record, last))
}

/// Any position: stones and side to move at random.
pub(crate) fn position(u: &mut Unstructured<'_>, game: Game) -> Result<Position> {
    let mut sides = [Vec::new(), Vec::new()];
    for _ in 0..u.int_in_range(0..=40)? {
        let square = square(u, game)?;
        if !sides.iter().flatten().any(|&s| s == square) {
            sides[usize::from(u.arbitrary::<bool>()?)].push(square);
        }
    }
    let to_move = *u.choose(&[Color::Black, Color::White])?;
    let left = u.int_in_range(1..=game.p().max(game.q()))?;
    let [black, white] = sides;
    Ok(Position::set_up(game, &black, &white, to_move, left)
        .or_else(|_| Position::set_up(game, &black, &white, to_move, 1))
        .expect("one stone can always be left"))
}

/// A sample with a few bytes changed, dropped, doubled or inserted, or cut short.
pub(crate) fn damaged(u: &mut Unstructured<'_>, sample: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = sample.to_vec();
    for _ in 0..u.int_in_range(1..=6)? {
        let at = u.int_in_range(0..=bytes.len())?;
        match u.int_in_range(0..=4)? {
            0 if at < bytes.len() => bytes[at] = u.arbitrary()?,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.insert(at, u.arbitrary()?),
            3 => bytes.truncate(at),
            _ => {
                let end = u.int_in_range(at..=bytes.len())?;
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
        }
    }
    Ok(bytes)
}

/// Runs a reader on random bytes and on damaged samples; the error, if any, must point into the
/// input or just behind it.
pub(crate) fn check_reader<T>(
    sample: &[u8],
    read: impl Fn(&[u8]) -> std::result::Result<T, crate::InputError>,
) {
    arbtest::arbtest(|u| {
        let bytes = if u.ratio(1, 4)? { u.arbitrary::<Vec<u8>>()? } else { damaged(u, sample)? };
        if let Err(error) = read(&bytes) {
            assert!(error.len >= 1 && error.offset <= bytes.len(), "{error}");
            assert!(error.offset + error.len <= bytes.len() + 1, "{error}");
        }
        Ok(())
    })
    .budget_ms(400);
}

/// The same for readers of text: damaged bytes become text by replacement.
pub(crate) fn check_text_reader<T>(
    sample: &str,
    read: impl Fn(&str) -> std::result::Result<T, crate::InputError>,
) {
    arbtest::arbtest(|u| {
        let bytes =
            if u.ratio(1, 4)? { u.arbitrary::<Vec<u8>>()? } else { damaged(u, sample.as_bytes())? };
        let text = String::from_utf8_lossy(&bytes);
        if let Err(error) = read(&text) {
            assert!(text.is_char_boundary(error.offset), "{error}");
            assert!(error.offset + error.len <= text.len() + 1, "{error}");
        }
        Ok(())
    })
    .budget_ms(400);
}
