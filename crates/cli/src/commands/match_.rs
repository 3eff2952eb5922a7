//! `sixproof match`: two players, many games, and what they say about strength.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sixproof_experiments::contest::{self, Contest, ContestSetup, Match, Sums, Terms, share};
use sixproof_player::Control;
use sixproof_player::rating::SprtVerdict;
use sixproof_prover::stop::break_if;

use crate::Exit;
use crate::drawing;
use crate::interrupt::Interrupt;
use crate::live::Live;
use crate::options::{self, OnOff};
use sixproof_solve::defaults;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{Output, STRONG, grouped};
use sixproof_solve::quantity::short_time_text;
use sixproof_solve::typed;

/// Time for a move when nothing is limited.
const TIME_USUAL: Duration = Duration::from_secs(1);
/// Moves of a game on an unbounded board, which is never full.
const UNBOUNDED_MOVES_MAX: u32 = 400;

pub(crate) fn run(options: &options::Match, output: Output) -> Result<Exit> {
    let contest = contest(options)?;
    ensure_outputs(options)?;
    if contest.games() != options.games {
        let (asked, played) = (options.games, contest.games());
        output.warn(format!("games come in pairs: {played} are played instead of {asked}"));
    }
    let interrupt = Interrupt::watched();
    let mut played = Match::open(&contest, options.out.as_deref())?;
    if output.json {
        let mut start = json!({ "event": "start", "version": env!("CARGO_PKG_VERSION") });
        start["command"] = "match".into();
        start["match"] = Value::Object(contest.identity());
        start["games"] = contest.games().into();
        start["kept"] = played.games().len().into();
        output.say_json(&start);
    }
    let mut live = if output.json || options.quiet { None } else { Live::on_terminal() };
    let result = played.play(defaults::threads(options.threads), &mut |sums, ended| {
        if let Some(game) = ended.filter(|_| output.json && !options.quiet) {
            let mut event = game.json(contest.terms().game);
            event["event"] = "game".into();
            output.say_json(&event);
        }
        draw(&contest, sums, live.as_mut());
        break_if(interrupt.is_asked_for())
    });
    if let Some(mut live) = live {
        if interrupt.is_asked_for() { live.leave() } else { live.wipe() }
    }
    result?;
    Report { contest: &contest, played: &played, options, output }.say(interrupt.is_asked_for())
}

/// The match that was asked for.
fn contest(options: &options::Match) -> Result<Contest> {
    let game = typed::game(&options.game)?;
    Contest::new(ContestSetup {
        players: [&options.a, &options.b],
        openings: &options.openings,
        terms: Terms {
            game,
            control: options.limits.control(TIME_USUAL),
            nodes: options.limits.nodes,
            depth: options.limits.depth,
            tolerance: options.tolerance,
            adjudicate: options.adjudicate == OnOff::On,
            moves_max: options.moves.or(game.is_unbounded().then_some(UNBOUNDED_MOVES_MAX)),
        },
        games: options.games.next_multiple_of(2),
        seed: options.seed,
        has_book: !options.no_book,
        sprt: options.sprt,
    })
}

/// Checks that all files can be written, before the first game.
fn ensure_outputs(options: &options::Match) -> Result<()> {
    if let Some(path) = &options.svg {
        drawing::kind(path)?;
        files::ensure_writable(path)?;
    }
    if let Some(path) = &options.sgf {
        contest::ensure_writable(path)?;
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

/// Draws the score so far on the terminal.
fn draw(contest: &Contest, sums: &Sums, live: Option<&mut Live>) {
    let Some(live) = live.filter(|live| live.is_due(Instant::now())) else { return };
    let mut rows = vec![
        ("match", contest.names().join(" vs ")),
        ("games", format!("{} of {}", sums.games(), contest.games())),
        ("score", sums.line()),
    ];
    if let Some(test) = contest.sprt() {
        rows.push(("sprt", format!("{:.2}", sums.ratio(test))));
    }
    live.draw(&rows);
}

/// The report of a match.
struct Report<'a> {
    contest: &'a Contest,
    played: &'a Match<'a>,
    options: &'a options::Match,
    output: Output,
}

impl Report<'_> {
    /// Writes the files that were asked for, and says the result.
    fn say(&self, is_stopped: bool) -> Result<Exit> {
        let Report { contest, played, options, output } = *self;
        let (title, sums) = (contest.names().join(" vs "), played.sums());
        if let Some(path) = &options.sgf {
            let game = contest.terms().game;
            contest::write_records(path, played.games(), contest.names(), game, output)?;
        }
        if let Some(path) = &options.svg {
            let svg = played.plot();
            drawing::write(path, &svg)?;
            output.written(path, svg.len());
        }
        let answer = self.answer(is_stopped);
        if output.json {
            let mut value = sums.json(options.sprt);
            value["event"] = if is_stopped { "stopped" } else { "done" }.into();
            output.say_json(&value);
            return Ok(answer);
        }
        if is_stopped {
            output.warn(match options.out {
                Some(_) => "stopped; the same command goes on from here",
                None => "stopped",
            });
        }
        if sums.rejected() > 0 {
            output.warn("the checker refused certificates of a player: please report it");
        }
        output.say(format!(
            "{STRONG}{title}{STRONG:#}, {}, {}",
            contest.terms().game,
            limits_text(contest.terms())
        ));
        output.say(sums.table(contest.names(), options.sprt));
        Ok(answer)
    }

    /// Is A at least as good as B? With a sequential test: what it says.
    fn answer(&self, is_stopped: bool) -> Exit {
        match (self.options.sprt, self.played.sums().verdict(), share(self.played.sums().results()))
        {
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
