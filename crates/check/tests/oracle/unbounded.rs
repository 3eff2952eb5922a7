//! Unbounded boards: the checker, the reference checker and symmetry.
//!
//! A small planner attacks in the middle of a bounded board, by threats only and without looking at
//! zones; the plan is then moved somewhere else, mirrored, and claimed for the unbounded board.
//! About half of the plans are proofs. There is no minimax to compare with: the verdicts must
//! agree, and must not depend on where the plan was moved to.

use std::rc::Rc;

use sixproof_oracle::certificate::{Certificate, Node, Reply, Square};
use sixproof_oracle::literal::{Board, Role, State};
use sixproof_oracle::mutants::mutant;
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game};

use crate::world::{Judge, verifies};

/// The side of the board on which plans are made; the action is within 5 squares of its middle.
const SIDE: usize = 15;

struct Planner<'a> {
    board: Board,
    random: &'a mut Random,
}

impl Planner<'_> {
    fn square(index: usize) -> Square {
        Square { x: (index % SIDE) as i64, y: (index / SIDE) as i64 }
    }

    fn names(squares: &[usize]) -> Vec<Square> {
        squares.iter().map(|&s| Self::square(s)).collect()
    }

    /// An empty square near the middle.
    fn near(&mut self, state: &State) -> usize {
        loop {
            let (x, y) = (5 + self.random.below(5), 5 + self.random.below(5));
            if state.stones[y * SIDE + x].is_none() {
                return y * SIDE + x;
            }
        }
    }

    fn attack(&mut self, state: &State, depth: usize) -> Node {
        let rows = (0..self.board.segments.len())
            .filter_map(|h| self.board.attacker_empties(state, h))
            .filter(|empties| empties.len() <= state.count);
        let rows: Vec<Vec<usize>> = rows.collect();
        if !rows.is_empty() || depth == 0 {
            let row = if rows.is_empty() { Vec::new() } else { self.random.pick(&rows).clone() };
            return Node::Win(Self::names(&row));
        }
        // The move with the fewest defences, of a few.
        let mut best: Option<(usize, Vec<usize>, State)> = None;
        for _ in 0..12 {
            let mut squares = vec![self.near(state)];
            while squares.len() < state.count {
                let next = self.near(state);
                if !squares.contains(&next) {
                    squares.push(next);
                }
            }
            let next = self.board.after_attack(state, &squares).expect("a move");
            let threats = self.board.threats(&next);
            let defences = self.board.blocking_moves(&next, &threats).expect("few moves").len();
            if best.as_ref().is_none_or(|(least, ..)| defences < *least) {
                best = Some((defences, squares, next));
            }
        }
        let (_, squares, next) = best.expect("several were tried");
        Node::Attack(Self::names(&squares), Rc::new(self.defend(&next, depth - 1)))
    }

    fn defend(&mut self, state: &State, depth: usize) -> Node {
        let threats = self.board.threats(state);
        let mut defences = self.board.blocking_moves(state, &threats).expect("few moves");
        if defences.len() > 6 {
            // Too many: a null move and a few real ones, which may cover them all.
            let near: Vec<Vec<usize>> = (0..3).map(|_| vec![self.near(state)]).collect();
            defences = [vec![Vec::new()], near].concat();
        }
        let mut replies = Vec::new();
        for squares in defences {
            let next = self.board.after_reply(state, &squares).expect("empty squares");
            let child = Rc::new(self.attack(&next, depth));
            let slack = self.random.chance(10).then(|| self.random.below(3));
            replies.push(Reply { squares: Self::names(&squares), slack, child });
        }
        Node::Defend(None, replies)
    }
}

/// A plan for an unbounded game.
fn plan(game: Game, depth: usize, random: &mut Random) -> Certificate {
    let bounded = Game { cols: SIDE, rows: SIDE, ..game };
    let board = Board::new(bounded, game.p, &[]).expect("a small board");
    let to_move = *random.pick(&[Color::Black, Color::White]);
    let role = if to_move == Color::Black { Role::Attacker } else { Role::Defender };
    let count = 1 + random.below(game.p);
    let mut state = board.empty(role, count);
    let mut planner = Planner { board, random };
    let (mut black, mut white) = (Vec::new(), Vec::new());
    for _ in 0..game.k - 1 {
        let square = planner.near(&state);
        state.stones[square] = Some(Role::Attacker);
        black.push(square);
    }
    for _ in 0..1 + planner.random.below(3) {
        let square = planner.near(&state);
        state.stones[square] = Some(Role::Defender);
        white.push(square);
    }
    let root = match role {
        Role::Attacker => planner.attack(&state, depth),
        Role::Defender => planner.defend(&state, depth),
    };
    let (black, white) = (Planner::names(&black), Planner::names(&white));
    let root = Rc::new(root);
    Certificate { game, attacker: Color::Black, black, white, to_move, count, root }
}

/// The certificate with every square passed through `place`.
fn moved(certificate: &Certificate, place: &dyn Fn(Square) -> Square) -> Certificate {
    fn node(old: &Node, place: &dyn Fn(Square) -> Square) -> Rc<Node> {
        let list = |squares: &[Square]| squares.iter().map(|&s| place(s)).collect::<Vec<_>>();
        Rc::new(match old {
            Node::Win(squares) => Node::Win(list(squares)),
            Node::Attack(squares, child) => Node::Attack(list(squares), node(child, place)),
            Node::Defend(named, replies) => {
                let ends = |named: &Vec<(Square, Square)>| {
                    named.iter().map(|&(a, b)| (place(a), place(b))).collect()
                };
                let reply = |r: &Reply| Reply {
                    squares: list(&r.squares),
                    slack: r.slack,
                    child: node(&r.child, place),
                };
                Node::Defend(named.as_ref().map(ends), replies.iter().map(reply).collect())
            }
            Node::Keep(child) => Node::Keep(node(child, place)),
            Node::Again(number) => Node::Again(*number),
        })
    }
    let list = |squares: &[Square]| squares.iter().map(|&s| place(s)).collect();
    Certificate {
        black: list(&certificate.black),
        white: list(&certificate.white),
        root: node(&certificate.root, place),
        ..certificate.clone()
    }
}

fn run(game: Game, depth: usize, plans: u64, accepted_min: usize) {
    let mut judge = Judge::default();
    for seed in 0..plans {
        let random = &mut Random(seed);
        let planned = plan(Game { exact: seed % 2 == 1, ..game }, depth, random);
        let origin = || format!("{game:?}, seed {seed}");
        for file in [mutant(&planned, random), planned] {
            let (dx, dy) = (*random.pick(&[0, -9, -5_000_000]), *random.pick(&[-8, 77, 1_000]));
            let place = |s: Square| Square { x: dx - s.y, y: dy + s.x };
            let accepted = judge.file(&file.to_bytes(), &origin);
            let elsewhere = moved(&file, &place);
            assert_eq!(verifies(&elsewhere.to_bytes()), accepted, "{}\n{file}", origin());
            // A stone of Defender that is far away changes nothing. With two stones a move the
            // reference checker would have too many moves to try.
            if game.p > 1 {
                continue;
            }
            let mut far = file.clone();
            let distance = (game.p as i64 + 3) * game.k as i64 + random.below(40) as i64;
            far.white.push(Square { x: SIDE as i64 + distance, y: -distance });
            assert_eq!(judge.file(&far.to_bytes(), &origin), accepted, "far\n{}", far);
        }
    }
    println!("{} files, {} accepted", judge.files, judge.accepted);
    assert!(judge.accepted >= accepted_min, "the test has become vacuous");
}

#[test]
fn verdicts_agree_on_unbounded_boards_with_one_stone_a_move() {
    run(Game::free(0, 0, 3, 1, 1), 2, 120, 60);
    run(Game::free(0, 0, 4, 1, 1), 3, 60, 20);
}

#[test]
fn verdicts_agree_on_unbounded_boards_with_two_stones_a_move() {
    run(Game::free(0, 0, 4, 2, 1), 1, 12, 6);
}
