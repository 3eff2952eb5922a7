//! The tiny world of these tests: its games and positions, and the laws that every file obeys.

use std::collections::BTreeMap;

use sixproof_oracle::certificate::{Certificate, Node};
use sixproof_oracle::literal::{self, Refusal};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game, Position, squares};
use sixproof_oracle::solve::Solvers;
use sixproof_oracle::{meaning, parse};

/// The truth is asked only of positions with at most this many empty squares.
const EMPTIES_MAX: usize = 12;

/// Whether the checker under test verifies the file.
pub(crate) fn verifies(bytes: &[u8]) -> bool {
    sixproof_check::check_bytes(bytes).is_ok()
}

/// Whether all games are also played under the exact rule.
pub(crate) fn both_rules(games: &[Game]) -> Vec<Game> {
    games.iter().flat_map(|&g| [g, Game { exact: true, ..g }]).collect()
}

/// All claims about a placement of stones: who is to move, with how many stones, and who wins.
pub(crate) fn claims(game: Game, black: u64, white: u64) -> Vec<(Color, Position)> {
    let mut list = Vec::new();
    for to_move in [Color::Black, Color::White] {
        for left in 1..=game.p {
            // Black's first move has its own number of stones.
            if to_move == Color::Black && black | white == 0 && left > game.q {
                continue;
            }
            for attacker in [Color::Black, Color::White] {
                list.push((attacker, Position { black, white, to_move, left }));
            }
        }
    }
    list
}

/// The `number`-th way to put stones on the board: its digits to the base of 3 are the squares.
pub(crate) fn placement(game: Game, mut number: usize) -> (u64, u64) {
    let (mut black, mut white) = (0, 0);
    for square in 0..game.cols * game.rows {
        match number % 3 {
            1 => black |= 1 << square,
            2 => white |= 1 << square,
            _ => {}
        }
        number /= 3;
    }
    (black, white)
}

/// A random placement with at most `EMPTIES_MAX` empty squares.
fn random_placement(game: Game, random: &mut Random) -> (u64, u64) {
    let mut order: Vec<usize> = (0..game.cols * game.rows).collect();
    random.shuffle(&mut order);
    let empties = random.below(EMPTIES_MAX.min(order.len()) + 1);
    let (mut black, mut white) = (0, 0);
    for &square in &order[empties..] {
        match random.chance(50) {
            true => black |= 1 << square,
            false => white |= 1 << square,
        }
    }
    (black, white)
}

/// The judges of a file: solvers that remember, and counters.
#[derive(Default)]
pub(crate) struct Judge {
    pub(crate) solvers: Solvers,
    pub(crate) files: usize,
    /// The number of files that are proofs as an honest prover writes them.
    pub(crate) honest: usize,
    pub(crate) accepted: usize,
    pub(crate) truths: usize,
    pub(crate) too_large: usize,
    /// The number of accepted certificates with each feature.
    pub(crate) features: BTreeMap<&'static str, usize>,
}

impl Judge {
    /// Whether the game is over: one side has a row, in the sense in which a root is refused.
    pub(crate) fn is_over(&mut self, game: Game, attacker: Color, position: &Position) -> bool {
        let rules = &self.solvers.granting(game, attacker.other()).rules;
        [Color::Black, Color::White].iter().any(|&c| rules.has_line(c, position.stones(c)))
    }

    /// Whether a proof can exist: Attacker wins although Defender's overlines count.
    pub(crate) fn is_won(&mut self, game: Game, attacker: Color, position: &Position) -> bool {
        self.solvers.granting(game, attacker.other()).wins(attacker, position)
    }

    /// A random claim about a game that is not over: more often than not a true one that takes more
    /// than a move to prove.
    pub(crate) fn random_claim(&mut self, game: Game, random: &mut Random) -> (Color, Position) {
        let any = random.chance(25);
        for attempt in 0.. {
            let (black, white) = random_placement(game, random);
            let (attacker, position) = *random.pick(&claims(game, black, white));
            if self.is_over(game, attacker, &position) {
                continue;
            }
            let rules = &self.solvers.real(game).rules;
            let rows = rules.completions(attacker, &position, position.left);
            let at_once = position.to_move == attacker && !rows.is_empty();
            if any || attempt > 1_000 || !at_once && self.is_won(game, attacker, &position) {
                return (attacker, position);
            }
        }
        unreachable!("some placement has no row")
    }

    /// The laws of every file. The checker and the reference checker agree; what is accepted is a
    /// true win, even if Defender's overlines count; and played as a strategy it wins.
    pub(crate) fn file(&mut self, bytes: &[u8], origin: &dyn Fn() -> String) -> bool {
        let accepted = verifies(bytes);
        let text = || String::from_utf8_lossy(bytes).into_owned();
        self.files += 1;
        match literal::check_bytes(bytes) {
            Err(Refusal::TooLarge) => self.too_large += 1,
            other => assert_eq!(
                accepted,
                other.is_ok(),
                "{}: the reference checker says {:?}\n{}",
                origin(),
                other.err(),
                text()
            ),
        }
        if accepted {
            self.accepted += 1;
            let certificate = parse::parse(bytes).expect("accepted files are well-formed");
            let mut features = Vec::new();
            list_features(&certificate.root, certificate.count, certificate.game.p, &mut features);
            features.sort();
            features.dedup();
            for feature in features {
                *self.features.entry(feature).or_default() += 1;
            }
            self.truth(&certificate, &|| format!("{}\n{}", origin(), text()));
        }
        accepted
    }

    fn truth(&mut self, certificate: &Certificate, origin: &dyn Fn() -> String) {
        let game = certificate.game;
        let board = game.cols * game.rows;
        let stones = certificate.black.len() + certificate.white.len();
        if board == 0 || board > 64 || board - stones > EMPTIES_MAX {
            return;
        }
        self.truths += 1;
        let mask = |list: &[sixproof_oracle::certificate::Square]| {
            list.iter().fold(0u64, |m, s| m | 1 << (s.y as usize * game.cols + s.x as usize))
        };
        let position = Position {
            black: mask(&certificate.black),
            white: mask(&certificate.white),
            to_move: certificate.to_move,
            left: certificate.count,
        };
        let attacker = certificate.attacker;
        assert!(!self.is_over(game, attacker, &position), "over at the root: {}", origin());
        assert!(self.is_won(game, attacker, &position), "a false claim: {}", origin());
        assert!(self.solvers.real(game).wins(attacker, &position), "a false claim: {}", origin());
        assert!(meaning::wins(certificate), "the strategy loses: {}", origin());
    }
}

/// The features that a proof uses.
fn list_features(node: &Node, t: usize, p: usize, found: &mut Vec<&'static str>) {
    match node {
        Node::Win(_) => {}
        Node::Attack(..) => found.push("attack"),
        Node::Keep(_) => found.push("mark"),
        Node::Again(_) => found.push("citation"),
        Node::Defend(named, replies) => {
            if let Some(named) = named {
                found.push(if named.is_empty() { "relies on nothing" } else { "relies on some" });
            }
            for reply in replies {
                found.push(match reply.squares.len() {
                    0 => "null",
                    n if n < t => "semi-null",
                    n if n == t => "move",
                    _ => "macro",
                });
                if reply.slack.is_some_and(|u| u != t.saturating_sub(reply.squares.len())) {
                    found.push("slack");
                }
            }
        }
    }
    for child in node.children() {
        let t = if matches!(node, Node::Keep(_)) { t } else { p };
        list_features(&child, t, p, found);
    }
    if node.node_count() >= 10 {
        found.push("ten nodes");
    }
}

/// All subsets of a set with at most `most` squares.
pub(crate) fn small_subsets(mask: u64, most: usize) -> Vec<u64> {
    (0..=most.min(squares(mask).len()))
        .flat_map(|size| sixproof_oracle::rules::subsets(mask, size))
        .collect()
}
