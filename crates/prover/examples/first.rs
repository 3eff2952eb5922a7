use sixproof_game::*;
use sixproof_prover::prove::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game = Game::CONNECT6;
    let w: Vec<Square> =
        args[1].split_whitespace().map(|n| game.parse_square(n).unwrap()).collect();
    let nodes: u64 = args[2].parse().unwrap();
    let c = Square::new(9, 9);
    let cells: Vec<Square> = (0..49)
        .map(|i| Square::new(6 + i % 7, 6 + i / 7))
        .filter(|s| *s != c && !w.contains(s))
        .collect();
    for i in 0..cells.len() {
        for j in i + 1..cells.len() {
            let pos =
                Position::set_up(game, &[c, cells[i], cells[j]], &w, Color::White, 2).unwrap();
            let mut o = Options::new(Color::Black);
            o.nodes_max = nodes;
            let r = prove(&pos, &o, &mut |_| false);
            if let Outcome::Proved { .. } = r.outcome {
                println!("{} nodes {}", game.square_names(&[cells[i], cells[j]]), r.counts.nodes);
            }
        }
    }
}
