use sixproof_game::*;
use sixproof_prover::prove::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let nodes: u64 = args[1].parse().unwrap();
    let (near, far): (i32, i32) = (args[2].parse().unwrap(), args[3].parse().unwrap());
    let count: usize = args[4].parse().unwrap();
    let game = Game::CONNECT6;
    let mut seed = 7u64;
    let mut next = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    let (mut proved, mut total, mut all, mut bad) = (0, 0, 0, 0);
    let t0 = std::time::Instant::now();
    for _ in 0..count {
        let w = loop {
            let w: Vec<Square> =
                (0..2).map(|_| Square::new(next(19) as i32, next(19) as i32)).collect();
            let d: Vec<i32> = w.iter().map(|s| (s.x - 9).abs().max((s.y - 9).abs())).collect();
            let m = *d.iter().min().unwrap();
            if w[0] != w[1] && m >= near && m <= far {
                break w;
            }
        };
        let pos = Position::set_up(game, &[Square::new(9, 9)], &w, Color::Black, 2).unwrap();
        let mut o = Options::new(Color::Black);
        o.nodes_max = nodes;
        let t = std::time::Instant::now();
        let r = prove(&pos, &o, &mut |_| false);
        all += r.counts.nodes;
        if let Outcome::Proved { certificate, nodes, line } = r.outcome {
            proved += 1;
            total += r.counts.nodes;
            let ok = sixproof_check::check_bytes(&certificate).is_ok();
            if !ok {
                bad += 1;
            }
            println!(
                "{} n {} {:?} cert {nodes} {:.3}s ok {ok} {}",
                game.square_names(&w),
                r.counts.nodes,
                r.counts.semi_nulls,
                t.elapsed().as_secs_f64(),
                game.square_names(&line[0])
            );
        } else {
            println!("{} -- {:.2}", game.square_names(&w), t.elapsed().as_secs_f64());
        }
    }
    println!(
        "proved {proved}/{count} nodes {total} all {all} bad {bad} {:.2}s",
        t0.elapsed().as_secs_f64()
    );
}
