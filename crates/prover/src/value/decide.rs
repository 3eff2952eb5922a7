//! Which argument decides about which side: the simple ones first, then searches in turn, each with
//! a budget that grows from round to round.

use std::ops::ControlFlow;

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position};

use super::lines::Lines;
use super::search::Search;
use super::state::{BitPosition, Eye};
use super::{
    Finding, Method, Options, Pairing, Progress, Report, Rows, Unfit, Value, Win, strategy,
};
use crate::prove::{self, Outcome, prove};
use crate::stop::break_if;

/// Nodes of a search in the first round, and the factor from round to round.
const FIRST_NODES: u64 = 2_000;
const FACTOR: u64 = 4;
/// The highest order of the prover.
const ORDER_MAX: u32 = 5;

/// Receives the progress, and may stop the work.
pub(super) type Watch<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<()>;

/// Finds the value of the empty board. `watch` receives the progress at intervals, and may stop the
/// work.
pub fn value(game: Game, options: &Options, watch: Watch<'_>) -> Result<Report, Unfit> {
    if game.exact() {
        return Err(Unfit::Exact(game));
    }
    let lines = Lines::new(game).ok_or(Unfit::TooLarge(game))?;
    let mut sides =
        [Color::Black, Color::White].map(|color| Side::new(game, color, &lines, options));
    let mut work = Work { options, nodes: 0, stopped: false, watch };
    let mut budget = FIRST_NODES;
    while sides.iter().any(Side::is_open) && work.goes_on() {
        for index in 0..2 {
            sides[index].round(budget, &mut work);
            if matches!(sides[index].finding, Finding::Wins(_) | Finding::Unproved) {
                sides[1 - index].finding = Finding::Loses;
            }
        }
        budget = budget.saturating_mul(FACTOR);
    }
    let findings = sides.map(|side| side.finding);
    let value = match &findings {
        [Finding::Wins(_), _] => Some(Value::Black),
        [_, Finding::Wins(_)] => Some(Value::White),
        [black, white] if black.is_refuted() && white.is_refuted() => Some(Value::Draw),
        _ => None,
    };
    Ok(Report { value, findings, nodes: work.nodes })
}

/// The budget, and what is spent of it.
struct Work<'a, 'w> {
    options: &'a Options,
    nodes: u64,
    stopped: bool,
    watch: Watch<'w>,
}

impl Work<'_, '_> {
    fn goes_on(&self) -> bool {
        !self.stopped && self.nodes < self.options.nodes_max
    }

    fn left(&self) -> u64 {
        self.options.nodes_max - self.nodes
    }

    /// Reports the progress. Once the watcher has stopped the work, it stays stopped.
    fn report(&mut self, side: Color, method: Method, more: u64) -> ControlFlow<()> {
        let progress = Progress { side, method, nodes: self.nodes + more };
        self.stopped |= (self.watch)(&progress).is_break();
        break_if(self.stopped)
    }
}

/// One side, and the searches for its win.
struct Side {
    game: Game,
    color: Color,
    state: BitPosition,
    finding: Finding,
    /// The maker-breaker game, while it may refute, and the game.
    maker_breaker: Option<Search>,
    real: Option<Search>,
}

impl Side {
    fn new(game: Game, color: Color, lines: &Lines, options: &Options) -> Side {
        let position = Position::new(game);
        let attacks = position.to_move() == color;
        let left = position.left() as u8;
        let state = BitPosition { attacker: 0, defender: 0, attacks, left };
        let mut side =
            Side { game, color, state, finding: Finding::Unknown, maker_breaker: None, real: None };
        side.finding = side.at_once(lines, options);
        if side.is_open() {
            let search = |rows: Rows| {
                let stones = [game.p(), game.q()];
                let eye = Eye::new(lines.clone(), game.k(), stones, rows, options.improvements);
                Search::new(eye, options.table_bits)
            };
            side.maker_breaker = options.improvements.maker_breaker.then(|| search(Rows::Attacker));
            side.real = Some(search(Rows::Both));
        }
        side
    }

    fn claim(&self) -> Claim {
        Claim { position: Position::new(self.game), attacker: self.color }
    }

    fn is_open(&self) -> bool {
        matches!(self.finding, Finding::Unknown)
    }

    /// The arguments that need no search.
    fn at_once(&self, lines: &Lines, options: &Options) -> Finding {
        let improvements = options.improvements;
        let game = self.game;
        if improvements.stealing && self.color == Color::White && game.q() >= game.p() {
            return Finding::Stealing;
        }
        // Black's first stones, if there are several, may break a pair.
        if improvements.pairing
            && (!self.state.attacks || game.q() == 1)
            && let Some(pairing) = Pairing::find(game)
        {
            return Finding::Pairing(pairing);
        }
        let stones = [game.p(), game.q()];
        let eye = Eye::new(lines.clone(), game.k(), stones, Rows::Attacker, improvements);
        if improvements.potential && eye.is_light(&self.state) {
            return Finding::Potential;
        }
        Finding::Unknown
    }

    /// Tries each search with this budget.
    fn round(&mut self, budget: u64, work: &mut Work<'_, '_>) {
        if self.is_open() && work.options.improvements.prover && work.goes_on() {
            self.run_prover(budget.min(work.left()), work);
        }
        if self.is_open() && work.goes_on() {
            self.search_maker_breaker(budget, work);
        }
        if self.is_open() && work.goes_on() {
            self.search_game(budget, work);
        }
    }

    fn run_prover(&mut self, nodes_max: u64, work: &mut Work<'_, '_>) {
        let order_max = ORDER_MAX;
        let options = prove::Options { order_max, nodes_max, ..Default::default() };
        let color = self.color;
        let report = prove(&self.claim(), &options, &mut |progress| {
            work.report(color, Method::Prover, progress.nodes)
        });
        work.nodes += report.counts.nodes;
        if let Outcome::Proved { certificate, nodes, line } = report.outcome {
            let search_nodes = report.counts.nodes;
            let order = Some(report.order);
            self.finding = Finding::Wins(Win { certificate, nodes, order, line, search_nodes });
        }
    }

    fn search_maker_breaker(&mut self, budget: u64, work: &mut Work<'_, '_>) {
        let Some(search) = &mut self.maker_breaker else { return };
        match run(search, &self.state, budget, (self.color, Method::MakerBreaker), work) {
            Some(false) => self.finding = Finding::MakerBreaker(search.nodes),
            // A lost maker-breaker game says nothing about the game.
            Some(true) => self.maker_breaker = None,
            None => {}
        }
    }

    fn search_game(&mut self, budget: u64, work: &mut Work<'_, '_>) {
        let (color, claim) = (self.color, self.claim());
        let Some(search) = &mut self.real else { return };
        let Some(wins) = run(search, &self.state, budget, (self.color, Method::Game), work) else {
            return;
        };
        if !wins {
            self.finding = Finding::Game(search.nodes);
            return;
        }
        let search_nodes = search.nodes;
        let written = strategy::write(search, &claim, &self.state, &mut |nodes| {
            work.report(color, Method::Certificate, nodes - search_nodes)
        });
        work.nodes += search.nodes - search_nodes;
        self.finding = match written {
            Some(strategy::Written { certificate, nodes, line }) => {
                Finding::Wins(Win { certificate, nodes, order: None, line, search_nodes })
            }
            None => Finding::Unproved,
        };
    }
}

/// Continues a search until it has spent `budget` nodes.
fn run(
    search: &mut Search,
    state: &BitPosition,
    budget: u64,
    (side, method): (Color, Method),
    work: &mut Work<'_, '_>,
) -> Option<bool> {
    let before = search.nodes;
    let nodes_max = budget.min(before.saturating_add(work.left()));
    let found =
        search.run(state, nodes_max, &mut |nodes| work.report(side, method, nodes - before));
    work.nodes += search.nodes - before;
    found
}
