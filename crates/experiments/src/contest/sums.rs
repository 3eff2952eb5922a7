//! The sums of a match, as a table for people and as an event for programs.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sixproof_game::Color;
use sixproof_player::rating::{Estimate, Pairs, Sprt, SprtVerdict};
use sixproof_solve::output::{BAD, GOOD, HINT, STRONG, grouped};

use super::game::{Ending, PlayerEffort};
use super::journal::{FinishedGame, NAMES};

/// What the games so far amount to. Games are added in the order in which they end.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// A's wins, draws and losses as Black and as White.
    results: [[u64; 3]; 2],
    pairs: Pairs,
    /// The pairs after each game that completed one, for the plot.
    pub(super) course: Vec<(u64, Pairs)>,
    /// Games whose partner is still missing, with A's points in halves.
    halves: BTreeMap<usize, usize>,
    /// Of A and of B.
    efforts: [PlayerEffort; 2],
    /// How often A and B lost by a fault of their own.
    faults: [BTreeMap<Ending, u64>; 2],
    endings: BTreeMap<Ending, u64>,
    moves: u64,
    rejected: u64,
    /// The first verdict of the sequential test, which counts whatever comes after it.
    verdict: Option<SprtVerdict>,
}

/// Endings by a fault of the loser.
const FAULTS: [Ending; 4] = [Ending::Crash, Ending::Illegal, Ending::Garbage, Ending::Time];

impl Sums {
    /// Adds a game.
    pub(super) fn add(&mut self, game: &FinishedGame, test: Option<Sprt>) {
        let played = &game.played;
        let halves = game.halves();
        self.results[super::game::side(game.color(0))][2 - halves] += 1;
        *self.endings.entry(played.ending).or_default() += 1;
        if let Some(winner) = played.winner
            && FAULTS.contains(&played.ending)
        {
            *self.faults[game.player(!winner)].entry(played.ending).or_default() += 1;
        }
        for player in 0..2 {
            self.efforts[player].join(game.effort(player));
        }
        self.moves += played.moves.len() as u64;
        self.rejected += played.rejected;
        match self.halves.remove(&(game.number ^ 1)) {
            None => {
                self.halves.insert(game.number, halves);
            }
            Some(partner) => {
                self.pairs.add(halves + partner);
                self.course.push((self.games(), self.pairs));
                let verdict = test.and_then(|test| test.verdict(&self.pairs));
                self.verdict = self.verdict.or(verdict);
            }
        }
    }

    /// How many games have ended.
    pub fn games(&self) -> u64 {
        self.results.iter().flatten().sum()
    }

    /// A's wins, draws and losses.
    pub fn results(&self) -> [u64; 3] {
        std::array::from_fn(|i| self.results[0][i] + self.results[1][i])
    }

    /// The verdict of the sequential test, once there is one.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        self.verdict
    }

    /// The likelihood ratio of a sequential test.
    pub fn ratio(&self, test: Sprt) -> f64 {
        test.ratio(&self.pairs)
    }

    /// Certificates that the checker refused.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// One line on how it stands.
    pub fn line(&self) -> String {
        let [wins, draws, losses] = self.results();
        format!("+{wins} ={draws} -{losses}, Elo {}", elo_text(&self.pairs.elo()))
    }

    /// The table at the end.
    pub fn table(&self, players: &[String; 2], test: Option<Sprt>) -> String {
        let width = players.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(8, 40);
        let mut lines = vec![format!(
            "{STRONG}{:width$}  {:>7} {:>7} {:>7} {:>7} {:>8}{STRONG:#}",
            "", "games", "wins", "draws", "losses", "score"
        )];
        let colors = [Color::Black, Color::White];
        let rows = [("", self.results())].into_iter().chain(
            colors.iter().map(|color| (color.title(), self.results[super::game::side(*color)])),
        );
        for (color, results @ [wins, draws, losses]) in rows {
            let name = match color {
                "" => shortened(&players[0], width),
                color => format!("as {color}"),
            };
            let games: u64 = results.iter().sum();
            let score = percent(share(results));
            lines.push(format!(
                "{name:width$}  {games:>7} {wins:>7} {draws:>7} {losses:>7} {score:>8}"
            ));
        }
        lines.push(String::new());
        lines.push(format!("Elo         {} (95 %)", elo_text(&self.pairs.elo())));
        lines.push(format!("superior    {}", percent(Some(self.pairs.superiority()))));
        let counts = self.pairs.0.map(|count| count.to_string()).join(" ");
        lines
            .push(format!("pairs       {counts} {HINT}(with 0, 1/2, 1, 3/2 and 2 points){HINT:#}"));
        if let Some(test) = test {
            lines.push(format!("sprt        {}", self.test_text(test)));
        }
        lines.push(format!("ended by    {}", self.endings_text()));
        if self.rejected > 0 {
            lines.push(format!(
                "{BAD}rejected{BAD:#}    {} certificates that the checker refused",
                self.rejected
            ));
        }
        lines.push(String::new());
        lines.push(format!(
            "{STRONG}{:width$}  {:>7} {:>7} {:>7} {:>7} {:>8} {:>8} {:>10} {:>6}{STRONG:#}",
            "", "crashes", "illegal", "garbage", "late", "s/move", "slowest", "nodes/s", "depth"
        ));
        for (player, name) in players.iter().enumerate() {
            let name = shortened(name, width);
            let [crashes, illegal, garbage, late] = self.faults_of(player);
            let effort = &self.efforts[player];
            let each = effort.seconds / (effort.moves.max(1) as f64);
            let speed = match effort.nodes {
                0 => "-".to_string(),
                nodes => grouped((nodes as f64 / effort.seconds.max(1e-9)) as u64),
            };
            let depth = match effort.depth_moves {
                0 => "-".to_string(),
                moves => format!("{:.1}", effort.depths as f64 / moves as f64),
            };
            lines.push(format!(
                "{name:width$}  {crashes:>7} {illegal:>7} {garbage:>7} {late:>7} \
                 {each:>8.3} {:>8.3} {speed:>10} {depth:>6}",
                effort.seconds_max
            ));
        }
        lines.join("\n")
    }

    /// How often a player lost by crashing, an illegal move, garbage, and on time.
    fn faults_of(&self, player: usize) -> [u64; 4] {
        FAULTS.map(|ending| self.faults[player].get(&ending).copied().unwrap_or(0))
    }

    fn endings_text(&self) -> String {
        let endings: Vec<String> = self
            .endings
            .iter()
            .map(|(ending, count)| format!("{} {count}", ending.name()))
            .collect();
        let moves = self.moves as f64 / self.games().max(1) as f64;
        format!("{} {HINT}({moves:.1} moves a game){HINT:#}", endings.join(", "))
    }

    fn test_text(&self, test: Sprt) -> String {
        let (low, high) = Sprt::bounds();
        let verdict = match self.verdict {
            Some(SprtVerdict::Accepted) => format!("{GOOD}accepted{GOOD:#}"),
            Some(SprtVerdict::Rejected) => format!("{BAD}rejected{BAD:#}"),
            None => "no verdict".to_string(),
        };
        let Sprt { elo0, elo1 } = test;
        let ratio = test.ratio(&self.pairs);
        format!("{verdict}: {ratio:.2} within {low:.2} to {high:.2}, Elo {elo0} or {elo1}")
    }

    /// The sums for programs.
    pub fn json(&self, test: Option<Sprt>) -> Value {
        let [wins, draws, losses] = self.results();
        let of = |[wins, draws, losses]: [u64; 3]| json!({ "wins": wins, "draws": draws, "losses": losses });
        let mut value = json!({
            "games": self.games(),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "as_black": of(self.results[0]),
            "as_white": of(self.results[1]),
            "score": share(self.results()),
            "pairs": self.pairs.0,
            "elo": estimate(&self.pairs.elo()),
            "normalised_elo": self.pairs.normalised_elo(),
            "superiority": self.pairs.superiority(),
            "moves": self.moves,
            "rejected": self.rejected,
        });
        let endings = Ending::ALL.iter().map(|(ending, name)| {
            let count = self.endings.get(ending).copied().unwrap_or(0);
            ((*name).to_string(), Value::from(count))
        });
        value["endings"] = Value::Object(endings.collect());
        for (player, name) in NAMES.into_iter().enumerate() {
            let [crashes, illegal, garbage, late] = self.faults_of(player);
            let effort = &self.efforts[player];
            let per = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
            value[name] = json!({
                "crashes": crashes,
                "illegal": illegal,
                "garbage": garbage,
                "late": late,
                "moves": effort.moves,
                "seconds_per_move": per(effort.seconds, effort.moves),
                "seconds_max": effort.seconds_max,
                "nodes": effort.nodes,
                "seconds": effort.seconds,
                "depth": per(effort.depths as f64, effort.depth_moves),
            });
        }
        if let Some(test) = test {
            let (low, high) = Sprt::bounds();
            value["sprt"] = json!({
                "elo0": test.elo0,
                "elo1": test.elo1,
                "llr": test.ratio(&self.pairs),
                "bounds": [low, high],
                "verdict": self.verdict.map(|verdict| match verdict {
                    SprtVerdict::Accepted => "accepted",
                    SprtVerdict::Rejected => "rejected",
                }),
            });
        }
        value
    }
}

/// An interval for programs; what is infinite is null.
fn estimate(estimate: &Estimate) -> Value {
    let finite = |number: f64| number.is_finite().then_some(number);
    json!({
        "low": finite(estimate.low),
        "value": finite(estimate.value),
        "high": finite(estimate.high),
    })
}

/// The share of the points; `None` without games.
pub fn share([wins, draws, losses]: [u64; 3]) -> Option<f64> {
    let games = wins + draws + losses;
    (games > 0).then(|| (wins as f64 + draws as f64 / 2.0) / games as f64)
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share))
}

/// `+12.3 ± 4.5`; an interval without an end has no middle, and only its other end counts.
fn elo_text(elo: &Estimate) -> String {
    // Adding zero turns -0 into 0.
    let value = elo.value + 0.0;
    let (bound, won) = match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => return format!("{value:+.1} ± {:.1}", elo.error()),
        (false, false) => return "unknown".to_string(),
        (true, false) => (format!("at least {:+.1}", elo.low), "won"),
        (false, true) => (format!("at most {:+.1}", elo.high), "lost"),
    };
    let is_open = elo.low < 0.0 && 0.0 < elo.high;
    match (value.is_finite(), is_open) {
        (true, _) => format!("{value:+.1}, {bound}"),
        (false, false) => format!("every game {won}, {bound}"),
        (false, true) => format!("every game {won}, too few to exclude equal strength: {bound}"),
    }
}

fn shortened(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_string();
    }
    text.chars().take(columns - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elo_of_one_sided_matches_says_what_is_known() {
        for (pairs, text) in [
            ([0, 0, 0, 0, 0], "unknown"),
            ([0, 0, 2, 0, 0], "+0.0 ± 426.5"),
            ([0, 0, 0, 0, 5], "every game won, too few to exclude equal strength: at least -15.2"),
            ([0, 0, 0, 0, 50], "every game won, at least +446.4"),
            ([9, 0, 0, 0, 0], "every game lost, at most -118.1"),
            ([0, 0, 0, 1, 9], "+636.4, at least +445.4"),
        ] {
            assert_eq!(elo_text(&Pairs(pairs).elo()), text, "{pairs:?}");
        }
    }
}
