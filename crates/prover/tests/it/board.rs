//! The search board against a naive recount: its words and digits hold what a count square by
//! square finds, and its fast threats and blocks are those of the textbook.

use std::collections::{BTreeMap, BTreeSet};

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use sixproof_game::{Color, DIRECTIONS, Game, Position, Square};
use sixproof_prover::board::{Board, General, Rules, Side, Sq};
use sixproof_prover::cover::{Defences, Threat, defences, each_block};
use sixproof_prover::{threats, with_rules};

use crate::budget_ms;

const SIDES: [Side; 2] = [Side::Attacker, Side::Defender];

type Stones = BTreeMap<Square, Side>;

/// A segment on the naive board: its first square and direction.
type Segment = (Square, (i32, i32));

/// A board of any rules, small, large or thin.
fn any_game(u: &mut Unstructured<'_>) -> Result<Game> {
    let (k, p, exact) = match u.int_in_range(0..=3)? {
        0 => (6, 2, false),
        1 => (5, 1, false),
        _ => (u.int_in_range(3..=9)?, u.int_in_range(1..=4)?, u.arbitrary()?),
    };
    let (cols, rows) = match u.int_in_range(0..=4)? {
        0 => (u.int_in_range(k..=59)?, 1),
        1 => (1, u.int_in_range(k..=59)?),
        2 => (u.int_in_range(20..=59)?, u.int_in_range(20..=59)?),
        3 => (59, 59),
        _ => (u.int_in_range(k..=19)?, u.int_in_range(1..=19)?),
    };
    Ok(Game::new(cols, rows, k, p, 1, exact).expect("a possible game"))
}

/// Stones anywhere, more or less dense; most of them near each other on large boards.
fn any_stones(u: &mut Unstructured<'_>, game: Game) -> Result<Stones> {
    let (cols, rows) = (game.cols().min(14) as i32, game.rows().min(14) as i32);
    let corner = Square::new(
        u.int_in_range(0..=game.cols() as i32 - cols)?,
        u.int_in_range(0..=game.rows() as i32 - rows)?,
    );
    let attacker_percent = u.int_in_range(10..=90)?;
    let mut stones = Stones::new();
    for _ in 0..u.int_in_range(0..=(cols * rows).min(90))? {
        let x = corner.x + u.int_in_range(0..=cols - 1)?;
        let y = corner.y + u.int_in_range(0..=rows - 1)?;
        let defender = u.int_in_range(0..=99)? >= attacker_percent;
        stones.insert(Square::new(x, y), SIDES[usize::from(defender)]);
    }
    Ok(stones)
}

fn number_of(game: Game, square: Square) -> Sq {
    (square.y * game.cols() as i32 + square.x) as Sq
}

fn square_of(game: Game, number: Sq) -> Square {
    let cols = game.cols() as i32;
    Square::new(i32::from(number) % cols, i32::from(number) / cols)
}

fn filled<R: Rules>(rules: R, game: Game, stones: &Stones) -> Board<R> {
    let mut board = Board::new(rules, game.cols(), game.rows());
    for (&square, &side) in stones {
        board.place(side, number_of(game, square));
    }
    board
}

fn squares_of(game: Game, (start, direction): Segment) -> Vec<Square> {
    (0..game.k() as i32).map(|i| start.step(direction, i)).collect()
}

/// All segments of the board.
fn segments(game: Game) -> Vec<Segment> {
    let all = game.squares().flat_map(|start| DIRECTIONS.map(|direction| (start, direction)));
    all.filter(|&segment| squares_of(game, segment).into_iter().all(|s| game.contains(s))).collect()
}

fn count(game: Game, stones: &Stones, segment: Segment, side: Side) -> u32 {
    squares_of(game, segment).iter().filter(|s| stones.get(s) == Some(&side)).count() as u32
}

/// Whether `side` can still win in a segment, with the words of docs/certificate.md.
fn is_active(game: Game, stones: &Stones, segment: Segment, side: Side) -> bool {
    let (start, direction) = segment;
    let beyond = [start.step(direction, -1), start.step(direction, game.k() as i32)];
    let too_long = game.exact()
        && side == Side::Attacker
        && beyond.iter().any(|square| stones.get(square) == Some(&side));
    !too_long && count(game, stones, segment, side.other()) == 0
}

/// The segments, by their squares, that sets of windows name, one set for each line.
fn named<R: Rules>(
    game: Game,
    board: &Board<R>,
    windows: impl Fn(usize) -> u64,
) -> BTreeSet<(usize, BTreeSet<Square>)> {
    let mut found = BTreeSet::new();
    for (number, line) in board.geometry.lines.iter().enumerate() {
        for start in (0..64).filter(|start| windows(number) >> start & 1 == 1) {
            let squares: BTreeSet<Square> =
                (start..start + game.k()).map(|i| square_of(game, line.square(i))).collect();
            assert!(found.insert((number, squares)), "a window is named once");
        }
    }
    found
}

/// The same from the naive board; the line's number tells the directions apart.
fn recounted(
    game: Game,
    of_interest: impl Fn(Segment) -> bool,
) -> BTreeSet<(usize, BTreeSet<Square>)> {
    let (cols, rows) = (game.cols() as i32, game.rows() as i32);
    let line = |(start, direction): Segment| {
        let Square { x, y } = start;
        let index = DIRECTIONS.iter().position(|&d| d == direction).expect("one of four");
        let number =
            [y, rows + x, rows + cols + x - y + rows - 1, rows + cols + (cols + rows - 1) + x + y];
        number[index] as usize
    };
    let all = segments(game).into_iter().filter(|&segment| of_interest(segment));
    all.map(|segment| (line(segment), squares_of(game, segment).into_iter().collect())).collect()
}

fn counts_are_recounted<R: Rules>(rules: R, game: Game, stones: &Stones) {
    let board = filled(rules, game, stones);
    assert_eq!(board.empty_count() as usize, game.squares().count() - stones.len());
    let windows = |number: usize| board.geometry.lines[number].windows;
    assert_eq!(named(game, &board, windows), recounted(game, |_| true));
    for side in SIDES {
        for stones_wanted in 0..=game.k() {
            let exactly = |n: usize| board.line(n).exactly::<R>(side, stones_wanted) & windows(n);
            let expected = recounted(game, |s| count(game, stones, s, side) == stones_wanted);
            assert_eq!(named(game, &board, exactly), expected, "exactly {stones_wanted}");
            let many = |n: usize| board.line(n).at_least::<R>(side, stones_wanted) & windows(n);
            let expected = recounted(game, |s| count(game, stones, s, side) >= stones_wanted);
            assert_eq!(named(game, &board, many), expected, "at least {stones_wanted}");
        }
        let any = |n: usize| board.line(n).any::<R>(side);
        let expected = recounted(game, |s| count(game, stones, s, side) > 0);
        assert_eq!(named(game, &board, any), expected, "any");
        let active = |n: usize| board.active(n, side);
        let expected = recounted(game, |s| is_active(game, stones, s, side));
        assert_eq!(named(game, &board, active), expected, "active");
    }
    for square in game.squares() {
        assert_eq!(board.is_empty(number_of(game, square)), !stones.contains_key(&square));
        if let Some(&side) = stones.get(&square) {
            let wins = segments_through(game, square).into_iter().any(|s| {
                is_active(game, stones, s, side) && count(game, stones, s, side) == game.k()
            });
            assert_eq!(board.wins_through(side, number_of(game, square)), wins);
        }
    }
}

fn segments_through(game: Game, square: Square) -> Vec<Segment> {
    let back = |direction, i: i32| (square.step(direction, -i), direction);
    let all = DIRECTIONS.into_iter().flat_map(|d| (0..game.k() as i32).map(move |i| back(d, i)));
    all.filter(|&segment| squares_of(game, segment).into_iter().all(|s| game.contains(s))).collect()
}

#[test]
fn window_counts_are_what_one_counts_square_by_square() {
    let mut tried = 0;
    // Until all kinds came up, however slow the machine is.
    while tried <= 20 {
        arbtest(|u| {
            let mut game = any_game(u)?;
            if game.cols() * game.rows() > 400 && tried % 8 != 0 {
                game = game.resized(game.cols().min(19), game.rows().min(19)).expect("smaller");
            }
            tried += 1;
            let stones = any_stones(u, game)?;
            with_rules!(game, |rules| counts_are_recounted(rules, game, &stones));
            Ok(())
        })
        .budget_ms(budget_ms())
        .run();
    }
}

#[test]
fn the_largest_board_is_counted_to_its_corners() {
    for exact in [false, true] {
        let game = Game::new(59, 59, 6, 2, 1, exact).expect("a possible game");
        let corners = [(0, 0), (58, 0), (0, 58), (58, 58)];
        let mut stones = Stones::new();
        for (x, y) in corners {
            for i in 0..6 {
                let inward = |c: i32| if c == 0 { i } else { 58 - i };
                stones.insert(Square::new(inward(x), y), Side::Attacker);
                stones.insert(Square::new(inward(x), inward(y)), Side::Attacker);
                stones.insert(Square::new(x, inward(y)), Side::Attacker);
            }
        }
        stones.insert(Square::new(57, 56), Side::Defender);
        with_rules!(game, |rules| counts_are_recounted(rules, game, &stones));
    }
}

fn place_and_remove_are_inverse<R: Rules + Copy + std::fmt::Debug>(
    rules: R,
    game: Game,
    u: &mut Unstructured<'_>,
) -> Result<()> {
    let stones = any_stones(u, game)?;
    let mut board = filled(rules, game, &stones);
    let before = format!("{board:?}");
    let mut added: Vec<(Side, Sq)> = Vec::new();
    let mut keys = BTreeSet::from([board.key()]);
    for _ in 0..u.int_in_range(1..=12)? {
        let empties: Vec<Sq> = board.empty_squares().collect();
        if empties.is_empty() {
            break;
        }
        let (side, square) = (*u.choose(&SIDES)?, *u.choose(&empties)?);
        board.place(side, square);
        added.push((side, square));
        assert!(keys.insert(board.key()), "a position has a key of its own");
    }
    // The same stones in another order are the same position.
    let mut again = filled(rules, game, &stones);
    for &(side, square) in added.iter().rev() {
        again.place(side, square);
    }
    assert_eq!(format!("{board:?}"), format!("{again:?}"));
    // And they may be taken back in any order.
    while !added.is_empty() {
        let (side, square) = added.swap_remove(u.choose_index(added.len())?);
        board.remove(side, square);
    }
    assert_eq!(format!("{board:?}"), before);
    Ok(())
}

#[test]
fn placing_and_removing_is_identity() {
    arbtest(|u| {
        let game = any_game(u)?;
        let game = game.resized(game.cols().min(15), game.rows().min(15)).expect("smaller");
        with_rules!(game, |rules| place_and_remove_are_inverse(rules, game, u))
    })
    .budget_ms(budget_ms())
    .run();
}

#[test]
fn lines_are_busy_when_their_stones_are_enough_for_a_threat() {
    arbtest(|u| {
        let game = any_game(u)?;
        let stones = any_stones(u, game)?;
        let board = filled(General::new(game), game, &stones);
        let (k, p) = (game.k(), game.p());
        let enough = [k.saturating_sub(2 * p), k.saturating_sub(p)];
        for side in SIDES {
            let mut busy = BTreeSet::new();
            board.each_busy(side, |number| assert!(busy.insert(number)));
            for (number, line) in board.geometry.lines.iter().enumerate() {
                let squares = (0..64).filter(|i| line.squares >> i & 1 == 1);
                let own = squares
                    .filter(|&i| stones.get(&square_of(game, line.square(i))) == Some(&side))
                    .count() as u32;
                let expected = own >= enough[side as usize];
                // Lines without windows need not be listed.
                if line.windows != 0 {
                    assert_eq!(busy.contains(&number), expected, "line {number}");
                }
            }
        }
        Ok(())
    })
    .budget_ms(budget_ms())
    .run();
}

#[test]
fn the_span_of_windows_is_their_squares() {
    arbtest(|u| {
        let k = u.int_in_range(1..=19)?;
        let game = Game::new(59, 1, k, 1, 1, false).expect("a possible game");
        let board = Board::new(General::new(game), 59, 1);
        let windows =
            u.arbitrary::<u64>()? & u.arbitrary::<u64>()? & board.geometry.lines[0].windows;
        let starts = (0..64u32).filter(|start| windows >> start & 1 == 1);
        let expected = starts.flat_map(|start| start..start + k).fold(0, |set, i| set | 1u64 << i);
        assert_eq!(board.span(windows), expected, "k = {k}");
        Ok(())
    })
    .budget_ms(budget_ms() / 3)
    .run();
}

fn position(game: Game, stones: &Stones) -> Position {
    let of = |side: Side| -> Vec<Square> {
        stones.iter().filter(|(_, s)| **s == side).map(|(&square, _)| square).collect()
    };
    let (black, white) = (of(Side::Attacker), of(Side::Defender));
    Position::set_up(game, &black, &white, Color::White, 1).expect("stones lie apart")
}

/// The empty squares of threats, as many times as there are such threats.
fn listed(game: Game, threats: &[Threat]) -> Vec<BTreeSet<Square>> {
    let squares = |t: &Threat| t.empties().iter().map(|&s| square_of(game, s)).collect();
    let mut sets: Vec<BTreeSet<Square>> = threats.iter().map(squares).collect();
    sets.sort();
    sets
}

fn threats_are_those_of_the_textbook<R: Rules>(rules: R, game: Game, stones: &Stones) {
    let mut board = filled(rules, game, stones);
    let position = position(game, stones);
    let mut found = Vec::new();
    let textbook = threats::threats(&position, Color::Black);
    let mut expected: Vec<BTreeSet<Square>> = textbook.into_iter().map(|t| t.empties).collect();
    expected.sort();
    board.threats(Side::Attacker, &mut found);
    assert_eq!(listed(game, &found), expected);
    if !game.exact() {
        // Defender is granted overlines under the exact rule, which the textbook does not.
        let textbook = threats::threats(&position, Color::White);
        let mut expected: Vec<BTreeSet<Square>> = textbook.into_iter().map(|t| t.empties).collect();
        expected.sort();
        board.threats(Side::Defender, &mut found);
        assert_eq!(listed(game, &found), expected);
    }
    // The threats through some stones are those that come with them.
    let own: Vec<Square> = position.squares_of(Color::Black).take(3).collect();
    let own: Vec<Sq> = own.into_iter().map(|square| number_of(game, square)).collect();
    board.remove_all(Side::Attacker, &own);
    board.threats(Side::Attacker, &mut found);
    let had_none = found.is_empty();
    board.place_all(Side::Attacker, &own);
    if had_none {
        board.threats_through(Side::Attacker, &own, &mut found);
        let mut all = Vec::new();
        board.threats(Side::Attacker, &mut all);
        assert_eq!(listed(game, &found), listed(game, &all));
    }
}

#[test]
fn fast_threats_are_those_of_the_textbook() {
    arbtest(|u| {
        let game = any_game(u)?;
        let stones = any_stones(u, game)?;
        with_rules!(game, |rules| threats_are_those_of_the_textbook(rules, game, &stones));
        Ok(())
    })
    .budget_ms(2 * budget_ms())
    .run();
}

/// Threats of Attacker on a board with few stones of his; no side has won.
fn some_threats(u: &mut Unstructured<'_>) -> Result<Option<(Game, Position, Vec<Threat>)>> {
    let p = u.int_in_range(1..=3)?;
    let k = u.int_in_range(p + 1..=p + 4)?;
    let (cols, rows) = (u.int_in_range(k..=k + 4)?, u.int_in_range(1..=5)?);
    let game = Game::new(cols, rows, k, p, 1, u.arbitrary()?).expect("a possible game");
    let stones = any_stones(u, game)?;
    let position = position(game, &stones);
    if position.winner().is_some() {
        return Ok(None);
    }
    let mut threats = Vec::new();
    filled(General::new(game), game, &stones).threats(Side::Attacker, &mut threats);
    Ok((threats.len() <= 12).then_some((game, position, threats)))
}

/// All subsets of at most this number of squares.
fn subsets(squares: &[Sq], size_max: usize) -> Vec<Vec<Sq>> {
    let mut all = vec![Vec::new()];
    for &square in squares {
        for i in 0..all.len() {
            if all[i].len() < size_max {
                all.push([&all[i][..], &[square]].concat());
            }
        }
    }
    all
}

#[test]
fn blocking_sets_are_contained_in_exactly_the_moves_that_block() {
    let mut blocked = [0; 2];
    // Until all kinds came up, however slow the machine is.
    while blocked.into_iter().any(|count| count <= 1000) {
        arbtest(|u| {
            let Some((game, position, threats)) = some_threats(u)? else { return Ok(()) };
            let stones = u.int_in_range(1..=3)?;
            let mut blocks: Vec<Vec<Sq>> = Vec::new();
            each_block(&threats, stones, &mut Vec::new(), &mut |block| blocks.push(block.to_vec()));
            assert!(blocks.iter().all(|block| block.len() <= stones as usize));
            let empties: Vec<Sq> = game
                .squares()
                .filter(|&square| position.at(square).is_none())
                .map(|square| number_of(game, square))
                .collect();
            for set in subsets(&empties, stones as usize) {
                let blocks_all = threats.iter().all(|threat| threat.is_hit_by(&set));
                let contains = blocks.iter().any(|block| block.iter().all(|s| set.contains(s)));
                assert_eq!(contains, blocks_all, "{set:?} against {threats:?}");
                blocked[usize::from(blocks_all)] += 1;
            }
            Ok(())
        })
        .budget_ms(budget_ms())
        .run();
    }
}

#[test]
fn defences_are_the_number_of_threats_and_the_reply_set_of_the_textbook() {
    let mut kinds = [0; 3];
    // Until all kinds came up, however slow the machine is.
    while kinds.into_iter().any(|count| count <= 100) {
        arbtest(|u| {
            let Some((game, position, threats)) = some_threats(u)? else { return Ok(()) };
            let stones = u.int_in_range(1..=3)?;
            let mut reply = vec![7];
            let found = defences(&threats, stones, &mut reply);
            let least = match threats::number(&position, Color::Black) {
                threats::Number::Exactly(least) => least,
                other => panic!("{other}"),
            };
            let expected = match least {
                _ if least > stones => Defences::None,
                _ if least == stones => Defences::Forced,
                _ => Defences::Free(least),
            };
            assert_eq!(found, expected);
            kinds[match found {
                Defences::None => 0,
                Defences::Forced => 1,
                Defences::Free(_) => 2,
            }] += 1;
            if let Ok(Some(squares)) = threats::reply_set(&position, Color::Black, stones) {
                let reply: BTreeSet<Square> = reply.iter().map(|&s| square_of(game, s)).collect();
                assert_eq!(reply, squares);
            }
            if found == Defences::None {
                assert!(reply.is_empty());
            }
            Ok(())
        })
        .budget_ms(budget_ms())
        .run();
    }
}
