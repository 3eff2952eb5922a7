//! A search that the user watches: a board and lines on the terminal, events for programs, the
//! course of its numbers for a plot, and an end by time or Ctrl-C.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sixproof_experiments::course::{CoursePoint, Series};
use sixproof_game::picture::{Picture, TerminalStyle};
use sixproof_game::{Game, Move, Position};
use sixproof_prover::prove::Progress;

use crate::events;
use crate::interrupt::Interrupt;
use crate::live::{BoardText, LabelledText, Live};
use sixproof_prover::prove::NUMBER_MAX;
use sixproof_solve::limits::Limits;
use sixproof_solve::output::{Output, grouped};
use sixproof_solve::quantity;
use sixproof_solve::question::Stop;

/// The time between two lines of progress where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// The least time between two events of progress.
const EVENT_EVERY: Duration = Duration::from_millis(500);

/// What a verdict without a proof rests on: answers of workers that no certificate proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RestsOn {
    pub(crate) answers: u64,
    pub(crate) workers: u64,
    /// How many of the answers were done again, all with the same result.
    pub(crate) done_again: u64,
    /// Workers that were dropped, with their answers.
    pub(crate) dropped: u64,
    /// The share of answers that is done again, in hundredths of a percent.
    pub(crate) audit: u32,
}

impl RestsOn {
    /// In words.
    pub(crate) fn text(&self) -> String {
        let RestsOn { answers, workers, done_again, dropped, audit } = *self;
        let count = |count: u64, one: &str, more: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{} {more}", grouped(count)),
        };
        let given = count(answers, "answer", "answers");
        let given = format!("{given} of {}", count(workers, "worker", "workers"));
        let again = match done_again {
            _ if audit == 0 => "none of them done again (--audit 0)".to_string(),
            0 => "none of them done again".to_string(),
            1 => "1 of them done again, with the same result".to_string(),
            _ => format!("{} of them done again, all with the same result", grouped(done_again)),
        };
        let dropped = match dropped {
            0 => String::new(),
            1 => "; 1 worker was dropped, and its answers with it".to_string(),
            _ => {
                format!("; {} workers were dropped, and their answers with them", grouped(dropped))
            }
        };
        format!("{given}, {again}{dropped}")
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        json!({
            "answers": self.answers, "workers": self.workers, "done_again": self.done_again,
            "dropped": self.dropped, "audit_percent": f64::from(self.audit) / 100.0,
        })
    }
}

/// How progress is shown.
enum ProgressView {
    /// Not at all.
    Hidden,
    /// On a terminal.
    Terminal(Live),
    /// A file or a pipe that keeps lines; when the next one is due.
    Lines(Instant),
    /// A program that reads events; when the next one is due.
    Events(Instant),
}

/// Watches a search.
pub(crate) struct Watcher {
    game: Game,
    limits: Limits,
    view: ProgressView,
    output: Output,
    start: Instant,
    interrupt: Interrupt,
    stopped: Option<Stop>,
    /// The first line on the terminal, if it needs one.
    heading: Option<LabelledText>,
    /// The position that is searched, to be shown with the line that the search tries.
    position: Option<Position>,
    /// The line on the terminal that says how to stop, and what becomes of the search then.
    stop: Option<LabelledText>,
    /// The farm that does the work, if there is one.
    farm: Option<LabelledText>,
    /// What a verdict without a proof rests on, besides this machine.
    rests_on: Option<RestsOn>,
    /// The lines of play and the memory that the search reported last.
    line: Vec<Move>,
    best: Vec<Move>,
    memory: u64,
    series: Series,
}

impl Watcher {
    /// Starts the clock.
    pub(crate) fn new(
        game: Game,
        limits: Limits,
        quiet: bool,
        interrupt: Interrupt,
        output: Output,
    ) -> Watcher {
        let start = Instant::now();
        let view = match Live::on_terminal() {
            _ if output.json => ProgressView::Events(start + EVENT_EVERY),
            _ if quiet => ProgressView::Hidden,
            Some(live) => ProgressView::Terminal(live),
            None => ProgressView::Lines(start + LINE_EVERY),
        };
        Watcher {
            game,
            limits,
            view,
            output,
            start,
            interrupt,
            stopped: None,
            heading: None,
            position: None,
            stop: None,
            farm: None,
            rests_on: None,
            line: Vec::new(),
            best: Vec::new(),
            memory: 0,
            series: Series::default(),
        }
    }

    /// Puts a line above the others on the terminal.
    pub(crate) fn with_heading(mut self, label: &'static str, text: String) -> Watcher {
        self.heading = Some((label, text));
        self
    }

    /// Shows the board with the line that is tried on it.
    pub(crate) fn with_board(mut self, position: &Position) -> Watcher {
        self.position = Some(position.clone());
        self
    }

    /// Says on the terminal how to stop the search, and whether another one goes on from there.
    pub(crate) fn with_stop(mut self, is_kept: bool) -> Watcher {
        let text = match is_kept {
            true => "Ctrl-C; the same command goes on from there",
            false => "Ctrl-C",
        };
        self.stop = Some(("stop", text.to_string()));
        self
    }

    /// Shows this status of the farm from now on.
    #[cfg(feature = "farm")]
    pub(crate) fn set_farm(&mut self, text: String) {
        self.farm = Some(("farm", text));
    }

    /// The search is over: what it rests on.
    pub(crate) fn set_rests_on(&mut self, rests_on: Option<RestsOn>) {
        self.rests_on = rests_on;
    }

    pub(crate) fn rests_on(&self) -> Option<RestsOn> {
        self.rests_on
    }

    /// Shows how far the search is, and stops it when it has to end.
    pub(crate) fn see(&mut self, progress: &Progress) -> ControlFlow<Stop> {
        let now = Instant::now();
        let spent = self.clock(now);
        let Progress { nodes, order, numbers, .. } = *progress;
        self.series.add(CoursePoint { nodes, seconds: spent.as_secs_f64(), order, numbers });
        if !progress.line.is_empty() {
            self.line.clone_from(&progress.line);
        }
        if !progress.best.is_empty() {
            self.best.clone_from(&progress.best);
        }
        if progress.memory > 0 {
            self.memory = progress.memory;
        }
        self.show(progress, now);
        self.flow()
    }

    /// Shows one line, made from the nodes a second, for work whose progress is one line; stops it
    /// when it has to end.
    pub(crate) fn see_line(
        &mut self,
        nodes: u64,
        text: &dyn Fn(u64) -> String,
    ) -> ControlFlow<Stop> {
        let now = Instant::now();
        let spent = self.clock(now);
        let rate = (nodes as f64 / spent.as_secs_f64().max(1e-9)) as u64;
        match &mut self.view {
            ProgressView::Terminal(live) if live.is_due(now) => {
                live.draw(&[("progress", text(rate))])
            }
            ProgressView::Lines(due) if *due <= now => {
                *due = now + LINE_EVERY;
                self.output.note(format!("progress: {}", text(rate)));
            }
            _ => {}
        }
        self.flow()
    }

    /// Whether the search goes on.
    fn flow(&self) -> ControlFlow<Stop> {
        self.stopped.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// The time spent; records when the time is over, or Ctrl-C was pressed.
    fn clock(&mut self, now: Instant) -> Duration {
        let spent = now - self.start;
        if self.interrupt.is_asked_for() {
            self.stopped = Some(Stop::Interrupted);
        } else if let Some(time) = self.limits.time.filter(|&time| time <= spent) {
            self.stopped = Some(Stop::Time(time));
        }
        spent
    }

    fn show(&mut self, progress: &Progress, now: Instant) {
        let spent = now - self.start;
        let latest = || Progress {
            line: self.line.clone(),
            best: self.best.clone(),
            memory: self.memory,
            candidate: Move::default(),
            tree: None,
            ..*progress
        };
        match &mut self.view {
            ProgressView::Terminal(live) if live.is_due(now) => {
                let mut rows: Vec<LabelledText> = self.heading.clone().into_iter().collect();
                rows.extend(rows_of(&latest(), spent, self.limits));
                rows.extend(self.farm.clone());
                rows.extend(self.stop.clone());
                // Their lengths change most: nothing below them moves up and down.
                rows.push(("best", moves(self.game, &self.best)));
                rows.push(("trying", moves(self.game, &self.line)));
                match self.position.as_ref().filter(|position| !position.game().is_unbounded()) {
                    Some(position) => {
                        let board = board(position, &self.line, live.has_colors());
                        live.draw_beside(&board, &rows);
                    }
                    None => live.draw(&rows),
                }
            }
            ProgressView::Lines(due) if *due <= now => {
                *due = now + LINE_EVERY;
                let rate = (progress.nodes as f64 / spent.as_secs_f64()) as u64;
                self.output.note(line(self.game, progress, rate));
                if let Some((label, text)) = &self.farm {
                    self.output.note(format!("{label}: {text}"));
                }
            }
            ProgressView::Events(due) if *due <= now => {
                *due = now + EVENT_EVERY;
                let event = events::progress(self.game, &latest(), spent.as_secs_f64());
                self.output.say_json(&event);
            }
            _ => {}
        }
    }

    /// Wipes the progress from the terminal, so that other text can be printed.
    pub(crate) fn wipe(&mut self) {
        if let ProgressView::Terminal(live) = &mut self.view {
            match self.stopped {
                Some(Stop::Interrupted) => live.leave(),
                _ => live.wipe(),
            }
        }
    }

    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// The line that was best for both sides when the search ended; perhaps none.
    pub(crate) fn best(&self) -> &[Move] {
        &self.best
    }

    /// The course of the search.
    pub(crate) fn series(&self) -> &Series {
        &self.series
    }
}

/// A proof number for people.
fn number(number: u32) -> String {
    if number < NUMBER_MAX { grouped(number.into()) } else { "inf".to_string() }
}

/// One line on how far a search is.
fn line(game: Game, progress: &Progress, rate: u64) -> String {
    let Progress { order, nodes, numbers: [proof, disproof], depth, candidate, .. } = progress;
    format!(
        "progress: order {order}  {} nodes  {}/s  depth {depth}  proof {} / {}  {}",
        grouped(*nodes),
        grouped(rate),
        number(*proof),
        number(*disproof),
        game.square_names(candidate),
    )
}

/// The lines on how far a search is.
fn rows_of(progress: &Progress, spent: Duration, limits: Limits) -> [LabelledText; 4] {
    let Progress { order, nodes, .. } = *progress;
    let rate = (nodes as f64 / spent.as_secs_f64().max(1e-9)) as u64;
    let time = quantity::time_text(spent);
    let time = match limits.time {
        Some(limit) => format!("{time} of {}", quantity::time_text(limit)),
        None => time,
    };
    let memory = quantity::bytes_text(progress.memory);
    let settled = [progress.proved, progress.refuted].map(grouped);
    [
        ("time", format!("{time}, order {order}, tree {memory}")),
        ("nodes", format!("{} of {}, {}/s", grouped(nodes), grouped(limits.nodes), grouped(rate))),
        ("settled", format!("{} positions proved, {} refuted", settled[0], settled[1])),
        ("left", left(progress.numbers)),
    ]
}

/// Proof and disproof number in plain words.
fn left([proof, disproof]: [u32; 2]) -> String {
    let number = |n: u32| (n < NUMBER_MAX).then(|| grouped(n.into()));
    let proof = match number(proof) {
        Some(number) => format!("a proof needs about {number} more won positions"),
        None => "a proof is out of reach".to_string(),
    };
    let refutation = match number(disproof) {
        Some(number) => format!("a refutation {number} lost ones"),
        None => "a refutation is out of reach".to_string(),
    };
    format!("{proof}, {refutation}")
}

fn moves(game: Game, line: &[Move]) -> String {
    let moves = line.iter().map(|squares| match squares.len() {
        0 => "(any)".to_string(),
        _ => game.square_names(squares),
    });
    moves.collect::<Vec<_>>().join(" / ")
}

/// The board with the stones of a line faint on it: what stands below the board is left out.
fn board(position: &Position, line: &[Move], has_colors: bool) -> BoardText {
    let sides = [position.to_move(), !position.to_move()];
    let stones = line.iter().zip(sides.iter().cycle());
    let picture = stones
        .flat_map(|(squares, &side)| squares.iter().map(move |&s| (s, side)))
        .fold(Picture::new(position), |picture, (square, side)| picture.ghost(square, side, None));
    let rows = position.game().rows() as usize + 1;
    let text = |color| {
        let text = picture.terminal(TerminalStyle { color, ..TerminalStyle::default() });
        text.lines().take(rows).map(str::to_string).collect::<Vec<_>>()
    };
    let columns = text(false).iter().map(|row| row.chars().count()).max().unwrap_or(0) + 1;
    BoardText { rows: text(has_colors), columns }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::Square;

    const LIMITS: Limits = Limits { order: 3, nodes: 1_000_000, time: None };

    fn progress() -> Progress {
        Progress {
            order: 2,
            nodes: 12_345,
            numbers: [7, u32::MAX],
            depth: 9,
            candidate: [Square::new(10, 10), Square::new(11, 9)].into(),
            proved: 1_500,
            refuted: 20,
            memory: 3_400_000,
            ..Progress::default()
        }
    }

    fn watcher(time: Option<Duration>) -> Watcher {
        let (limits, output) = (Limits { time, ..LIMITS }, Output { json: false });
        Watcher::new(Game::CONNECT6, limits, true, Interrupt::default(), output)
    }

    #[test]
    fn the_line_tells_all_that_is_known() {
        assert_eq!(
            line(Game::CONNECT6, &progress(), 4_000),
            "progress: order 2  12,345 nodes  4,000/s  depth 9  proof 7 / inf  L10 K11"
        );
    }

    #[test]
    fn the_rows_tell_all_that_is_known() {
        let limits = Limits { time: Some(Duration::from_secs(60)), ..LIMITS };
        let rows = rows_of(&progress(), Duration::from_secs(3), limits);
        let text: Vec<String> = rows.iter().map(|(l, text)| format!("{l}: {text}")).collect();
        assert_eq!(
            text,
            [
                "time: 3s of 1m, order 2, tree 3.4 MB",
                "nodes: 12,345 of 1,000,000, 4,115/s",
                "settled: 1,500 positions proved, 20 refuted",
                "left: a proof needs about 7 more won positions, a refutation is out of reach",
            ]
        );
        let played = [[Square::new(10, 10), Square::new(11, 9)].into(), Move::default()];
        assert_eq!(moves(Game::CONNECT6, &played), "L10 K11 / (any)");
        assert_eq!(
            left([2_000, 35]),
            "a proof needs about 2,000 more won positions, a refutation 35 lost ones"
        );
    }

    #[test]
    fn the_board_shows_the_line_that_is_tried() {
        let game = Game::new(3, 2, 3, 1, 1, false).unwrap();
        let position = Position::new(game);
        let line = [vec![Square::new(0, 0)], vec![], vec![Square::new(1, 0), Square::new(2, 1)]]
            .map(Move::from);
        let shown = board(&position, &line, false);
        assert_eq!(shown.rows, ["2  · · •", "1  • • ·", "   A B C"]);
        assert_eq!(shown.columns, 9);
    }

    #[test]
    fn a_search_stops_when_its_time_is_over() {
        let mut hasty = watcher(Some(Duration::ZERO));
        assert!(hasty.see(&progress()).is_break());
        assert_eq!(hasty.stopped(), Some(Stop::Time(Duration::ZERO)));
        assert!(watcher(None).see(&progress()).is_continue());
    }

    #[test]
    fn what_a_verdict_rests_on_is_said_in_words() {
        let rests_on =
            RestsOn { answers: 6_812, workers: 3, done_again: 140, dropped: 0, audit: 200 };
        assert_eq!(
            rests_on.text(),
            "6,812 answers of 3 workers, 140 of them done again, all with the same result"
        );
        let one = RestsOn { answers: 1, workers: 1, done_again: 0, dropped: 1, audit: 0 };
        assert_eq!(
            one.text(),
            "1 answer of 1 worker, none of them done again (--audit 0); 1 worker was dropped, and \
             its answers with it"
        );
    }

    #[test]
    fn lines_of_play_are_kept_until_others_are_told() {
        let mut watcher = watcher(None);
        let line = vec![Move::from([Square::new(9, 9)])];
        for progress in [Progress { line: line.clone(), ..progress() }, progress()] {
            assert!(watcher.see(&progress).is_continue());
        }
        assert_eq!(watcher.line, line);
        assert!(watcher.best.is_empty());
    }
}
