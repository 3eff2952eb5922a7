//! Matches as the program plays them: repeatable, resumable, and with every fault of a program
//! counted on its own account.
//!
//! Players here are random, or scripts that know nothing but the rules: no test depends on how well
//! moves are chosen.

mod scratch;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use scratch::folder;

/// Runs a match in a folder.
fn contest(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sixproof"));
    command.arg("match").args(arguments).current_dir(folder);
    command.output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The events of a match, without the times.
fn events(output: &Output) -> Vec<Value> {
    let lines = text(&output.stdout);
    lines.lines().map(|line| timeless(serde_json::from_str(line).expect(line))).collect()
}

fn timeless(mut value: Value) -> Value {
    if let Value::Object(object) = &mut value {
        object.retain(|key, _| !key.contains("seconds"));
        for part in object.values_mut() {
            *part = timeless(part.take());
        }
    }
    value
}

/// The sums at the end.
fn sums(output: &Output) -> Value {
    let last = events(output).pop().unwrap_or_else(|| panic!("{}", text(&output.stderr)));
    assert_eq!(last["event"], "done", "{last}");
    last
}

const RANDOM: [&str; 8] =
    ["random", "random", "--game", "5,5,4,2,1", "--nodes", "10", "--games", "12"];

fn random(more: &[&'static str]) -> Vec<&'static str> {
    [&RANDOM[..], more].concat()
}

#[test]
fn a_match_is_the_same_every_time_and_with_any_number_of_threads() {
    let folder = folder("contest-same");
    let one = contest(&folder, &random(&["--threads", "1", "--json"]));
    assert_eq!(events(&one), events(&contest(&folder, &random(&["--threads", "1", "--json"]))));
    let games = |output: &Output| -> BTreeMap<u64, Value> {
        let games = events(output).into_iter().filter(|event| event["event"] == "game");
        games.map(|game| (game["game"].as_u64().unwrap(), game)).collect()
    };
    let two = contest(&folder, &random(&["--threads", "2", "--json"]));
    assert_eq!(games(&one).len(), 12);
    assert_eq!(games(&one), games(&two));
    let other = contest(&folder, &random(&["--threads", "1", "--json", "--seed", "2"]));
    assert_ne!(games(&one), games(&other));
    // The games of a pair begin alike, and no other two do; then they differ.
    let moves = |number: u64| games(&one)[&number]["moves"].as_str().unwrap().to_string();
    let opening = |number: u64| moves(number).split(" / ").take(3).collect::<Vec<_>>().join("/");
    for number in (1..12).step_by(2) {
        assert_eq!(opening(number), opening(number + 1));
        assert_ne!(moves(number), moves(number + 1));
        assert_eq!(games(&one)[&number]["black"], "a");
        assert_eq!(games(&one)[&(number + 1)]["black"], "b");
        assert!((1..12).filter(|&n| opening(n) == opening(number)).count() <= 2);
    }
    let sums = sums(&one);
    let count = |name: &str| sums[name].as_u64().unwrap();
    assert_eq!(count("games"), 12);
    assert_eq!(count("wins") + count("draws") + count("losses"), 12);
    let pairs: u64 = sums["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(pairs, 6);
    let is_half = 2 * count("wins") + count("draws") >= 12;
    assert_eq!(one.status.code(), Some(if is_half { 0 } else { 1 }));
}

#[test]
fn a_match_goes_on_from_its_journal() {
    let folder = folder("contest-journal");
    let journal = folder.join("match.jsonl");
    let command = random(&["--threads", "1", "--json", "--out", "match.jsonl"]);
    let whole = contest(&folder, &command);
    let expected = sums(&whole);
    let written = fs::read_to_string(&journal).unwrap();
    assert_eq!(written.lines().count(), 13);
    let lines: Vec<&str> = written.split_inclusive('\n').collect();
    for (kept, part) in [(1, 0), (4, 20), (8, 0), (12, 1), (13, 0), (0, 30)] {
        let mut cut = lines[..kept].concat();
        if let Some(line) = lines.get(kept) {
            cut += &line[..part];
        }
        fs::write(&journal, &cut).unwrap();
        let resumed = contest(&folder, &command);
        assert_eq!(sums(&resumed), expected, "{kept} lines and {part} bytes");
        assert_eq!(resumed.status.code(), whole.status.code());
        assert_eq!(events(&resumed)[0]["kept"], kept.saturating_sub(1));
        assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 13);
    }
    // More games are the same match.
    let longer = contest(&folder, &[&command[..], &["--games", "14"]].concat()[2..]);
    assert_eq!(longer.status.code(), Some(2), "--games twice is wrong usage");
    let mut more = command.clone();
    more[7] = "16";
    assert_eq!(events(&contest(&folder, &more))[0]["kept"], 12);
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 17);
}

#[test]
fn the_journal_of_another_match_is_refused_and_left_alone() {
    let folder = folder("contest-other");
    let journal = folder.join("match.jsonl");
    let command = random(&["--out", "match.jsonl"]);
    contest(&folder, &command);
    let before = fs::read(&journal).unwrap();
    let other = contest(&folder, &[&command[..], &["--seed", "2"]].concat());
    assert_eq!(other.status.code(), Some(2));
    let told = text(&other.stderr);
    assert!(told.contains("another match: seed is 1 there and 2 here"), "{told}");
    assert_eq!(fs::read(&journal).unwrap(), before);
    for (content, complaint) in [
        ("hello\n", "not the journal of a match"),
        ("hello", "not the journal of a match"),
        ("{\"match\":1}\n", "not the journal of a match"),
    ] {
        fs::write(&journal, content).unwrap();
        let refused = contest(&folder, &command);
        assert_eq!(refused.status.code(), Some(2), "{content}");
        assert!(text(&refused.stderr).contains(complaint), "{}", text(&refused.stderr));
        assert_eq!(fs::read_to_string(&journal).unwrap(), content);
    }
    let mut twice = text(&before);
    let last = twice.lines().last().unwrap().to_string();
    twice += &format!("{last}\n");
    fs::write(&journal, &twice).unwrap();
    let refused = contest(&folder, &command);
    assert!(text(&refused.stderr).contains("match.jsonl:14:1"), "{}", text(&refused.stderr));
}

#[test]
fn the_games_are_written_as_sgf_and_the_course_as_a_picture() {
    let folder = folder("contest-sgf");
    let files = ["--sgf", "games.sgf", "--svg", "score.svg", "--quiet"];
    let output = contest(&folder, &random(&files));
    assert!(output.status.code() < Some(2), "{}", text(&output.stderr));
    let games = fs::read_to_string(folder.join("games.sgf")).unwrap();
    assert_eq!(games.matches("(;FF[4]").count(), 12);
    assert_eq!(games.matches("PB[random]PW[random]").count(), 12);
    assert_eq!(games.matches("C[").count(), 12, "how each game ended");
    let svg = fs::read_to_string(folder.join("score.svg")).unwrap();
    assert!(svg.contains("Score: random vs random"), "{svg}");
    contest(&folder, &random(&["--sgf", "games/", "--quiet"]));
    for number in [1, 7, 12] {
        let file = format!("games/game-{number:04}.sgf");
        let mut show = Command::new(env!("CARGO_BIN_EXE_sixproof"));
        let shown = show.args(["show", &file]).current_dir(&folder).output().unwrap();
        assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
        assert!(text(&shown.stdout).contains("Connect(5,5,4,2,1)"));
        assert_eq!(text(&shown.stderr), "", "the position is a regular one");
    }
}

#[test]
fn the_table_has_all_that_a_match_tells() {
    let folder = folder("contest-table");
    let output = contest(&folder, &random(&["--sprt", "-5,5"]));
    let table = text(&output.stdout);
    for part in [
        "random vs random, 5,5,4,2,1, 10 nodes",
        "games",
        "as Black",
        "as White",
        "Elo",
        "superior",
        "pairs",
        "sprt",
        "ended by",
        "crashes",
        "illegal",
        "garbage",
        "late",
        "s/move",
        "nodes/s",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert_eq!(output.status.code(), Some(2), "12 games are no test");
}

#[test]
fn games_without_edges_end_after_so_many_moves() {
    let folder = folder("contest-unbounded");
    let command =
        ["random", "random", "--game", "inf,9,2,1", "--nodes", "1", "--games", "4", "--moves", "9"];
    let output = contest(&folder, &[&command[..], &["--json", "--sgf", "all.sgf"]].concat());
    let sums = sums(&output);
    assert_eq!(sums["endings"]["moves"], 4, "{sums}");
    assert_eq!((&sums["draws"], &sums["moves"]), (&4.into(), &36.into()));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn openings_come_from_a_file() {
    let folder = folder("contest-openings");
    let lines = "# two\nC3 / B2 D2\n\nC3 / A1 B1 / D5 E5\n";
    fs::write(folder.join("two.txt"), lines).unwrap();
    fs::write(folder.join("two.sgf"), "(;SZ[5];B[cc];W[bd];W[dd])(;SZ[5];B[cc];W[aa];W[ee])")
        .unwrap();
    let begin = ["random", "random", "--game", "5,5,4,2,1", "--nodes", "1", "--json"];
    for file in ["two.txt", "two.sgf"] {
        let output =
            contest(&folder, &[&begin[..], &["--games", "4", "--openings", file]].concat());
        let games: Vec<Value> =
            events(&output).into_iter().filter(|event| event["event"] == "game").collect();
        assert_eq!(games.len(), 4, "{file}: {}", text(&output.stderr));
        for game in games.iter().filter(|game| game["game"].as_u64().unwrap() <= 2) {
            assert!(game["moves"].as_str().unwrap().starts_with("C3 / B2 D2 / "), "{game}");
        }
    }
    for (content, complaint) in [
        (lines, "3 openings are needed, and there are 2"),
        ("", "no openings"),
        ("C3 / B2 D2\nC3 / D2 B2\n", "there already"),
        ("C3 / B2\n", "whole moves"),
        ("C3 / C3 D4\n", "no stone can be placed on C3"),
        ("(;RU[connect(19,19,6,2,1)];B[jj])", "does not fit 5,5,4,2,1"),
    ] {
        fs::write(folder.join("openings.txt"), content).unwrap();
        let more = ["--games", "6", "--openings", "openings.txt"];
        let output = contest(&folder, &[&begin[..], &more].concat());
        assert_eq!(output.status.code(), Some(2), "{content}");
        let told = text(&output.stderr);
        assert!(told.contains(complaint), "{content}: {told}");
    }
}

#[test]
fn wrong_words_are_told_what_is_wrong_with_them() {
    let folder = folder("contest-wrong");
    for (arguments, complaint) in [
        (&["best", "random"][..], "there is no style `best`"),
        (&["sixproof:11", "random"], "`11` is not a level"),
        (&["uci:engine", "random"], "before the colon is `sixproof` or a protocol"),
        (&["c6:", "random"], "names no program"),
        (&["c6:./nobody", "random"], "./nobody cannot be started"),
        (&["c6:cat", "random", "--game", "inf,6,2,1"], "its boards have edges"),
        (&["random", "random", "--game", "chess"], "`chess` is not a game"),
        (&["random", "random", "--time", "5"], "write a number with ms, s, m or h"),
        (&["random", "random", "--sprt", "10,0"], "the lower one first"),
        (&["random", "random", "--games", "0"], "1 or more"),
        (&["random", "random", "--increment", "1s"], "--game-time"),
        (&["random", "random", "--svg", "plot.gif"], "which kind of picture"),
        (&["random", "random", "--out", "a.svg", "--svg", "a.svg"], "two outputs"),
        (&["random", "random", "--out", "no/where.jsonl"], "no/where.jsonl"),
        (&["random", "random", "--openings", "nowhere.txt"], "nowhere.txt"),
        (&["random", "random", "--game", "tic-tac-toe", "--games", "5k"], "--games"),
    ] {
        let output = contest(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.contains(complaint), "{arguments:?}: {told}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left behind");
}

#[cfg(unix)]
mod programs {
    use super::*;

    /// Plays the first empty squares of a board of 5 x 5 in every protocol, until the move given as
    /// the third argument; there it does what the second one says.
    const SCRIPT: &str = r#"
        protocol=$1 manner=$2 at=${3:-1}
        taken=' ' count=0
        misbehave() {
            count=$((count + 1))
            [ "$count" -ge "$at" ] || return 1
            case "$manner" in
                crash) exit 3 ;;
                sleep) exec sleep 30 ;;
                illegal) [ "$protocol" = gomocup ] && echo 0,77 || echo move ZZYY; [ "$protocol" = gtp ] && echo '= Z9' ;;
                occupied) set -- $taken; [ "$protocol" = gomocup ] && echo "$1" "$1" || echo "move $1$1" ;;
                garbage) [ "$protocol" = gomocup ] && echo hello || echo 'move ?' ; [ "$protocol" = gtp ] && echo '= !' ;;
                *) return 1 ;;
            esac
        }
        choose() {
            for square in $squares; do
                case "$taken" in
                    *" $square "*) ;;
                    *) taken="$taken$square "; chosen=$square; return ;;
                esac
            done
        }
        case "$protocol" in
            gomocup) squares='0,0 1,0 2,0 3,0 4,0 0,1 1,1 2,1 3,1 4,1 0,2 1,2 2,2 3,2 4,2 0,3 1,3 2,3 3,3 4,3 0,4 1,4 2,4 3,4 4,4' ;;
            gtp) squares='A1 B1 C1 D1 E1 A2 B2 C2 D2 E2 A3 B3 C3 D3 E3 A4 B4 C4 D4 E4 A5 B5 C5 D5 E5' ;;
            botzone) squares='0,0 1,0 2,0 3,0 4,0 0,1 1,1 2,1 3,1 4,1 0,2 1,2 2,2 3,2 4,2 0,3 1,3 2,3 3,3 4,3 0,4 1,4 2,4 3,4 4,4' ;;
            *) squares='AA BA CA DA EA AB BB CB DB EB AC BC CC DC EC AD BD CD DD ED AE BE CE DE EE' ;;
        esac
        letters() { rest=$1; while [ -n "$rest" ]; do tail=${rest#??}; taken="$taken${rest%"$tail"} "; rest=$tail; done; }
        answer() {
            misbehave && return
            choose; first=$chosen; stones=${1:-2}
            [ "$stones" = 1 ] && { echo "move $first$2"; return; }
            choose
            [ "$protocol" = gomocup ] && echo "$first $chosen" || echo "move $first$chosen"
        }
        if [ "$protocol" = botzone ]; then
            read -r line
            misbehave && exit
            taken=" $(echo "$line" | tr '{' '\n' | sed -n 's/^"x0":\([-0-9]*\),"x1":\([-0-9]*\),"y0":\([-0-9]*\),"y1":\([-0-9]*\).*/\1,\3 \2,\4/p' | tr '\n' ' ') "
            choose; first=$chosen; choose
            echo "${first%,*} ${first#*,} ${chosen%,*} ${chosen#*,}"
            exit
        fi
        echo "MESSAGE a word of welcome"
        while read -r word rest; do
            case "$protocol $word" in
                'gomocup START') echo OK ;;
                'gomocup TURN') taken="$taken$rest "; answer ;;
                'gomocup BOARD')
                    while read -r line && [ "$line" != DONE ]; do taken="$taken${line%,*} "; done
                    answer ;;
                'gtp play') taken="$taken${rest#* } "; printf '=\n\n' ;;
                'gtp genmove') misbehave || { choose; printf '= %s\n\n' "$chosen"; } ;;
                'gtp quit') exit ;;
                gtp*) printf '=\n\n' ;;
                *' name'*) echo name script ;;
                'ccgc new') [ "$rest" = black ] && answer 1 @@ ;;
                'ccgc move') letters "$rest"; answer ;;
                'c6 black' | 'c6 white') letters "$rest" ;;
                'c6 move') letters "$rest"; echo thinking; answer ;;
                'c6 next') answer ;;
                *' quit' | *' END') exit ;;
            esac
        done
    "#;

    fn with_script(name: &str) -> std::path::PathBuf {
        let folder = folder(name);
        fs::write(folder.join("player.sh"), SCRIPT).unwrap();
        folder
    }

    const GAME: [&str; 5] = ["--game", "5,5,5,2,1", "--games", "4", "--json"];

    #[test]
    fn programs_play_whole_games_in_every_protocol() {
        let folder = with_script("contest-protocols");
        for protocol in ["c6", "ccgc", "gomocup", "gtp", "botzone"] {
            let program = format!("{protocol}:sh player.sh {protocol} plays");
            let output =
                contest(&folder, &[&["random", &program, "--time", "10s"], &GAME[..]].concat());
            let sums = sums(&output);
            for name in ["crashes", "illegal", "garbage", "late"] {
                assert_eq!(sums["b"][name], 0, "{protocol}: {:#?}", events(&output));
            }
            assert_eq!(sums["games"], 4);
            assert!(sums["b"]["moves"].as_u64().unwrap() >= 4, "{protocol}: {sums}");
        }
    }

    /// Both sides of every protocol are ours here: what one writes the other one reads.
    #[test]
    fn our_own_engine_plays_whole_games_in_every_protocol() {
        let folder = folder("contest-engine");
        let engine = env!("CARGO_BIN_EXE_sixproof");
        for (protocol, game) in [
            ("c6", "connect6"),
            ("ccgc", "connect6"),
            ("gomocup", "connect6"),
            ("gomocup", "gomoku-exact"),
            ("gomocup", "9,7,5,1,1"),
            ("gtp", "connect6"),
            ("gtp", "9,9,5,1,1"),
            ("botzone", "15,15,6,2,1"),
        ] {
            let options = "--style random --nodes 10";
            let program = format!(
                "{protocol}:'{engine}' engine --protocol {protocol} --game {game} {options}"
            );
            let limits = ["--games", "2", "--moves", "30", "--time", "20s", "--json"];
            let output =
                contest(&folder, &[&["random", &program, "--game", game], &limits[..]].concat());
            let sums = sums(&output);
            for name in ["crashes", "illegal", "garbage", "late"] {
                assert_eq!(sums["b"][name], 0, "{program}: {:#?}", events(&output));
            }
            assert!(sums["b"]["moves"].as_u64().unwrap() > 4, "{program}: {sums}");
        }
    }

    #[test]
    fn every_fault_is_counted_on_its_own_account_and_the_next_game_is_played() {
        let folder = with_script("contest-faults");
        for (protocol, manner, at, counter) in [
            ("c6", "crash", 1, "crashes"),
            ("c6", "illegal", 2, "illegal"),
            ("c6", "occupied", 2, "illegal"),
            ("c6", "garbage", 1, "garbage"),
            ("c6", "sleep", 2, "late"),
            ("ccgc", "crash", 2, "crashes"),
            ("gomocup", "crash", 2, "crashes"),
            ("gomocup", "illegal", 1, "illegal"),
            ("gomocup", "occupied", 1, "illegal"),
            ("gomocup", "garbage", 2, "garbage"),
            ("gtp", "crash", 3, "crashes"),
            ("gtp", "garbage", 1, "garbage"),
            ("botzone", "crash", 1, "crashes"),
        ] {
            let program = format!("{protocol}:sh player.sh {protocol} {manner} {at}");
            // Only the one that sleeps is to be late, however busy the machine is.
            let time = if manner == "sleep" { "1.5s" } else { "60s" };
            // Neither side has won before the script's second move.
            let game = ["--game", "5,5,5,1,1", "--games", "2", "--json", "--time", time];
            let game = match protocol {
                "gtp" => game,
                _ => ["--game", "5,5,5,2,1", "--games", "2", "--json", "--time", time],
            };
            let output = contest(&folder, &[&[&program[..], "random"], &game[..]].concat());
            let sums = sums(&output);
            for name in ["crashes", "illegal", "garbage", "late"] {
                let expected = if name == counter { 2 } else { 0 };
                assert_eq!(sums["a"][name], expected, "{program}: {:#?}", events(&output));
                assert_eq!(sums["b"][name], 0, "{program}: {sums}");
            }
            assert_eq!((&sums["losses"], output.status.code()), (&2.into(), Some(1)), "{program}");
        }
    }

    #[test]
    fn a_sequential_test_stops_the_match() {
        let folder = folder("contest-sprt");
        let begin = ["--game", "5,5,4,2,1", "--nodes", "1", "--games", "200", "--threads", "1"];
        let test = ["--sprt", "0,1000", "--json", "--out", "sprt.jsonl"];
        let good = contest(&folder, &[&["random", "c6:true"], &begin[..], &test].concat());
        let accepted = sums(&good);
        assert_eq!(
            (&accepted["sprt"]["verdict"], good.status.code()),
            (&"accepted".into(), Some(0))
        );
        let played = accepted["games"].as_u64().unwrap();
        assert!(played < 100, "{accepted}");
        assert_eq!(accepted["b"]["crashes"], played);
        assert_eq!(accepted["elo"]["value"], Value::Null, "infinite");
        // The verdict stands, whatever the journal would allow.
        let again = contest(&folder, &[&["random", "c6:true"], &begin[..], &test].concat());
        assert_eq!(sums(&again), accepted);
        let bad = contest(&folder, &[&["c6:true", "random"], &begin[..], &test[..3]].concat());
        assert_eq!(
            (&sums(&bad)["sprt"]["verdict"], bad.status.code()),
            (&"rejected".into(), Some(1))
        );
    }

    #[test]
    fn a_stopped_match_counts_no_game_that_is_not_over() {
        let folder = with_script("contest-stopped");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sixproof"));
        // No game ends by itself within the test.
        let program = "c6:sh player.sh c6 sleep 2";
        let limits = ["--game", "5,5,5,2,1", "--games", "2", "--time", "1h", "--threads", "1"];
        command.args(["match", "random", program]).args(limits).args(["--json", "--out", "j"]);
        let child =
            command.current_dir(&folder).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let journal = folder.join("j");
        for _ in 0..600 {
            if journal.exists() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let last = events(&output).pop().unwrap();
        assert_eq!((&last["event"], &last["games"]), (&"stopped".into(), &0.into()));
        assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 1);
    }
}
