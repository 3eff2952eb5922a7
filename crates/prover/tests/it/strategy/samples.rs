//! Certificates to walk: those of the suite, those of the prover, and those of the oracle's
//! provers, who write in all styles that the format has room for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use sixproof_certificate::Claim;
use sixproof_certificate::Zone;
use sixproof_certificate::strategy::{NodeId, Strategy};
use sixproof_oracle::provers::{self, Style};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game, Rules};
use sixproof_oracle::solve::Solver;
use sixproof_prover::prove::Outcome;

use crate::world::{self, checked, options, random_position};

/// A strategy that the checker has accepted, and what it says about the zones of its nodes.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) strategy: Strategy,
    zones: RefCell<HashMap<NodeId, Option<Arc<Zone>>>>,
}

impl Sample {
    pub(crate) fn new(name: impl Into<String>, bytes: Vec<u8>) -> Sample {
        let name = name.into();
        let strategy = Strategy::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        Sample { name, bytes, strategy, zones: RefCell::default() }
    }

    /// The zone of a node as the trusted checker reports it; `None` where a side has won.
    pub(crate) fn zone(&self, node: NodeId) -> Option<Arc<Zone>> {
        if let Some(known) = self.zones.borrow().get(&node) {
            return known.clone();
        }
        let zone = self.strategy.zone(node).map(Arc::new);
        let is_cut = self.strategy.sub_certificate(node).is_ok();
        assert_eq!(zone.is_some(), is_cut, "the checker refuses node {node} of {}", self.name);
        self.zones.borrow_mut().insert(node, zone.clone());
        zone
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        0..self.strategy.counts().nodes as NodeId
    }
}

/// The files of the suite.
pub(crate) fn suite() -> Vec<Sample> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite");
    let folders = ["good", "oracle"].map(|folder| suite.join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let mut paths: Vec<_> = files.map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "cert"));
    paths.sort();
    assert!(paths.len() >= 18, "certificates of the suite: {}", paths.len());
    paths
        .iter()
        .map(|path| Sample::new(path.display().to_string(), fs::read(path).expect("readable")))
        .collect()
}

/// Games whose positions are decided quickly, with the most empty squares of these.
const GAMES: [(Game, usize); 12] = [
    (free(4, 3, 3, 1, 1), 10),
    (exact(5, 3, 3, 1, 1), 10),
    (free(5, 5, 4, 1, 1), 10),
    (free(4, 4, 4, 2, 1), 10),
    (free(5, 4, 4, 2, 2), 10),
    (exact(5, 4, 4, 2, 1), 10),
    (free(12, 1, 4, 2, 1), 10),
    (free(6, 6, 6, 2, 1), 10),
    (free(5, 5, 5, 3, 2), 9),
    (exact(5, 4, 4, 3, 1), 9),
    (free(4, 3, 3, 3, 1), 8),
    (exact(5, 2, 2, 4, 1), 8),
];

const fn free(cols: usize, rows: usize, k: usize, p: usize, q: usize) -> Game {
    Game { cols, rows, k, p, q, exact: false }
}

const fn exact(cols: usize, rows: usize, k: usize, p: usize, q: usize) -> Game {
    Game { exact: true, ..free(cols, rows, k, p, q) }
}

/// Certificates of the oracle's provers: macros of all sizes, slack of all sizes, threats named or
/// not, references.
pub(crate) fn of_the_oracle(count: usize, random: &mut Random) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut solvers: HashMap<(usize, Color), Solver> = HashMap::new();
    while samples.len() < count {
        let at = random.below(GAMES.len());
        let (game, empties) = GAMES[at];
        let attacker = *random.pick(&[Color::Black, Color::White]);
        let start = random_position(random, &Rules::new(game), 1..=empties);
        let defender = attacker.other();
        let solver = solvers
            .entry((at, attacker))
            .or_insert_with(|| Solver::new(Rules::granting_overlines(game, defender)));
        let rows = solver.rules.completions(attacker, &start, start.left);
        let at_once = start.to_move == attacker && !rows.is_empty();
        if at_once || !solver.wins(attacker, &start) {
            continue;
        }
        let style = Style::random(random);
        let bytes = provers::prove(solver, attacker, &start, style, random).to_bytes();
        // Provers that state any slack need not cover all moves.
        if sixproof_check::check_bytes(&bytes).is_ok_and(|v| v.counts.nodes >= 5) {
            samples.push(Sample::new(format!("{game:?} {start:?} {style:?}"), bytes));
        }
    }
    samples
}

/// Certificates of the prover, of positions on small boards.
pub(crate) fn of_the_prover(count: usize, random: &mut Random) -> Vec<Sample> {
    let games = [
        free(6, 6, 4, 1, 1),
        free(7, 7, 5, 2, 1),
        exact(7, 6, 5, 2, 1),
        free(8, 8, 6, 2, 1),
        free(6, 6, 5, 3, 1),
        free(7, 5, 4, 2, 1),
    ];
    let mut samples = Vec::new();
    while samples.len() < count {
        let game = *random.pick(&games);
        let area = game.cols * game.rows;
        let start = random_position(random, &Rules::new(game), area / 2..=area - game.k + 1);
        let position = world::position(game, &start);
        for attacker in [sixproof_game::Color::Black, sixproof_game::Color::White] {
            let report = checked(&Claim::new(&position, attacker), &options(3, 3_000));
            if let Outcome::Proved { certificate, nodes, .. } = report.outcome
                && nodes > 2
            {
                samples.push(Sample::new(format!("{position:?} {attacker}"), certificate));
            }
        }
    }
    samples
}
