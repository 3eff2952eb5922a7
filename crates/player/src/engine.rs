//! One engine for all styles.

use sixproof_game::{Game, Position};
use sixproof_prover::arena::Arena;
use sixproof_prover::with_rules;

use crate::book::Book;
use crate::eval::Weights;
use crate::search::{Ahead, Table, Thinker, same_move};
use crate::style::{Kagami, Random, greedy, nctu6};
use crate::{Level, Limits, Reason, Style, ThinkWatch, Thought};

/// The lowest level that knows the opening book.
const BOOK_LEVEL_MIN: u8 = 5;
/// The nodes for a move where nothing is limited.
const NODES_USUAL: u64 = 20_000;

/// The most stones a move of games in which the engine looks ahead.
const STONES_MAX: u32 = 4;

/// How an engine is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The way of playing.
    pub style: Style,
    /// The strength of the style `sixproof`.
    pub level: Level,
    /// The number of threads; with one, the same game gives the same moves.
    pub threads: usize,
    /// Decides between equals, and what `random` plays.
    pub seed: u64,
    /// Whether the opening book is used.
    pub book: bool,
    /// The size of the table in bytes.
    pub memory: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            style: Style::Sixproof,
            level: Level::MAX,
            threads: 1,
            seed: 1,
            book: true,
            memory: 16 << 20,
        }
    }
}

/// A player. It remembers from move to move what it found.
pub struct Engine {
    settings: Settings,
    random: Random,
    table: Table,
    /// The game and weights that the table's keys belong to.
    arena: Option<(Game, Arena)>,
    kagami: Kagami,
    /// The weights that replace the embedded ones.
    weights: Option<Weights>,
}

impl Engine {
    /// An engine without memories.
    pub fn new(settings: Settings) -> Engine {
        let random = Random::new(settings.seed);
        let kagami = Kagami::new(settings.seed);
        let table = Table::new(settings.memory);
        Engine { settings, random, kagami, table, arena: None, weights: None }
    }

    /// An engine of the style `sixproof` that evaluates by other weights than those embedded.
    pub fn with_weights(settings: Settings, weights: Weights) -> Engine {
        Engine { weights: Some(weights), ..Engine::new(settings) }
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets everything: a new game begins.
    pub fn reset(&mut self) {
        let weights = self.weights.take();
        *self = Engine { weights, ..Engine::new(self.settings.clone()) };
    }

    /// Chooses a move for the side to move. The thought has no stones where the game is over.
    pub fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &dyn ThinkWatch,
    ) -> Thought {
        if position.is_over() {
            return Thought::default();
        }
        match self.settings.style {
            Style::Sixproof => match self.look_up(position) {
                Some(thought) => thought,
                None => self.search(position, limits, watch, 1).swap_remove(0),
            },
            Style::Greedy => greedy::think(position, self.settings.seed),
            Style::Kagami => self.kagami.think(position, limits, watch),
            Style::Nctu6 => nctu6::think(position, self.settings.seed, limits, watch),
            Style::Random => self.choose_any(position),
        }
    }

    /// Compares moves for the side to move: the one that [`Engine::think`] would choose, and then
    /// the best of the others, up to `lines` in all. The others are ordered by score. A move counts
    /// as a win only with a proof. Only the style `sixproof` compares: the other styles return the
    /// move they choose. With one line this is what `think` returns.
    ///
    /// While it thinks, it reports the best moves so far to [`ThinkWatch::compare`].
    pub fn analyse(
        &mut self,
        position: &Position,
        limits: &Limits,
        lines: usize,
        watch: &dyn ThinkWatch,
    ) -> Vec<Thought> {
        let over = position.is_over();
        if over || lines == 0 {
            return Vec::new();
        }
        if lines == 1 || self.settings.style != Style::Sixproof {
            return vec![self.think(position, limits, watch)];
        }
        let known = self.look_up(position);
        let watch = &Ahead { watch, first: known.as_ref(), lines };
        let found = self.search(position, limits, watch, lines);
        let mut thoughts: Vec<Thought> = known.into_iter().collect();
        for thought in found {
            if !thoughts.iter().any(|other| same_move(other, &thought)) && thoughts.len() < lines {
                thoughts.push(thought);
            }
        }
        thoughts
    }

    fn look_up(&self, position: &Position) -> Option<Thought> {
        let Settings { book, level, .. } = self.settings;
        (book && level.number() >= BOOK_LEVEL_MIN)
            .then(|| Book::embedded().thought(position))
            .flatten()
    }

    fn choose_any(&mut self, position: &Position) -> Thought {
        let squares = self.random.choose(position);
        let line = vec![squares[..].into()];
        Thought { line, squares, reason: Reason::Chosen, ..Thought::default() }
    }

    /// The best moves, at least one.
    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &dyn ThinkWatch,
        lines: usize,
    ) -> Vec<Thought> {
        let mut limits = *limits;
        if limits == Limits::default() {
            limits.nodes = Some(NODES_USUAL);
        }
        let game = position.game();
        // There are no lines to evaluate yet, the ways to block are too many to be listed, or the
        // stones of an unbounded board are too far apart for one search board.
        let simple =
            position.stones().next().is_none() || game.p().max(position.left()) > STONES_MAX;
        let Some(arena) = Arena::new(position).filter(|_| !simple) else {
            return vec![greedy::think(position, self.settings.seed)];
        };
        if self.arena != Some((game, arena)) {
            // A table without entries is clear: touching all of it takes time.
            if self.arena.is_some() {
                self.table.clear();
            }
            self.arena = Some((game, arena));
        }
        let thinker = Thinker {
            position,
            arena,
            strength: self.settings.level.strength(&limits, game.p()),
            limits,
            watch,
            table: &self.table,
            weights: self.weights.clone().unwrap_or_else(|| Weights::of(game.p())),
            threads: self.settings.threads.max(1),
            seed: self.settings.seed,
        };
        with_rules!(game, |rules| thinker.answer(rules, lines))
    }
}
