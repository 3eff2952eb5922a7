//! The match that decides whether new weights are kept.

use sixproof_game::Color;
use sixproof_player::eval::Weights;
use sixproof_player::rating::Pairs;
use sixproof_player::{Engine, Limits, Settings, Unwatched};

use super::Options;
use super::games::{MEMORY, MOVES_MAX, in_parallel, opening};

/// The probability with which the new weights must be better.
const SUPERIORITY_MIN: f64 = 0.95;
/// The seed of the openings: others than those that the weights were fitted on.
const OPENINGS: u64 = 0x6f70_656e;

/// Plays the match, and returns whether the new weights won it.
pub(crate) fn wins(options: &Options, new: &Weights, old: &Weights) -> bool {
    let mut pairs = Pairs::default();
    let results = in_parallel(options.pairs, |number| {
        let seed = (options.seed ^ OPENINGS).wrapping_add(number << 20);
        let halves = [Color::Black, Color::White].map(|color| game(options, seed, color, new, old));
        halves.iter().sum::<usize>()
    });
    results.into_iter().for_each(|halves| pairs.add(halves));
    let (score, elo) = (pairs.score(), pairs.elo());
    println!(
        "new against old, {} nodes a move: {} pairs, points won in each (0 to 2 by halves) {:?}",
        options.nodes,
        pairs.count(),
        pairs.0
    );
    println!(
        "score {:.1} %, Elo {:+.0} ± {:.0}, likelihood of superiority {:.1} %",
        100.0 * score.value,
        elo.value,
        elo.error(),
        100.0 * pairs.superiority()
    );
    score.value > 0.5 && pairs.superiority() >= SUPERIORITY_MIN
}

/// One game: the half points of the new weights, which play `color`.
fn game(options: &Options, seed: u64, color: Color, new: &Weights, old: &Weights) -> usize {
    let mut position = opening(options.game, seed);
    let settings = Settings { book: false, memory: MEMORY, seed, ..Settings::default() };
    let [mut ours, mut theirs] =
        [new, old].map(|weights| Engine::with_weights(settings.clone(), weights.clone()));
    let limits = Limits { nodes: Some(options.nodes), ..Limits::default() };
    for _ in 0..MOVES_MAX {
        if position.is_over() {
            break;
        }
        let engine = if position.to_move() == color { &mut ours } else { &mut theirs };
        let thought = engine.think(&position, &limits, &Unwatched);
        if thought.proof.is_some() {
            return 2 * usize::from(position.to_move() == color);
        }
        position.play(&thought.squares).expect("an engine plays legal moves");
    }
    position.winner().map_or(1, |winner| 2 * usize::from(winner == color))
}
