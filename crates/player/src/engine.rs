//! One engine for all styles.

use sixproof_game::Position;

use crate::style::{Kagami, Random, greedy, nctu6};
use crate::{Level, Limits, Reason, Style, Thought, Watch};

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
    kagami: Kagami,
}

impl Engine {
    /// An engine that knows nothing yet.
    pub fn new(settings: Settings) -> Engine {
        let random = Random::new(settings.seed);
        let kagami = Kagami::new(settings.seed);
        Engine { settings, random, kagami }
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
            Style::Greedy => greedy::think(position, self.settings.seed),
            Style::Nctu6 => nctu6::think(position, self.settings.seed, limits, watch),
            Style::Kagami => self.kagami.think(position, limits, watch),
            Style::Sixproof | Style::Random => {
                let squares = self.random.choose(position);
                Thought {
                    line: vec![squares.clone()],
                    squares,
                    reason: Reason::Chosen,
                    ..Thought::default()
                }
            }
        }
    }
}
