//! The question of `prove` and `verify`: files and options are tried first, then [`Question`]
//! answers, and the answer is reported. `wording` has the question in plain words, `proved` reports
//! a win, `unproved` everything else.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sixproof_certificate::Claim;
use sixproof_experiments::course::Series;
use sixproof_game::{Game, Position, Square};
use sixproof_prover::prove;

use super::{proved, unproved};
use crate::Exit;
use crate::drawing;
use crate::events;
use crate::input;
use crate::interrupt::Interrupt;
use crate::options::{PictureArgs, PositionArgs, SearchArgs, ZonesName};
use crate::refused;
use crate::remote::FarmSearch;
use crate::search;
use crate::watcher::Watcher;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files::{self, FilePlace};
use sixproof_solve::limits::Limits;
use sixproof_solve::notation;
use sixproof_solve::output::Output;
use sixproof_solve::question::{Answer, Question, Unanswered};
use sixproof_solve::store::Memory;

/// Does Attacker win this position?
pub(crate) struct Request<'a> {
    /// What is to be proved.
    pub(crate) claim: &'a Claim,
    /// The stones that led to the position, with the numbers of their moves.
    pub(crate) played: &'a [(Square, u32)],
    /// Attacker's last move, when it is this move that is asked about.
    pub(crate) attack: Option<&'a [Square]>,
    /// The earlier positions of the game, the latest first.
    pub(crate) earlier: &'a [Position],
    pub(crate) given: &'a PositionArgs,
    /// The rules of the position's file, where they are not those of its game.
    pub(crate) rules: Option<&'a str>,
    pub(crate) search: &'a SearchArgs,
    pub(crate) picture: &'a PictureArgs,
}

impl Request<'_> {
    pub(super) fn position(&self) -> &Position {
        &self.claim.position
    }

    pub(super) fn game(&self) -> Game {
        self.claim.position.game()
    }

    /// Who or what is asked about: `Black`, or the move `K11 L10`.
    pub(crate) fn subject(&self) -> String {
        match self.attack {
            Some(squares) => self.game().square_names(squares),
            None => self.claim.attacker.title().to_string(),
        }
    }

    /// Answers, and reports the answer.
    pub(crate) fn answer(&self, output: Output) -> Result<Exit> {
        self.prepare()?;
        let (resources, side) = (&self.search.resources, (self.game(), self.claim.attacker));
        let hints = search::hints(resources, self.given.reading.flip, side)?;
        let options = prove::Options { hints, ..self.options() };
        self.say_start(output);
        let memory = Memory::open(&self.search.resources.store.choice(), output)?;
        let question = Question {
            attack: self.attack,
            earlier: self.earlier,
            resumes: true,
            ..Question::new(self.claim, &options, &memory)
        };
        let mut watcher = self.watcher(&memory, output);
        let mut unsolved =
            |squares: &[Square], watcher: &mut Watcher| self.say_unsolved(squares, watcher, output);
        let resources = &self.search.resources;
        let answer = search::answer(&question, resources, &mut watcher, &mut unsolved, output)?;
        let answer = answer.map_err(|why| self.unanswered(why))?;
        self.report(&question, &answer, &watcher, output)
    }

    /// Reports an answer, and draws the course of the search.
    fn report(
        &self,
        question: &Question<'_>,
        answer: &Answer,
        watcher: &Watcher,
        output: Output,
    ) -> Result<Exit> {
        let reported = match answer.proof() {
            Some(proof) => proved::report(self, answer, proof, watcher.seconds(), output),
            None => Ok(unproved::report(self, question, answer, watcher, output)),
        };
        let drawn = self.draw(watcher.series(), &unproved::course(answer, watcher), output);
        reported.and_then(|answer| drawn.map(|()| answer))
    }

    /// Why there is no answer.
    fn unanswered(&self, why: Unanswered) -> Failure {
        match why {
            Unanswered::Over(side) => {
                Failure::new(format!("the game is over: {} has won", side.title()))
                    .help("nothing is left to prove; take the position before the last move")
            }
            Unanswered::Refused { why, certificate } => {
                refused::failure(&why, &certificate, &self.place_for(&certificate).path)
            }
        }
    }

    /// Reports a reply that the verification leaves unsolved.
    fn say_unsolved(&self, squares: &[Square], watcher: &Watcher, output: Output) {
        let (game, stones) = (self.game(), self.position().left() as usize);
        // People see them in the end: most of them are answered later.
        if output.json {
            let is_complete = squares.len() >= stones;
            output.say_json(&events::unsolved(game, squares, is_complete, watcher.seconds()));
        }
    }

    /// What every JSON answer has.
    pub(crate) fn json(&self, verdict: &str) -> Value {
        let game = self.game();
        let mut value = json!({
            "event": verdict,
            "verdict": verdict,
            "game": game.to_string(),
            "attacker": self.claim.attacker.to_string(),
            "to_move": self.position().to_move().to_string(),
        });
        if let Some(squares) = self.attack {
            value["move"] = notation::names(game, squares).into();
        }
        if let Some(rules) = self.rules {
            value["file_rules"] = rules.into();
        }
        if let Some(plot) = &self.search.svg {
            value["plot"] = plot.display().to_string().into();
        }
        value
    }

    /// Says what is asked: to programs as the first event, to people in words.
    pub(crate) fn say_start(&self, output: Output) {
        if output.json {
            let command = if self.attack.is_some() { "verify" } else { "prove" };
            let limits = self.limits();
            let threads = self.search.local.threads();
            output.say_json(&events::start(command, self.claim, limits, threads));
        } else if !self.search.quiet {
            self.say_asked(output);
        }
    }

    /// Draws the course of the search, if that is asked for.
    pub(super) fn draw(&self, series: &Series, verdict: &str, output: Output) -> Result<()> {
        let Some(path) = &self.search.svg else { return Ok(()) };
        let after = match self.attack {
            Some(_) => format!("{} after {}", self.claim.attacker.title(), self.subject()),
            None => self.subject(),
        };
        let svg = series.svg(&format!("does {after} win?"), verdict);
        drawing::write(path, &svg)?;
        if !output.json && !self.search.quiet {
            output.written(path, svg.len());
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        let SearchArgs { order, nodes, time, .. } = *self.search;
        Limits { order, nodes, time }
    }

    pub(super) fn options(&self) -> prove::Options {
        let is_ours = self.search.zones == ZonesName::Segment;
        prove::Options {
            order_max: self.search.order,
            nodes_max: self.search.nodes,
            threads: self.search.local.threads(),
            memory_max: self.search.local.memory(),
            switches: self.search.without.switches(),
            policy: self.search.policy.policy(),
            zones: self.search.zones.rule(),
            mutual: is_ours,
            grouped: is_ours,
            ..prove::Options::default()
        }
    }

    fn watcher(&self, memory: &Memory, output: Output) -> Watcher {
        let interrupt = Interrupt::watched();
        Watcher::new(self.game(), self.limits(), self.search.quiet, interrupt, output)
            .with_board(self.position())
            .with_stop(memory.is_there())
    }

    /// Checks the files of the answer and the address of a farm, before any search, and also where
    /// the store knows the answer.
    pub(super) fn prepare(&self) -> Result<()> {
        let SearchArgs { cert, out, svg, resources, .. } = self.search;
        FarmSearch::ensure_usable(&resources.remote)?;
        let outputs = [("--cert", cert), ("--out", out), ("--svg", svg)];
        let named = || outputs.iter().filter_map(|(name, path)| Some((*name, path.as_ref()?)));
        for (_, path) in named() {
            if path == Path::new("-") {
                return Err(Failure::new("the answer needs a file, not standard output")
                    .help("name a file, such as proof.cert"));
            }
            let given = input::file_of(&self.given.position);
            files::keep(&[given, resources.hints.as_deref()], path)?;
        }
        for (name, path) in named() {
            if let Some((other, _)) = named().find(|entry| entry.1 == path && entry.0 != name) {
                return Err(Failure::new(format!("{}: both {name} and {other}", path.display()))
                    .help("give each its own name"));
            }
        }
        for picture in [out, svg].into_iter().flatten() {
            drawing::kind(picture)?;
            files::ensure_writable(picture)?;
        }
        // What is wrong with the picture's options shows without a zone, too.
        drawing::board(self.picture, self.position(), self.played, None)?;
        let default = self.search.cert.is_none();
        let writable = files::ensure_writable(&self.certificate_path());
        let help = "name another place with --cert FILE";
        writable.map_err(|failure| if default { failure.help(help) } else { failure })
    }

    /// Where a certificate goes; the same bytes need no second file. A name that the user did not
    /// choose never replaces a file.
    pub(super) fn place_for(&self, certificate: &[u8]) -> FilePlace {
        match &self.search.cert {
            Some(path) => FilePlace { path: path.clone(), is_there: false },
            None => files::place_for(&self.stem(), "cert", certificate),
        }
    }

    /// A name for the certificate, before it is there.
    fn certificate_path(&self) -> PathBuf {
        self.search.cert.clone().unwrap_or_else(|| files::free(&self.stem(), "cert"))
    }

    /// The name of the certificate, without its ending, where the user does not choose one.
    fn stem(&self) -> String {
        let stem = input::stem(&self.given.position);
        match self.attack {
            Some(_) => format!("{stem}-{}", self.subject().replace(' ', "").to_lowercase()),
            None => stem,
        }
    }
}
