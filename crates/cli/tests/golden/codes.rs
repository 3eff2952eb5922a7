//! Exit codes: 0 yes, 1 no, 2 could not decide, for every command, with and without `--json`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{events, shell, transcript};

const WON: &str = "'A1 / A2 / B1 / B2' --game tic-tac-toe --no-store";
const LOST: &str = "'A1 / B2 / D1 / C2' --game 4,3,3,1,1 --no-store";

/// Commands and what they must answer; `{…}` stands for what several of them share. Other tests
/// have the answers that take a server of a farm, a damaged store or Ctrl-C.
const ANSWERS: &[(&str, i32)] = &[
    ("", 0),
    ("nonsense", 2),
    ("prove {won}", 0),
    ("prove 3,3,3,1,1 --order 1 --no-store", 1),
    ("prove {lost}", 1),
    ("prove tx-h9 --nodes 100 --no-store", 2),
    ("prove tx-h9 --order 2 --no-store", 2),
    ("prove 'A1 / A2 / B1 / B2 / C1' --game tic-tac-toe --attacker black", 2),
    ("prove no-such-file.sgf", 2),
    ("verify {won} --move C1", 0),
    ("verify {won} --move C3", 1),
    ("verify tx-h9 --move 'K11 L10' --nodes 100 --no-store", 2),
    ("verify tx-h9 --move Z99", 2),
    ("value 3,3,3,1,1", 0),
    ("value 5,5,4,1,1 --nodes 10", 2),
    ("value 20,20,5,1,1", 2),
    ("check good.cert", 0),
    ("check bad.cert", 1),
    ("check game.sgf", 2),
    ("check good.cert bad.cert", 1),
    ("check good.cert bad.cert game.sgf", 2),
    ("survey connect623 --board unbounded --shape 00-02-11 --nodes 10000", 0),
    ("survey connect623 --shape 00-01-02 --nodes 1000 --dir other", 2),
    ("survey connect623 --shape 11-02-00", 2),
    ("atlas --box 9 --only 4 --sample 1 --seed 7 --nodes 1", 2),
    ("atlas --box 9 --only 4 --sample 1 --seed 7 --no-search", 0),
    ("match greedy random --game tic-tac-toe --games 10 --nodes 1k", 0),
    ("match random greedy --game tic-tac-toe --games 10 --nodes 1k", 1),
    ("match greedy random --game tic-tac-toe --games 2 --nodes 1k --sprt 0,10", 2),
    ("store import good.cert --store mine.redb", 0),
    ("store import bad.cert --store mine.redb", 1),
    ("store import game.sgf --store mine.redb", 2),
    ("store stats --store mine.redb", 0),
    ("store stats --store none.redb", 2),
    ("store verify --store mine.redb", 0),
    ("store verify --store game.sgf", 2),
    ("store export --store mine.redb --to out", 0),
    ("store export 3,3,3,1,1 --store mine.redb --to out", 1),
    ("store merge mine.redb --store all.redb", 0),
    ("store merge none.redb --store all.redb", 2),
    ("farm status nats://127.0.0.1:1", 2),
    ("worker no-such-scheme://x", 2),
    ("serve --host no-address", 2),
    ("show tx-h9", 0),
    ("show no-such-file.sgf", 2),
    ("threats tx-h9", 0),
    ("threats tx-h9 --side red", 2),
    ("convert game.sgf --out game.psq", 0),
    ("convert none.sgf --out game.psq", 2),
    ("list", 0),
    ("play tic-tac-toe --plain", 0),
    ("play no-such-game --plain", 2),
    ("engine --protocol gtp", 0),
    ("engine --protocol none", 2),
    ("bench zones --group none", 2),
    ("completions bash", 0),
    ("completions none", 2),
    ("man", 0),
    ("man --nonsense", 2),
];

fn words(line: &str) -> String {
    line.replace("{won}", WON).replace("{lost}", LOST)
}

/// What the last object of an answer says, where it says it in a word.
fn code_of(last: &Value) -> Option<i32> {
    match last["verdict"].as_str().or(last["value"].as_str())? {
        "proved" | "won" | "verified" | "draw" | "black" | "white" => Some(0),
        "no-win" | "rejected" | "not found" => Some(1),
        "unknown" => Some(2),
        other => panic!("a verdict that has no code: {other}"),
    }
}

#[test]
fn every_command_answers_yes_no_or_that_it_could_not_decide() {
    let folder = transcript::folder("codes");
    let suite = crate::suite();
    let copy = |from: &str, to: &str| std::fs::copy(suite.join(from), folder.join(to)).unwrap();
    copy("good/go-moku.cert", "good.cert");
    copy("bad/not-a-win-half.cert", "bad.cert");
    copy("../docs/samples/game.sgf", "game.sgf");
    let (mut commands, mut wrong) = (BTreeSet::new(), Vec::new());
    for (line, code) in ANSWERS {
        let line = words(line);
        let command = line.split(' ').next().unwrap_or_default().to_string();
        for format in ["", " --json"] {
            // A game with a person is not told in JSON.
            let code = if command == "play" && !format.is_empty() { &2 } else { code };
            let answer = shell::run(&format!("sixproof {line}{format}"), &folder).unwrap();
            if answer.code != Some(*code) {
                let said = String::from_utf8_lossy(&answer.stderr).into_owned();
                wrong.push(format!("`{line}{format}`: {:?}, not {code}: {said}", answer.code));
            }
            let has_verdict = ["prove", "verify", "value"].contains(&command.as_str());
            if !format.is_empty() && has_verdict && !answer.stdout.is_empty() {
                let last = events::parsed(&answer.stdout).pop().unwrap();
                if code_of(&last).unwrap_or(2) != *code {
                    wrong.push(format!("`{line}`: {code}, but {last}"));
                }
            }
        }
        commands.insert(command);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = shell::run("sixproof --json", &folder).unwrap();
    let all: Value = serde_json::from_slice(&all.stdout).unwrap();
    let page = std::fs::read_to_string(suite.join("../docs/exit-codes.md")).unwrap();
    for command in all["commands"].as_array().unwrap() {
        let command = command.as_str().unwrap();
        assert!(commands.contains(command), "no answer of `{command}` is tried");
        assert!(page.contains(&format!("`{command}")), "docs/exit-codes.md forgets `{command}`");
    }
}
