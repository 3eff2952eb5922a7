//! The openings of a match, all different: random ones near the middle of the board, all of them or
//! those that look even to the engine, those of a file, or the empty board.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sixproof_game::load::Loaded;
use sixproof_game::repeatable::{FNV_START, fnv, mix};
use sixproof_game::{Color, Game, InputError, Position, Record, Square, moves, sgf};
use sixproof_player::{Engine, Limits, Score, Settings, Unwatched};
use sixproof_solve::defaults;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;

/// Moves of a random opening, Black's first one included.
const MOVES: usize = 3;
/// How far from the middle its stones are, at first.
const RADIUS: i32 = 3;
/// Draws in vain after which the stones may be farther away, or fewer.
const TRIES: u32 = 500;

/// The short look at a position (a shorter one with more than two stones a move, where a node takes
/// long), and what is even: a chance of 40 to 60 percent.
const EVEN_NODES: u64 = 2_000;
const EVEN_NODES_MANY_STONES: u64 = 20;
const EVEN_VALUE_MAX: i32 = 40;
/// Openings of which one is chosen.
const EVEN_CHOICE: usize = 8;

/// An opening: moves from the empty board.
pub(super) type Opening = Vec<Vec<Square>>;

/// Which openings a match has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Openings {
    /// Random ones in which neither side is seen to be much better, as far as there are any.
    Even,
    Random,
    /// All games begin on the empty board.
    None,
    /// What a file holds.
    Listed(Vec<Opening>),
}

impl Openings {
    /// Reads what was asked for.
    pub(super) fn read(text: &str, game: Game) -> Result<Openings> {
        match text {
            "even" => Ok(Openings::Even),
            "random" => Ok(Openings::Random),
            "none" => Ok(Openings::None),
            file => from_file(Path::new(file), game).map(Openings::Listed),
        }
    }

    /// What distinguishes these openings from others in a journal.
    pub(super) fn identity(&self, game: Game) -> String {
        match self {
            Openings::Even => "even".to_string(),
            Openings::Random => "random".to_string(),
            Openings::None => "none".to_string(),
            Openings::Listed(list) => {
                let hash = list.iter().fold(FNV_START, |hash, moves| {
                    fnv(hash, format!("{}\n", text(game, moves)).as_bytes())
                });
                format!("{} of a file, {hash:016x}", list.len())
            }
        }
    }

    /// A number of openings. A larger number begins with the same ones.
    pub(super) fn take(&self, game: Game, count: usize, seed: u64) -> Result<Vec<Opening>> {
        let few = |there: usize, help: &str| {
            let games = 2 * there;
            Err(Failure::new(format!("{count} openings are needed, and there are {there}"))
                .help(format!("play --games {games} at most, or {help}")))
        };
        match self {
            Openings::None => Ok(vec![Vec::new(); count]),
            Openings::Listed(list) if list.len() < count => few(list.len(), "add more to the file"),
            Openings::Listed(list) => Ok(list[..count].to_vec()),
            Openings::Even | Openings::Random => {
                let openings = match self {
                    Openings::Even => even(game, count, seed),
                    _ => random(game, count, seed),
                };
                match openings.len() {
                    there if there < count => {
                        few(there, "begin on the empty board: --openings none")
                    }
                    _ => Ok(openings),
                }
            }
        }
    }
}

/// The moves of a game as a line of text: `J10 / I8 H9`.
pub(super) fn text(game: Game, moves: &[Vec<Square>]) -> String {
    let moves: Vec<String> = moves.iter().map(|squares| game.square_names(squares)).collect();
    moves.join(" / ")
}

/// Reads what [`text`] writes.
pub(super) fn read_text(game: Game, line: &str) -> Option<Vec<Vec<Square>>> {
    if line.is_empty() {
        return Some(Vec::new());
    }
    let squares = |part: &str| part.split(' ').map(|name| game.parse_square(name).ok()).collect();
    line.split(" / ").map(squares).collect()
}

/// Random openings, as many as asked for or as many as were found.
fn random(game: Game, count: usize, mut seed: u64) -> Vec<Opening> {
    let mut openings = Vec::new();
    let mut seen = BTreeSet::new();
    for length in (0..=MOVES).rev() {
        let widest = match game.is_unbounded() {
            true => RADIUS + 3,
            false => game.cols().max(game.rows()) as i32,
        };
        for radius in RADIUS.min(widest)..=widest {
            let squares = squares_near(game, radius);
            let mut tries = 0;
            while tries < TRIES && openings.len() < count {
                tries += 1;
                let Some((opening, position)) = draw(game, length, &squares, &mut seed) else {
                    continue;
                };
                let stones: Vec<(Square, Color)> = position.stones().collect();
                if seen.insert(stones) {
                    openings.push(opening);
                    tries = 0;
                }
            }
        }
        // Shorter openings are for games that are decided at once: they do not stand beside others.
        if !openings.is_empty() {
            break;
        }
    }
    openings
}

/// One opening: Black's first stone in the middle, the others anywhere among the squares. `None` if
/// it is decided: a side has won or threatens to.
fn draw(
    game: Game,
    length: usize,
    squares: &[Square],
    seed: &mut u64,
) -> Option<(Opening, Position)> {
    let mut position = Position::new(game);
    let mut empty: Vec<Square> = squares.to_vec();
    let mut opening = Vec::new();
    for number in 0..length {
        let mut stones = Vec::new();
        for stone in 0..position.left() {
            let index = match (number, stone) {
                (0, 0) => 0,
                _ => (mix(seed) % (empty.len().max(1) as u64)) as usize,
            };
            // Taken from the front or anywhere; the order of the rest does not matter after that.
            let square = (index < empty.len()).then(|| empty.swap_remove(index))?;
            position.place(square).ok()?;
            stones.push(square);
        }
        stones.sort_unstable();
        opening.push(stones);
    }
    is_open(&position).then_some((opening, position))
}

/// Whether neither side has won, nor would win with the next move.
fn is_open(position: &Position) -> bool {
    let threatens = |color| !position.threats(color).is_empty();
    let is_empty = position.stones().next().is_none();
    position.winner().is_none()
        && !position.is_full()
        && (is_empty || !threatens(Color::Black) && !threatens(Color::White))
}

/// Openings that look even, as far as there are any. Each is the first even one of a few, or the
/// first of them where none is: so the work has an end, and more openings begin with the same ones.
fn even(game: Game, count: usize, seed: u64) -> Vec<Opening> {
    let all = random(game, count.saturating_mul(EVEN_CHOICE), seed);
    let choices: Vec<&[Opening]> = all.chunks_exact(EVEN_CHOICE).collect();
    let next = AtomicUsize::new(0);
    let chosen = Mutex::new(BTreeSet::new());
    let threads = defaults::threads(None);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(few) = choices.get(number) else { break };
                    let at = few.iter().position(|opening| is_even(game, opening)).unwrap_or(0);
                    if let Ok(mut chosen) = chosen.lock() {
                        chosen.insert(number * EVEN_CHOICE + at);
                    }
                }
            });
        }
    });
    let chosen = chosen.into_inner().unwrap_or_default();
    // A small game may have too few even openings: then the others are taken, too.
    let rest = (0..all.len()).filter(|index| !chosen.contains(index));
    let order = chosen.iter().copied().chain(rest);
    order.take(count).map(|index| all[index].clone()).collect()
}

/// Whether the engine finds the position after an opening even, after a short look.
fn is_even(game: Game, opening: &Opening) -> bool {
    let mut position = Position::new(game);
    if opening.iter().any(|stones| position.play(stones).is_err()) {
        return false;
    }
    let settings = Settings { book: false, memory: 1 << 20, ..Settings::default() };
    let nodes = if game.p() > 2 { EVEN_NODES_MANY_STONES } else { EVEN_NODES };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    match Engine::new(settings).think(&position, &limits, &Unwatched).score {
        Score::Value(value) => value.abs() <= EVEN_VALUE_MAX,
        Score::Win | Score::Loss => false,
    }
}

/// The squares around the middle, which comes first.
fn squares_near(game: Game, radius: i32) -> Vec<Square> {
    let middle = match game.is_unbounded() {
        true => Square::new(0, 0),
        false => Square::new((game.cols() as i32 - 1) / 2, (game.rows() as i32 - 1) / 2),
    };
    let rows = -radius..=radius;
    let around = rows.flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)));
    let others = around.filter(|&step| step != (0, 0));
    let squares = others.map(|(dx, dy)| Square::new(middle.x + dx, middle.y + dy));
    std::iter::once(middle).chain(squares.filter(|&square| game.contains(square))).collect()
}

/// The openings of a file: a line of moves for each, or a game of SGF for each.
fn from_file(path: &Path, game: Game) -> Result<Vec<Opening>> {
    let bytes = files::read(path)?;
    let name = files::name(path);
    let mut openings: Vec<(usize, Opening)> = Vec::new();
    let failed = |error: InputError| Failure::input(&name, &bytes, error);
    if bytes.trim_ascii().starts_with(b"(") {
        let collection = sgf::parse(&bytes).map_err(failed)?;
        for (tree, &root) in collection.roots().iter().enumerate() {
            let offset = collection.node(root).offset();
            let options = sgf::Options { game: Some(game), flip: false, tree };
            let record = sgf::interpret(&collection, &options).map_err(failed)?;
            let opening =
                moves_of(record, game).map_err(|why| failed(InputError::new(offset, 1, why)))?;
            openings.push((offset, opening));
        }
    } else {
        let text = std::str::from_utf8(&bytes)
            .map_err(|e| failed(InputError::new(e.valid_up_to(), 1, "not UTF-8 text")))?;
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let start = offset;
            offset += line.len();
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let line = line.trim_end();
            let record = moves::read(game, line).map_err(|error| failed(error.shifted(start)))?;
            let opening = moves_of(record, game)
                .map_err(|why| failed(InputError::new(start, line.chars().count(), why)))?;
            openings.push((start, opening));
        }
    }
    if openings.is_empty() {
        return Err(Failure::new(format!("{name}: there are no openings in it"))
            .help("write a line of moves for each, as in J10 / I8 H9 / K11 L10"));
    }
    let mut seen = BTreeSet::new();
    for (offset, opening) in &openings {
        let mut stones: Vec<(Square, usize)> = Vec::new();
        for (index, squares) in opening.iter().enumerate() {
            stones.extend(squares.iter().map(|&square| (square, index % 2)));
        }
        stones.sort_unstable();
        if !seen.insert(stones) {
            return Err(failed(
                InputError::new(*offset, 1, "this opening is there already")
                    .help("openings are different: remove one of the two"),
            ));
        }
    }
    Ok(openings.into_iter().map(|(_, opening)| opening).collect())
}

/// The main line of a record as an opening.
fn moves_of(record: Record, game: Game) -> std::result::Result<Opening, String> {
    if record.game != game {
        return Err(format!("an opening of {} does not fit {game}", record.game));
    }
    let loaded = Loaded::at(record, None).map_err(|error| error.message)?;
    let mut opening: Opening = Vec::new();
    let mut position = Position::new(game);
    let mut mover = None;
    for (square, _) in loaded.played {
        if mover != Some(position.to_move()) {
            mover = Some(position.to_move());
            opening.push(Vec::new());
        }
        position.place(square).map_err(|why| why.to_string())?;
        opening.last_mut().expect("pushed before the first stone").push(square);
    }
    if position != loaded.position || mover == Some(position.to_move()) {
        return Err("an opening is whole moves from the empty board".to_string());
    }
    if position.is_over() {
        return Err("the game is over after this opening".to_string());
    }
    Ok(opening)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Game {
        text.parse().unwrap()
    }

    #[test]
    fn even_openings_are_random_ones_that_look_even() {
        let (connect6, seed) = (game("connect6"), 7);
        let chosen = Openings::Even.take(connect6, 6, seed).unwrap();
        let all = random(connect6, 6 * EVEN_CHOICE, seed);
        for (opening, few) in chosen.iter().zip(all.chunks(EVEN_CHOICE)) {
            let first = few.iter().find(|opening| is_even(connect6, opening));
            assert_eq!(opening, first.unwrap_or(&few[0]));
        }
        assert!(chosen.iter().any(|opening| is_even(connect6, opening)));
        assert_eq!(Openings::Even.take(connect6, 2, seed).unwrap(), chosen[..2], "a prefix");
    }

    #[test]
    fn random_openings_are_legal_different_and_open() {
        for name in
            ["connect6", "gomoku", "inf,6,2,1", "9,7,4,1,2", "6,6,6,2,3,exact", "59,1,5,2,1"]
        {
            let game = game(name);
            let openings = random(game, 60, 7);
            assert_eq!(openings.len(), 60, "{name}");
            let mut seen = BTreeSet::new();
            for opening in &openings {
                assert_eq!(opening.len(), MOVES, "{name}");
                let mut position = Position::new(game);
                opening.iter().flatten().for_each(|&square| position.place(square).unwrap());
                assert!(is_open(&position), "{name}: {opening:?}");
                assert_eq!(position.left(), game.p());
                assert!(seen.insert(position.stones().collect::<Vec<_>>()), "{name}: twice");
            }
            assert_eq!(random(game, 20, 7), openings[..20], "{name}: a prefix");
            assert_ne!(random(game, 20, 8), openings[..20], "{name}: the seed counts");
        }
    }

    #[test]
    fn tiny_games_have_few_openings_or_the_empty_board_alone() {
        // Two in a row with two stones: the side to move wins.
        assert_eq!(random(game("5,5,2,2,1"), 10, 1), [Opening::new()]);
        let few = random(game("tic-tac-toe"), 1_000, 1);
        assert!((2..1_000).contains(&few.len()), "{}", few.len());
        assert!(Openings::Random.take(game("tic-tac-toe"), 1_000, 1).is_err());
        // Where there is little to choose from, all are taken.
        let all = Openings::Even.take(game("tic-tac-toe"), few.len(), 1).unwrap();
        assert_eq!(BTreeSet::from_iter(&all), BTreeSet::from_iter(&few));
        assert_eq!(Openings::Even.take(game("tic-tac-toe"), 3, 1).unwrap(), all[..3]);
        assert_eq!(
            Openings::None.take(game("tic-tac-toe"), 3, 1).unwrap(),
            vec![Opening::new(); 3]
        );
    }

    #[test]
    fn moves_are_read_as_they_are_written() {
        for name in ["connect6", "inf,6,2,1"] {
            let game = game(name);
            for opening in random(game, 5, 3) {
                assert_eq!(read_text(game, &text(game, &opening)), Some(opening));
            }
            assert_eq!(read_text(game, ""), Some(Vec::new()));
            assert_eq!(read_text(game, "J10 / Z99x"), None);
        }
    }
}
