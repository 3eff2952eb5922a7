//! The statistics of jobs: their times, nodes and results.
//!
//! A [`JobShape`] is a table of quantiles and chances. One was measured on real openings and is
//! kept in `data/job-times.txt`; the simulation draws from it. The same table can be made of a
//! simulated search, to compare it with the real ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sixproof_prover::board::Sq;
use sixproof_prover::driver::{Job, JobAnswer, Task};

/// The measured table.
const MEASURED: &str = include_str!("../../data/job-times.txt");

/// The quantiles that are kept, in thousandths: the rare long jobs matter the most.
const QUANTILES: [u64; 16] =
    [0, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950, 980, 990, 995, 1000];
/// Rungs of the ladder that are distinguished; the last stands for those above it.
pub(super) const RUNGS: u32 = 6;
/// The number of parts in which shares are counted.
pub(super) const PARTS: u64 = 1_000_000;

/// Rows of numbers by name: quantiles, or a single chance in millionths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct JobShape {
    rows: BTreeMap<String, Row>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Row {
    samples: u64,
    values: Vec<u64>,
}

impl JobShape {
    /// The measured one.
    pub(super) fn measured() -> JobShape {
        JobShape::read(MEASURED).unwrap_or_else(|why| panic!("data/job-times.txt:{why}"))
    }

    /// Reads a table: `name | samples | values`.
    fn read(text: &str) -> Result<JobShape, String> {
        let mut rows = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let row = row(line).ok_or(format!("{}: no name, samples and values", number + 1))?;
            rows.insert(row.0, row.1);
        }
        Ok(JobShape { rows })
    }

    /// The table as it is kept.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (name, Row { samples, values }) in &self.rows {
            let values: Vec<String> = values.iter().map(u64::to_string).collect();
            let _memory_takes_all = writeln!(text, "{name} | {samples} | {}", values.join(" "));
        }
        text
    }

    /// The value of which `share`, in millionths, are not above; 0 where nothing was measured.
    pub(super) fn quantile(&self, name: &str, share: u64) -> u64 {
        let Some(Row { values, .. }) = self.rows.get(name) else { return 0 };
        if values.len() != QUANTILES.len() {
            return 0;
        }
        let after = QUANTILES.partition_point(|&q| q * (PARTS / 1000) <= share);
        let after = after.clamp(1, QUANTILES.len() - 1);
        let [low, high] = [after - 1, after].map(|index| QUANTILES[index] * (PARTS / 1000));
        let (from, to) = (values[after - 1], values[after]);
        from + (to - from) * share.saturating_sub(low).min(high - low) / (high - low)
    }

    /// A chance, in millionths; 0 where nothing was measured.
    pub(super) fn chance(&self, name: &str) -> u64 {
        self.rows.get(name).filter(|row| row.values.len() == 1).map_or(0, |row| row.values[0])
    }
}

/// Reads a line of the table. Values are at most a day of microseconds, so that sums stay sums.
fn row(line: &str) -> Option<(String, Row)> {
    const VALUE_MAX: u64 = 24 * 3600 * 1_000_000;
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, samples, values] = &columns[..] else { return None };
    let values: Vec<u64> =
        values.split_whitespace().map(|value| value.parse().ok()).collect::<Option<_>>()?;
    let is_sound = (values.len() == 1 || values.len() == QUANTILES.len())
        && values.is_sorted()
        && values.iter().all(|&value| value <= VALUE_MAX);
    is_sound.then_some((name.to_string(), Row { samples: samples.parse().ok()?, values }))
}

/// Records the results of jobs.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    /// Numbers by the name of their row.
    numbers: BTreeMap<String, Vec<u64>>,
    /// How often something that can happen was asked for, and happened.
    chances: BTreeMap<String, [u64; 2]>,
    /// Positions and the moves tried there so far.
    tried: BTreeMap<Vec<Vec<Sq>>, u64>,
    /// Moves: rank, and replies that screening and verification left.
    moves: BTreeMap<Vec<Vec<Sq>>, Tried>,
    /// Positions and moves that won.
    won: BTreeSet<Vec<Vec<Sq>>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    rank: u64,
    screened: Option<u64>,
    verified: Option<u64>,
}

/// The name of a kind of job.
pub(super) fn kind(job: &Job, solve_nodes: u64) -> String {
    match &job.work {
        Task::Solve { nodes, .. } => {
            let rung = (nodes / solve_nodes.max(1)).max(1).ilog(4).min(RUNGS - 1);
            format!("solve-{rung}")
        }
        Task::List { .. } => "list".to_string(),
        Task::Verify { budget, .. } if budget.answer_order == 1 => "screen".to_string(),
        Task::Verify { given, .. } if given.is_empty() => "verify".to_string(),
        Task::Verify { .. } => "again".to_string(),
    }
}

impl Recorder {
    /// A job that was done.
    pub(super) fn note(&mut self, job: &Job, kind: &str, answer: &JobAnswer, cost: [u64; 2]) {
        for (what, number) in ["time", "nodes"].into_iter().zip(cost) {
            self.number(format!("{what} {kind}"), number);
        }
        // The root is a position of its own kind.
        if job.path.is_empty() && kind.starts_with("solve") {
            return;
        }
        if kind == "screen" {
            let rank = self.tried.entry(job.path[..job.path.len() - 1].to_vec()).or_default();
            let tried = Tried { rank: *rank, ..Tried::default() };
            *rank += 1;
            self.moves.insert(job.path.clone(), tried);
        }
        if kind != "list" {
            self.chance(format!("won {kind}"), matches!(answer, JobAnswer::Won(_)));
            self.chance(format!("refuted {kind}"), matches!(answer, JobAnswer::Refuted));
        }
        match answer {
            JobAnswer::Won(_) => {
                self.won.insert(job.path.clone());
            }
            JobAnswer::Listed(list) => self.number("count listed".to_string(), list.len() as u64),
            JobAnswer::Unsolved { replies, complete, forcing } => {
                self.chance(format!("cut {kind}"), !complete);
                self.chance(format!("forcing {kind}"), *forcing);
                for reply in replies {
                    self.chance(format!("short {kind}"), reply.len() < 2);
                }
                let left = replies.len() as u64;
                let tried = self.moves.entry(job.path.clone()).or_default();
                match kind {
                    "screen" => tried.screened = Some(left),
                    "verify" => tried.verified = Some(left),
                    _ => {
                        self.number("count left again".to_string(), self.new_replies(job, replies))
                    }
                }
            }
            JobAnswer::Refuted | JobAnswer::Unknown => {}
        }
    }

    /// Replies that were not known before a verification was done again.
    fn new_replies(&self, job: &Job, replies: &[Vec<Sq>]) -> u64 {
        let Task::Verify { hopeless, .. } = &job.work else { return 0 };
        replies.iter().filter(|reply| !hopeless.contains(reply)).count() as u64
    }

    fn number(&mut self, row: String, number: u64) {
        self.numbers.entry(row).or_default().push(number);
    }

    fn chance(&mut self, row: String, happened: bool) {
        let [asked, yes] = self.chances.entry(row).or_default();
        *asked += 1;
        *yes += u64::from(happened);
    }

    /// The table of all that was recorded.
    pub(super) fn shape(mut self) -> JobShape {
        for (path, tried) in std::mem::take(&mut self.moves) {
            let fate = if self.won.contains(&path) { "winner" } else { "other" };
            self.number(format!("rank {fate}"), tried.rank);
            // Won or refuted by the screening alone.
            self.chance(format!("soon {fate}"), tried.screened.is_none());
            for (what, left) in [("screen", tried.screened), ("verify", tried.verified)] {
                if let Some(left) = left {
                    self.number(format!("count left {what} {fate}"), left);
                }
            }
        }
        let mut rows = BTreeMap::new();
        for (name, mut numbers) in self.numbers {
            numbers.sort_unstable();
            let last = numbers.len() as u64 - 1;
            let at = |quantile: u64| numbers[((last * quantile + 500) / 1000) as usize];
            let values = QUANTILES.map(at).to_vec();
            rows.insert(name, Row { samples: last + 1, values });
        }
        for (name, [asked, yes]) in self.chances {
            let values = vec![yes * PARTS / asked.max(1)];
            rows.insert(format!("chance {name}"), Row { samples: asked, values });
        }
        JobShape { rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_between_the_measured_ones() {
        let row = "a | 16 | 0 5 10 20 30 40 50 60 70 80 90 95 98 99 100 200";
        let shape = JobShape::read(row).unwrap();
        assert_eq!(shape.quantile("a", 0), 0);
        assert_eq!(shape.quantile("a", PARTS / 2), 50);
        assert_eq!(shape.quantile("a", PARTS / 4), 25);
        assert_eq!(shape.quantile("a", PARTS), 200);
        assert_eq!((shape.quantile("b", 7), shape.chance("a")), (0, 0));
        assert_eq!(JobShape::read(&shape.text()), Ok(shape));
    }

    #[test]
    fn the_measured_table_has_all_kinds_of_jobs() {
        let shape = JobShape::measured();
        for kind in ["solve-0", "solve-1", "solve-2", "list", "screen", "verify", "again"] {
            assert!(shape.quantile(&format!("time {kind}"), PARTS) > 0, "{kind}");
        }
        assert!(JobShape::read("a | 1").is_err() && JobShape::read("a | 1 | 3 2").is_err());
    }
}
