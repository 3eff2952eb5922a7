//! `sixproof match`: two players, many games, and what they say about strength.
//!
//! Games are numbered; two in a row are a pair, the same opening with colours swapped. Everything
//! random in a game follows from the seed of the match and the number of the game, so that games
//! can be played at the same time and in any order. `game` is the arbiter of one game, `player` and
//! `program` are who plays it, `journal` remembers it, and `table`, `records` and `plot` tell.

mod game;
mod journal;
mod opening;
mod player;
mod plot;
mod process;
mod program;
mod records;
mod table;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use sixproof_game::Color;
use sixproof_player::Control;
use sixproof_player::rating::SprtVerdict;
use sixproof_prover::board::mix;

use super::prove::request;
use super::show;
use crate::Exit;
use crate::cli::{self, OnOff};
use crate::interrupt::Interrupt;
use crate::live::Live;
use game::Terms;
use journal::{Finished, Journal};
use opening::{Opening, Openings};
use player::Player;
use sixproof_solve::defaults;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{Output, STRONG, grouped};
use sixproof_solve::quantity::short_time_text;
use sixproof_solve::typed;
use table::Sums;

/// Time for a move when nothing is limited.
const TIME_USUAL: Duration = Duration::from_secs(1);
/// Moves of a game on an unbounded board, which is never full.
const UNBOUNDED_MOVES_MAX: u32 = 400;
/// How often the match looks whether it is to stop.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A match as it was asked for.
struct Contest {
    players: [Player; 2],
    names: [String; 2],
    terms: Terms,
    openings: Openings,
    games: usize,
    seed: u64,
    has_book: bool,
}

pub(crate) fn run(options: &cli::Match, output: Output) -> Result<Exit> {
    let contest = Contest::new(options)?;
    ensure_outputs(options)?;
    let openings = contest.openings.take(contest.terms.game, contest.games / 2, contest.seed)?;
    let interrupt = Interrupt::watched();
    let (journal, kept) = match &options.out {
        Some(path) => {
            let (journal, kept) = Journal::open(path, &contest.identity(), contest.terms.game)?;
            (Some(journal), kept)
        }
        None => (None, Vec::new()),
    };
    if output.json {
        let mut start = json!({ "event": "start", "version": env!("CARGO_PKG_VERSION") });
        start["command"] = "match".into();
        start["match"] = Value::Object(contest.identity());
        start["games"] = contest.games.into();
        start["kept"] = kept.len().into();
        output.say_json(&start);
    }
    let mut run = Run {
        contest: &contest,
        options,
        journal,
        sums: Sums::default(),
        games: Vec::new(),
        output,
        live: if output.json || options.quiet { None } else { Live::on_terminal() },
    };
    for game in kept {
        run.sums.add(&game, options.sprt);
        run.games.push(game);
    }
    run.all(&openings, &interrupt)?;
    run.tell(interrupt.is_asked_for())
}

impl Contest {
    fn new(options: &cli::Match) -> Result<Contest> {
        let game = typed::game(&options.game)?;
        let players = [Player::read(&options.a)?, Player::read(&options.b)?];
        for player in &players {
            player.ensure_plays(game)?;
        }
        let mut openings = Openings::read(&options.openings, game)?;
        if !players.iter().all(Player::takes_openings) {
            // `even` is what nobody has asked for.
            if !matches!(openings, Openings::None | Openings::Random | Openings::Even) {
                return Err(Failure::new(
                    "a program of the protocol ccgc cannot be told an opening",
                )
                .help("leave --openings out: the games begin on the empty board"));
            }
            openings = Openings::None;
        }
        let terms = Terms {
            game,
            control: options.limits.control(TIME_USUAL),
            nodes: options.limits.nodes,
            depth: options.limits.depth,
            tolerance: options.tolerance,
            adjudicate: options.adjudicate == OnOff::On,
            moves_max: options.moves.or(game.is_unbounded().then_some(UNBOUNDED_MOVES_MAX)),
        };
        let names = players.each_ref().map(Player::to_string);
        let (games, seed, has_book) = (options.games, options.seed, !options.no_book);
        Ok(Contest { players, names, terms, openings, games, seed, has_book })
    }

    /// What makes it this match and no other. How many games it has does not count: more can be
    /// played.
    fn identity(&self) -> Map<String, Value> {
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
    fn play(&self, number: usize, opening: &Opening, stop: &Arc<AtomicBool>) -> Option<Finished> {
        let mut seats = [Color::Black, Color::White].map(|color| {
            let player = (number + game::side(color)) % 2;
            let mut seed = self.seed.wrapping_add((2 * number + player) as u64 + 1);
            // Neighbouring numbers would be neighbouring states of the same sequence.
            let seed = mix(&mut seed);
            self.players[player].seated(color, seed, self.has_book)
        });
        let played = game::play(&self.terms, opening, &mut seats, stop)?;
        Some(Finished { number, played })
    }
}

/// Finds out whether everything can be written, before hours are spent on it.
fn ensure_outputs(options: &cli::Match) -> Result<()> {
    if let Some(path) = &options.svg {
        request::picture_kind(path)?;
        files::ensure_writable(path)?;
    }
    if let Some(path) = &options.sgf {
        records::ensure_writable(path)?;
    }
    if let Some(path) = &options.out {
        files::ensure_writable(path)?;
    }
    let outputs: Vec<&Path> =
        [&options.svg, &options.sgf, &options.out].into_iter().flatten().map(|p| &**p).collect();
    for (index, path) in outputs.iter().enumerate() {
        files::keep(&[Some(Path::new(&options.openings))], path)?;
        let is_same = |other: &&Path| *other == *path || files::is_same(other, path);
        if outputs[..index].iter().any(is_same) {
            return Err(Failure::new(format!("{}: named for two outputs", path.display()))
                .help("--out, --sgf and --svg are different files"));
        }
    }
    Ok(())
}

/// A match under way.
struct Run<'a> {
    contest: &'a Contest,
    options: &'a cli::Match,
    journal: Option<Journal>,
    sums: Sums,
    /// In the order in which they ended.
    games: Vec<Finished>,
    output: Output,
    live: Option<Live>,
}

impl Run<'_> {
    /// Plays all games that were not played yet, until there is a verdict or Ctrl-C.
    fn all(&mut self, openings: &[Opening], interrupt: &Interrupt) -> Result<()> {
        let contest = self.contest;
        let mut is_played = vec![false; contest.games];
        for game in &self.games {
            if let Some(is_played) = is_played.get_mut(game.number) {
                *is_played = true;
            }
        }
        let due: Vec<usize> = (0..contest.games).filter(|&number| !is_played[number]).collect();
        if due.is_empty() || self.sums.verdict.is_some() {
            return Ok(());
        }
        let threads = defaults::threads(self.options.threads).min(due.len());
        let (stop, next) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, stop, next, due) = (sender.clone(), &stop, &next, &due);
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
                match receiver.recv_timeout(LOOK_EVERY) {
                    Ok(game) if result.is_ok() => result = self.add(game),
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if interrupt.is_asked_for() || self.sums.verdict.is_some() || result.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
                self.draw();
            }
            if let Some(mut live) = self.live.take() {
                if interrupt.is_asked_for() { live.leave() } else { live.wipe() }
            }
            result
        })
    }

    /// Takes a game that has ended.
    fn add(&mut self, game: Finished) -> Result<()> {
        let line = game.json(self.contest.terms.game);
        if let Some(journal) = &mut self.journal {
            journal.add(&line)?;
        }
        self.sums.add(&game, self.options.sprt);
        self.games.push(game);
        if self.output.json && !self.options.quiet {
            let mut event = line;
            event["event"] = "game".into();
            self.output.say_json(&event);
        }
        Ok(())
    }

    /// How it stands, on the terminal.
    fn draw(&mut self) {
        let Some(live) = self.live.as_mut().filter(|live| live.is_due(Instant::now())) else {
            return;
        };
        let mut rows = vec![
            ("match", self.contest.names.join(" vs ")),
            ("games", format!("{} of {}", self.sums.games(), self.contest.games)),
            ("score", self.sums.line()),
        ];
        if let Some(test) = self.options.sprt {
            rows.push(("sprt", format!("{:.2}", test.ratio(&self.sums.pairs))));
        }
        live.draw(&rows);
    }

    /// Writes and says what came of it.
    fn tell(&mut self, is_stopped: bool) -> Result<Exit> {
        let (contest, options, output) = (self.contest, self.options, self.output);
        let title = contest.names.join(" vs ");
        if let Some(path) = &options.sgf {
            records::write(path, &self.games, &contest.names, contest.terms.game, output)?;
        }
        if let Some(path) = &options.svg {
            let svg = plot::svg(&self.sums.course, &title, &self.sums.line());
            show::write_drawing(path, &svg)?;
            output.written(path, svg.len());
        }
        let answer = self.answer(is_stopped);
        if output.json {
            let mut sums = self.sums.json(options.sprt);
            sums["event"] = if is_stopped { "stopped" } else { "done" }.into();
            output.say_json(&sums);
            return Ok(answer);
        }
        if is_stopped {
            output.warn(match options.out {
                Some(_) => "stopped; the same command goes on from here",
                None => "stopped",
            });
        }
        if self.sums.rejected() > 0 {
            output.warn("the checker refused certificates of a player: please report it");
        }
        output.say(format!(
            "{STRONG}{title}{STRONG:#}, {}, {}",
            contest.terms.game,
            limits_text(&contest.terms)
        ));
        output.say(self.sums.table(&contest.names, options.sprt));
        Ok(answer)
    }

    /// Is A at least as good as B? With a sequential test: what it says.
    fn answer(&self, is_stopped: bool) -> Exit {
        match (self.options.sprt, self.sums.verdict, table::share(self.sums.results())) {
            (Some(_), Some(SprtVerdict::Accepted), _) => Exit::Yes,
            (Some(_), Some(SprtVerdict::Rejected), _) => Exit::No,
            (Some(_), None, _) | (None, _, None) => Exit::Undecided,
            _ if is_stopped => Exit::Undecided,
            (None, _, Some(score)) if score >= 0.5 => Exit::Yes,
            _ => Exit::No,
        }
    }
}

/// What a move may take, for people.
fn limits_text(terms: &Terms) -> String {
    let mut parts = Vec::new();
    match terms.control {
        Some(Control::Move(time)) => parts.push(format!("{} a move", short_time_text(time))),
        Some(Control::Game { total, increment }) => parts.push(format!(
            "{} a game and {} a move",
            short_time_text(total),
            short_time_text(increment)
        )),
        None => {}
    }
    parts.extend(terms.nodes.map(|nodes| format!("{} nodes a move", grouped(nodes))));
    parts.extend(terms.depth.map(|depth| format!("depth {depth}")));
    parts.join(", ")
}
