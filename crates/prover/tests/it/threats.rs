//! Threats, patterns and defences against brute force: the tests place stones in every way, with
//! the rules written here once more.

use std::collections::BTreeSet;

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use sixproof_game::{Color, DIRECTIONS, Game, Position, Square};
use sixproof_prover::threats::{
    DefenceKind, Line, Number, Pattern, PatternKind, by_line, critical_defences, defensive_squares,
    hitting, number, number_by_lines, patterns, reply_set, sliding_window, threats,
};

use crate::budget_ms;

type Squares = BTreeSet<Square>;

/// A position without a winner, on a board with few empty squares; the stones lie anywhere.
fn small_position(u: &mut Unstructured<'_>) -> Result<Option<Position>> {
    let p = u.int_in_range(1..=3)?;
    let k = u.int_in_range(p..=p + 3)?.max(2);
    let rows = *u.choose(&[1, 1, 2, 3, 4])?;
    let cols = u.int_in_range(k..=(24 / rows).clamp(k, 12))?;
    let game = Game::new(cols, rows, k, p, 1, u.arbitrary()?).expect("a possible game");
    position_with_empties(u, game, 11)
}

/// Stones at random until few squares are empty; `None` when a side has won.
fn position_with_empties(
    u: &mut Unstructured<'_>,
    game: Game,
    empties_max: usize,
) -> Result<Option<Position>> {
    let mut empties: Vec<Square> = game.squares().collect();
    let empties_wanted = u.int_in_range(0..=empties_max)?;
    let black_percent = u.int_in_range(30..=90)?;
    let mut stones = [Vec::new(), Vec::new()];
    while empties.len() > empties_wanted {
        let square = empties.swap_remove(u.choose_index(empties.len())?);
        stones[usize::from(u.int_in_range(0..=99)? >= black_percent)].push(square);
    }
    let position = Position::set_up(game, &stones[0], &stones[1], Color::White, 1);
    Ok(position.ok().filter(|position| position.winner().is_none()))
}

fn empties(position: &Position) -> Vec<Square> {
    position.game().squares().filter(|&s| position.at(s).is_none()).collect()
}

/// All subsets of at most this number of squares, the smaller ones first.
fn subsets(squares: &[Square], size_max: usize) -> Vec<Squares> {
    let mut all = vec![Squares::new()];
    for &square in squares {
        for i in 0..all.len() {
            if all[i].len() < size_max {
                let mut larger = all[i].clone();
                larger.insert(square);
                all.push(larger);
            }
        }
    }
    all.sort_by_key(BTreeSet::len);
    all
}

/// The rules once more: whether some row of these stones is long enough, and not too long.
fn has_line(game: Game, stones: &Squares) -> bool {
    let length = |start: Square, direction| {
        (0..).take_while(|&i| stones.contains(&start.step(direction, i))).count() as u32
    };
    stones.iter().any(|&start| {
        DIRECTIONS.into_iter().any(|direction| {
            let is_first = !stones.contains(&start.step(direction, -1));
            let length = length(start, direction);
            is_first && (length == game.k() || (length > game.k() && !game.exact()))
        })
    })
}

/// All sets of at most p squares with which a side has a line.
fn wins(position: &Position, side: Color) -> Vec<Squares> {
    let game = position.game();
    let own: Squares = position.squares_of(side).collect();
    let mut moves = subsets(&empties(position), game.p() as usize);
    moves.retain(|squares| has_line(game, &own.union(squares).copied().collect()));
    moves
}

fn is_blocked(wins: &[Squares], squares: &Squares) -> bool {
    wins.iter().all(|win| !win.is_disjoint(squares))
}

fn squares(game: Game, names: &str) -> Vec<Square> {
    names.split_whitespace().map(|name| game.parse_square(name).unwrap()).collect()
}

/// A position of one game, by the names of its stones.
fn set_up(game: &str, black: &str, white: &str) -> Position {
    let game: Game = game.parse().unwrap();
    let (black, white) = (squares(game, black), squares(game, white));
    Position::set_up(game, &black, &white, Color::White, 1).unwrap()
}

/// A board of one row: `X` black, `O` white, `.` empty.
fn row(k: u32, p: u32, exact: bool, stones: &str) -> Position {
    let game = Game::new(stones.len() as u32, 1, k, p, 1, exact).unwrap();
    let of = |sign| -> Vec<Square> {
        let at = stones.char_indices().filter(|&(_, c)| c == sign);
        at.map(|(x, _)| Square::new(x as i32, 0)).collect()
    };
    Position::set_up(game, &of('X'), &of('O'), Color::White, 1).unwrap()
}

fn names(position: &Position, squares: impl IntoIterator<Item = Square>) -> String {
    position.game().square_names(&squares.into_iter().collect::<Vec<_>>())
}

/// The patterns of Black that one move makes into threats.
fn shown(position: &Position) -> Vec<String> {
    let near = |pattern: &Pattern| pattern.missing <= position.game().p();
    patterns(position, Color::Black).into_iter().filter(near).map(|p| p.to_string()).collect()
}

#[test]
fn threats_are_the_smallest_wins_of_one_move() {
    arbtest(|u| {
        let Some(position) = small_position(u)? else { return Ok(()) };
        let wins = wins(&position, Color::Black);
        let threats = threats(&position, Color::Black);
        for win in &wins {
            let is_filled = threats.iter().any(|threat| threat.empties.is_subset(win));
            assert!(is_filled, "{position:?} {win:?}");
        }
        for threat in threats {
            assert!(wins.contains(&threat.empties), "{position:?} {threat:?}");
        }
        Ok(())
    })
    .budget_ms(budget_ms());
}

#[test]
fn the_number_of_threats_is_the_least_block_of_brute_force() {
    arbtest(|u| {
        let Some(position) = small_position(u)? else { return Ok(()) };
        let wins = wins(&position, Color::Black);
        let empties = empties(&position);
        let least = subsets(&empties, empties.len()).into_iter().find(|s| is_blocked(&wins, s));
        let least = least.expect("nobody has won").len() as u32;
        assert_eq!(number(&position, Color::Black), Number::Exactly(least), "{position:?}");
        assert!(number_by_lines(&position, Color::Black) >= Number::Exactly(least));
        Ok(())
    })
    .budget_ms(budget_ms());
}

#[test]
fn the_sliding_window_counts_the_threats_of_each_line() {
    arbtest(|u| {
        let Some(position) = small_position(u)? else { return Ok(()) };
        for line in by_line(&threats(&position, Color::Black)).values() {
            let sets: Vec<Squares> = line.iter().map(|threat| threat.empties.clone()).collect();
            assert_eq!(sliding_window(line), hitting::least(&sets), "{position:?}");
        }
        if position.game().rows() == 1 && position.game().k() > 1 {
            let by_lines = number_by_lines(&position, Color::Black);
            assert_eq!(by_lines, number(&position, Color::Black), "{position:?}");
        }
        Ok(())
    })
    .budget_ms(budget_ms());
}

#[test]
fn critical_defences_are_the_minimal_blocks_of_brute_force() {
    arbtest(|u| {
        let Some(position) = small_position(u)? else { return Ok(()) };
        let stones = u.int_in_range(0..=4)?;
        let wins = wins(&position, Color::Black);
        let is_minimal = |block: &Squares| {
            block.iter().all(|square| {
                let fewer = block.iter().copied().filter(|s| s != square).collect();
                !is_blocked(&wins, &fewer)
            })
        };
        let mut blocks = subsets(&empties(&position), stones as usize);
        blocks.retain(|block| is_blocked(&wins, block) && is_minimal(block));
        let defences = critical_defences(&position, Color::Black, stones).unwrap();
        let found: BTreeSet<Squares> = defences.iter().map(|d| d.squares.clone()).collect();
        assert_eq!(found.len(), defences.len(), "no defence twice");
        assert_eq!(found, blocks.into_iter().collect(), "{position:?}");
        let number = number(&position, Color::Black);
        for defence in defences {
            let size = defence.squares.len() as u32;
            assert_eq!(defence.free, stones - size);
            let is_normal = number == Number::Exactly(size);
            assert_eq!(defence.kind == DefenceKind::Normal, is_normal, "{position:?}");
        }
        Ok(())
    })
    .budget_ms(budget_ms());
}

#[test]
fn the_reply_set_has_the_squares_of_all_blocking_moves() {
    arbtest(|u| {
        let Some(position) = small_position(u)? else { return Ok(()) };
        let p = position.game().p();
        let replies = reply_set(&position, Color::Black, p).unwrap();
        let applies = number(&position, Color::Black) == Number::Exactly(p);
        assert_eq!(replies.is_some(), applies, "{position:?}");
        if let Some(replies) = replies {
            let wins = wins(&position, Color::Black);
            let mut blocks = subsets(&empties(&position), p as usize);
            blocks.retain(|block| is_blocked(&wins, block));
            let all: Squares = blocks.into_iter().flatten().collect();
            assert_eq!(replies, all, "{position:?}");
            // Wu's report: at most four squares against two threats.
            assert!(p > 2 || replies.len() as u32 <= p * p, "{position:?}");
        }
        Ok(())
    })
    .budget_ms(budget_ms());
}

/// The least number of added stones with which a row has two threats, by trying all of them.
fn added_for(position: &Position, threats_wanted: usize) -> Option<usize> {
    let game = position.game();
    let stones = |color| position.squares_of(color).collect::<Vec<_>>();
    let white = stones(Color::White);
    let all = empties(position);
    subsets(&all, all.len()).into_iter().find_map(|added| {
        let black: Vec<Square> =
            stones(Color::Black).into_iter().chain(added.iter().copied()).collect();
        let after = Position::set_up(game, &black, &white, Color::White, 1).ok()?;
        let threats: Vec<Squares> =
            threats(&after, Color::Black).into_iter().map(|threat| threat.empties).collect();
        let apart = |a: &Squares| {
            threats_wanted == 1 || threats.iter().any(|b| !b.is_empty() && a.is_disjoint(b))
        };
        let has = threats.iter().any(|a| !a.is_empty() && apart(a));
        has.then_some(added.len())
    })
}

#[test]
fn live_and_dead_need_as_many_stones_as_brute_force_adds() {
    arbtest(|u| {
        let p = u.int_in_range(1..=3)?;
        let k = u.int_in_range(p + 1..=6)?;
        let game = Game::new(u.int_in_range(k..=11)?, 1, k, p, 1, u.arbitrary()?).unwrap();
        let Some(position) = position_with_empties(u, game, 8)? else { return Ok(()) };
        // One row; stones further apart than a segment would be two patterns.
        let black: Vec<Square> = position.squares_of(Color::Black).collect();
        let white: Vec<Square> = position.squares_of(Color::White).collect();
        let has_white_between =
            white.iter().any(|w| black.first() < Some(w) && Some(w) < black.last());
        let is_wide = black.windows(2).any(|pair| pair[1].x - pair[0].x > k as i32);
        if black.is_empty() || has_white_between || is_wide {
            return Ok(());
        }
        let delta = (k - p) as usize;
        let l = |threats_wanted| {
            let added = added_for(&position, threats_wanted)?;
            delta.checked_sub(added).filter(|&l| l >= 1).map(|l| l as u32)
        };
        let (dead, live) = (l(1), l(2));
        let row: Vec<Pattern> = patterns(&position, Color::Black)
            .into_iter()
            .filter(|pattern| pattern.line.direction == (1, 0))
            .collect();
        let found = |kind| row.iter().find(|p| p.kind == kind).map(|p| p.l);
        assert_eq!(found(PatternKind::Live), live, "{position:?}");
        let expected = dead.filter(|&dead| live.is_none_or(|live| live < dead));
        assert_eq!(found(PatternKind::Dead), expected, "{position:?}");
        Ok(())
    })
    .budget_ms(budget_ms());
}

#[test]
fn an_unbounded_board_is_like_a_large_one() {
    arbtest(|u| {
        let p = u.int_in_range(1..=3)?;
        let k = u.int_in_range(p + 1..=6)?;
        let exact = u.arbitrary()?;
        let large = Game::new(25, 25, k, p, 1, exact).unwrap();
        let unbounded = Game::new(0, 0, k, p, 1, exact).unwrap();
        let (mut black, mut white) = (Squares::new(), Squares::new());
        for _ in 0..u.int_in_range(1..=14)? {
            let square = Square::new(u.int_in_range(9..=14)?, u.int_in_range(9..=14)?);
            if !white.contains(&square) && u.ratio(2, 3)? {
                black.insert(square);
            } else if !black.contains(&square) {
                white.insert(square);
            }
        }
        let (black, white): (Vec<_>, Vec<_>) =
            (black.into_iter().collect(), white.into_iter().collect());
        let on = |game| Position::set_up(game, &black, &white, Color::White, 1).unwrap();
        let (a, b) = (on(large), on(unbounded));
        assert_eq!(threats(&a, Color::Black), threats(&b, Color::Black));
        assert_eq!(number(&a, Color::Black), number(&b, Color::Black));
        assert_eq!(patterns(&a, Color::Black), patterns(&b, Color::Black));
        let defences = |position| critical_defences(position, Color::Black, p);
        assert_eq!(defences(&a), defences(&b));
        Ok(())
    })
    .budget_ms(budget_ms());
}

#[test]
fn one_two_and_three_threats_of_connect6() {
    let number = |stones: &str| number(&row(6, 2, false, stones), Color::Black);
    // Wu & Huang, figure 3; Lin, figure 1.
    assert_eq!(number("OXXXX..."), Number::Exactly(1));
    assert_eq!(number("O..X.XXX.O"), Number::Exactly(1));
    assert_eq!(number("..XXXX.."), Number::Exactly(2));
    assert_eq!(number(".XXXXX."), Number::Exactly(2));
    assert_eq!(number("..XXXX..XXXX.."), Number::Exactly(3));
    assert_eq!(number("..XXX..."), Number::Exactly(0));
    assert_eq!(number("OXXXX.O"), Number::Exactly(0));
    assert_eq!(number(".XXXXXX."), Number::Infinite);
}

#[test]
fn live_and_dead_threats_of_connect6() {
    let shown = |stones: &str| shown(&row(6, 2, false, stones));
    // Wu & Huang, figure 4.
    assert_eq!(shown("....XXX...."), ["live-3"]);
    assert_eq!(shown("....XX....."), ["live-2"]);
    assert_eq!(shown("OXXX......"), ["dead-3"]);
    assert_eq!(shown("OXX......."), ["dead-2"]);
    assert_eq!(shown("..XXXX.."), ["live-4"]);
    assert_eq!(shown("OXXXX..."), ["dead-4"]);
    assert_eq!(shown("O.XXX.O"), [""; 0]);
    assert_eq!(shown("....X....."), [""; 0]);
}

#[test]
fn live_and_dead_threats_of_go_moku() {
    let shown = |exact, stones: &str| shown(&row(5, 1, exact, stones));
    // Wu & Huang, section 4.1: a live three has two open ends, a dead three has one.
    assert_eq!(shown(false, "...XXX..."), ["live-3"]);
    assert_eq!(shown(false, "..X.XX..."), ["live-3"]);
    assert_eq!(shown(false, "OXXX..."), ["dead-3"]);
    assert_eq!(shown(false, "O.XXX.O"), ["dead-3"]);
    assert_eq!(shown(false, ".XXXX."), ["live-4"]);
    assert_eq!(shown(false, "OXXXX."), ["dead-4"]);
    // With a fifth square of its own beyond, a line of exactly five is lost on that side.
    assert_eq!(shown(true, "O.XXXX.X"), ["dead-4"]);
    assert_eq!(shown(false, "O.XXXX.X"), ["live-4"]);
}

#[test]
fn a_pattern_names_its_stones_and_squares() {
    let position = set_up("connect6", "H10 I10 J10 H11", "A1");
    let all = patterns(&position, Color::Black);
    let row = all.iter().find(|p| p.l == 3).unwrap();
    assert_eq!((row.kind, row.missing), (PatternKind::Live, 1));
    assert_eq!(row.line, Line { direction: (1, 0), offset: 9 });
    assert_eq!(names(&position, row.stones.clone()), "H10 I10 J10");
    assert_eq!(names(&position, row.squares.clone()), "E10 F10 G10 H10 I10 J10 K10 L10 M10");
    let twos = all.iter().filter(|p| p.l == 2).map(|p| names(&position, p.stones.clone()));
    assert_eq!(twos.collect::<Vec<_>>(), ["H10 H11", "H11 I10"]);
}

#[test]
fn relaxed_defences_take_two_stones_against_one_threat() {
    // Lin, figure 2: one stone blocks at A; at B and C it takes two.
    let position = row(6, 2, false, "O..X.XXX..O");
    let defences = critical_defences(&position, Color::Black, 2).unwrap();
    let of = |kind| -> Vec<String> {
        let some = defences.iter().filter(|d| d.kind == kind);
        some.map(|d| names(&position, d.squares.clone())).collect()
    };
    assert_eq!(of(DefenceKind::Normal), ["E1"]);
    assert_eq!(of(DefenceKind::Relaxed), ["C1 I1"]);
    let free: Vec<u32> = defences.iter().map(|d| d.free).collect();
    assert_eq!(free, [1, 0]);
}

#[test]
fn a_live_four_has_three_defences_and_four_squares_to_reply_on() {
    let position = row(6, 2, false, "..XXXX..");
    let defences = critical_defences(&position, Color::Black, 2).unwrap();
    let found: Vec<String> = defences.iter().map(|d| names(&position, d.squares.clone())).collect();
    assert_eq!(found, ["A1 G1", "B1 G1", "B1 H1"]);
    let replies = reply_set(&position, Color::Black, 2).unwrap().unwrap();
    assert_eq!(names(&position, replies), "A1 B1 G1 H1");
}

#[test]
fn without_threats_the_null_move_is_the_critical_defence() {
    let position = Position::new(Game::CONNECT6);
    let defences = critical_defences(&position, Color::Black, 2).unwrap();
    assert_eq!(defences.len(), 1);
    assert_eq!((defences[0].kind, defences[0].free), (DefenceKind::Normal, 2));
    assert!(defences[0].squares.is_empty());
    assert_eq!(reply_set(&position, Color::Black, 2), Ok(None));
}

#[test]
fn against_too_many_threats_there_is_no_defence() {
    let position = row(6, 2, false, "..XXXX..XXXX..");
    assert_eq!(critical_defences(&position, Color::Black, 2), Ok(Vec::new()));
    assert_eq!(reply_set(&position, Color::Black, 2), Ok(None));
    assert_eq!(critical_defences(&position, Color::Black, 3).unwrap().len(), 4);
}

#[test]
fn a_square_where_lines_cross_blocks_both() {
    let position = set_up("gomoku", "E6 F6 G6 H6 I2 I3 I4 I5", "D6 I1");
    assert_eq!(number_by_lines(&position, Color::Black), Number::Exactly(2));
    assert_eq!(number(&position, Color::Black), Number::Exactly(1));
    let defences = critical_defences(&position, Color::Black, 1).unwrap();
    assert_eq!(names(&position, defences[0].squares.clone()), "I6");
}

#[test]
fn the_window_in_both_directions_finds_where_to_defend() {
    let defended = |stones: &str| {
        let position = row(6, 2, false, stones);
        let lines = by_line(&threats(&position, Color::Black));
        names(&position, lines.values().flat_map(|line| defensive_squares(line)))
    };
    // Liu, figures 4.4, 4.5 and 4.7.
    assert_eq!(defended("..XXXX.."), "A1 B1 G1 H1");
    assert_eq!(defended("..XXXXX.."), "B1 H1");
    assert_eq!(defended("O.XXXX..."), "G1");
}

#[test]
fn where_a_move_fills_a_segment_empty_ones_are_threats() {
    let bounded = Position::new("2,1,2,2,1".parse().unwrap());
    assert_eq!(number(&bounded, Color::White), Number::Exactly(1));
    assert_eq!(threats(&bounded, Color::White).len(), 1);
    let unbounded = Position::new("inf,2,2,1".parse().unwrap());
    assert_eq!(number(&unbounded, Color::White), Number::Infinite);
    assert_eq!(number_by_lines(&unbounded, Color::White), Number::Infinite);
    assert_eq!(critical_defences(&unbounded, Color::White, 2), Ok(Vec::new()));
}

#[test]
fn too_many_threats_are_given_up_rather_than_counted_for_ever() {
    let game = Game::new(59, 59, 19, 9, 1, false).unwrap();
    let black: Vec<Square> = game.squares().filter(|s| (3 * s.x + 5 * s.y) % 7 < 4).collect();
    let position = Position::set_up(game, &black, &[], Color::White, 9).unwrap();
    let number = number(&position, Color::Black);
    assert!(matches!(number, Number::AtLeast(_)) && number.exceeds(9), "{number}");
}
