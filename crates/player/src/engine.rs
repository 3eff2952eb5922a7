//! One engine for all styles.

use sixproof_game::{Game, Position};
use sixproof_prover::arena::Arena;
use sixproof_prover::board::{Connect6, General, GoMoku};

use crate::book::Book;
use crate::search::{Table, Thinker};
use crate::style::{Kagami, Random, greedy, nctu6};
use crate::{Level, Limits, Reason, Style, Thought, Watch};

/// Lower levels do not know the opening book.
const BOOK_LEVEL_MIN: u8 = 5;
/// Nodes for a move where nothing is limited.
const NODES_USUAL: u64 = 20_000;

/// How an engine is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The way of playing.
    pub style: Style,
    /// How strong the style `sixproof` plays.
    pub level: Level,
    /// Threads; with one, the same game gives the same moves.
    pub threads: usize,
    /// Decides between equals, and what `random` plays.
    pub seed: u64,
    /// Whether the opening book is used.
    pub book: bool,
    /// Bytes of the table.
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
            memory: 64 << 20,
        }
    }
}

/// A player: remembers from move to move what it found.
pub struct Engine {
    settings: Settings,
    random: Random,
    table: Table,
    /// What the table's keys mean.
    arena: Option<(Game, Arena)>,
    kagami: Kagami,
}

impl Engine {
    /// An engine that knows nothing yet.
    pub fn new(settings: Settings) -> Engine {
        let random = Random::new(settings.seed);
        let kagami = Kagami::new(settings.seed);
        let table = Table::new(settings.memory);
        Engine { settings, random, kagami, table, arena: None }
    }

    /// How it is set up.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets everything: a new game begins.
    pub fn reset(&mut self) {
        *self = Engine::new(self.settings.clone());
    }

    /// Chooses a move for the side to move. Gives no stones where the game is over.
    pub fn think(&mut self, position: &Position, limits: &Limits, watch: &dyn Watch) -> Thought {
        if position.winner().is_some() || position.is_full() {
            return Thought::default();
        }
        match self.settings.style {
            Style::Sixproof => match self.look_up(position) {
                Some(thought) => thought,
                None => self.search(position, limits, watch),
            },
            Style::Greedy => greedy::think(position, self.settings.seed),
            Style::Kagami => self.kagami.think(position, limits, watch),
            Style::Nctu6 => nctu6::think(position, self.settings.seed, limits, watch),
            Style::Random => self.choose_any(position),
        }
    }

    fn weights(&self, game: Game) -> crate::eval::Weights {
        let mut w = crate::eval::Weights::of(game.p());
        if self.settings.level.number() == 9 {
            w = crate::eval::Weights::rule_of_thumb(game.p());
            if let Ok(f) = std::env::var("WFILE") {
                let s = crate::eval::Weights::section(game.p());
                w.read(&std::fs::read_to_string(f).unwrap(), &s).unwrap();
            }
        }
        w
    }

    fn look_up(&self, position: &Position) -> Option<Thought> {
        let Settings { book, level, .. } = self.settings;
        (book && level.number() >= BOOK_LEVEL_MIN)
            .then(|| Book::embedded().thought(position))
            .flatten()
    }

    fn choose_any(&mut self, position: &Position) -> Thought {
        let squares = self.random.choose(position);
        let line = vec![squares.clone()];
        Thought { line, squares, reason: Reason::Chosen, ..Thought::default() }
    }

    fn search(&mut self, position: &Position, limits: &Limits, watch: &dyn Watch) -> Thought {
        let mut limits = *limits;
        if limits == Limits::default() {
            limits.nodes = Some(NODES_USUAL);
        }
        let Some(arena) = Arena::new(position) else { return self.choose_any(position) };
        let game = position.game();
        if self.arena != Some((game, arena)) {
            self.table.clear();
            self.arena = Some((game, arena));
        }
        let weights = self.weights(game);
        let thinker = Thinker {
            position,
            arena,
            strength: self.settings.level.strength(&limits),
            limits,
            watch,
            table: &self.table,
            weights: &weights,
            threads: self.settings.threads.max(1),
            seed: self.settings.seed,
        };
        match (game.k(), game.p(), game.exact()) {
            (6, 2, false) => thinker.think(Connect6),
            (5, 1, false) => thinker.think(GoMoku),
            _ => thinker.think(General::new(game)),
        }
    }
}
