//! trial
use sixproof_game::{Color, Game};
use sixproof_prover::value::*;
fn main() {
    let nodes: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mode = std::env::args().nth(2).unwrap();
    for g in std::env::args().skip(3) {
        let game: Game = g.parse().unwrap();
        let all = Improvements { pairing: true, potential: true, symmetry: true, reduction: true };
        for (color, c) in [(Color::Black, "B"), (Color::White, "W")] {
            if color == Color::White && game.q() >= game.p() { continue; }
            for (rows, r) in [(Rows::Attacker, "weak"), (Rows::Both, "strong")] {
                if !mode.contains(&r[..1]) { continue; }
                let t = std::time::Instant::now();
                let x = trial(game, color, rows, all, nodes, 21);
                println!("{g} {c} {r}: {:?} {} nodes {:.2}s", x.0, x.1, t.elapsed().as_secs_f64());
            }
        }
    }
}
