//! A made-up game for the driver: its answers come from a hash of the path, not from a board.
//!
//! Every position is a win for Attacker or is not, which only the answers show. A won position has
//! a good move at some rank, and after a good move all replies are won; after any other move at
//! least one is not. How far down the list the good move is, how many replies a screening or a
//! verification leaves, which search of the ladder solves a won position, and what a job takes:
//! all that is drawn from what was measured. Below a depth every won position is solved by its
//! first search, so that there is a proof.
//!
//! A single such game is a matter of luck: a good move that is looked at early saves half of the
//! search. So the first move is given, and leaves many replies, each of which is a game of its own
//! that takes about as many jobs as one of the openings that were measured.
//!
//! The same job has the same answer whenever it is done, so runs differ only by what is done when.

use std::sync::Arc;

use sixproof_game::repeatable::mix;
use sixproof_prover::board::{Board, Connect6, Sq};
use sixproof_prover::driver::{Job, JobAnswer, Settings, Switches, Task};
use sixproof_prover::proof::{Part, Proof};
use sixproof_prover::tree::Won;
use sixproof_prover::zone::Zone;

use super::shape::{JobShape, PARTS, RUNGS, kind};

/// The order of strategies with quiet moves in a game of two stones a move.
const ORDER: u32 = 3;
/// Replies that the first move leaves.
pub(super) const WIDTH: u64 = 40;
/// The number of moves for which the board has room.
const MOVES_MAX: u64 = 180;
/// A reply to a bad move is won with this chance, unless it is the one that refutes the move.
const WON_AFTER_BAD: u64 = PARTS / 10;

/// A game.
pub(super) struct Game<'a> {
    shape: &'a JobShape,
    seed: u64,
    /// The number of moves of Attacker below which searches are easy.
    depth: usize,
    /// Replies that the first move leaves.
    width: u64,
    solve_nodes: u64,
    won: Won,
}

/// The result of a job.
pub(super) struct Outcome {
    pub(super) answer: JobAnswer,
    pub(super) time_us: u64,
    pub(super) nodes: u64,
}

/// A place in the game: a position with Attacker to move, or what Attacker's move leaves.
#[derive(Clone, Copy)]
struct DrawnPosition {
    hash: u64,
    /// Moves of both sides so far.
    length: usize,
    /// Whether Attacker wins; of a move, whether it is good.
    is_won: bool,
}

/// What is drawn at a place; each has numbers of its own.
#[derive(Clone, Copy)]
enum Draw {
    Rank,
    Listed,
    Soon,
    Left,
    Again,
    Later,
    Forcing,
    Refuting,
    Reply(u64),
    Rung(u64),
    Cost(u64),
}

impl<'a> Game<'a> {
    pub(super) fn new(shape: &'a JobShape, seed: u64, depth: usize, width: u64) -> Game<'a> {
        let mut proof = Proof::default();
        proof.push(Part::Win(&[0]));
        let won = Won { proof: Arc::new(proof), zone: Arc::new(Zone::new(&board(), 0)) };
        let solve_nodes = settings().solve_nodes;
        Game { shape, seed, depth, width, solve_nodes, won }
    }

    /// Does a job.
    pub(super) fn answer(&self, job: &Job) -> Outcome {
        let kind = kind(job, self.solve_nodes);
        let place = self.place(&job.path);
        let answer = match &job.work {
            Task::Solve { nodes, .. } => {
                let rung = (nodes / self.solve_nodes).max(1).ilog(4);
                self.solve(place, rung.into())
            }
            Task::List { .. } => JobAnswer::Listed((0..self.listed(place)).map(stones).collect()),
            Task::Verify { .. } if kind == "screen" => self.screen(place, job),
            Task::Verify { .. } => self.verify(place, job),
        };
        // A verification that is done again is another job.
        let again = match &job.work {
            Task::Solve { nodes, .. } => *nodes,
            Task::List { .. } => 0,
            Task::Verify { given, hopeless, .. } => (given.len() << 10 | hopeless.len()) as u64,
        };
        let share = self.draw(place, Draw::Cost(again));
        let cost = |what: &str| self.shape.quantile(&format!("{what} {kind}"), share);
        Outcome { answer, time_us: cost("time").max(1), nodes: cost("nodes") }
    }

    /// Where a path leads.
    fn place(&self, path: &[Vec<Sq>]) -> DrawnPosition {
        let mut place = DrawnPosition { hash: hash(self.seed, 0), length: 0, is_won: true };
        for (index, stones) in path.iter().enumerate() {
            let number = number(stones);
            let is_won = match index % 2 {
                0 => place.is_won && number == self.good_rank(place),
                _ => place.is_won || !self.refutes(place, number),
            };
            place = DrawnPosition { hash: hash(place.hash, number + 1), length: index + 1, is_won };
        }
        place
    }

    /// A number below a million that depends on a place and on what it is for.
    fn draw(&self, place: DrawnPosition, draw: Draw) -> u64 {
        let (what, number) = match draw {
            Draw::Rank => (1, 0),
            Draw::Listed => (2, 0),
            Draw::Soon => (3, 0),
            Draw::Left => (4, 0),
            Draw::Again => (5, 0),
            Draw::Later => (6, 0),
            Draw::Forcing => (7, 0),
            Draw::Refuting => (8, 0),
            Draw::Reply(reply) => (9, reply),
            Draw::Rung(rung) => (10, rung),
            Draw::Cost(cost) => (11, cost),
        };
        hash(hash(place.hash, what << 32), number) % PARTS
    }

    fn is_drawn(&self, place: DrawnPosition, draw: Draw, chance: u64) -> bool {
        self.draw(place, draw) < chance
    }

    fn listed(&self, position: DrawnPosition) -> u64 {
        let listed = self.shape.quantile("count listed", self.draw(position, Draw::Listed));
        // In a won position the good move is always among them.
        let good = if position.is_won { self.good_rank(position) + 1 } else { 1 };
        listed.clamp(good, MOVES_MAX)
    }

    fn good_rank(&self, position: DrawnPosition) -> u64 {
        if position.length == 0 {
            return 0;
        }
        self.shape.quantile("rank winner", self.draw(position, Draw::Rank)).min(MOVES_MAX - 1)
    }

    /// Whether a reply refutes a bad move.
    fn refutes(&self, bad: DrawnPosition, reply: u64) -> bool {
        let refuting = self.draw(bad, Draw::Refuting) % self.left(bad, "verify");
        reply == refuting || !self.is_drawn(bad, Draw::Reply(reply), WON_AFTER_BAD)
    }

    /// How many replies to a move a screening or a first verification leaves.
    fn left(&self, place: DrawnPosition, what: &str) -> u64 {
        if place.length == 1 && place.is_won {
            return self.width;
        }
        let fate = if place.is_won { "winner" } else { "other" };
        let row = format!("count left {what} {fate}");
        self.shape.quantile(&row, self.draw(place, Draw::Left)).clamp(1, MOVES_MAX / 2)
    }

    /// How many more come to light when these are won.
    fn later(&self, place: DrawnPosition) -> u64 {
        let is_first = place.length == 1 && place.is_won;
        if is_first || self.is_drawn(place, Draw::Again, self.shape.chance("chance won again")) {
            return 0;
        }
        let share = self.draw(place, Draw::Later);
        self.shape.quantile("count left again", share).clamp(1, MOVES_MAX / 2)
    }

    fn solve(&self, place: DrawnPosition, rung: u64) -> JobAnswer {
        let depth = place.length / 2;
        if place.is_won && depth >= self.depth {
            return JobAnswer::Won(self.won.clone());
        }
        for step in 0..=rung {
            let row = step.min(u64::from(RUNGS) - 1);
            let [won, refuted] =
                ["won", "refuted"].map(|what| format!("chance {what} solve-{row}"));
            let (won, refuted) = (self.shape.chance(&won), self.shape.chance(&refuted));
            let drawn = self.draw(place, Draw::Rung(step));
            // The root is the hardest position of all.
            if drawn < won && place.is_won && depth > 0 {
                return JobAnswer::Won(self.won.clone());
            }
            if drawn >= PARTS - refuted {
                return JobAnswer::Refuted;
            }
        }
        JobAnswer::Unknown
    }

    fn screen(&self, place: DrawnPosition, job: &Job) -> JobAnswer {
        let fate = if place.is_won { "winner" } else { "other" };
        let chance = self.shape.chance(&format!("chance soon {fate}"));
        if place.length > 1 && self.is_drawn(place, Draw::Soon, chance) {
            let won = || JobAnswer::Won(self.won.clone());
            return if place.is_won { won() } else { JobAnswer::Refuted };
        }
        self.unsolved(place, job, self.left(place, "screen"), "screen")
    }

    fn verify(&self, place: DrawnPosition, job: &Job) -> JobAnswer {
        let Task::Verify { given, .. } = &job.work else { return JobAnswer::Unknown };
        let first = self.left(place, "verify");
        let is_given = |reply| given.iter().any(|given| number(&given.reply) == reply);
        let all = match (0..first).all(is_given) {
            true => first + self.later(place),
            false => first,
        };
        if (0..all).all(is_given) {
            return JobAnswer::Won(self.won.clone());
        }
        self.unsolved(place, job, all, "verify")
    }

    /// The replies that are left, those known first; cut short where the job says so.
    fn unsolved(&self, place: DrawnPosition, job: &Job, all: u64, what: &str) -> JobAnswer {
        let Task::Verify { given, hopeless, unsolved_max, .. } = &job.work else {
            return JobAnswer::Unknown;
        };
        let mut is_out = vec![false; all as usize];
        let known = given.iter().map(|given| &given.reply).chain(hopeless);
        for index in known.map(|reply| number(reply) as usize) {
            if let Some(is_out) = is_out.get_mut(index) {
                *is_out = true;
            }
        }
        let new = (0..all).filter(|&reply| !is_out[reply as usize]).map(stones);
        let mut replies: Vec<Vec<Sq>> = hopeless.iter().cloned().chain(new).collect();
        let complete = replies.len() <= *unsolved_max;
        replies.truncate(unsolved_max + 1);
        let chance = self.shape.chance(&format!("chance forcing {what}"));
        JobAnswer::Unsolved {
            replies,
            complete,
            forcing: self.is_drawn(place, Draw::Forcing, chance),
        }
    }
}

/// The board of all games: nothing is ever placed on it.
pub(super) fn board() -> Board<Connect6> {
    Board::new(Connect6, 19, 19)
}

/// The settings of the search. There is nothing to know of a made-up position from another one.
pub(super) fn settings() -> Settings {
    let switches = Switches { posthoc: false, reuse: false, winners: false, ..Switches::ALL };
    Settings::new(ORDER, switches)
}

/// The stones of a move with a number.
fn stones(number: u64) -> Vec<Sq> {
    let first = (2 * number.min(MOVES_MAX - 1)) as Sq;
    vec![first, first + 1]
}

/// The number of a move.
fn number(stones: &[Sq]) -> u64 {
    stones.first().map_or(0, |&square| u64::from(square) / 2)
}

fn hash(before: u64, number: u64) -> u64 {
    let mut seed = before ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mix(&mut seed);
    mix(&mut seed)
}
