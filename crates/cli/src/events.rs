//! The events of a search as JSON, one on a line (docs/formats.md): what programs read that watch
//! a search or wait for its answer. Names of fields are stable.

use serde_json::{Value, json};
use sixproof_certificate::Claim;
#[cfg(feature = "farm")]
use sixproof_farm::manager::Notice;
#[cfg(feature = "farm")]
use sixproof_farm::{Status, Warning};
use sixproof_game::{Color, Game, Square};
use sixproof_prover::prove::Progress;

use sixproof_prover::prove::NUMBER_MAX;
use sixproof_solve::failure::Failure;
use sixproof_solve::limits::Limits;
use sixproof_solve::notation::{moves, names};

/// A search begins.
pub(crate) fn start(command: &str, claim: &Claim, limits: Limits, threads: usize) -> Value {
    let Claim { position, attacker } = claim;
    let game = position.game();
    let stones = |color: Color| -> Vec<String> {
        let of = position.stones().filter(|stone| stone.1 == color);
        of.map(|(square, _)| game.square_name(square)).collect()
    };
    json!({
        "event": "start",
        "version": env!("CARGO_PKG_VERSION"),
        "command": command,
        "game": game.to_string(),
        "position": { "black": stones(Color::Black), "white": stones(Color::White) },
        "to_move": position.to_move().to_string(),
        "stones_left": position.left(),
        "attacker": attacker.to_string(),
        "limits": limits.json(),
        "threads": threads,
    })
}

/// How far a search is.
pub(crate) fn progress(game: Game, progress: &Progress, seconds: f64) -> Value {
    let number = |n: u32| (n < NUMBER_MAX).then_some(n);
    json!({
        "event": "progress",
        "seconds": seconds,
        "order": progress.order,
        "nodes": progress.nodes,
        "nodes_per_second": (progress.nodes as f64 / seconds.max(1e-9)) as u64,
        "proof": number(progress.numbers[0]),
        "disproof": number(progress.numbers[1]),
        "proved": progress.proved,
        "refuted": progress.refuted,
        "depth": progress.depth,
        "line": moves(game, &progress.line),
        "best": moves(game, &progress.best),
        "memory_bytes": progress.memory,
    })
}

/// A verification gives a reply up; with fewer stones than a move has, all moves that contain it.
pub(crate) fn unsolved(game: Game, squares: &[Square], is_complete: bool, seconds: f64) -> Value {
    json!({
        "event": "unsolved",
        "move": names(game, squares),
        "complete": is_complete,
        "seconds": seconds,
    })
}

/// How the farm does that works for a search.
#[cfg(feature = "farm")]
pub(crate) fn farm(status: &Status) -> Value {
    json!({
        "event": "farm",
        "connected": status.connected,
        "workers": status.worker_count,
        "cores": status.core_count,
        "queued": status.queued_user + status.queued_auto,
        "running": status.running,
        "judging": status.judging,
        "answered": status.answered,
        "given_up": status.given_up,
        "uncertified": status.basis.answers,
        "done_again": status.basis.done_again,
    })
}

/// Something happened on the farm that people may want to know.
#[cfg(feature = "farm")]
pub(crate) fn farm_notice(notice: &Notice) -> Value {
    let event = |what: &str, mut value: Value| {
        value["event"] = "farm-notice".into();
        value["notice"] = what.into();
        value
    };
    match notice {
        Notice::Joined { name, cores, .. } => {
            event("joined", json!({ "worker": name, "cores": cores }))
        }
        Notice::Left { name, .. } => event("left", json!({ "worker": name })),
        Notice::Lost { name, .. } => event("lost", json!({ "worker": name })),
        Notice::Refused { name, why } => event("refused", json!({ "worker": name, "why": why })),
        Notice::Dropped { name, why, .. } => {
            event("dropped", json!({ "worker": name, "why": why }))
        }
        Notice::Republished { job, attempt, why } => {
            event("republished", json!({ "job": job.to_string(), "attempt": attempt, "why": why }))
        }
        Notice::GivenUp { job, why } => {
            event("given-up", json!({ "job": job.to_string(), "why": why }))
        }
        Notice::Warning(Warning { kind, text, count }) => {
            event("warning", json!({ "kind": kind.name(), "text": text, "count": count }))
        }
    }
}

/// Something does not work at this moment; the search goes on.
#[cfg(feature = "farm")]
pub(crate) fn farm_problem(problem: &str) -> Value {
    json!({ "event": "farm-problem", "problem": problem })
}

/// Something went wrong: nothing comes after it.
pub(crate) fn error(failure: &Failure) -> Value {
    let mut value = failure.to_json();
    value["event"] = "error".into();
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::Move;

    #[test]
    fn infinite_numbers_are_null_and_lines_are_lists_of_moves() {
        let squares = Move::from([Square::new(10, 10), Square::new(11, 9)]);
        let state = Progress {
            order: 2,
            nodes: 500,
            numbers: [7, u32::MAX],
            line: vec![squares.clone(), Move::default()],
            memory: 99,
            ..Progress::default()
        };
        let value = progress(Game::CONNECT6, &state, 2.0);
        assert_eq!(value["proof"], 7);
        assert_eq!(value["disproof"], Value::Null);
        assert_eq!(value["nodes_per_second"], 250);
        assert_eq!(value["line"], json!([["L10", "K11"], []]));
        assert_eq!(value["best"], json!([]));
        assert_eq!(value["memory_bytes"], 99);
    }
}
