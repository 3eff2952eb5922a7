//! `sixproof engine` as a controller meets it: lines in, lines out, and what ends it.
//!
//! The times here are no measurements. They are far above what is promised, so that a machine under
//! load passes, and far below the minute for which the engine would think without an interruption.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use sixproof_game::{Game, Position, Square};
use sixproof_player::protocol::squares;

/// Nothing takes as long.
const PATIENCE: Duration = Duration::from_secs(25);

/// The program, with a hand on both ends.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sixproof"))
            .arg("engine")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines }
    }

    fn say(&mut self, text: &str) {
        self.say_bytes(format!("{text}\n").as_bytes());
    }

    fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// Closes the input, and waits for the end: what was said until then, and the exit code.
    fn end(mut self) -> (Vec<String>, Option<i32>) {
        self.input = None;
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => said.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    self.child.kill().unwrap();
                    panic!("the engine does not end");
                }
            }
        }
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(errors, "");
        (said, self.child.wait().unwrap().code())
    }
}

const MINUTE: [&str; 4] = ["--time", "60s", "--no-book", "--protocol"];

fn start(protocol: &str, more: &[&str]) -> Engine {
    Engine::start(&[&MINUTE[..], &[protocol], more].concat())
}

fn comma_squares(game: Game, line: &str) -> Vec<Square> {
    line.split(' ').map(|text| squares::from_comma(game, text).expect(line)).collect()
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    for protocol in ["gomocup", "c6", "ccgc", "botzone", "gtp"] {
        let (said, code) = start(protocol, &[]).end();
        assert_eq!((said, code), (Vec::new(), Some(0)), "{protocol}");
    }
}

#[test]
fn the_end_of_the_input_hurries_a_move() {
    for (protocol, question) in
        [("c6", "new black"), ("ccgc", "new black"), ("gtp", "genmove b"), ("gomocup", "BEGIN")]
    {
        let mut engine = start(protocol, &[]);
        if protocol == "gomocup" {
            engine.say("START 15");
            assert_eq!(engine.hear(), "OK");
        }
        engine.say(question);
        let (said, code) = engine.end();
        let answers: Vec<&String> = said.iter().filter(|line| !line.is_empty()).collect();
        assert_eq!((answers.len(), code), (1, Some(0)), "{protocol}: {said:?}");
    }
}

#[test]
fn botzone_gets_its_answer_and_the_program_ends_with_the_input_open() {
    let mut engine = Engine::start(&["--protocol", "botzone", "--nodes", "100", "--time", "1s"]);
    engine.say(r#"{"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[]}"#);
    let answer: serde_json::Value = serde_json::from_str(&engine.hear()).unwrap();
    let game = Game::CONNECT6.resized(15, 15).unwrap();
    let number = |key: &str| answer["response"][key].as_i64().unwrap();
    assert!(squares::from_numbers(game, number("x0"), number("y0")).is_ok());
    assert_eq!((number("x1"), number("y1")), (-1, -1));
    assert_eq!(engine.lines.recv(), Err(mpsc::RecvError), "the output is closed");
    assert_eq!(engine.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_command_interrupts_a_minute_of_thinking() {
    let game: Game = "15,15,5,1,1".parse().unwrap();
    let mut engine = start("gomocup", &[]);
    engine.say("START 15");
    assert_eq!(engine.hear(), "OK");
    // The move is not wanted any more.
    engine.say("TURN 7,7");
    engine.say("RESTART");
    let mut answer = engine.hear();
    if answer != "OK" {
        // It was found before the command came.
        comma_squares(game, &answer);
        answer = engine.hear();
    }
    assert_eq!(answer, "OK");
    // The move is wanted now: by a stop, and by the next move.
    let mut position = Position::new(game);
    engine.say("BEGIN");
    engine.say("STOP");
    position.play(&comma_squares(game, &engine.hear())).unwrap();
    let free = game.squares().find(|&square| position.at(square).is_none()).unwrap();
    position.play(&[free]).unwrap();
    engine.say(&format!("TURN {}", squares::to_comma(game, free)));
    engine.say("YXSTOP");
    position.play(&comma_squares(game, &engine.hear())).unwrap();
    engine.say("END");
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn a_game_of_connect6_has_legal_moves_only() {
    let game = Game::CONNECT6;
    let arguments = ["--protocol", "c6", "--nodes", "50", "--style", "random", "--ponder"];
    let mut engine = Engine::start(&arguments);
    let mut position = Position::new(game);
    engine.say("new black");
    for _ in 0..4 {
        let answer = engine.hear();
        let letters = answer.strip_prefix("move ").unwrap_or_else(|| panic!("{answer}"));
        let stones = squares::move_from_letters(game, letters).unwrap();
        position.play(&stones).unwrap();
        let free = game.squares().filter(|&s| position.at(s).is_none()).step_by(7);
        let reply: Vec<Square> = free.take(2).collect();
        position.play(&reply).unwrap();
        assert_eq!(position.winner(), None);
        engine.say(&format!("move {}", squares::move_to_letters(&reply)));
    }
    assert!(engine.hear().starts_with("move "));
    engine.say("quit");
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn malformed_lines_are_answered_and_change_nothing() {
    let mut engine = start("gtp", &["--nodes", "50", "--style", "random"]);
    engine.say_bytes(b"\xff\xfe play\x00\r\n");
    assert!(engine.hear().starts_with("? "));
    assert_eq!(engine.hear(), "");
    let long = vec![b'x'; 3 << 20];
    engine.say_bytes(&long);
    engine.say_bytes(b"\n");
    assert_eq!(engine.hear(), "? unknown command");
    assert_eq!(engine.hear(), "");
    engine.say_bytes(b"7 play b K10\r\n");
    assert_eq!(engine.hear(), "=7");
    assert_eq!(engine.hear(), "");
    engine.say("play w K10");
    assert_eq!(engine.hear(), "? illegal move K10: the square is taken by a black stone");
    assert_eq!(engine.hear(), "");
    // A line without its end is one, too.
    engine.say_bytes(b"known_command play");
    assert_eq!(engine.end(), (vec!["= true".to_string(), String::new()], Some(0)));
}

#[test]
fn games_that_cannot_be_told_are_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_sixproof"))
        .args(["engine", "--protocol", "ccgc", "--game", "19,19,6,3,1"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!((output.stdout, output.status.code()), (Vec::new(), Some(2)));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("its moves have two stones at most"), "{told}");
}
