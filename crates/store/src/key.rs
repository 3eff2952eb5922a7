//! Claims as keys: one key for all positions that differ by a symmetry of the board only.
//!
//! A key is readable: game, side to move, stones left, attacker and the sorted stones of the
//! position in its canonical orientation, the one whose key is least. On an unbounded board the box
//! around the stones is moved to the middle first.

use sixproof_certificate::Claim;
use sixproof_game::{COORDINATE_MAX, Color, Game, Position, Square, Symmetry};

use crate::error::{Error, Result};

/// The first byte of every key.
const FORMAT: u8 = 1;
const EXACT: u8 = 1;
const ATTACKER_IS_WHITE: u8 = 2;
const WHITE_TO_MOVE: u8 = 4;

/// A claim in its canonical orientation.
pub(crate) struct Canonical {
    pub(crate) key: Vec<u8>,
    /// From the claim to the canonical one.
    pub(crate) there: Symmetry,
}

impl Canonical {
    pub(crate) fn of(claim: &Claim) -> Canonical {
        let candidates = Symmetry::all(claim.position.game()).into_iter();
        candidates
            .map(|symmetry| {
                let there = centred(symmetry, &claim.position);
                Canonical { key: encode(claim, &there), there }
            })
            .min_by(|a, b| a.key.cmp(&b.key))
            .expect("the identity is a symmetry of every board")
    }

    /// From the canonical claim back to the claim.
    pub(crate) fn back(&self) -> Symmetry {
        self.there.inverse()
    }
}

/// The symmetry with the translation after it that puts the box around the stones into the middle
/// of an unbounded board. Stones farther apart than coordinates reach stay where they are.
fn centred(symmetry: Symmetry, position: &Position) -> Symmetry {
    if !position.game().is_unbounded() {
        return symmetry;
    }
    let mut range: Option<[(i64, i64); 2]> = None;
    for (square, _) in position.stones() {
        let to = symmetry.apply(square);
        let (x, y) = (i64::from(to.x), i64::from(to.y));
        let [xs, ys] = range.unwrap_or([(x, x), (y, y)]);
        range = Some([(xs.0.min(x), xs.1.max(x)), (ys.0.min(y), ys.1.max(y))]);
    }
    match range {
        Some(range) if range.iter().all(|(a, b)| b - a <= 2 * i64::from(COORDINATE_MAX)) => {
            let [dx, dy] = range.map(|(a, b)| -a - (b - a) / 2);
            symmetry.then_shift(dx, dy)
        }
        _ => symmetry,
    }
}

/// The key of a claim after a symmetry.
fn encode(claim: &Claim, there: &Symmetry) -> Vec<u8> {
    let position = &claim.position;
    let game = position.game();
    // The parameters of a game, and so the stones left, are far below 256.
    let byte = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
    let flag = |is: bool, flag: u8| if is { flag } else { 0 };
    let flags = flag(game.exact(), EXACT)
        | flag(claim.attacker == Color::White, ATTACKER_IS_WHITE)
        | flag(position.to_move() == Color::White, WHITE_TO_MOVE);
    let mut key = vec![FORMAT];
    key.extend([game.cols(), game.rows(), game.k(), game.p(), game.q()].map(byte));
    key.extend([flags, byte(position.left())]);
    let sides = [Color::Black, Color::White].map(|color| {
        let mut squares: Vec<Square> =
            position.squares_of(color).map(|square| there.apply(square)).collect();
        squares.sort();
        squares
    });
    for squares in &sides {
        key.extend((squares.len() as u32).to_be_bytes());
    }
    for square in sides.iter().flatten() {
        if game.is_unbounded() {
            key.extend([square.x, square.y].iter().flat_map(|n| n.to_be_bytes()));
        } else {
            key.extend([square.x as u8, square.y as u8]);
        }
    }
    key
}

/// The canonical claim of a key; `None` for bytes that are not a key.
pub(crate) fn decode(key: &[u8]) -> Option<Claim> {
    let (head, rest) = key.split_first_chunk::<8>()?;
    let &[FORMAT, cols, rows, k, p, q, flags, left] = head else { return None };
    let number = u32::from;
    let exact = flags & EXACT != 0;
    let game =
        Game::new(number(cols), number(rows), number(k), number(p), number(q), exact).ok()?;
    let (black_count, rest) = rest.split_first_chunk()?;
    let (white_count, stones) = rest.split_first_chunk()?;
    let [black_count, white_count] =
        [black_count, white_count].map(|&bytes| u32::from_be_bytes(bytes) as usize);
    let squares = squares(game, stones)?;
    let is_near = |s: &Square| s.x.unsigned_abs().max(s.y.unsigned_abs()) <= COORDINATE_MAX as u32;
    if squares.len() != black_count.checked_add(white_count)? || !squares.iter().all(is_near) {
        return None;
    }
    let (black, white) = squares.split_at(black_count);
    let side = |flag: u8| if flags & flag != 0 { Color::White } else { Color::Black };
    let position = Position::set_up(game, black, white, side(WHITE_TO_MOVE), number(left)).ok()?;
    let claim = Claim { position, attacker: side(ATTACKER_IS_WHITE) };
    // Any other key would never be looked up.
    (Canonical::of(&claim).key == key).then_some(claim)
}

/// The squares at the end of a key; `None` if bytes are left over.
fn squares(game: Game, bytes: &[u8]) -> Option<Vec<Square>> {
    if !game.is_unbounded() {
        let (squares, []) = bytes.as_chunks() else { return None };
        return Some(squares.iter().map(|&[x, y]| Square::new(x.into(), y.into())).collect());
    }
    let (coordinates, []) = bytes.as_chunks() else { return None };
    let coordinates: Vec<i32> = coordinates.iter().map(|&c| i32::from_be_bytes(c)).collect();
    let (squares, []) = coordinates.as_chunks() else { return None };
    Some(squares.iter().map(|&[x, y]| Square::new(x, y)).collect())
}

/// The position in its canonical orientation, and the symmetry that maps it back.
pub(crate) fn orient(claim: &Claim) -> Result<(Position, Symmetry)> {
    let canonical = Canonical::of(claim);
    let position = canonical.there.position(&claim.position).ok_or(Error::TooFar)?;
    Ok((position, canonical.back()))
}

/// A number for file names: the same for all orientations of a claim.
pub(crate) fn number(claim: &Claim) -> u64 {
    crate::record::hash(&Canonical::of(claim).key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbitrary::{Result as Arbitrary, Unstructured};
    use arbtest::arbtest;

    fn any_claim(u: &mut Unstructured<'_>) -> Arbitrary<Claim> {
        let game = match u.int_in_range(0..=2)? {
            0 => Game::new(5, 5, 4, 2, 1, u.arbitrary()?).unwrap(),
            1 => Game::new(6, 4, 4, 1, 1, false).unwrap(),
            _ => Game::new(0, 0, 4, 2, 3, false).unwrap(),
        };
        let range = if game.is_unbounded() { -40..=40 } else { 0..=5 };
        let mut sides = [Vec::new(), Vec::new()];
        for _ in 0..u.int_in_range(0..=8)? {
            let square =
                Square::new(u.int_in_range(range.clone())?, u.int_in_range(range.clone())?);
            if game.contains(square) && sides.iter().flatten().all(|&s| s != square) {
                sides[usize::from(u.arbitrary::<bool>()?)].push(square);
            }
        }
        let color =
            |u: &mut Unstructured<'_>| Ok(if u.arbitrary()? { Color::Black } else { Color::White });
        let (to_move, attacker) = (color(u)?, color(u)?);
        let position = Position::set_up(game, &sides[0], &sides[1], to_move, 1).unwrap();
        Ok(Claim { position, attacker })
    }

    #[test]
    fn symmetric_claims_have_one_key_which_names_their_canonical_claim() {
        arbtest(|u| {
            let claim = any_claim(u)?;
            let game = claim.position.game();
            let canonical = Canonical::of(&claim);
            let named = decode(&canonical.key).unwrap();
            assert_eq!(named, claim.moved(&canonical.there).unwrap());
            assert_eq!(named.moved(&canonical.back()).unwrap(), claim);
            for symmetry in Symmetry::all(game) {
                let symmetry = match game.is_unbounded() {
                    true => {
                        symmetry.then_shift(u.int_in_range(-50..=50)?, u.int_in_range(-50..=50)?)
                    }
                    false => symmetry,
                };
                let moved = claim.moved(&symmetry).unwrap();
                assert_eq!(Canonical::of(&moved).key, canonical.key);
            }
            Ok(())
        });
    }

    #[test]
    fn different_claims_have_different_keys() {
        arbtest(|u| {
            let (a, b) = (any_claim(u)?, any_claim(u)?);
            let (one, other) = (Canonical::of(&a), Canonical::of(&b));
            if one.key == other.key {
                assert_eq!(a.moved(&one.there).unwrap(), b.moved(&other.there).unwrap());
            }
            Ok(())
        });
    }

    #[test]
    fn no_bytes_make_the_decoder_panic_and_no_claim_has_two_keys() {
        let mut decoded = [0; 2];
        // Until each kind has come up several times, also on a slow machine.
        while decoded[0] <= 100 || decoded[1] <= 10 {
            arbtest(|u| {
                let mut key = Canonical::of(&any_claim(u)?).key;
                for _ in 0..u.int_in_range(1..=3)? {
                    match u.int_in_range(0..=3)? {
                        0 => key.truncate(u.choose_index(key.len() + 1)?),
                        1 => key.push(u.arbitrary()?),
                        _ if key.is_empty() => {}
                        _ => {
                            let at = u.choose_index(key.len())?;
                            key[at] = u.arbitrary()?;
                        }
                    }
                }
                let claim = decode(&key);
                decoded[usize::from(claim.is_some())] += 1;
                if let Some(claim) = claim {
                    assert_eq!(Canonical::of(&claim).key, key);
                }
                Ok(())
            })
            .budget_ms(500)
            .run();
        }
    }

    #[test]
    fn stones_at_the_ends_of_the_world_have_a_key() {
        let game = Game::new(0, 0, 6, 2, 1, false).unwrap();
        const FAR: i32 = COORDINATE_MAX + COORDINATE_MAX / 2;
        let corners = [Square::new(-FAR, FAR), Square::new(FAR, -FAR)];
        let position = Position::set_up(game, &corners, &[], Color::White, 2).unwrap();
        let claim = Claim { position, attacker: Color::Black };
        assert_eq!(decode(&Canonical::of(&claim).key), None);
        assert!(matches!(orient(&claim), Err(Error::TooFar)));
    }
}
