//! The protocols: the conversations of `suite/protocols`, and random ones.
//!
//! `UPDATE_EXPECT=1 cargo test -p sixproof-player --test it protocols` writes what the engine says
//! today into the conversations; read the difference before you commit it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sixproof_game::{Game, Position, Square};
use sixproof_player::protocol::{Effect, Interruption, Protocol, ProtocolName, Setup};
use sixproof_player::{Engine, Limits, Settings, Style, Thought, Unwatched};

/// A conversation with its script: the controller's lines, and the engine's thoughts.
struct Conversation {
    protocol: Box<dyn Protocol>,
    written: String,
    thinking: bool,
    over: bool,
}

impl Conversation {
    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            assert!(!self.thinking, "nothing follows a question to the engine");
            match effect {
                Effect::Say(text) => {
                    for line in text.split('\n') {
                        self.written += format!("< {line}").trim_end();
                        self.written.push('\n');
                    }
                }
                Effect::Think(position, limits) => {
                    assert_eq!(*position, *self.protocol.position());
                    assert!(limits.hard.is_some(), "a protocol always limits the time");
                    self.thinking = true;
                }
                Effect::NewGame | Effect::Memory(_) => {}
                Effect::Quit => {
                    self.written += ".\n";
                    self.over = true;
                }
            }
        }
    }

    fn line(&mut self, line: &str) {
        assert!(!self.over, "nothing is said after the end: {line}");
        if self.thinking {
            match self.protocol.interruption(line) {
                Interruption::Nothing => {
                    let effects = self.protocol.line(line);
                    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Think(..))));
                    self.thinking = false;
                    self.carry_out(effects);
                    self.thinking = true;
                    return;
                }
                Interruption::Drop => self.thinking = false,
                Interruption::Hurry => panic!("`{line}` hurries: write the thought before it"),
            }
        }
        let effects = self.protocol.line(line);
        self.carry_out(effects);
    }

    fn thought(&mut self, names: &str) {
        assert!(self.thinking, "nobody asked for a thought: {names}");
        self.thinking = false;
        let game = self.protocol.position().game();
        let squares = names.split_whitespace().map(|name| game.parse_square(name).unwrap());
        let thought = Thought { squares: squares.collect(), ..Thought::default() };
        let effects = self.protocol.thought(&thought, Duration::from_secs(1));
        self.carry_out(effects);
    }
}

/// The result of a script: the same lines, with what the engine says today.
fn run(name: ProtocolName, script: &str) -> String {
    let mut setup = Setup::default();
    for line in script.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [":", "game", game] => setup.game = Some(game.parse().unwrap()),
            [":", "keep-running"] => setup.keep_running = true,
            _ => {}
        }
    }
    let protocol = name.begin(&setup).unwrap();
    let mut conversation =
        Conversation { protocol, written: String::new(), thinking: false, over: false };
    for line in script.lines() {
        if line.starts_with('<') || line == "." {
            continue;
        }
        conversation.written += line;
        conversation.written.push('\n');
        if let Some(said) = line.strip_prefix('>') {
            conversation.line(said.strip_prefix(' ').unwrap_or(said));
        } else if let Some(names) = line.strip_prefix('*') {
            conversation.thought(names);
        } else {
            assert!(line.is_empty() || line.starts_with(['#', ':']), "not understood: {line}");
        }
    }
    let version = format!("version=\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(!conversation.thinking, "the engine still thinks");
    conversation.written.replace(&version, "version=\"VERSION\"")
}

#[test]
fn every_conversation_is_as_written() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/protocols");
    for name in ProtocolName::ALL {
        let folder = suite.join(name.name());
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 2, "{name} has too few conversations");
        for file in files {
            let script = fs::read_to_string(&file).unwrap();
            expect_test::expect_file![file].assert_eq(&run(name, &script));
        }
    }
}

#[test]
fn the_examples_of_the_manual_are_parts_of_the_conversations() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manual = fs::read_to_string(root.join("docs/protocols.md")).unwrap();
    let mut examples = 0;
    for section in manual.split("\n## ").skip(1) {
        let folder = root.join("suite/protocols").join(section.lines().next().unwrap());
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let texts: Vec<String> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
        for example in section.split("```text\n").skip(1) {
            let example = example.split("```").next().unwrap();
            // An example may leave lines out, but has the others in their order.
            let is_part = |text: &String| {
                let mut lines = text.lines();
                example.lines().all(|line| lines.any(|other| other == line))
            };
            assert!(texts.iter().any(is_part), "no conversation has these lines:\n{example}");
            examples += 1;
        }
    }
    assert!(examples >= ProtocolName::ALL.len());
}

#[test]
fn games_that_a_protocol_cannot_express_are_refused() {
    for (name, game, fits) in [
        (ProtocolName::C6, "inf,6,2,1", false),
        (ProtocolName::C6, "26,26,6,2,1", true),
        (ProtocolName::C6, "27,19,6,2,1", false),
        (ProtocolName::C6, "19,19,6,3,1", true),
        (ProtocolName::Ccgc, "19,19,6,3,1", false),
        (ProtocolName::Ccgc, "gomoku", true),
        (ProtocolName::Botzone, "19,19,6,2,3", false),
        (ProtocolName::Botzone, "connect6", true),
        (ProtocolName::Gtp, "26,19,6,2,1", false),
        (ProtocolName::Gtp, "25,25,6,9,1", true),
        (ProtocolName::Gomocup, "59,59,6,2,1", true),
        (ProtocolName::Gomocup, "inf,5,1,1", false),
    ] {
        let game: Game = game.parse().unwrap();
        let begun = name.begin(&Setup { game: Some(game), ..Setup::default() });
        assert_eq!(begun.is_ok(), fits, "{name} {game}");
    }
}

/// Pieces of lines, of all protocols.
const WORDS: [&str; 60] = [
    "START 15",
    "START 19",
    "START 6",
    "RECTSTART 7,9",
    "RESTART",
    "BEGIN",
    "TURN",
    "BOARD",
    "DONE",
    "TAKEBACK",
    "INFO rule 1",
    "INFO rule 0",
    "INFO rule 4",
    "INFO timeout_turn 100",
    "INFO timeout_match 9",
    "INFO time_left -5",
    "STOP",
    "ABOUT",
    "END",
    "new black",
    "new white",
    "move",
    "black",
    "white",
    "next",
    "depth 3",
    "print",
    "name",
    "name?",
    "error",
    "end",
    "quit",
    "play b",
    "play w",
    "genmove b",
    "genmove w",
    "reg_genmove b",
    "undo",
    "clear_board",
    "boardsize 9",
    "time_settings 10 5 2",
    "time_left b 3 1",
    "showboard",
    "final_score",
    "JJ",
    "JK",
    "II@@",
    "KIIK",
    "K10",
    "J9",
    "7,7",
    "8,8",
    "9,9,1",
    "6,6,2",
    "@@",
    "1",
    "2",
    "{\"requests\":[{\"x0\":-1,\"y0\":-1,\"x1\":-1,\"y1\":-1}],\"responses\":[]}",
    "{\"x0\":3,\"y0\":4,\"x1\":5,\"y1\":6}",
    "7 7 -1 -1",
];

/// What must hold after each effect of a line.
fn check(protocol: &dyn Protocol, before: &Position, effects: &[Effect], line: &str) {
    let after = protocol.position();
    let refused = effects.iter().any(|effect| match effect {
        Effect::Say(text) => protocol.is_error(text),
        _ => false,
    });
    assert!(!refused || after == before, "`{line}` is refused, but the board is another");
    let thinks = effects.iter().position(|effect| matches!(effect, Effect::Think(..)));
    assert!(thinks.is_none_or(|at| at + 1 == effects.len()), "{line}");
    if let Some(Effect::Think(position, limits)) = effects.last() {
        assert_eq!(&**position, after);
        assert!(after.winner().is_none() && !after.is_full());
        assert!(limits.soft.is_some() && limits.soft <= limits.hard, "{limits:?}");
    }
}

#[test]
fn random_lines_change_the_board_only_by_the_rules() {
    arbtest::arbtest(|u| {
        let name = *u.choose(&ProtocolName::ALL)?;
        let keep_running = u.arbitrary()?;
        let game = *u.choose(&[None, Some("connect6"), Some("gomoku"), Some("7,6,4,2,2")])?;
        let game = game.map(|text| text.parse().unwrap());
        let setup = Setup { keep_running, game, ..Setup::default() };
        let mut protocol = name.begin(&setup).unwrap();
        let settings = Settings { style: Style::Random, ..Settings::default() };
        let mut engine = Engine::new(settings);
        for _ in 0..u.int_in_range(0..=40)? {
            let mut line = String::new();
            for _ in 0..u.int_in_range(1..=3)? {
                line += u.choose(&WORDS)?;
                line += u.choose(&["", " ", " "])?;
            }
            if u.ratio(1, 8)? {
                line = u.arbitrary::<&str>()?.to_string();
            }
            let before = protocol.position().clone();
            let effects = protocol.line(&line);
            check(&*protocol, &before, &effects, &line);
            let Some(Effect::Think(position, _)) = effects.last() else { continue };
            let mut thought = engine.think(position, &Limits::default(), &Unwatched);
            if u.ratio(1, 10)? {
                thought.squares = vec![Square::new(u.int_in_range(-1..=9)?, 0)];
            }
            let before = protocol.position().clone();
            let effects = protocol.thought(&thought, Duration::from_millis(u.arbitrary()?));
            check(&*protocol, &before, &effects, "a thought");
            let mut entered = before.clone();
            if name != ProtocolName::Gtp && entered.play(&thought.squares).is_ok() {
                assert_eq!(protocol.position(), &entered);
            }
        }
        Ok(())
    });
}
