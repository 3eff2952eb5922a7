use sixproof_game::*;
use sixproof_prover::{prove::*, tree::ZoneRule};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game: Game = args[1].parse().unwrap();
    let sq = |s: &str| -> Vec<Square> {
        s.split_whitespace().map(|n| game.parse_square(n).unwrap()).collect()
    };
    let (b, w) = (sq(&args[2]), sq(&args[3]));
    let tm = if args[4] == "w" { Color::White } else { Color::Black };
    let at = if args[5] == "w" { Color::White } else { Color::Black };
    let pos = Position::set_up(game, &b, &w, tm, game.p()).unwrap();
    let mut o = Options::new(at);
    o.order_max = args[6].parse().unwrap();
    o.nodes_max = args[7].parse().unwrap();
    if let Some(z) = args.get(8) {
        (o.zones, o.mutual, o.grouped) = match z.as_str() {
            "wu" => (ZoneRule::Wu, false, false),
            "vc6" => (ZoneRule::Vc6, false, false),
            "o1" => (ZoneRule::O1, false, false),
            "o2" => (ZoneRule::O2, false, false),
            "seg" => (ZoneRule::Segment, false, false),
            "mut" => (ZoneRule::Segment, true, false),
            _ => (ZoneRule::Segment, true, true),
        };
    }
    let t = std::time::Instant::now();
    let mut last = 0;
    let r = prove(&pos, &o, &mut |p| {
        if p.nodes / 500_000 != last {
            last = p.nodes / 500_000;
            eprintln!(
                "{} {:?} d{} {}",
                p.nodes,
                p.numbers,
                p.depth,
                game.square_names(&p.candidate)
            );
        }
        false
    });
    let dt = t.elapsed().as_secs_f64();
    match r.outcome {
        Outcome::Proved { certificate, nodes, line } => {
            let v = sixproof_check::check_bytes(&certificate);
            println!(
                "PROVED order {} {:?} cert {} {:.3}s {:.0} n/s check {}",
                r.order,
                r.counts,
                nodes,
                dt,
                r.counts.nodes as f64 / dt,
                match v {
                    Ok(_) => "ok".into(),
                    Err(e) => format!("{e:?}"),
                }
            );
            for m in line.iter().take(6) {
                print!("{} / ", game.square_names(m));
            }
            println!();
        }
        Outcome::NoWin => println!("NOWIN order {} {:?} {:.3}s", r.order, r.counts, dt),
        Outcome::Unknown => println!(
            "UNKNOWN order {} {:?} {:.3}s {:.0} n/s",
            r.order,
            r.counts,
            dt,
            r.counts.nodes as f64 / dt
        ),
    }
}
