//! From an order to a job. An invalid order is refused before it is queued. Limits that the order
//! leaves open are filled in, so that a result can name the limits under which it was found.

use sixproof_certificate::Claim;
use sixproof_game::{Color, Position, Square};
use sixproof_player::{Level, Style};

use super::documents::{JobDocuments, JobNode};
use super::queue::check_priority;
use super::wire::{Job, JobKind, JobLimits, JobOrder, JobScope, JobState};
use crate::problem::{ApiResult, Problem, ProblemKind};
use sixproof_solve::defaults;

/// The default limits of `solve`: an answer in a second or so.
const SOLVE_ORDER: u32 = 2;
const SOLVE_NODES: u64 = 200_000;
/// The most nodes and seconds that an order may ask for.
const NODES_MAX: u64 = 1_000_000_000_000_000;
const SECONDS_MAX: f64 = 3_153_600_000.0;
/// The most moves that an analysis compares.
const LINES_MAX: u8 = 10;

/// A move to verify: its stones, and the claim that its side wins the position after it.
#[derive(Clone, Debug)]
pub(super) struct Attack {
    pub(super) squares: Vec<Square>,
    pub(super) claim: Claim,
}

/// The job that an order asks for, without a number.
pub(super) fn draft(documents: &dyn JobDocuments, order: &JobOrder) -> ApiResult<Job> {
    let document_title = documents.title(&order.document)?;
    let reached = documents.position(&order.document, order.node)?;
    check_priority(order.priority)?;
    check_limits(&order.limits, order.clock_seconds)?;
    check_scope(order)?;
    let style = style(order)?;
    let level = order.level.unwrap_or(Level::MAX.number());
    if Level::new(level).is_none() {
        return Err(Problem::bad(format!("there is no level {level}"))
            .help("levels go from 1, for beginners, to 10"));
    }
    let lines = order.lines.unwrap_or(1);
    if !(1..=LINES_MAX).contains(&lines) {
        return Err(Problem::bad(format!("{lines} moves cannot be compared"))
            .help(format!("write a number of lines from 1 to {LINES_MAX}")));
    }
    if order.squares.is_some() && order.kind != JobKind::Verify {
        return Err(Problem::bad(format!("{} has no move to verify", order.kind.title()))
            .help("leave `squares` out, or order a job of the kind `verify`"));
    }
    let total = match order.scope {
        JobScope::Node => 1,
        scope => documents.nodes_of(&order.document, order.node, scope)?.len(),
    };
    let attacker = attacker(documents, order, &reached)?;
    Ok(Job {
        id: 0,
        kind: order.kind,
        state: JobState::Queued,
        document: order.document.clone(),
        document_title,
        node: order.node,
        scope: order.scope,
        attacker: attacker.into(),
        squares: order.squares.clone(),
        limits: limits(order),
        priority: order.priority,
        style: style.to_string(),
        level,
        lines,
        created_ms: 0,
        started_ms: None,
        ended_ms: None,
        worker: None,
        heartbeat_ms: None,
        done: 0,
        total: u32::try_from(total).unwrap_or(u32::MAX),
        progress: None,
        text: String::new(),
        result: None,
        tally: None,
        problem: None,
    })
}

/// The move that an order wants to be verified.
pub(super) fn attack(order: &JobOrder, reached: &JobNode) -> ApiResult<Attack> {
    let JobNode { position, last, .. } = reached;
    let game = position.game();
    let Some(names) = &order.squares else {
        let Some((attacker, squares)) = last.clone() else {
            return Err(Problem::bad("the node has no move of its own")
                .kind(ProblemKind::NoMove)
                .help("name the stones of the move to verify, or choose a node after a move"));
        };
        undecided(position)?;
        if position.to_move() == attacker {
            return Err(Problem::bad("the move is not complete")
                .kind(ProblemKind::MoveIncomplete)
                .help(match position.left() {
                    1 => "1 stone is missing: place it first".to_string(),
                    left => format!("{left} stones are missing: place them first"),
                }));
        }
        return Ok(Attack { squares, claim: Claim::new(position, attacker) });
    };
    undecided(position)?;
    let (attacker, due) = (position.to_move(), position.left());
    let mut after = position.clone();
    let mut squares = Vec::new();
    for name in names {
        let square = game.parse_square(name).map_err(|error| {
            Problem::bad(error.to_string()).help("name empty squares of the board")
        })?;
        if after.to_move() != attacker {
            return Err(Problem::bad(format!("{} stones are too many", names.len()))
                .help(format!("{} has {due} to place", attacker.title())));
        }
        after.place(square).map_err(|illegal| {
            let name = game.square_name(square);
            Problem::bad(format!("{name}: {illegal}")).help("name empty squares of the board")
        })?;
        squares.push(square);
    }
    if let Some(winner) = after.winner() {
        return Err(Problem::bad(format!("the move completes a line: {} wins", winner.title()))
            .help("nothing is left to verify"));
    }
    if after.to_move() == attacker {
        return Err(Problem::bad(format!("{} stones are too few", names.len()))
            .help(format!("{} has {due} to place", attacker.title())));
    }
    undecided(&after)?;
    Ok(Attack { squares, claim: Claim::new(&after, attacker) })
}

/// The side whose win the job is about.
fn attacker(documents: &dyn JobDocuments, order: &JobOrder, reached: &JobNode) -> ApiResult<Color> {
    let position = &reached.position;
    let asked = order.attacker.map(Color::from);
    let fits = |is: Color, why: &str| match asked {
        Some(asked) if asked != is => {
            let text = format!("{} cannot be the attacker: {why}", asked.title());
            Err(Problem::bad(text).help(format!("leave it out, or write {is}")))
        }
        _ => Ok(is),
    };
    match order.kind {
        JobKind::Verify => {
            let mover = attack(order, reached)?.claim.attacker;
            fits(mover, &format!("the move is one of {}", mover.title()))
        }
        JobKind::Play | JobKind::Analyse => {
            if order.scope == JobScope::Node {
                undecided(position)?;
            }
            let side = position.to_move();
            fits(side, &format!("{} is to move", side.title()))
        }
        JobKind::Check => match documents.certificate(&order.document, order.node)? {
            Some((attacker, _)) => {
                fits(attacker, &format!("the certificate lets {} win", attacker.title()))
            }
            None => Err(Problem::conflict("this position has no certificate")
                .kind(ProblemKind::NoCertificate)
                .help("solve it or prove it first; that gives it a certificate")),
        },
        JobKind::Solve | JobKind::Prove => {
            if order.scope == JobScope::Node {
                undecided(position)?;
            }
            Ok(asked.unwrap_or(position.to_move()))
        }
    }
}

/// Refuses a game that is over.
fn undecided(position: &Position) -> ApiResult<()> {
    let why = match position.winner() {
        Some(winner) => format!("the game is over: {} has won", winner.title()),
        None if position.is_full() => "the game is over: the board is full".to_string(),
        None => return Ok(()),
    };
    Err(Problem::conflict(why)
        .kind(ProblemKind::GameOver)
        .help("choose a position before the last move"))
}

fn style(order: &JobOrder) -> ApiResult<Style> {
    let Some(name) = &order.style else { return Ok(Style::default()) };
    let names = Style::ALL.map(Style::name).join(", ");
    name.parse().map_err(|unknown: sixproof_player::UnknownStyle| {
        Problem::bad(unknown.to_string()).help(format!("the styles are {names}"))
    })
}

fn check_scope(order: &JobOrder) -> ApiResult<()> {
    let JobOrder { kind, scope, limits, .. } = order;
    match (kind, scope) {
        (_, JobScope::Node) | (JobKind::Solve | JobKind::Prove, _) => Ok(()),
        (JobKind::Analyse, _) if limits.nodes.is_some() || limits.seconds.is_some() => Ok(()),
        (JobKind::Analyse, _) => {
            Err(Problem::bad("an analysis of several positions needs a limit for each")
                .help("limit the nodes or the seconds of each position"))
        }
        _ => Err(Problem::bad(format!("{} is about one position", kind.title()))
            .help("leave `scope` out, or write `node`")),
    }
}

fn check_limits(limits: &JobLimits, clock: Option<f64>) -> ApiResult<()> {
    let out_of_range = |what: &str, help: String| {
        let problem = Problem::bad(format!("{what} is out of range"));
        Err(problem.kind(ProblemKind::LimitOutOfRange).help(help))
    };
    if let Some(order) = limits.order.filter(|order| !(1..=defaults::ORDER_MAX).contains(order)) {
        let help = format!("write an order from 1 to {}", defaults::ORDER_MAX);
        return out_of_range(&format!("order {order}"), help);
    }
    if let Some(nodes) = limits.nodes.filter(|nodes| !(1..=NODES_MAX).contains(nodes)) {
        let help = format!("write a number of nodes from 1 to {NODES_MAX}");
        return out_of_range(&format!("{nodes} nodes"), help);
    }
    for seconds in [limits.seconds, clock].into_iter().flatten() {
        if !(seconds > 0.0 && seconds <= SECONDS_MAX) {
            let help = "write a number of seconds above 0, up to a century".to_string();
            return out_of_range(&format!("a time of {seconds} seconds"), help);
        }
    }
    Ok(())
}

/// The limits of the job: those of the order, and the defaults.
fn limits(order: &JobOrder) -> JobLimits {
    let asked = order.limits;
    let searched = |order: u32, nodes: u64| JobLimits {
        order: asked.order.or(Some(order)),
        nodes: asked.nodes.or(Some(nodes)),
        seconds: asked.seconds,
    };
    match order.kind {
        JobKind::Solve => searched(SOLVE_ORDER, SOLVE_NODES),
        JobKind::Prove | JobKind::Verify => searched(defaults::ORDER_USUAL, defaults::NODES_USUAL),
        JobKind::Play if order.clock_seconds.is_none() && asked.nodes.is_none() => {
            let seconds = asked.seconds.or(Some(defaults::TIME_USUAL.as_secs_f64()));
            JobLimits { seconds, order: None, ..asked }
        }
        JobKind::Play | JobKind::Analyse => JobLimits { order: None, ..asked },
        JobKind::Check => JobLimits::default(),
    }
}
