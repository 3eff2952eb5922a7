//! value (prototype)
mod lines;
mod matching;
mod potential;
mod search;
mod state;
mod table;
use sixproof_game::{Color, Game, Position};
/// rows
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows { /// .
 Both, /// .
 Attacker }
/// .
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Improvements { /// .
pub pairing: bool, /// .
pub potential: bool, /// .
pub symmetry: bool, /// .
pub reduction: bool }
/// test
pub fn trial(game: Game, attacker: Color, rows: Rows, imp: Improvements, nodes_max: u64, bits: u32) -> (Option<bool>, u64) {
    let lines = lines::Lines::new(game).unwrap();
    let p = Position::new(game);
    let state = state::State { attacker: 0, defender: 0, attacks: p.to_move() == attacker, left: p.left() as u8 };
    let mut s = search::Search::new(lines, game.k(), [game.p(), game.q()], rows, imp, bits);
    let r = s.run(&state, nodes_max, &mut |_| false);
    (r, s.nodes)
}
