//! The question that `prove` and `verify` ask: does Attacker win this position? Here is what comes
//! before a search and around it: its files, its options, what the store remembers. `asked` has the
//! question in plain words, `verdict` what came of a search.

mod asked;
mod verdict;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sixproof_certificate::{Claim, certify};
use sixproof_game::{Color, Position, Square};
use sixproof_prover::prove::{self, RemotePool, Resources};

use super::lend::{Lending, Shown};
use super::proof;
use super::search::Watcher;
use super::show;
use crate::Answer;
use crate::cli::{PictureArgs, PositionArgs, PriorityName, SearchArgs, ZonesName};
use crate::events::{self, Limits};
use crate::interrupt::Interrupt;
use crate::plot::Series;
use crate::source;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files::{self, Place};
use sixproof_solve::foregone::{Foregone, foregone};
use sixproof_solve::hints::{self, Hint};
use sixproof_solve::notation;
use sixproof_solve::output::Output;
use sixproof_solve::store::{self, Memory};
use sixproof_solve::verdict as words;
use verdict::course;

/// Does Attacker win this position?
pub(super) struct Question<'a> {
    pub(super) position: &'a Position,
    /// The stones that led to it, with the numbers of their moves.
    pub(super) played: &'a [(Square, u32)],
    pub(super) attacker: Color,
    /// Attacker's last move, when it is this move that is asked about.
    pub(super) attack: Option<&'a [Square]>,
    pub(super) given: &'a PositionArgs,
    /// The rules of the position's file, where they are not those of its game.
    pub(super) rules: Option<&'a str>,
    pub(super) search: &'a SearchArgs,
    pub(super) picture: &'a PictureArgs,
}

impl Question<'_> {
    /// What is to be proved.
    pub(super) fn claim(&self) -> Claim {
        Claim::new(self.position, self.attacker)
    }

    /// Who or what is asked about: `Black`, or the move `K11 L10`.
    pub(super) fn subject(&self) -> String {
        match self.attack {
            Some(squares) => self.position.game().square_names(squares),
            None => self.attacker.title().to_string(),
        }
    }

    /// Searches, and tells what was found.
    pub(super) fn answer(&self, output: Output) -> Result<Answer> {
        self.prepare()?;
        let options = prove::Options { hints: self.hints()?, ..self.options() };
        self.say_start(output);
        match foregone(self.position, self.attacker) {
            Some(Foregone::Won) => {
                let side = self.attacker.title();
                return Err(Failure::new(format!("the game is over: {side} has won"))
                    .help("nothing is left to prove; take the position before the last move"));
            }
            Some(Foregone::Lost(why)) => {
                self.say_unproved("no-win", &why, None, output);
                self.draw(&Series::default(), &why, output)?;
                return Ok(Answer::No);
            }
            None => {}
        }
        let memory = Memory::open(&self.search.memory.choice(), output)?;
        let watcher = self.watcher(&memory, output);
        if let Some(answer) = self.remember(&memory, &watcher, output)? {
            return Ok(answer);
        }
        let lending = self.lend(output)?;
        let answer = self.search(&options, &memory, lending.as_ref(), watcher, output);
        if let Some(lending) = lending {
            lending.end(matches!(answer, Ok(Answer::Yes)));
        }
        answer
    }

    /// The farm that does the jobs, if one is asked for.
    fn lend(&self, output: Output) -> Result<Option<Lending>> {
        let SearchArgs { lend, memory, .. } = self.search;
        let claim = self.claim();
        let game = self.position.game().title();
        let title = match self.attack {
            Some(_) => format!("does {} win after {}? {game}", self.attacker, self.subject()),
            None => format!("does {} win? {game}", self.subject()),
        };
        let usual = if self.attack.is_some() { PriorityName::User } else { PriorityName::Auto };
        let store = store::path(memory.store.as_deref()).ok().filter(|_| !memory.no_store);
        let lending = Lending::open(&claim, title, lend, (store, usual))?;
        if let Some(lending) = &lending {
            lending.say_start(output);
        }
        Ok(lending)
    }

    /// Searches with threads of this machine, or with the workers of a farm.
    fn search(
        &self,
        options: &prove::Options,
        memory: &Memory,
        lending: Option<&Lending>,
        mut watcher: Watcher,
        output: Output,
    ) -> Result<Answer> {
        let journal = memory.journal(self.position, self.attacker);
        let mut pool = lending.map(Lending::pool);
        let pool = pool.as_mut().map(|pool| &mut **pool as &mut dyn RemotePool);
        let resources = Resources { journal: &journal, pool };
        let mut shown = Shown::new(lending, output);
        if self.attack.is_some() {
            return self.verify(options, resources, memory, (watcher, shown, lending), output);
        }
        let report = prove::prove_on(self.position, options, resources, &mut |progress| {
            shown.show(&mut watcher);
            watcher.see(progress)
        });
        shown.show(&mut watcher);
        watcher.set_rests_on(lending.and_then(Lending::basis));
        watcher.wipe();
        let verdict = course(&report, &watcher);
        let answer = self.conclude(report, memory, &watcher, output);
        let drawn = self.draw(watcher.series(), &verdict, output);
        answer.and_then(|answer| drawn.map(|()| answer))
    }

    /// The answer of an earlier search, if the store has it. A proof is checked like any other.
    fn remember(
        &self,
        memory: &Memory,
        watcher: &Watcher,
        output: Output,
    ) -> Result<Option<Answer>> {
        let (position, attacker) = (self.position, self.attacker);
        if let Some(found) = memory.proof(position, attacker) {
            match certify(&self.claim(), &found.certificate) {
                Ok(certified) => {
                    let proof = proof::Proof {
                        certificate: found.certificate,
                        order: found.meta.order,
                        nodes: found.meta.search_nodes,
                        seconds: watcher.seconds(),
                        from_store: true,
                    };
                    proof.say(self, &certified, output)?;
                    return Ok(Some(Answer::Yes));
                }
                Err(why) => {
                    output.warn(format!("dropped an invalid proof from the store: {why}"));
                    memory.forget(position, attacker);
                }
            }
        }
        // Where the other side wins, this one does not, and no search would find more.
        let other = Claim { attacker: !attacker, ..self.claim() };
        if let Some(found) = memory.proof(position, !attacker)
            && certify(&other, &found.certificate).is_ok()
        {
            let why = self.other_wins(found.certificate_nodes);
            self.say_unproved("no-win", &why, None, output);
            return Ok(Some(Answer::No));
        }
        // A verification tells more than a verdict: which replies are left.
        let order = memory.refuted(position, attacker).filter(|_| self.attack.is_none());
        let Some(order) = order.filter(|&order| self.search.order <= order) else {
            return Ok(None);
        };
        let why = format!("{}, says the store (--no-store searches again)", self.no_win(order));
        self.say_unproved("no-win", &why, None, output);
        Ok(Some(Answer::No))
    }

    /// Verifies the move, telling the defences that remain as they are found.
    fn verify(
        &self,
        options: &prove::Options,
        resources: Resources,
        memory: &Memory,
        (mut watcher, mut shown, lending): (Watcher, Shown, Option<&Lending>),
        output: Output,
    ) -> Result<Answer> {
        let game = self.position.game();
        let stones = self.position.left() as usize;
        let told = |squares: &[Square]| match squares.len() {
            0 => "any move: a null move is not answered".to_string(),
            count if count < stones => {
                format!("{} with any other stone", game.square_names(squares))
            }
            _ => game.square_names(squares),
        };
        let reply_nodes = words::reply_nodes(self.search.nodes);
        let verification = prove::verify(
            self.position,
            options,
            reply_nodes,
            resources,
            &mut |event| match event {
                prove::Event::Progress(progress) => {
                    shown.show(&mut watcher);
                    watcher.see(&progress)
                }
                prove::Event::Unsolved(squares) => {
                    watcher.wipe();
                    if output.json {
                        let is_complete = squares.len() >= stones;
                        let seconds = watcher.seconds();
                        output.say_json(&events::unsolved(game, &squares, is_complete, seconds));
                    } else {
                        output.say(format!("unsolved    {}", told(&squares)));
                    }
                    false
                }
            },
        );
        shown.show(&mut watcher);
        watcher.set_rests_on(lending.and_then(Lending::basis));
        watcher.wipe();
        let verdict = course(&verification.report, &watcher);
        let answer = self.conclude_verification(verification, memory, &watcher, output);
        let drawn = self.draw(watcher.series(), &verdict, output);
        answer.and_then(|answer| drawn.map(|()| answer))
    }

    /// What every JSON answer has.
    pub(super) fn json(&self, verdict: &str) -> Value {
        let game = self.position.game();
        let mut value = json!({
            "event": verdict,
            "verdict": verdict,
            "game": game.to_string(),
            "attacker": self.attacker.to_string(),
            "to_move": self.position.to_move().to_string(),
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
    pub(super) fn say_start(&self, output: Output) {
        if output.json {
            let command = if self.attack.is_some() { "verify" } else { "prove" };
            let limits = self.limits();
            let threads = self.search.machine.threads();
            let asked = (self.position, self.attacker);
            output.say_json(&events::start(command, asked, limits, threads));
        } else if !self.search.quiet {
            self.say_asked(output);
        }
    }

    /// Draws the course of the search, if that is asked for.
    pub(super) fn draw(&self, series: &Series, verdict: &str, output: Output) -> Result<()> {
        let Some(path) = &self.search.svg else { return Ok(()) };
        let after = match self.attack {
            Some(_) => format!("{} after {}", self.attacker.title(), self.subject()),
            None => self.subject(),
        };
        let svg = series.svg(&format!("does {after} win?"), verdict);
        show::write_drawing(path, &svg)?;
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
            threads: self.search.machine.threads(),
            memory_max: self.search.machine.memory(),
            switches: self.search.without.switches(),
            policy: self.search.policy.policy(),
            zones: self.search.zones.rule(),
            mutual: is_ours,
            grouped: is_ours,
            ..prove::Options::new(self.attacker)
        }
    }

    fn watcher(&self, memory: &Memory, output: Output) -> Watcher {
        let (game, interrupt) = (self.position.game(), Interrupt::watched());
        Watcher::new(game, self.limits(), self.search.quiet, interrupt, output)
            .with_board(self.position)
            .with_stop(memory.is_there())
    }

    /// Everything that can go wrong with the files of the answer, or with the address of a farm,
    /// goes wrong now: not after hours, and not only when the store does not know the answer.
    pub(super) fn prepare(&self) -> Result<()> {
        let SearchArgs { cert, out, svg, lend, .. } = self.search;
        Lending::ensure_usable(lend)?;
        let outputs = [("--cert", cert), ("--out", out), ("--svg", svg)];
        let named = || outputs.iter().filter_map(|(name, path)| Some((*name, path.as_ref()?)));
        for (_, path) in named() {
            if path == Path::new("-") {
                return Err(Failure::new("the answer needs a file, not standard output")
                    .help("name a file, such as proof.cert"));
            }
            let given = source::file_of(&self.given.position);
            files::keep(&[given, self.search.hints.as_deref()], path)?;
        }
        for (name, path) in named() {
            if let Some((other, _)) = named().find(|entry| entry.1 == path && entry.0 != name) {
                return Err(Failure::new(format!("{}: both {name} and {other}", path.display()))
                    .help("give each its own name"));
            }
        }
        for picture in [out, svg].into_iter().flatten() {
            picture_kind(picture)?;
            files::ensure_writable(picture)?;
        }
        // What is wrong with the picture's options shows without a zone, too.
        show::dressed(self.picture, self.position, self.played, None)?;
        let default = self.search.cert.is_none();
        let writable = files::ensure_writable(&self.certificate_path());
        let help = "name another place with --cert FILE";
        writable.map_err(|failure| if default { failure.help(help) } else { failure })
    }

    /// Where a certificate goes; the same bytes need no second file. A name that the user did not
    /// choose never replaces a file.
    pub(super) fn place_for(&self, certificate: &[u8]) -> Place {
        match &self.search.cert {
            Some(path) => Place { path: path.clone(), is_there: false },
            None => files::place_for(&self.stem(), "cert", certificate),
        }
    }

    /// A name for the certificate, before it is there.
    fn certificate_path(&self) -> PathBuf {
        self.search.cert.clone().unwrap_or_else(|| free_path(&self.stem()))
    }

    /// The name of the certificate, without its ending, where the user does not choose one.
    fn stem(&self) -> String {
        let stem = source::stem(&self.given.position);
        match self.attack {
            Some(_) => format!("{stem}-{}", self.subject().replace(' ', "").to_lowercase()),
            None => stem,
        }
    }

    /// The moves that a human suggests.
    pub(super) fn hints(&self) -> Result<Vec<Hint>> {
        let Some(path) = &self.search.hints else { return Ok(Vec::new()) };
        let game = self.position.game();
        let name = path.display();
        let mut hints = Vec::new();
        for record in source::records(path, &self.given.reading, game)? {
            if record.game != game {
                let (one, other) = (record.game.title(), game.title());
                let message = format!("{name}: hints for {one}, but the game is {other}");
                return Err(Failure::new(message));
            }
            let found = hints::of_record(&record, self.attacker)
                .map_err(|illegal| Failure::new(format!("{name}: {illegal}")))?;
            hints.extend(found);
        }
        if hints.is_empty() {
            let side = self.attacker.title();
            return Err(Failure::new(format!("{name}: no move of {side} in it"))
                .help("hints are moves of the side that is to win"));
        }
        Ok(hints)
    }
}

/// A certificate that does not exist yet.
pub(super) fn free_path(stem: &str) -> PathBuf {
    files::free(stem, "cert")
}

/// What a picture in a file is: `svg` or `png`.
pub(super) fn picture_kind(path: &Path) -> Result<String> {
    match show::extension(path) {
        kind if kind == "svg" || kind == "png" => Ok(kind),
        _ => Err(Failure::new(format!("{}: which kind of picture is this?", path.display()))
            .help("name the file .svg or .png")),
    }
}
