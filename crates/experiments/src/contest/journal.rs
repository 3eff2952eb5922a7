//! The journal of a match: a first line that says which match it is, then one line of JSON a game,
//! only ever appended to. A match goes on from its journal as if it had never stopped.

use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde_json::{Map, Value, json};
use sixproof_game::{Color, Game};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;

use super::game::{Ending, GameResult, PlayerEffort};
use super::opening;

/// The names of the two players in journals and events.
pub(super) const NAMES: [&str; 2] = ["a", "b"];

/// A game of the match. Even numbers are played with A as Black, odd ones with B.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGame {
    /// Its number in the match, from 0.
    pub number: usize,
    /// The game.
    pub played: GameResult,
}

impl FinishedGame {
    /// The player of a side: 0 is A.
    pub(super) fn player(&self, color: Color) -> usize {
        (self.number + super::game::side(color)) % 2
    }

    /// The side of a player.
    pub(super) fn color(&self, player: usize) -> Color {
        if self.player(Color::Black) == player { Color::Black } else { Color::White }
    }

    /// The points of A, in halves.
    pub(super) fn halves(&self) -> usize {
        match self.played.winner {
            None => 1,
            Some(winner) if self.player(winner) == 0 => 2,
            Some(_) => 0,
        }
    }

    pub(super) fn effort(&self, player: usize) -> &PlayerEffort {
        &self.played.efforts[super::game::side(self.color(player))]
    }

    /// The game as a line of a journal, and as an event.
    pub fn json(&self, game: Game) -> Value {
        let GameResult { moves, winner, ending, remark, rejected, .. } = &self.played;
        let effort = |player: usize| {
            let effort = self.effort(player);
            json!({
                "moves": effort.moves,
                "seconds": effort.seconds,
                "seconds_max": effort.seconds_max,
                "nodes": effort.nodes,
                "depths": effort.depths,
                "depth_moves": effort.depth_moves,
            })
        };
        json!({
            "game": self.number + 1,
            "black": NAMES[self.player(Color::Black)],
            "result": winner.map_or("draw", |winner| NAMES[self.player(winner)]),
            "ending": ending.name(),
            "remark": remark,
            "moves": opening::text(game, moves),
            "rejected": rejected,
            "a": effort(0),
            "b": effort(1),
        })
    }

    /// Reads what [`FinishedGame::json`] writes.
    fn read(value: &Value, game: Game) -> Option<FinishedGame> {
        let number = usize::try_from(value["game"].as_u64()?.checked_sub(1)?).ok()?;
        let effort = |name: &str| {
            let value = &value[name];
            Some(PlayerEffort {
                moves: value["moves"].as_u64()?,
                seconds: value["seconds"].as_f64()?,
                seconds_max: value["seconds_max"].as_f64()?,
                nodes: value["nodes"].as_u64()?,
                depths: value["depths"].as_u64()?,
                depth_moves: value["depth_moves"].as_u64()?,
            })
        };
        let black = number % 2;
        if value["black"].as_str()? != NAMES[black] {
            return None;
        }
        let winner = match value["result"].as_str()? {
            "draw" => None,
            name if name == NAMES[black] => Some(Color::Black),
            name if name == NAMES[1 - black] => Some(Color::White),
            _ => return None,
        };
        let mut efforts = [effort("a")?, effort("b")?];
        if black == 1 {
            efforts.reverse();
        }
        let played = GameResult {
            moves: opening::read_text(game, value["moves"].as_str()?)?,
            winner,
            ending: Ending::read(value["ending"].as_str()?)?,
            remark: value["remark"].as_str()?.to_string(),
            efforts,
            rejected: value["rejected"].as_u64()?,
        };
        Some(FinishedGame { number, played })
    }
}

/// A journal that is open for writing.
pub(super) struct MatchJournal {
    file: File,
    name: String,
}

impl MatchJournal {
    /// Opens the journal of a match, or begins it. What it holds is of this very match.
    pub(super) fn open(
        path: &Path,
        identity: &Map<String, Value>,
        game: Game,
    ) -> Result<(MatchJournal, Vec<FinishedGame>)> {
        let name = path.display().to_string();
        let failed = |e: std::io::Error| Failure::io(&name, &e);
        let bytes = if path.exists() { files::read(path)? } else { Vec::new() };
        let text = String::from_utf8(bytes).map_err(|_| not_a_journal(&name))?;
        // A line without an end was being written when the program was ended by force.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let Some(head) = lines.next() else {
            if !text.is_empty() && !text.starts_with("{\"match\"") {
                return Err(not_a_journal(&name));
            }
            let mut file = File::create(path).map_err(failed)?;
            writeln!(file, "{}", json!({ "match": identity })).map_err(failed)?;
            return Ok((MatchJournal { file, name }, Vec::new()));
        };
        let head: Value = serde_json::from_str(head).map_err(|_| not_a_journal(&name))?;
        let found = head["match"].as_object().ok_or_else(|| not_a_journal(&name))?;
        ensure_same(&name, found, identity)?;
        let mut games = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for (index, line) in lines.enumerate() {
            let read = serde_json::from_str(line).ok().and_then(|v| FinishedGame::read(&v, game));
            let game = read.filter(|game| seen.insert(game.number)).ok_or_else(|| {
                let text = Some(line.as_bytes());
                Failure::at(&name, index as u64 + 2, 1, text, "not a new game of this match")
                    .help("mend or remove the line, or name another file with --out")
            })?;
            games.push(game);
        }
        let mut file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        Ok((MatchJournal { file, name }, games))
    }

    /// Adds a game.
    pub(super) fn add(&mut self, game: &Value) -> Result<()> {
        // In one write, so that whatever ends the program leaves whole lines and at most one part.
        let line = format!("{game}\n");
        self.file.write_all(line.as_bytes()).map_err(|e| Failure::io(&self.name, &e))
    }
}

fn not_a_journal(name: &str) -> Failure {
    Failure::new(format!("{name}: not the journal of a match"))
        .help("name a new file with --out; this one is left as it is")
}

/// Refuses the journal of another match, and says what is different.
fn ensure_same(name: &str, found: &Map<String, Value>, wanted: &Map<String, Value>) -> Result<()> {
    let keys: std::collections::BTreeSet<&String> = found.keys().chain(wanted.keys()).collect();
    let none = Value::Null;
    let differences: Vec<String> = keys
        .into_iter()
        .filter_map(|key| {
            let (there, here) = (found.get(key).unwrap_or(&none), wanted.get(key).unwrap_or(&none));
            (there != here).then(|| format!("{key} is {there} there and {here} here"))
        })
        .collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("{name}: the journal of another match: {}", differences.join(", ")))
        .help("name a new file with --out, or ask for the same match"))
}
