//! The prover against the truth: on small boards an exhaustive search knows who wins, and a
//! textbook definition of the orders knows which wins each order has.

use crate::world;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use expect_test::expect;
use sixproof_oracle::effort;
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game, Position, Rules, subsets};
use sixproof_oracle::solve::Solver;
use sixproof_prover::prove::{Options, Outcome, ZoneRule};

use world::{checked, checked_twice, claim, is_proved, options, random_position};

/// Games and the most empty squares of their random positions.
fn games() -> Vec<(Game, usize)> {
    let free = Game::free;
    let exact = Game::exact;
    vec![
        (free(3, 3, 3, 1, 1), 9),
        (free(4, 3, 3, 1, 1), 12),
        (exact(5, 3, 3, 1, 1), 12),
        (free(5, 5, 4, 1, 1), 12),
        (exact(5, 5, 4, 1, 1), 12),
        (free(7, 2, 3, 1, 2), 12),
        (free(12, 1, 3, 1, 1), 12),
        (free(5, 5, 5, 1, 1), 11),
        (free(4, 4, 4, 2, 1), 12),
        (free(5, 4, 4, 2, 2), 12),
        (exact(5, 4, 4, 2, 1), 12),
        (free(5, 5, 5, 2, 1), 12),
        (exact(6, 4, 5, 2, 1), 11),
        (free(12, 1, 4, 2, 1), 12),
        (free(6, 3, 4, 2, 3), 12),
        (free(6, 6, 6, 2, 1), 11),
        (free(5, 4, 5, 3, 1), 11),
        (exact(5, 4, 4, 3, 1), 10),
        (free(5, 5, 5, 3, 2), 10),
        (free(3, 3, 3, 2, 1), 9),
    ]
}

/// Games in which one move fills a whole line.
fn games_of_one_move() -> Vec<(Game, usize)> {
    vec![
        (Game::free(4, 3, 3, 3, 1), 9),
        (Game::exact(4, 3, 3, 3, 1), 9),
        (Game::free(4, 3, 3, 4, 2), 9),
        (Game::exact(5, 2, 2, 4, 1), 9),
        (Game::free(4, 2, 1, 1, 1), 8),
    ]
}

/// All verifiers, with mutual coverage and grouped macros on and off for segment zones.
fn verifiers() -> Vec<(String, ZoneRule, bool, bool)> {
    let mut list = Vec::new();
    for (name, rule) in ZoneRule::ALL {
        list.push((name.to_owned(), rule, false, false));
    }
    for (mutual, grouped) in [(true, false), (false, true), (true, true)] {
        let name = format!("segment, mutual {mutual}, grouped {grouped}");
        list.push((name, ZoneRule::Segment, mutual, grouped));
    }
    list
}

fn with_verifier(options: Options, verifier: &(String, ZoneRule, bool, bool)) -> Options {
    let (_, zones, mutual, grouped) = *verifier;
    Options { zones, mutual, grouped, ..options }
}

/// The data to repeat a failing case.
fn described(game: Game, position: &Position, attacker: Color) -> String {
    format!("{game:?}, {attacker:?} attacks, {position:?}")
}

#[test]
fn what_is_proved_is_won() {
    proved_implies_won(games(), 250);
}

#[test]
fn what_is_proved_is_won_where_one_move_fills_a_line() {
    proved_implies_won(games_of_one_move(), 200);
}

fn proved_implies_won(games: Vec<(Game, usize)>, count: usize) {
    let mut random = Random(1);
    for (game, empties_max) in games {
        let mut solver = Solver::new(Rules::new(game));
        let mut found = BTreeMap::new();
        for _ in 0..count {
            let place = random_position(&mut random, &solver.rules, 0..=empties_max);
            let attacker = *random.pick(&[Color::Black, Color::White]);
            let options = options(4, 150);
            let report = checked_twice(&claim(game, &place, attacker), &options);
            let wins = solver.wins(attacker, &place);
            let proved = is_proved(&report);
            assert!(wins || !proved, "false claim: {}", described(game, &place, attacker));
            *found.entry((place.to_move == attacker, wins, proved)).or_insert(0) += 1;
        }
        println!("{game:?}: (attacker to move, wins, proved) {found:?}");
    }
}

#[test]
fn all_verifiers_are_sound() {
    let mut random = Random(2);
    let mut proved = BTreeMap::new();
    for (game, empties_max) in games() {
        let mut solver = Solver::new(Rules::new(game));
        for _ in 0..40 {
            let place = random_position(&mut random, &solver.rules, 0..=empties_max);
            let attacker = *random.pick(&[Color::Black, Color::White]);
            let wins = solver.wins(attacker, &place);
            let start = claim(game, &place, attacker);
            let options = options(3, 150);
            for verifier in verifiers() {
                let report = checked(&start, &with_verifier(options.clone(), &verifier));
                let case = || format!("{}: {}", verifier.0, described(game, &place, attacker));
                assert!(wins || !is_proved(&report), "false claim of {}", case());
                *proved.entry(verifier.0.clone()).or_insert(0) += u32::from(is_proved(&report));
            }
        }
    }
    println!("{proved:?}");
    assert!(proved.values().all(|&count| count > 100), "{proved:?}");
}

/// The orders by definition, by trying everything. Attacker wins with order a when he completes a
/// line, or has a move after which Defender cannot, and after every set R of at most t Defender
/// stones that blocks all threats he wins with order a - (t - |R|), which is at least 1: each stone
/// that Defender leaves out costs an order. (Null moves only help Attacker; what they cost is what
/// makes an order.) Defender is granted overlines.
struct Orders {
    rules: Rules,
    attacker: Color,
    known: HashMap<(Position, usize), bool>,
}

impl Orders {
    fn new(game: Game, attacker: Color) -> Orders {
        let rules = Rules::granting_overlines(game, attacker.other());
        Orders { rules, attacker, known: HashMap::new() }
    }

    fn wins(&mut self, position: &Position, order: usize) -> bool {
        if let Some(&known) = self.known.get(&(*position, order)) {
            return known;
        }
        let wins = if position.to_move == self.attacker {
            self.attacks(position, order)
        } else {
            self.survives(position, order)
        };
        self.known.insert((*position, order), wins);
        wins
    }

    fn attacks(&mut self, position: &Position, order: usize) -> bool {
        if !self.rules.completions(self.attacker, position, position.left).is_empty() {
            return true;
        }
        let empties = self.rules.empties(position);
        let stones = position.left.min(empties.count_ones() as usize);
        if empties == 0 {
            return false;
        }
        subsets(empties, stones).into_iter().any(|attack| {
            let mut next = position.with(self.attacker, attack);
            (next.to_move, next.left) = (self.attacker.other(), self.rules.game.p);
            self.wins(&next, order)
        })
    }

    /// Defender to move.
    fn survives(&mut self, position: &Position, order: usize) -> bool {
        let defender = self.attacker.other();
        let empties = self.rules.empties(position);
        let stones = position.left.min(empties.count_ones() as usize);
        if !self.rules.completions(defender, position, stones).is_empty() {
            return false;
        }
        let threats = self.rules.completions(self.attacker, position, self.rules.game.p);
        (0..=stones).all(|count| {
            let blocking = |reply: &u64| threats.iter().all(|threat| threat & reply != 0);
            let replies: Vec<u64> = subsets(empties, count).into_iter().filter(blocking).collect();
            let slack = stones - count;
            replies.is_empty()
                || slack < order
                    && replies.into_iter().all(|reply| {
                        let mut next = position.with(defender, reply);
                        (next.to_move, next.left) = (self.attacker, self.rules.game.p);
                        self.wins(&next, order - slack)
                    })
        })
    }
}

/// Games for the definition of orders, with the empty squares of their positions and the highest
/// order that is feasible by trying everything.
fn games_for_orders() -> Vec<(Game, RangeInclusive<usize>, usize)> {
    let (free, exact) = (Game::free, Game::exact);
    vec![
        (free(4, 4, 3, 1, 1), 8..=12, 3),
        (exact(5, 4, 3, 1, 1), 10..=12, 3),
        (free(12, 1, 3, 1, 1), 9..=12, 3),
        (free(5, 5, 4, 1, 1), 10..=14, 2),
        (exact(6, 5, 4, 1, 1), 11..=14, 2),
        (free(5, 5, 4, 2, 1), 8..=11, 3),
        (exact(6, 4, 4, 2, 1), 10..=12, 2),
        (free(9, 2, 4, 2, 1), 8..=10, 3),
        (free(4, 3, 3, 2, 1), 7..=10, 3),
        (free(6, 5, 5, 2, 1), 10..=12, 2),
        (free(5, 4, 4, 3, 1), 6..=9, 3),
        (exact(5, 5, 5, 3, 1), 8..=9, 2),
    ]
}

#[test]
fn an_order_has_the_wins_of_its_definition() {
    let mut random = Random(3);
    let mut counts = BTreeMap::new();
    for (game, empties, order_max) in games_for_orders() {
        for attacker in [Color::Black, Color::White] {
            let mut orders = Orders::new(game, attacker);
            for _ in 0..effort(150, 400) {
                let place = random_position(&mut random, &Rules::new(game), empties.clone());
                // Most wins are of order 1; the test keeps one of five.
                if orders.wins(&place, 1) && random.chance(80) {
                    continue;
                }
                let start = claim(game, &place, attacker);
                for order in 1..=order_max {
                    let options = options(order as u32, 250);
                    let report = checked(&start, &options);
                    let by_definition = orders.wins(&place, order);
                    let case = || format!("order {order}, {}", described(game, &place, attacker));
                    let outcome = match report.outcome {
                        Outcome::Proved { .. } => {
                            assert!(by_definition, "more than the order has: {}", case());
                            "proved"
                        }
                        Outcome::NoWin => {
                            assert!(!by_definition, "a win is denied: {}", case());
                            "no win"
                        }
                        Outcome::Unknown if by_definition => "missed",
                        Outcome::Unknown => "unknown",
                    };
                    *counts.entry((game.p, order, outcome)).or_insert(0) += 1;
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.keys().all(|(_, _, outcome)| *outcome != "missed"), "{counts:?}");
}

/// Games with sparse positions for the table of misses.
fn games_for_misses() -> Vec<(Game, RangeInclusive<usize>)> {
    let (free, exact) = (Game::free, Game::exact);
    vec![
        (free(4, 4, 3, 1, 1), 11..=14),
        (exact(4, 4, 3, 1, 1), 11..=14),
        (free(5, 5, 4, 1, 1), 12..=15),
        (free(5, 4, 4, 2, 2), 12..=15),
        (exact(5, 5, 4, 2, 2), 12..=14),
        (free(6, 4, 4, 2, 1), 12..=15),
        (free(5, 5, 5, 2, 1), 12..=14),
        (free(5, 4, 4, 3, 1), 11..=13),
    ]
}

/// Which true wins each order misses, of positions that are no wins at once. (Under the exact rule
/// a proof grants Defender overlines, so that some true wins have none.)
#[test]
fn few_true_wins_are_missed_by_low_orders() {
    let mut random = Random(4);
    let mut table = String::from("game, wins, found by orders 1 to 4\n");
    for (game, empties) in games_for_misses() {
        let mut solver = Solver::new(Rules::new(game));
        let (mut wins, mut found) = (0, [0; 4]);
        while wins < 50 {
            let place = random_position(&mut random, &solver.rules, empties.clone());
            let attacker = *random.pick(&[Color::Black, Color::White]);
            let won_now = place.to_move == attacker
                && !solver.rules.completions(attacker, &place, place.left).is_empty();
            if won_now || !solver.wins(attacker, &place) {
                continue;
            }
            wins += 1;
            let options = options(4, 1_000);
            let report = checked(&claim(game, &place, attacker), &options);
            if is_proved(&report) {
                found[report.order as usize - 1..].iter_mut().for_each(|count| *count += 1);
            }
        }
        let Game { cols, rows, k, p, q, exact } = game;
        let rule = if exact { " exact" } else { "" };
        table += &format!("Connect({cols},{rows},{k},{p},{q}){rule}: {wins} {found:?}\n");
    }
    expect![[r#"
        game, wins, found by orders 1 to 4
        Connect(4,4,3,1,1): 50 [48, 50, 50, 50]
        Connect(4,4,3,1,1) exact: 50 [45, 49, 49, 49]
        Connect(5,5,4,1,1): 50 [43, 50, 50, 50]
        Connect(5,4,4,2,2): 50 [50, 50, 50, 50]
        Connect(5,5,4,2,2) exact: 50 [48, 48, 48, 48]
        Connect(6,4,4,2,1): 50 [50, 50, 50, 50]
        Connect(5,5,5,2,1): 50 [49, 50, 50, 50]
        Connect(5,4,4,3,1): 50 [50, 50, 50, 50]
    "#]]
    .assert_eq(&table);
}
