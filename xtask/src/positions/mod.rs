//! `cargo xtask bench-positions`: keeps the benchmark set of `suite/bench` true, and makes new
//! positions for it.
//!
//! The prover finds the verdicts of all lines anew, and each counts after the checker has accepted
//! the certificate. New positions come from games of `play`: the first position of a game in which
//! the side to move wins, but not at once.

mod play;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sixproof_certificate::Claim;
use sixproof_check::check_bytes;
use sixproof_game::{Color, Game, Position, Square, diagram, load, moves};
use sixproof_prover::prove::{Options, Outcome, prove};

use play::Play;

const HELP: &str = "\
Keeps the benchmark set true: finds the verdicts of all lines of suite/bench anew.

Usage: cargo xtask bench-positions [--generate [GROUP]]

A verdict that changes is printed and written; a win that is not found any more is left as it is,
and the exit code is 1. The signature is another command:
  UPDATE_EXPECT=1 cargo test -p sixproof-cli --test bench

Options:
  --generate [GROUP]   make the positions of connect6, gomoku, other-games and no-wins anew, or of
                       one of them, from games that the program plays against itself (minutes)
  -h, --help           this text
";

/// The nodes for a position and for a slow one, as in `sixproof bench zones`.
const NODES_MAX: u64 = 200_000;
const SLOW_NODES_MAX: u64 = 1_000_000;
/// The number of nodes from which a position is slow.
const QUICK_NODES_MAX: u64 = 100_000;
/// The highest order that is tried.
const ORDER_MAX: u32 = 3;
/// The least number of nodes that a generated position needs.
const GENERATED_NODES_MIN: u64 = 12;
/// The number of moves after which a game is given up.
const MOVES_MAX: usize = 24;
/// The number of games in which positions without a win are searched.
const QUIET_GAMES_MAX: u64 = 100;
/// The nodes of the search that shows no win.
const QUIET_NODES_MAX: u64 = 5_000;

/// The positions wanted of a game.
struct Wanted {
    group: &'static str,
    game: &'static str,
    /// The numbers of positions of the orders 1, 2 and 3.
    orders: [usize; 3],
    /// The nodes that a position may need.
    nodes_max: u64,
    /// The number of games after which the search for positions is given up.
    games_max: u64,
}

const fn wanted(
    group: &'static str,
    game: &'static str,
    orders: [usize; 3],
    nodes_max: u64,
    games_max: u64,
) -> Wanted {
    Wanted { group, game, orders, nodes_max, games_max }
}

/// The positions with a win.
const WANTED: &[Wanted] = &[
    wanted("connect6", "connect6", [8, 8, 8], 20_000, 150),
    wanted("gomoku", "gomoku", [4, 7, 4], 5_000, 60),
    wanted("other-games", "gomoku-exact", [1, 2, 1], 2_000, 40),
    wanted("other-games", "inf,5,1,1", [1, 1, 1], 2_000, 20),
    wanted("other-games", "9,9,4,1,1", [1, 1, 0], 2_000, 20),
    wanted("other-games", "15,15,5,2,1", [1, 1, 0], 2_000, 20),
    wanted("other-games", "19,19,7,3,1", [3, 0, 0], 4_000, 20),
    wanted("other-games", "15,15,6,3,2", [2, 0, 0], 2_000, 20),
    wanted("other-games", "19,19,7,2,2", [2, 2, 1], 4_000, 40),
    wanted("other-games", "inf,6,2,1", [1, 1, 1], 12_000, 40),
    wanted("other-games", "19,19,6,2,1,exact", [1, 1, 1], 4_000, 40),
];

/// The numbers of positions without a win that are wanted of a game, of the orders 1, 2 and 3.
const UNWON: &[(&str, [usize; 3])] =
    &[("connect6", [3, 2, 0]), ("gomoku", [3, 2, 1]), ("19,19,7,3,1", [1, 0, 0])];

const ALLIS_3A: &str = "\
    black A15 B15 C15 M15 N15 O15 A14 O14 A13 O13 A3 O3 A2 O2 A1 B1 C1 M1 N1 \
    O1; white E14 D13 I13 H12 M12 L11 D10 C9 H9 G8 L8 K7 C6 B5 G5 F4 K4 J3 \
    B2 N2; to-move black 1";

/// Draws and lost positions that are known without any search, with the highest order to try.
const KNOWN: &[(&str, &str, &str, &str, u32, &str)] = &[
    ("tic-tac-toe", "tic-tac-toe", "B2", "black", 3, "a draw"),
    ("four-on-5x5", "5,5,4,1,1", "C3", "black", 2, "a draw, by exhaustive search"),
    ("four-on-4x4", "4,4,4,2,1", "B2", "white", 3, "a draw, by exhaustive search"),
    ("five-on-5x5", "5,5,5,2,1", "C3", "white", 3, "a draw, by exhaustive search"),
    ("white-first", "connect6", "J10", "white", 1, "White has no stone yet"),
    ("allis-3a", "gomoku", ALLIS_3A, "black", 1, "Allis, diagram 3a: sixteen fours, and no win"),
    ("five-on-5x5-p3", "5,5,5,3,1", "C3", "white", 2, "a draw, by exhaustive search"),
];

/// Runs `cargo xtask bench-positions …`, with the words after it.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let generate = match arguments {
        [] => None,
        [word] if word == "--generate" => Some(""),
        [word, group] if word == "--generate" => Some(group.as_str()),
        [word] if crate::is_help(word) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            return crate::usage_error(
                "bench-positions takes --generate, and a group after it",
                HELP,
            );
        }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suite/bench");
    let done = match generate {
        Some(group) => write_generated(&folder, group).map(|()| true),
        None => renew(&folder),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask bench-positions: {error}");
            ExitCode::from(crate::UNDECIDED)
        }
    }
}

/// The prover's result for a position, with a proof that the checker accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Win { order: u32, nodes: u64 },
    NoWin { nodes: u64 },
    Unknown,
}

fn verdict(position: &Position, attacker: Color, order_max: u32, nodes_max: u64) -> Verdict {
    let options = Options { order_max, nodes_max, ..Options::default() };
    let report =
        prove(&Claim::new(position, attacker), &options, &mut |_| ControlFlow::Continue(()));
    let nodes = report.counts.nodes;
    match report.outcome {
        Outcome::Proved { certificate, .. } => {
            let checked = check_bytes(&certificate);
            assert!(checked.is_ok(), "the prover is wrong: {checked:?}");
            Verdict::Win { order: report.order, nodes }
        }
        Outcome::NoWin => Verdict::NoWin { nodes },
        Outcome::Unknown => Verdict::Unknown,
    }
}

/// The win of the least order that the prover finds when it tries no higher one.
fn least_win(position: &Position, attacker: Color, order_max: u32, nodes_max: u64) -> Verdict {
    (1..=order_max)
        .map(|order| verdict(position, attacker, order, nodes_max))
        .find(|verdict| matches!(verdict, Verdict::Win { .. }))
        .unwrap_or(Verdict::Unknown)
}

// --- Verdicts of known positions ---------------------------------------------------------------

/// Renews the verdicts of all files; false when a win was not found.
fn renew(folder: &Path) -> Result<bool, String> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .filter(|path| path.file_stem().is_some_and(|name| name != "signature"))
        .collect();
    files.sort();
    let mut complete = true;
    for file in files {
        let name = file.display();
        let text = fs::read_to_string(&file).map_err(|e| format!("{name}: {e}"))?;
        let mut renewed = String::new();
        for line in text.lines() {
            if line.trim().is_empty() || line.starts_with('#') {
                renewed += line;
            } else {
                let columns: Vec<&str> = line.split('|').map(str::trim).collect();
                let verdict =
                    renewed_verdict(&columns).map_err(|e| format!("{name}: {line}: {e}"))?;
                if verdict != columns[4] {
                    println!("{}: {verdict}, was {}", columns[0], columns[4]);
                }
                complete &= !verdict.starts_with(LOST);
                let kept = if verdict.starts_with(LOST) { columns[4] } else { &verdict };
                let columns = [&columns[..4], &[kept], &columns[5..]].concat();
                renewed += &columns.join(" | ");
            }
            renewed.push('\n');
        }
        if renewed != text {
            fs::write(&file, renewed).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    Ok(complete)
}

/// The start of the verdict of a win that is not found any more.
const LOST: &str = "not found";

fn renewed_verdict(columns: &[&str]) -> Result<String, String> {
    let &[_, game, position, attacker, expected, _] = columns else {
        return Err("six columns".to_string());
    };
    let game: Game = game.parse().map_err(|_| format!("`{game}`"))?;
    let position = read_position(game, position)?;
    let attacker = if attacker == "white" { Color::White } else { Color::Black };
    if let Some(order) = expected.strip_prefix("no win order ") {
        let order_max = order.trim_end_matches(" slow").parse().map_err(|_| expected)?;
        return Ok(match verdict(&position, attacker, order_max, NODES_MAX) {
            Verdict::Win { .. } => format!("{LOST}: it is a win"),
            _ => expected.to_string(),
        });
    }
    let quick = least_win(&position, attacker, ORDER_MAX, NODES_MAX);
    if let Verdict::Win { order, nodes: 0..=QUICK_NODES_MAX } = quick {
        return Ok(format!("win order {order}"));
    }
    if let Verdict::Win { order, .. } = least_win(&position, attacker, ORDER_MAX, SLOW_NODES_MAX) {
        return Ok(format!("win order {order} slow"));
    }
    Ok(LOST.to_string())
}

fn read_position(game: Game, text: &str) -> Result<Position, String> {
    if text.contains("to-move") {
        return diagram::read(&text.replace(';', "\n"), Some(game)).map_err(|e| e.message);
    }
    let record = moves::read(game, text).map_err(|e| e.message)?;
    Ok(load::Loaded::at(record, None).map_err(|e| e.message)?.position)
}

// --- New positions ------------------------------------------------------------------------------

/// Makes the generated files anew, or the one of a group.
fn write_generated(folder: &Path, only: &str) -> Result<(), String> {
    let is_wanted = |group: &str| only.is_empty() || only == group;
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for wanted in WANTED.iter().filter(|wanted| is_wanted(wanted.group)) {
        *files.entry(wanted.group).or_default() += &wins(wanted);
    }
    if is_wanted("no-wins") {
        let mut lines = String::new();
        for (name, game, moves, attacker, order, source) in KNOWN {
            let verdict = format!("no win order {order}");
            lines += &format!("{name} | {game} | {moves} | {attacker} | {verdict} | {source}\n");
        }
        for &(game, wanted) in UNWON {
            lines += &without_wins(game, wanted);
        }
        files.insert("no-wins", lines);
    }
    if files.is_empty() {
        return Err(format!("no group `{only}` is generated"));
    }
    for (group, lines) in files {
        let path = folder.join(format!("{group}.txt"));
        let text = format!(
            "# Made by `cargo xtask bench-positions --generate`; the format is in README.md.\n{lines}"
        );
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// The lines of positions that the side to move wins, as many of each order as wanted.
fn wins(wanted: &Wanted) -> String {
    let &Wanted { game: name, orders: mut missing, nodes_max, games_max, .. } = wanted;
    let game: Game = name.parse().expect("a game of the table");
    let order_max = (1..=ORDER_MAX).rfind(|&order| missing[order as usize - 1] > 0).unwrap_or(1);
    let mut lines = String::new();
    let mut mirrored = false;
    for seed in 0..games_max {
        if missing == [0; 3] {
            break;
        }
        let mut play = Play::new(game, seed);
        while play.moves.len() < MOVES_MAX && play.step() {
            let attacker = play.position.to_move();
            if play.moves.len() < 4 || !play.position.threats(attacker).is_empty() {
                continue;
            }
            // A short search first, then the budget that the verdict is for.
            let look = verdict(&play.position, attacker, order_max, nodes_max);
            if !matches!(look, Verdict::Win { nodes, .. } if nodes >= GENERATED_NODES_MIN) {
                continue;
            }
            let found = least_win(&play.position, attacker, order_max, NODES_MAX);
            let Verdict::Win { order, nodes } = found else { continue };
            let index = order as usize - 1;
            // Later positions of a game are often won by a lower order.
            if missing[index] == 0 {
                continue;
            }
            missing[index] -= 1;
            let line = line(name, &play, seed, mirrored, &format!("win order {order}"));
            println!("{} ({nodes} nodes)", line.trim_end());
            lines += &line;
            mirrored = !mirrored;
            break;
        }
    }
    if missing != [0; 3] {
        println!("{name}: {missing:?} are missing after {games_max} games");
    }
    lines
}

/// The lines of positions that the side to move does not win by a strategy of an order.
fn without_wins(name: &str, wanted: [usize; 3]) -> String {
    let game: Game = name.parse().expect("a game of the table");
    let mut lines = String::new();
    for (order, mut wanted) in (1..).zip(wanted) {
        for seed in 1000..1000 + QUIET_GAMES_MAX {
            if wanted == 0 {
                break;
            }
            let mut play = Play::new(game, seed);
            let length = 5 + seed as usize % 5;
            while play.moves.len() < length && play.step() {}
            let attacker = play.position.to_move();
            if play.position.winner().is_some() || !play.position.threats(attacker).is_empty() {
                continue;
            }
            let found = verdict(&play.position, attacker, order, QUIET_NODES_MAX);
            if matches!(found, Verdict::NoWin { nodes } if nodes >= GENERATED_NODES_MIN) {
                wanted -= 1;
                let mirrored = wanted % 2 == 1;
                let line = line(name, &play, seed, mirrored, &format!("no win order {order}"));
                print!("{line}");
                lines += &line;
            }
        }
    }
    lines
}

/// The line of a position, with the colours as played or exchanged.
fn line(game: &str, play: &Play, seed: u64, mirrored: bool, verdict: &str) -> String {
    let position = &play.position;
    let rules = position.game();
    let names = |squares: &[Square]| rules.square_names(squares);
    let (attacker, text, how) = if mirrored {
        let of = |color: Color| names(&position.squares_of(color).collect::<Vec<_>>());
        let (attacker, left) = (!position.to_move(), position.left());
        let (black, white) = (of(Color::White), of(Color::Black));
        let text = format!("black {black}; white {white}; to-move {attacker} {left}");
        (attacker, text, ", colours exchanged")
    } else {
        let moves: Vec<String> = play.moves.iter().map(|squares| names(squares)).collect();
        (position.to_move(), moves.join(" / "), "")
    };
    let short = game.replace(',', "-");
    let kind = if verdict.starts_with("no") { "quiet" } else { "game" };
    format!("{short}-{kind}-{seed} | {game} | {text} | {attacker} | {verdict} | self-play{how}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanged_colours_change_nothing_but_the_colours() {
        let game = Game::CONNECT6;
        let mut play = Play::new(game, 7);
        while play.moves.len() < 6 && play.step() {}
        let of = |mirrored| {
            let line = line("connect6", &play, 7, mirrored, "win order 1");
            let columns: Vec<String> = line.trim().split(" | ").map(str::to_string).collect();
            let position = read_position(game, &columns[2]).unwrap();
            assert_eq!(position.to_move().to_string(), columns[3]);
            position
        };
        let (played, mirrored) = (of(false), of(true));
        assert_eq!(played, play.position);
        for (square, color) in played.stones() {
            assert_eq!(mirrored.at(square), Some(!color));
        }
        assert_eq!(mirrored.left(), played.left());
        // The verdict is the same for the prover, too.
        let [a, b] = [played, mirrored].map(|p| verdict(&p, p.to_move(), 2, 3_000));
        assert_eq!(a, b);
    }
}
