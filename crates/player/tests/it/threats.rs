//! What the player promises about forced wins, on positions from games (`suite/play`): it never
//! misses one of its own that the solver finds in 1,000 nodes, and never allows one that it could
//! have parried.

use std::ops::ControlFlow;

use sixproof_certificate::Claim;
use sixproof_certificate::Reader;
use sixproof_check::check_bytes;
use sixproof_game::{Color, Game, Position, Square, moves};
use sixproof_oracle::effort;
use sixproof_player::{Engine, Limits, Reason, Score, Settings, Thought, Unwatched};
use sixproof_prover::arena::Arena;
use sixproof_prover::board::{Board, Connect6, Side, Sq};
use sixproof_prover::cover::Threat;
use sixproof_prover::prove::{Options, Outcome, prove};
use sixproof_prover::vcdt::{Forced, Path, Vcdt};

const POSITIONS: &str = include_str!("../../../../suite/play/positions.txt");
/// Nodes of the solver.
const SOLVER_NODES: u64 = 1_000;
/// Nodes for finding out that a move which seems to parry does not.
const DOUBT_NODES: u64 = 20 * SOLVER_NODES;

/// Every position that is not a remark.
fn positions() -> Vec<(&'static str, Position)> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    let read = |line| {
        let record = moves::read(Game::CONNECT6, line).unwrap();
        (line, record.reach(record.main_line_end(0)).unwrap().position)
    };
    lines.map(read).collect()
}

/// The solver for the wins of one side.
struct Solver {
    arena: Arena,
    board: Board<Connect6>,
    vcdt: Vcdt,
    threats: Vec<Threat>,
    /// Wins that were found, the useful ones first.
    known: Vec<Vec<Forced>>,
}

impl Solver {
    fn new(position: &Position, attacker: Color) -> Solver {
        let arena = Arena::new(position).unwrap();
        let mut board = arena.board(Connect6);
        for (square, color) in position.stones() {
            let side = if color == attacker { Side::Attacker } else { Side::Defender };
            board.place(side, arena.index(square).unwrap());
        }
        let (vcdt, threats, known) = (Vcdt::default(), Vec::new(), Vec::new());
        Solver { arena, board, vcdt, threats, known }
    }

    /// Whether Attacker completes a line with one move.
    fn completes(&mut self) -> bool {
        self.board.threats(Side::Attacker, &mut self.threats);
        !self.threats.is_empty()
    }

    /// Whether Attacker, to move, is seen to win.
    fn wins(&mut self) -> bool {
        if self.completes() {
            return true;
        }
        for index in 0..self.known.len() {
            let attacks = self.known[index].iter().map(|forced| &forced.attack[..]);
            if self.vcdt.replay(&mut self.board, attacks).is_some() {
                self.known[..=index].rotate_right(1);
                return true;
            }
        }
        self.finds(SOLVER_NODES)
    }

    fn finds(&mut self, nodes_max: u64) -> bool {
        match self.vcdt.search(&mut self.board, nodes_max) {
            Path::Found(path) => {
                self.known.insert(0, path);
                true
            }
            Path::None | Path::Unknown => false,
        }
    }

    /// A move of Defender after which Attacker is not seen to win, neither by the solver nor by
    /// those who have more nodes, or know single threats: a move that loses to them is no parry.
    fn parry(&mut self, position: &Position) -> Option<[Square; 2]> {
        let empty: Vec<Sq> = self.board.empty_squares().collect();
        for (index, &one) in empty.iter().enumerate() {
            for &two in &empty[index + 1..] {
                self.board.place_all(Side::Defender, &[one, two]);
                let wins = self.wins() || self.finds(DOUBT_NODES);
                self.board.remove_all(Side::Defender, &[one, two]);
                let squares = [one, two].map(|square| self.arena.square(square));
                if !wins && !is_proved(&after(position, &squares)) {
                    return Some(squares);
                }
            }
        }
        None
    }
}

fn after(position: &Position, squares: &[Square]) -> Position {
    let mut after = position.clone();
    after.play(squares).unwrap();
    after
}

/// Whether the side to move wins with single threats, too.
fn is_proved(position: &Position) -> bool {
    let options = Options {
        order_max: 2,
        nodes_max: DOUBT_NODES,
        first_look: DOUBT_NODES,
        ..Options::default()
    };
    match prove(&Claim::new(position, position.to_move()), &options, &mut |_| {
        ControlFlow::Continue(())
    })
    .outcome
    {
        Outcome::Proved { certificate, .. } => check_bytes(&certificate).is_ok(),
        _ => false,
    }
}

fn think(position: &Position, nodes: u64) -> Thought {
    let settings = Settings { book: false, memory: 1 << 20, ..Settings::default() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Engine::new(settings).think(position, &limits, &Unwatched)
}

/// What is wrong with a thought that claims a win.
fn wrong_win(position: &Position, thought: &Thought) -> Option<String> {
    let Some(proof) = &thought.proof else { return Some(String::from("there is no proof")) };
    if let Err(why) = check_bytes(&proof.certificate) {
        return Some(format!("the proof is refused: {why:?}"));
    }
    let claim = Reader::new(&proof.certificate[..]).unwrap().claim().clone();
    let same = claim.position == *position && claim.attacker == position.to_move();
    (!same).then(|| String::from("the proof is of something else"))
}

/// The result for one position.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    /// The side to move has a forced win, and plays it.
    Won,
    /// The other side has a forced win after the move, as after every other.
    Lost,
    /// Neither.
    Open,
    /// The promise is broken.
    Broken(String),
}

/// The result for a position with this number of nodes for the player.
fn verdict(position: &Position, nodes: u64) -> Verdict {
    let (mover, game) = (position.to_move(), position.game());
    let thought = think(position, nodes);
    let names = game.square_names(&thought.squares);
    let described = format!("{names} ({:?}, {:?})", thought.reason, thought.score);
    let claims_win = thought.score == Score::Win;
    if claims_win && let Some(wrong) = wrong_win(position, &thought) {
        return Verdict::Broken(format!("plays {described}: {wrong}"));
    }
    let mut own = Solver::new(position, mover);
    if own.completes() {
        return match thought.reason {
            Reason::Completes => Verdict::Won,
            _ => Verdict::Broken(format!("plays {described} and does not complete its line")),
        };
    }
    if own.wins() {
        return match thought.reason {
            Reason::Forces => Verdict::Won,
            _ => {
                let first = own.known[0][0].attack.iter().map(|&sq| own.arena.square(sq));
                let first: Vec<Square> = first.collect();
                let win = game.square_names(&first);
                Verdict::Broken(format!("plays {described} and misses its win by {win}"))
            }
        };
    }
    let after = after(position, &thought.squares);
    if !Solver::new(&after, !mover).wins() {
        return if claims_win { Verdict::Won } else { Verdict::Open };
    }
    match Solver::new(position, !mover).parry(position) {
        None => Verdict::Lost,
        Some(parry) => {
            let parry = game.square_names(&parry);
            Verdict::Broken(format!("plays {described}, which loses by force; {parry} does not"))
        }
    }
}

/// Plays from all positions, or from every eighth in the usual run.
fn keeps_its_promise(nodes: u64) {
    let step = effort(8, 1);
    let positions: Vec<_> = positions().into_iter().step_by(step).collect();
    let verdicts: Vec<(&str, Verdict)> = std::thread::scope(|scope| {
        let parts: Vec<_> = positions
            .chunks(positions.len().div_ceil(2))
            .map(|part| {
                scope.spawn(move || -> Vec<(&str, Verdict)> {
                    part.iter().map(|(line, position)| (*line, verdict(position, nodes))).collect()
                })
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    let count = |wanted: Verdict| verdicts.iter().filter(|(_, v)| *v == wanted).count();
    let [won, lost, open] = [Verdict::Won, Verdict::Lost, Verdict::Open].map(count);
    let broken: Vec<String> = verdicts
        .iter()
        .filter_map(|(line, verdict)| match verdict {
            Verdict::Broken(why) => Some(format!("{line}\n    {why}")),
            _ => None,
        })
        .collect();
    println!("{won} won, {lost} lost, {open} open, {} broken", broken.len());
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
    // A set without wins and losses would test nothing.
    assert!(won.min(lost).min(open) >= 50 / step, "{won} won, {lost} lost, {open} open");
}

#[test]
fn there_are_500_different_positions() {
    let positions = positions();
    assert_eq!(positions.len(), 500);
    let mut stones: Vec<Vec<_>> = positions.iter().map(|(_, p)| p.stones().collect()).collect();
    stones.sort_unstable();
    stones.dedup();
    assert_eq!(stones.len(), 500);
    for (line, position) in &positions {
        let begins = position.left() == 2 && position.irregularity().is_none();
        assert!(begins && position.winner().is_none(), "{line}");
    }
}

#[test]
fn forced_wins_are_neither_missed_nor_allowed() {
    // Less than the player has at 0.3 seconds a move.
    keeps_its_promise(16_000);
}

#[test]
fn forced_wins_are_neither_missed_nor_allowed_with_few_nodes() {
    keeps_its_promise(4_000);
}
