//! The games of a match as SGF: one collection, or a file for each game.

use std::path::Path;

use sixproof_game::{Color, Game, Record, sgf};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::Output;

use super::game::Ending;
use super::journal::FinishedGame;

/// Checks that the games can be written, before they are played.
pub fn ensure_writable(path: &Path) -> Result<()> {
    if is_folder(path) {
        return std::fs::create_dir_all(path).map_err(|e| Failure::io(path.display(), &e));
    }
    files::ensure_writable(path)
}

/// A folder is there already, or is named with a slash at its end.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

/// Writes all games, in the order of their numbers.
pub fn write(
    path: &Path,
    games: &[FinishedGame],
    players: &[String; 2],
    game: Game,
    output: Output,
) -> Result<()> {
    let mut sorted: Vec<&FinishedGame> = games.iter().collect();
    sorted.sort_by_key(|finished| finished.number);
    let document = |finished: &FinishedGame| {
        let mut bytes = sgf::from_record(&record(finished, players, game)).write();
        bytes.push(b'\n');
        bytes
    };
    if is_folder(path) {
        for finished in sorted {
            let name = format!("game-{:04}.sgf", finished.number + 1);
            files::write(&path.join(name), &document(finished))?;
        }
        output.written(path, 0);
    } else {
        let bytes: Vec<u8> = sorted.into_iter().flat_map(document).collect();
        files::write(path, &bytes)?;
        output.written(path, bytes.len());
    }
    Ok(())
}

/// A game with its players, its result, and how it ended.
fn record(finished: &FinishedGame, players: &[String; 2], game: Game) -> Record {
    let mut record = Record::new(game);
    let name = |color| players[finished.player(color)].clone();
    for (key, text) in [
        ("PB", name(Color::Black)),
        ("PW", name(Color::White)),
        ("RO", (finished.number + 1).to_string()),
        ("RE", result(finished)),
    ] {
        record.info.push((key.to_string(), text));
    }
    let mut node = 0;
    for (index, squares) in finished.played.moves.iter().enumerate() {
        let color = [Color::Black, Color::White][index % 2];
        for &square in squares {
            node = record.add_stone(node, color, square);
        }
    }
    record.node_mut(node).comment = ending_text(finished);
    record
}

/// The result in the words of SGF.
fn result(finished: &FinishedGame) -> String {
    let Some(winner) = finished.played.winner else { return "Draw".to_string() };
    let letter = if winner == Color::Black { 'B' } else { 'W' };
    let how = match finished.played.ending {
        Ending::Time => "T",
        Ending::Resigned => "R",
        Ending::Crash | Ending::Illegal | Ending::Garbage => "F",
        _ => "",
    };
    format!("{letter}+{how}")
}

/// How a game ended, in a sentence.
fn ending_text(finished: &FinishedGame) -> String {
    let played = &finished.played;
    let winner = played.winner.map_or("", Color::title);
    let loser = played.winner.map_or("", |winner| (!winner).title());
    let text = match played.ending {
        Ending::Line => format!("{winner} completes a line"),
        Ending::Proof => format!("{winner} wins by force: the checker has verified the proof"),
        Ending::Full => "Draw: the board is full".to_string(),
        Ending::Dead => "Draw: neither side can complete a line any more".to_string(),
        Ending::Moves => "Draw: the game has as many moves as were allowed".to_string(),
        Ending::Resigned => format!("{loser} resigns"),
        Ending::Crash => format!("{loser} crashes"),
        Ending::Illegal => format!("{loser} plays an illegal move"),
        Ending::Garbage => format!("{loser} gives no answer that can be understood"),
        Ending::Time => format!("{loser} loses on time"),
    };
    match played.remark.as_str() {
        "" => text,
        remark => format!("{text}: {remark}"),
    }
}
