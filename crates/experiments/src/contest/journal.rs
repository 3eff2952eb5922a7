//! The journal of a match: a first line that says which match it is, then one line of JSON a game,
//! only ever appended to. A match goes on from its journal as if it had never stopped.

use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sixproof_game::{Color, Game};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;

use super::game::{Ending, GameResult, PlayerEffort};
use super::opening;

/// The names of the two players in journals and events.
pub(super) const NAMES: [&str; 2] = ["a", "b"];
/// The result of a game that no player has won.
const DRAW: &str = "draw";

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
        json!(GameLine {
            number: self.number + 1,
            black: NAMES[self.player(Color::Black)].to_string(),
            result: winner.map_or(DRAW, |winner| NAMES[self.player(winner)]).to_string(),
            ending: *ending,
            remark: remark.clone(),
            moves: opening::text(game, moves),
            rejected: *rejected,
            a: *self.effort(0),
            b: *self.effort(1),
        })
    }

    /// Reads what [`FinishedGame::json`] writes.
    fn read(line: &str, game: Game) -> Option<FinishedGame> {
        let line: GameLine = serde_json::from_str(line).ok()?;
        let number = line.number.checked_sub(1)?;
        let black = number % 2;
        if line.black != NAMES[black] {
            return None;
        }
        let winner = match line.result.as_str() {
            DRAW => None,
            name if name == NAMES[black] => Some(Color::Black),
            name if name == NAMES[1 - black] => Some(Color::White),
            _ => return None,
        };
        let mut efforts = [line.a, line.b];
        if black == 1 {
            efforts.reverse();
        }
        let GameLine { ending, remark, rejected, .. } = line;
        let moves = opening::read_text(game, &line.moves)?;
        Some(FinishedGame {
            number,
            played: GameResult { moves, winner, ending, remark, efforts, rejected },
        })
    }
}

/// A game as JSON.
#[derive(Serialize, Deserialize)]
struct GameLine {
    /// From 1.
    #[serde(rename = "game")]
    number: usize,
    /// The player's name.
    black: String,
    /// The winner's name, or that of a draw.
    result: String,
    ending: Ending,
    remark: String,
    moves: String,
    rejected: u64,
    a: PlayerEffort,
    b: PlayerEffort,
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
            let game = FinishedGame::read(line, game)
                .filter(|game| seen.insert(game.number))
                .ok_or_else(|| {
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
