//! The law of the engine protocols: after any line of the controller the board has changed by the
//! rules, and a line that is refused changes nothing.

use std::time::Duration;

use sixproof_game::{Position, Square};
use sixproof_player::Thought;
use sixproof_player::protocol::{Effect, Interruption, Protocol, ProtocolName, Setup};

/// Pieces of lines.
pub const WORDS: &[&str] = &[
    "\n> ",
    "START 15",
    "RECTSTART 7,9",
    "BEGIN",
    "TURN 7,7",
    "TURN 7,7 8,8",
    "BOARD\n",
    "7,7,1\n",
    "DONE\n",
    "TAKEBACK 7,7",
    "INFO rule 1",
    "INFO time_left -1",
    "new black",
    "new white",
    "move JJ",
    "move IIKI",
    "II@@",
    "next",
    "play b K10",
    "genmove w",
    "undo",
    "boardsize 9",
    "time_settings 10 5 2",
    "{\"requests\":[",
    "{\"x0\":7,\"y0\":7,\"x1\":-1,\"y1\":-1}",
    "],\"responses\":[]}",
    "2\n7 7 -1 -1\n",
];

/// The most lines that are looked at.
const LINES_MAX: usize = 60;

/// The law, for all protocols.
pub fn law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    // A conversation of the suite is the controller's part in it; other bytes are lines.
    let said = |line: &str| !line.starts_with(['<', '*', ':', '#']);
    let lines = || text.split('\n').filter(|line| said(line)).take(LINES_MAX);
    for name in ProtocolName::ALL {
        let setup = Setup { keep_running: bytes.len() % 2 == 1, ..Setup::default() };
        let mut protocol = name.begin(&setup).expect("the usual game");
        let mut thinks = false;
        for line in lines() {
            let line = line.strip_prefix("> ").unwrap_or(line);
            let interruption = protocol.interruption(line);
            if thinks && interruption == Interruption::Nothing {
                let before = protocol.position().clone();
                assert!(!say(&mut *protocol, line).thinks, "`{line}` asks for a second move");
                assert_eq!(protocol.position(), &before, "`{line}` changes the board meanwhile");
                continue;
            }
            if thinks && interruption == Interruption::Hurry && think(&mut *protocol) {
                break;
            }
            let said = say(&mut *protocol, line);
            thinks = said.thinks;
            if said.is_over {
                break;
            }
        }
    }
}

/// The result of a line.
struct Said {
    thinks: bool,
    is_over: bool,
}

fn say(protocol: &mut dyn Protocol, line: &str) -> Said {
    let before = protocol.position().clone();
    let effects = protocol.line(line);
    assert_unchanged_by_errors(protocol, &before, &effects);
    let mut said = Said { thinks: false, is_over: false };
    for effect in effects {
        assert!(!said.thinks && !said.is_over, "`{line}`: nothing follows");
        match effect {
            Effect::Think(position, limits) => {
                assert_eq!(*position, *protocol.position());
                assert!(limits.soft.is_some() && limits.soft <= limits.hard, "{limits:?}");
                said.thinks = true;
            }
            Effect::Say(text) => assert!(!text.contains('\r'), "{text:?}"),
            Effect::Quit => said.is_over = true,
            Effect::NewGame | Effect::Memory(_) => {}
        }
    }
    said
}

/// The first empty squares are the engine's move; whether the conversation is over with it.
fn think(protocol: &mut dyn Protocol) -> bool {
    let before = protocol.position().clone();
    let empty = before.game().squares().filter(|&square| before.at(square).is_none());
    let squares: Vec<Square> = empty.take(before.left() as usize).collect();
    assert!(!squares.is_empty() && before.winner().is_none(), "the game is over");
    let thought = Thought { squares, ..Thought::default() };
    let effects = protocol.thought(&thought, Duration::from_millis(7));
    assert_unchanged_by_errors(protocol, &before, &effects);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Think(..))));
    let answered = effects.iter().any(|effect| match effect {
        Effect::Say(text) => !protocol.is_error(text),
        _ => false,
    });
    assert!(answered, "a legal move is written");
    for (square, color) in before.stones() {
        assert_eq!(protocol.position().at(square), Some(color), "no stone goes away");
    }
    effects.contains(&Effect::Quit)
}

fn assert_unchanged_by_errors(protocol: &dyn Protocol, before: &Position, effects: &[Effect]) {
    let is_error = |effect: &Effect| match effect {
        Effect::Say(text) => protocol.is_error(text),
        _ => false,
    };
    if effects.iter().any(is_error) {
        assert_eq!(protocol.position(), before, "refused, but entered");
    }
}
