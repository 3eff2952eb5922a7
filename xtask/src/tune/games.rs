//! Games of the engine against itself, and the quiet positions in them.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use sixproof_game::repeatable::mix;
use sixproof_game::{Color, Game, Position, Square};
use sixproof_player::eval::{Sample, samples};
use sixproof_player::{Engine, Limits, Reason, Settings, Unwatched};

/// The number of moves after which a game is a draw.
pub(crate) const MOVES_MAX: usize = 120;
/// The columns and rows of the square in which the stones of the opening lie.
const OPENING_SIZE: u64 = 7;
/// The share of the search's score, beside the result of the game.
const SEARCHED: f64 = 0.5;
/// The size of an engine's table in bytes.
pub(crate) const MEMORY: u64 = 8 << 20;

/// A position without forced moves, and its result.
pub(crate) struct Quiet {
    /// Its patterns.
    pub(crate) samples: Vec<Sample>,
    /// Near 1 if the side to move is better, near 0 if it is worse.
    pub(crate) result: f64,
}

/// The quiet positions of this number of games, in the order of the games.
pub(crate) fn play(game: Game, games: u64, nodes: u64, seed: u64) -> Vec<Quiet> {
    let found = in_parallel(games, |number| {
        if number.is_multiple_of(100) {
            println!("game {number}");
        }
        one_game(game, nodes, seed.wrapping_add(number << 20))
    });
    found.into_iter().flatten().collect()
}

/// Does numbered work on all cores; the results come in the order of the numbers.
pub(crate) fn in_parallel<T: Send>(count: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(0);
    let done = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let result = work(number);
                    done.lock().expect("no thread panics").push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics");
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn one_game(game: Game, nodes: u64, seed: u64) -> Vec<Quiet> {
    let mut position = opening(game, seed);
    let settings = Settings { book: false, memory: MEMORY, seed, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut quiet: Vec<(Color, Vec<Sample>, f64)> = Vec::new();
    for _ in 0..MOVES_MAX {
        let thought = engine.think(&position, &limits, &Unwatched);
        if thought.reason == Reason::Searched
            && let Some(samples) = samples(&position)
        {
            quiet.push((position.to_move(), samples, thought.score.expected()));
        }
        if thought.reason == Reason::Forces {
            // The game is decided.
            return judged(quiet, Some(position.to_move()));
        }
        position.play(&thought.squares).expect("an engine plays legal moves");
        if position.is_over() {
            break;
        }
    }
    judged(quiet, position.winner())
}

/// The target of a position: for one half the score of the search, which sees more than the
/// evaluation, for the other the result of the game.
fn judged(quiet: Vec<(Color, Vec<Sample>, f64)>, winner: Option<Color>) -> Vec<Quiet> {
    quiet
        .into_iter()
        .map(|(color, samples, searched)| {
            let result = winner.map_or(0.5, |winner| f64::from(u8::from(winner == color)));
            Quiet { samples, result: SEARCHED * searched + (1.0 - SEARCHED) * result }
        })
        .collect()
}

/// A few stones in the middle of the board, as many as three or four moves take.
pub(crate) fn opening(game: Game, mut seed: u64) -> Position {
    let mut position = Position::new(game);
    let middle = |size: u32| if game.is_unbounded() { 0 } else { size as i32 / 2 };
    let center = Square::new(middle(game.cols()), middle(game.rows()));
    let moves = 2 + mix(&mut seed) % 2;
    let mut left = game.q() + moves as u32 * game.p();
    while left > 0 && position.winner().is_none() {
        let offset = |random: u64| (random % OPENING_SIZE) as i32 - OPENING_SIZE as i32 / 2;
        let (dx, dy) = (offset(mix(&mut seed)), offset(mix(&mut seed)));
        if position.place(Square::new(center.x + dx, center.y + dy)).is_ok() {
            left -= 1;
        }
    }
    position
}
