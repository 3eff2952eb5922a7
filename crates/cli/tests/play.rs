//! Games of `sixproof play`, as scripts and terminals play them.
#![cfg(unix)]

mod scratch;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use scratch::folder;

/// A game of lines: the answer to an input.
fn play(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let random = ["--style", "random", "--nodes", "100", "--seed", "1"];
    run(folder, &[&random, arguments].concat(), input)
}

fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sixproof"))
        .arg("play")
        .args(arguments)
        .env_clear()
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A game that has ended does not read the rest.
    let _written = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// The words of a game that goes well.
fn said(folder: &Path, arguments: &[&str], input: &str) -> String {
    let answer = play(folder, arguments, input.as_bytes());
    let errors = String::from_utf8_lossy(&answer.stderr);
    assert_eq!(answer.status.code(), Some(0), "{errors}");
    assert_eq!(errors, "");
    String::from_utf8(answer.stdout).unwrap()
}

/// What another command of the program says.
fn sixproof(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sixproof"));
    let answer = command.args(arguments).env_clear().current_dir(folder).output().unwrap();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8(answer.stdout).unwrap()
}

/// Asserts that these texts are there, one after the other.
fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(at) = rest.find(part) else { panic!("no `{part}` in its place:\n{text}") };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn a_game_is_played_to_its_end_and_read_again() {
    let folder = folder("play-whole");
    let script = "a1\nb1\nc1\nsave won.sgf\nquit\n";
    let text = said(&folder, &["3,3,3,1,1", "--as", "both"], "a1\na3\nb1\nb3\nc1\nsave won.sgf\n");
    assert_in_order(
        &text,
        &[
            "You play both sides.",
            "Black (you), 1 stone>",
            "White (you), 1 stone>",
            "Black wins with 3 in a row: A1 B1 C1.",
            "`new` begins another game",
            "(●|●|●)",
            "The game is over>",
            "Saved in won.sgf.",
            "The game is in won.sgf.",
        ],
    );
    let shown = sixproof(&folder, &["show", "won.sgf"]);
    assert!(shown.contains("Black has won"), "{shown}");
    let line = sixproof(&folder, &["convert", "won.sgf", "--to", "inline"]);
    assert_eq!(line.trim(), "A1 / A3 / B1 / B3 / C1");
    assert!(fs::read_to_string(folder.join("won.sgf")).unwrap().contains("RE[B+]"));
    // The game is over for who goes on from its end, too.
    let again = said(&folder, &["won.sgf", "--as", "both"], script);
    assert_in_order(&again, &["Black wins with 3 in a row", "the game is over"]);
}

#[test]
fn the_engine_answers_each_move_and_the_game_is_kept() {
    let folder = folder("play-engine");
    let text = said(&folder, &["--as", "black", "--sgf", "game.sgf"], "j10\nk11\nl10\n");
    assert_in_order(
        &text,
        &[
            "You are Black, against sixproof, style random.",
            "Black (you), 1 stone>",
            "White plays ",
            "Black (you), 2 stones>",
            "So far: K11.",
            "Black (you), 1 stone>",
            "White plays ",
            "Black (you), 2 stones>",
            "The game is in game.sgf.",
        ],
    );
    let kept: serde_json::Value =
        serde_json::from_str(&sixproof(&folder, &["show", "game.sgf", "--json"])).unwrap();
    assert_eq!(kept["black"], serde_json::json!(["J10", "L10", "K11"]));
    assert_eq!(kept["white"].as_array().unwrap().len(), 4);
    assert_eq!(kept["to_move"], "black");
    let file = fs::read_to_string(folder.join("game.sgf")).unwrap();
    assert!(file.contains("PB[human]PW[sixproof, style random]"), "{file}");
    // With the same seed and one thread it is the same game.
    let again = said(&folder, &["--as", "black", "--sgf", "again.sgf"], "j10\nk11\nl10\n");
    assert_eq!(again.replace("again.sgf", "game.sgf"), text);
    // The game goes on from its file, and the file grows.
    said(&folder, &["game.sgf", "--sgf", "game.sgf"], "undo\na1 s19\n");
    let longer = sixproof(&folder, &["convert", "game.sgf", "--to", "inline"]);
    assert!(longer.starts_with("J10 / "), "{longer}");
    assert_eq!(longer.split(" / ").count(), 6, "{longer}");
}

#[test]
fn mistakes_are_told_and_change_nothing() {
    let folder = folder("play-mistakes");
    let lines = [
        "j10 j11",
        "t1",
        "j10 /",
        "xyzzy",
        "level 11",
        "undo",
        "back",
        "save",
        "save sixproof-game.sgf",
        "save no/such/folder.sgf",
        "swap now",
        "\u{0}",
        "🎲",
    ];
    let text = said(&folder, &[], &(lines.join("\n") + "\n\n   \nmoves\n"));
    assert_in_order(
        &text,
        &[
            "`j11` is one stone too many",
            "`t1` is off the board",
            "`/` does not belong to a single move",
            "`xyzzy` is neither a square nor a command",
            "for beginners, to 10",
            "no move of yours to take back",
            "no stone of this move",
            "Saved in sixproof-game.sgf",
            "Saved in sixproof-game.sgf",
            "no/such/folder.sgf",
            "`swap` stands alone",
            "No moves yet.",
        ],
    );
    assert!(!text.contains("plays"), "{text}");
    assert_eq!(text.matches("Black to move, 1 stone left").count(), 1, "{text}");
}

#[test]
fn undo_takes_the_reply_back_too() {
    let folder = folder("play-undo");
    let input = "j10\nundo\nk11\nundo\nundo\na1\nmoves\nwhy\n";
    let text = said(&folder, &["--sgf", "game.sgf"], input);
    assert_in_order(
        &text,
        &[
            "White plays ",
            "Taken back: J10 / ",
            "White plays ",
            "Taken back: K11 / ",
            "no move of yours to take back",
            "White plays ",
            "1. Black A1\n2. White ",
            "the style random chooses without searching",
        ],
    );
    let line = sixproof(&folder, &["convert", "game.sgf", "--to", "inline"]);
    assert!(line.starts_with("A1 / "), "{line}");
}

#[test]
fn sides_can_be_swapped_and_games_given_up() {
    let folder = folder("play-swap");
    let input = "swap\nb2\nresign\nresign\nundo\ngo\nquit\n";
    let text = said(&folder, &["5,5,4,1,1", "--sgf", "game.sgf"], input);
    assert_in_order(
        &text,
        &[
            "You are White now.",
            "Black plays ",
            "White (you), 1 stone>",
            "White resigns: Black wins.",
            "the game is over",
            "The game goes on.",
            "White plays ",
            "Black plays ",
        ],
    );
    let given_up = said(&folder, &["5,5,4,1,1", "--sgf", "lost.sgf"], "a1\nresign\n");
    assert!(given_up.contains("Black resigns: White wins."), "{given_up}");
    assert!(fs::read_to_string(folder.join("lost.sgf")).unwrap().contains("RE[W+R]"));
}

#[test]
fn the_engine_plays_itself_to_the_end() {
    let folder = folder("play-itself");
    for game in ["3,3,3,1,1", "7,5,4,2,1", "4,4,4,3,2", "1,59,3,2,1", "5,5,4,1,1,exact"] {
        let text = said(&folder, &[game, "--as", "none", "--sgf", "game.sgf"], "");
        let ended = text.contains(" wins with ") || text.contains("a draw");
        assert!(ended, "{game}: {text}");
        assert!(sixproof(&folder, &["show", "game.sgf", "--json"]).contains("\"stones\""));
        fs::remove_file(folder.join("game.sgf")).unwrap();
    }
}

#[test]
fn every_game_of_the_family_can_be_played() {
    let folder = folder("play-family");
    for (game, input) in [
        ("inf,6,2,1", "0,0\n-20,30 20,-30\n"),
        ("59,59,6,2,1", "bg59\naa1 z2\n"),
        ("gomoku-exact", "h8\nh9\n"),
        ("9,9,4,9,19", "a1 a2 a3 b1 b2 b3\nundo\nback\n"),
        ("J10 / I8 H9 / K11", "l10\nhint\nnow\nthreats\n"),
        ("tx-h9", "a1 a2\n"),
    ] {
        let text = said(&folder, &[game], input);
        assert!(!text.contains("no stone can"), "{game}: {text}");
        assert!(text.contains("(you)"), "{game}: {text}");
    }
}

#[test]
fn the_end_of_the_input_is_a_polite_end() {
    let folder = folder("play-eof");
    assert!(!said(&folder, &[], "").contains("The game"));
    let text = said(&folder, &["--as", "both"], "j10\nk11 l10\nm9");
    let command = "sixproof play \"J10 / K11 L10\" --game connect6";
    assert_in_order(&text, &["So far: M9.", "The game was not saved.", command]);
    // A set-up has no moves to write: it is saved.
    fs::write(folder.join("setup.sgf"), "(;GM[511]SZ[19]AB[jj]AW[ii]PL[B])").unwrap();
    let set_up = said_of_set_up(&folder);
    assert!(set_up.contains("The game was saved in sixproof-game.sgf."), "{set_up}");
    assert!(folder.join("sixproof-game.sgf").exists());
}

/// A game from a set-up, with a warning about an odd one.
fn said_of_set_up(folder: &Path) -> String {
    let answer = play(folder, &["setup.sgf", "--as", "both"], b"a1 a2\n");
    assert_eq!(answer.status.code(), Some(0));
    String::from_utf8(answer.stdout).unwrap()
}

#[test]
fn wrong_usage_is_refused_before_the_game() {
    let folder = folder("play-usage");
    fs::write(folder.join("mine.sgf"), "(;GM[511]SZ[19];B[jj])").unwrap();
    for (arguments, part) in [
        (vec!["--json"], "no JSON output"),
        (vec!["--level", "11"], "1, for beginners, to 10"),
        (vec!["--style", "best"], "there is no style"),
        (vec!["--as", "red"], "invalid value"),
        (vec!["--sgf", "mine.sgf"], "exists already"),
        (vec!["--sgf", "no/such/game.sgf"], "no/such/game.sgf"),
        (vec!["nonsense"], "neither a file nor a name"),
        (vec!["--time", "3s", "--game-time", "5m"], "cannot be used with"),
        (vec!["--time", "0ms"], "no time"),
    ] {
        let answer = run(&folder, &arguments, b"j10\n");
        let errors = String::from_utf8_lossy(&answer.stderr);
        assert_eq!(answer.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing was written");
}

#[test]
fn a_signal_does_not_lose_the_game() {
    let folder = folder("play-signal");
    // After Ctrl-C the user reads how to go on; after the end of a session there is no reader.
    let told = "sixproof play \"J10\" --game connect6";
    let saved = "The game was saved in sixproof-game.sgf.";
    for (signal, times, last) in [("-INT", 2, told), ("-TERM", 1, saved), ("-HUP", 1, "-2.sgf.")] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sixproof"))
            .args(["play", "--style", "random", "--as", "both"])
            .env_clear()
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(fs::File::create(folder.join("said.txt")).unwrap())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"j10\n").unwrap();
        let said = || fs::read_to_string(folder.join("said.txt")).unwrap();
        wait_until(|| said().contains("White (you), 2 stones>"));
        for time in 0..times {
            let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert!(sent.unwrap().success());
            wait_until(|| time + 1 == times || said().contains("Ctrl-C again quits."));
        }
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert!(said().trim_end().ends_with(last), "{signal}: {}", said());
    }
    for file in ["sixproof-game.sgf", "sixproof-game-2.sgf"] {
        assert_eq!(sixproof(&folder, &["convert", file, "--to", "inline"]).trim(), "J10");
    }
}

/// Waits for what must come; that it does not is a failure, not an endless test.
fn wait_until(mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never comes");
        sleep(Duration::from_millis(10));
    }
}

/// Runs a program on a terminal of 24 rows and 80 columns: waits for a text, presses keys, and so
/// on; prints all that the program wrote, and whether the terminal is as it was before.
const TERMINAL: &str = r#"
import fcntl, os, pty, select, struct, subprocess, sys, termios, time
program, steps = sys.argv[1].split("\x1f"), [s.split("\x1f") for s in sys.argv[2].split("\x1e")]
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
before = termios.tcgetattr(slave)
environment = {"TERM": "xterm-256color"}
child = subprocess.Popen(program, stdin=slave, stdout=slave, stderr=slave, env=environment,
                         start_new_session=True)
seen, start, end = b"", 0, time.time() + 60
def read():
    global seen
    if select.select([master], [], [], 0.05)[0]:
        seen += os.read(master, 65536)
for text, keys in steps:
    while seen.find(text.encode(), start) < 0 and time.time() < end and child.poll() is None:
        read()
    found = seen.find(text.encode(), start)
    if found < 0:
        print("MISSING", repr(text))
        break
    start = found + len(text.encode())
    os.write(master, keys.encode())
while child.poll() is None and time.time() < end:
    read()
read()
if child.poll() is None:
    child.kill()
    print("HANGS")
print(seen.decode(errors="replace"))
print("code", child.wait(), "restored", termios.tcgetattr(slave) == before)
"#;

/// A game on a terminal: texts to wait for, each with the keys to press then.
fn on_terminal(folder: &Path, arguments: &[&str], steps: &[(&str, &str)]) -> String {
    let program = [
        &[env!("CARGO_BIN_EXE_sixproof"), "play", "--style", "random", "--color", "never"],
        arguments,
    ];
    let steps: Vec<String> =
        steps.iter().map(|(text, keys)| format!("{text}\u{1f}{keys}")).collect();
    let answer = Command::new("python3")
        .args(["-c", TERMINAL, &program.concat().join("\u{1f}"), &steps.join("\u{1e}")])
        .current_dir(folder)
        .output()
        .expect("python3 is installed");
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    assert!(text.trim_end().ends_with("code 0 restored True"), "{text}");
    assert!(!text.contains("MISSING") && !text.contains("HANGS"), "{text}");
    text
}

#[test]
fn keys_play_a_game_on_a_terminal_which_is_then_as_before() {
    let folder = folder("play-terminal");
    let (up, right) = ("\u{1b}[A", "\u{1b}[C");
    let text = on_terminal(
        &folder,
        &["5,5,4,2,1", "--as", "both", "--sgf", "game.sgf"],
        &[
            // The cursor begins in the centre, C3.
            ("Black (you), 1 stone> ", " "),
            ("White (you), 2 stones> ", &format!("{up}{right} ")),
            ("So far: D4.", "\u{7f}"),
            ("Taken back: D4", "h\r"),
            ("So far: C4.", "a1\r"),
            ("Black (you), 2 stones> ", "k1"),
            ("Black (you), 2 stones> k1", "\r"),
            ("off the board", "undo\r"),
            ("Taken back: C4 A1", "\u{3}"),
            ("Ctrl-C again quits.", "\u{3}"),
        ],
    );
    assert!(text.contains("\u{1b}[?1049h") && text.contains("\u{1b}[?1049l"), "{text}");
    assert!(text.contains("The game is in game.sgf."), "{text}");
    let line = sixproof(&folder, &["convert", "game.sgf", "--to", "inline"]);
    assert_eq!(line.trim(), "C3");
}

#[test]
fn the_engine_answers_on_a_terminal() {
    let folder = folder("play-terminal-engine");
    let text = on_terminal(
        &folder,
        &["--nodes", "100", "--sgf", "game.sgf"],
        &[
            ("Black (you), 1 stone> ", "\r"),
            ("White plays ", "?"),
            ("press a key", " "),
            ("Black (you), 2 stones> ", "\u{1a}"),
            ("Taken back: J10", "quit\r"),
        ],
    );
    assert!(text.contains("takes your last move back"), "{text}");
}

#[test]
fn moves_time_and_keys_stand_beside_the_board_after_a_reply() {
    let folder = folder("play-terminal-panel");
    on_terminal(
        &folder,
        &["--time", "100ms"],
        &[
            ("Black (you), 1 stone> ", "\r"),
            ("White plays ", ""),
            ("1. Black J10", ""),
            ("2. White ", ""),
            ("Engine: 0.1s a move", ""),
            ("Arrows, Space: place a stone", ""),
            ("Black (you), 2 stones> ", "quit\r"),
        ],
    );
}

#[test]
fn plain_play_on_a_terminal_changes_nothing_of_it() {
    let folder = folder("play-terminal-plain");
    let text = on_terminal(
        &folder,
        &["3,3,3,1,1", "--plain", "--as", "both"],
        &[("Black (you), 1 stone> ", "b2\n"), ("White (you), 1 stone> ", "\u{4}")],
    );
    assert!(!text.contains("\u{1b}[?1049h"), "{text}");
    assert!(text.contains("sixproof play \"B2\" --game tic-tac-toe"), "{text}");
}
