//! trial
use sixproof_game::Game;
use sixproof_prover::value::*;
fn main() {
    let nodes: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mode = std::env::args().nth(2).unwrap();
    for g in std::env::args().skip(3) {
        let game: Game = g.parse().unwrap();
        let mut o = Options::new();
        o.nodes_max = nodes;
        if mode.contains('x') { o.improvements.prover = false; }
        let t = std::time::Instant::now();
        let r = value(game, &o, &mut |_| false).unwrap();
        let secs = t.elapsed().as_secs_f64();
        let f: Vec<String> = r.findings.iter().map(|f| match f {
            Finding::Wins(w) => format!("Wins(order {:?}, cert {} nodes {} bytes, search {}) {:?}", w.order, w.nodes, w.certificate.len(), w.search_nodes, sixproof_check::check_bytes(&w.certificate).map(|v| v.counts.nodes).map_err(|_| "REFUSED")),
            Finding::Pairing(p) => format!("Pairing {:?}\n{}", p.verify(game), p.drawn(game)),
            other => format!("{other:?}") }).collect();
        println!("{g} {:?} {} nodes {secs:.2}s {:.2}s: {}", r.value, r.nodes, t.elapsed().as_secs_f64(), f.join(" | "));
    }
}
