//! The line that a list of games has for each.

use super::Record;
use crate::{Color, Game};

/// A game in one line of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The name of the game, else the event and the round.
    pub title: String,
    /// The game, unless the file has parameters that make no game.
    pub game: Option<Game>,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The result, in the words of the file.
    pub result: String,
    /// The moves of the main line.
    pub moves: usize,
}

impl Summary {
    /// The summary of a game with these facts and these stones on its main line.
    pub(crate) fn new<'a>(
        game: Option<Game>,
        fact: impl Fn(&str) -> String,
        stones: impl Iterator<Item = &'a Color>,
    ) -> Summary {
        let title = match (fact("GN"), fact("EV"), fact("RO")) {
            (name, ..) if !name.is_empty() => name,
            (_, event, round) if event.is_empty() || round.is_empty() => event + &round,
            (_, event, round) => format!("{event}, {round}"),
        };
        // A move ends where the other side's begins: no need to know the game.
        let (mut moves, mut last) = (0, None);
        for &color in stones {
            moves += usize::from(last != Some(color));
            last = Some(color);
        }
        Summary { title, game, black: fact("PB"), white: fact("PW"), result: fact("RE"), moves }
    }
}

impl Record {
    /// The record in one line.
    pub fn summary(&self) -> Summary {
        let fact = |key: &str| {
            let fact = self.info.iter().find(|fact| fact.0 == key);
            fact.map_or_else(String::new, |fact| fact.1.clone())
        };
        let path = self.path_to(self.main_line_end(0));
        let stones = path.iter().flat_map(|&id| &self.node(id).stones).map(|stone| &stone.0);
        Summary::new(Some(self.game), fact, stones)
    }
}
