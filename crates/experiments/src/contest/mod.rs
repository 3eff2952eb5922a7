//! Matches: two players, many games, and what they say about strength.
//!
//! Games are numbered; two in a row are a pair, the same opening with colours swapped. Everything
//! random in a game follows from the seed of the match and the number of the game, so that games
//! can be played at the same time and in any order. `game` applies the rules to one game, `player`
//! and `program` choose its moves, `journal` keeps it, and `sums`, `records` and `plot` report.

mod game;
mod journal;
mod opening;
mod player;
mod plot;
mod process;
mod program;
mod records;
mod sums;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value, json};
use sixproof_game::Color;
use sixproof_game::repeatable::mix;
use sixproof_player::Control;
use sixproof_player::rating::Sprt;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::quantity::short_time_text;

pub use game::{Ending, GameResult, PlayerEffort, Terms};
pub use journal::FinishedGame;
use journal::MatchJournal;
use opening::{Opening, Openings};
use player::Player;
pub use records::{ensure_writable, write as write_records};
pub use sums::{Sums, share};

/// The time between two looks at the stop flag of a match.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The options of a match.
#[derive(Clone, Debug)]
pub struct ContestSetup<'a> {
    /// The players as they are named: a style, a style with a level, or a protocol with a program.
    pub players: [&'a str; 2],
    /// `even`, `random`, `none`, or the name of a file.
    pub openings: &'a str,
    /// What holds for all games.
    pub terms: Terms,
    /// How many games, an even number.
    pub games: usize,
    /// The seed of everything that is random.
    pub seed: u64,
    /// Whether styles use the opening book.
    pub has_book: bool,
    /// The sequential test that ends the match.
    pub sprt: Option<Sprt>,
}

/// A match that can be played.
pub struct Contest {
    players: [Player; 2],
    names: [String; 2],
    terms: Terms,
    openings: Openings,
    games: usize,
    seed: u64,
    has_book: bool,
    sprt: Option<Sprt>,
}

/// A match under way.
pub struct Match<'a> {
    contest: &'a Contest,
    openings: Vec<Opening>,
    journal: Option<MatchJournal>,
    sums: Sums,
    /// In the order in which they ended.
    games: Vec<FinishedGame>,
}

impl Contest {
    /// Reads the names of players and openings, and tries the programs.
    pub fn new(setup: ContestSetup<'_>) -> Result<Contest> {
        let ContestSetup { terms, games, seed, has_book, sprt, .. } = setup;
        let game = terms.game;
        let [a, b] = setup.players;
        let players = [Player::read(a)?, Player::read(b)?];
        for player in &players {
            player.ensure_plays(game)?;
        }
        let mut openings = Openings::read(setup.openings, game)?;
        if !players.iter().all(Player::takes_openings) {
            // `even` is the default.
            if !matches!(openings, Openings::None | Openings::Random | Openings::Even) {
                return Err(Failure::new("the protocol ccgc has no command for an opening")
                    .help("leave --openings out: the games begin on the empty board"));
            }
            openings = Openings::None;
        }
        let names = players.each_ref().map(Player::to_string);
        Ok(Contest { players, names, terms, openings, games, seed, has_book, sprt })
    }

    /// The names of the players.
    pub fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// What holds for all games.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// How many games are to be played.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The sequential test that ends the match.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// What makes it this match and no other. How many games it has does not count: more can be
    /// played.
    pub fn identity(&self) -> Map<String, Value> {
        let Terms { game, control, nodes, depth, tolerance, adjudicate, moves_max } = &self.terms;
        let (time, game_time, increment) = match control {
            Some(Control::Move(time)) => (Some(*time), None, None),
            Some(Control::Game { total, increment }) => (None, Some(*total), Some(*increment)),
            None => (None, None, None),
        };
        let pairs = [
            ("a", json!(self.names[0])),
            ("b", json!(self.names[1])),
            ("game", json!(game.to_string())),
            ("time", json!(time.map(short_time_text))),
            ("game_time", json!(game_time.map(short_time_text))),
            ("increment", json!(increment.map(short_time_text))),
            ("tolerance", json!(short_time_text(*tolerance))),
            ("nodes", json!(nodes)),
            ("depth", json!(depth)),
            ("moves", json!(moves_max)),
            ("adjudicate", json!(adjudicate)),
            ("openings", json!(self.openings.identity(*game))),
            ("seed", json!(self.seed)),
            ("book", json!(self.has_book)),
        ];
        pairs.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
    }

    /// Plays the game of a number; `None` if the match was stopped.
    fn play(
        &self,
        number: usize,
        opening: &Opening,
        stop: &Arc<AtomicBool>,
    ) -> Option<FinishedGame> {
        let mut players = [Color::Black, Color::White].map(|color| {
            let player = (number + game::side(color)) % 2;
            let mut seed = self.seed.wrapping_add((2 * number + player) as u64 + 1);
            // Neighbouring numbers would be neighbouring states of the same sequence.
            let seed = mix(&mut seed);
            self.players[player].for_game(color, seed, self.has_book)
        });
        let played = game::play(&self.terms, opening, &mut players, stop)?;
        Some(FinishedGame { number, played })
    }
}

impl<'a> Match<'a> {
    /// Makes the openings, and opens the journal: what it holds is played.
    pub fn open(contest: &'a Contest, out: Option<&Path>) -> Result<Match<'a>> {
        let game = contest.terms.game;
        let openings = contest.openings.take(game, contest.games / 2, contest.seed)?;
        let (journal, kept) = match out {
            Some(path) => {
                let (journal, kept) = MatchJournal::open(path, &contest.identity(), game)?;
                (Some(journal), kept)
            }
            None => (None, Vec::new()),
        };
        let mut sums = Sums::default();
        for game in &kept {
            sums.add(game, contest.sprt);
        }
        Ok(Match { contest, openings, journal, sums, games: kept })
    }

    /// The games that have ended, in the order in which they ended.
    pub fn games(&self) -> &[FinishedGame] {
        &self.games
    }

    /// What the games amount to.
    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    /// The score over the games as a picture.
    pub fn plot(&self) -> String {
        plot::svg(&self.sums.course, &self.contest.names.join(" vs "), &self.sums.line())
    }

    /// Plays all games that were not played yet, until there is a verdict or `watch` breaks. It is
    /// called after each game, and many times a second.
    pub fn play(
        &mut self,
        threads: usize,
        watch: &mut dyn FnMut(&Sums, Option<&FinishedGame>) -> ControlFlow<()>,
    ) -> Result<()> {
        let contest = self.contest;
        let mut is_played = vec![false; contest.games];
        for game in &self.games {
            if let Some(is_played) = is_played.get_mut(game.number) {
                *is_played = true;
            }
        }
        let due: Vec<usize> = (0..contest.games).filter(|&number| !is_played[number]).collect();
        if due.is_empty() || self.sums.verdict().is_some() {
            return Ok(());
        }
        let openings = std::mem::take(&mut self.openings);
        let (stop, next) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads.min(due.len()) {
                let (sender, stop, next) = (sender.clone(), &stop, &next);
                let (due, openings) = (&due, &openings);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&number) = due.get(index) else { return };
                        let game = contest.play(number, &openings[number / 2], stop);
                        if game.is_none_or(|game| sender.send(game).is_err()) {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut result = Ok(());
            loop {
                let mut is_stopped = watch(&self.sums, None).is_break();
                match receiver.recv_timeout(LOOK_EVERY) {
                    Ok(game) if result.is_ok() => {
                        result = self.add(game);
                        is_stopped |= watch(&self.sums, self.games.last()).is_break();
                    }
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if is_stopped || self.sums.verdict().is_some() || result.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            result
        })
    }

    /// Takes a game that has ended.
    fn add(&mut self, game: FinishedGame) -> Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.add(&game.json(self.contest.terms.game))?;
        }
        self.sums.add(&game, self.contest.sprt);
        self.games.push(game);
        Ok(())
    }
}
