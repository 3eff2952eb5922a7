use sixproof_prover::{board::*, vcdt::*};
fn mix(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed >> 33
}
fn main() {
    let mut total = (0u64, 0.0, 0, 0, 0);
    let mut search = Vcdt::default();
    for seed in 0..60u64 {
        let mut s = seed + 1;
        let mut b = Board::new(Connect6, 19, 19);
        for i in 0..24 {
            loop {
                let (x, y) = (5 + mix(&mut s) % 9, 5 + mix(&mut s) % 9);
                let q = (y * 19 + x) as Sq;
                if b.is_empty(q) {
                    b.place(if i % 2 == 0 { Side::Attacker } else { Side::Defender }, q);
                    break;
                }
            }
        }
        let mut t = Vec::new();
        b.threats(Side::Attacker, &mut t);
        if !t.is_empty() {
            continue;
        }
        let n0 = search.node_count;
        let t0 = std::time::Instant::now();
        let r = search.search(&mut b, 20000);
        total.0 += search.node_count - n0;
        total.1 += t0.elapsed().as_secs_f64();
        match r {
            Path::Found(_) => total.2 += 1,
            Path::None => total.3 += 1,
            Path::Unknown => total.4 += 1,
        }
    }
    println!(
        "c6 {} nodes {:.3} s {:.0} n/s found {} none {} unknown {}",
        total.0,
        total.1,
        total.0 as f64 / total.1,
        total.2,
        total.3,
        total.4
    );
    let mut total = (0u64, 0.0, 0, 0, 0);
    for seed in 0..200u64 {
        let mut s = seed + 1;
        let mut b = Board::new(GoMoku, 15, 15);
        for i in 0..50 {
            loop {
                let (x, y) = (1 + mix(&mut s) % 13, 1 + mix(&mut s) % 13);
                let q = (y * 15 + x) as Sq;
                if b.is_empty(q) {
                    b.place(if i % 2 == 0 { Side::Attacker } else { Side::Defender }, q);
                    break;
                }
            }
        }
        let mut t = Vec::new();
        b.threats(Side::Attacker, &mut t);
        if !t.is_empty() {
            continue;
        }
        let n0 = search.node_count;
        let t0 = std::time::Instant::now();
        let r = search.search(&mut b, 20000);
        total.0 += search.node_count - n0;
        total.1 += t0.elapsed().as_secs_f64();
        match r {
            Path::Found(_) => total.2 += 1,
            Path::None => total.3 += 1,
            Path::Unknown => total.4 += 1,
        }
    }
    println!(
        "gm {} nodes {:.3} s {:.0} n/s found {} none {} unknown {}",
        total.0,
        total.1,
        total.0 as f64 / total.1,
        total.2,
        total.3,
        total.4
    );
}
