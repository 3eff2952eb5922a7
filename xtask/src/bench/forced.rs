//! `cargo xtask bench forced`: how fast is the search for forced wins?
//!
//! Quiet random positions are searched with a fixed budget each, so that the node count is the
//! same on every machine; a node is a position at which threat moves are generated. Connect6 (VCDT)
//! and Go-Moku (VCF).

use std::process::ExitCode;
use std::time::{Duration, Instant};

use sixproof_prover::board::{Board, Connect6, GoMoku, Rules, Side, Sq};
use sixproof_prover::vcdt::Vcdt;

use super::split_mix;

/// The number of positions of each game, and the budget of each.
const POSITIONS: u64 = 400;
const NODES_MAX: u64 = 2_000;

/// Searches positions of both games and prints nodes and speed.
pub(super) fn run() -> ExitCode {
    println!("game      positions       nodes   nodes/s");
    report("Connect6", || search(Connect6, 19, 34));
    report("Go-Moku", || search(GoMoku, 15, 70));
    ExitCode::SUCCESS
}

fn report(name: &str, search: impl Fn() -> (u64, Duration)) {
    let (nodes, time) = search();
    let speed = nodes as f64 / time.as_secs_f64();
    println!("{name:<9} {POSITIONS:>9} {nodes:>11} {speed:>9.0}");
}

/// The nodes and the time of all searches on a board of `size`, with this number of random stones.
fn search<R: Rules>(rules: R, size: u32, stones: u64) -> (u64, Duration) {
    let mut vcdt = Vcdt::default();
    let mut drawn = 0;
    let mut time = Duration::ZERO;
    for _ in 0..POSITIONS {
        let mut board = Board::new(rules, size, size);
        let mut threats = Vec::new();
        for number in 0..stones {
            let side = if number % 2 == 0 { Side::Attacker } else { Side::Defender };
            drawn += 1;
            let square = (split_mix(drawn) % board.geometry.area() as u64) as Sq;
            if board.is_empty(square) {
                board.place(side, square);
                // Neither side may be about to win.
                board.threats(side, &mut threats);
                if !threats.is_empty() {
                    board.remove(side, square);
                }
            }
        }
        let start = Instant::now();
        vcdt.search(&mut board, NODES_MAX);
        time += start.elapsed();
    }
    (vcdt.node_count, time)
}
