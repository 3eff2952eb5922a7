use sixproof_game::*;
use sixproof_prover::prove::*;
use std::collections::BTreeSet;
fn main() {
    let nodes: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let order: u32 = std::env::args().nth(2).map_or(3, |s| s.parse().unwrap());
    let game = Game::CONNECT6;
    let mut seen = BTreeSet::new();
    let mut shapes = Vec::new();
    let cells: Vec<(i32, i32)> = (0..25).map(|i| (i / 5, i % 5)).collect();
    for a in 0..25 {
        for b in a + 1..25 {
            for c in b + 1..25 {
                let s = [cells[a], cells[b], cells[c]];
                let mut best: Option<Vec<(i32, i32)>> = None;
                for t in 0..8 {
                    let mut v: Vec<(i32, i32)> = s
                        .iter()
                        .map(|&(x, y)| {
                            let (x, y) = if t & 1 != 0 { (-x, y) } else { (x, y) };
                            let (x, y) = if t & 2 != 0 { (x, -y) } else { (x, y) };
                            if t & 4 != 0 { (y, x) } else { (x, y) }
                        })
                        .collect();
                    let (mx, my) = (
                        v.iter().map(|p| p.0).min().unwrap(),
                        v.iter().map(|p| p.1).min().unwrap(),
                    );
                    for p in &mut v {
                        p.0 -= mx;
                        p.1 -= my;
                    }
                    v.sort();
                    if best.as_ref().is_none_or(|b| v < *b) {
                        best = Some(v);
                    }
                }
                let v = best.unwrap();
                if seen.insert(v.clone()) {
                    shapes.push(v);
                }
            }
        }
    }
    println!("{} shapes", shapes.len());
    let (mut proved, mut total, mut bad) = (0, 0, 0);
    let t0 = std::time::Instant::now();
    for v in shapes {
        let b: Vec<Square> = v.iter().map(|&(x, y)| Square::new(8 + x, 8 + y)).collect();
        let pos = Position::set_up(game, &b, &[], Color::White, 2).unwrap();
        let mut o = Options::new(Color::Black);
        o.nodes_max = nodes;
        o.order_max = order;
        let t = std::time::Instant::now();
        let r = prove(&pos, &o, &mut |_| false);
        if let Outcome::Proved { certificate, nodes, .. } = r.outcome {
            proved += 1;
            total += r.counts.nodes;
            let ok = sixproof_check::check_bytes(&certificate).is_ok();
            if !ok {
                bad += 1;
            }
            println!("{v:?} {:?} cert {nodes} {:.3}s ok {ok}", r.counts, t.elapsed().as_secs_f64());
        } else {
            println!(
                "{v:?} -- {} order {} {:.2}s",
                r.counts.nodes,
                r.order,
                t.elapsed().as_secs_f64()
            );
        }
    }
    println!("proved {proved} nodes {total} bad {bad} {:.2}s", t0.elapsed().as_secs_f64());
}
