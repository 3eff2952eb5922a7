//! A proof is a strategy: it has an answer to everything that Defender can play. Walk through one.
//!
//! ```sh
//! cargo run -p sixproof-certificate --example walk -- A1 C4    # Defender's moves
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use sixproof_certificate::strategy::{Continuation, NodeKind, ROOT, Strategy};
use sixproof_certificate::{Certified, certify_file};
use sixproof_game::picture::{Picture, TerminalStyle};

/// Three in a row on a board of 5 x 5: Black has the centre, and wins.
const CERTIFICATE: &[u8] = b"sixproof-certificate 1
    game 5 5 3 1 1 attacker black black C3 white to-move white 1
    D 4
     R A C2 D 0
     R C2 A B3 D 0
     R C1 A B3 D! 0 2 R C4 ~1 @ W A3 R A3 W D3
     R C4 A B3 D! 0 2 R C1 ~1 = 0 R A3 W D3";

/// Plays the proof against these moves of Defender, one square each.
pub(crate) fn run(moves: &[&str], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Check first: of a certificate that the checker refuses, no walk can be believed.
    let certified: Certified = certify_file(|| Ok(CERTIFICATE), &mut ())?;
    let mut position = certified.claim().position.clone();
    let game = position.game();

    // The proof in memory, as a graph of nodes. `node` is where the walk is, and `extra` are the
    // stones of Defender that the proof need not know about: they are outside of its zone.
    let strategy = Strategy::read(CERTIFICATE)?;
    let mut zones = |node| strategy.zone(node).map(Arc::new);
    let (mut node, mut extra) = (ROOT, Vec::new());

    for name in moves {
        let square = game.parse_square(name)?;
        position.place(square)?;
        let attack = match strategy.answer(node, &extra, &[square], &mut zones)? {
            // No reply is needed, or one answers: the proof goes on at another node.
            Continuation::Stands(onward) | Continuation::Answered(onward) => {
                (node, extra) = (onward.node, onward.extra);
                let attack = strategy.attack(node).to_vec();
                if strategy.kind(node) == NodeKind::Attack {
                    node = strategy.defence(node).expect("a defence follows an attack");
                }
                attack
            }
            // The move leaves a threat open.
            Continuation::TooLate { completes, .. } => completes,
            other => return Err(format!("no answer in a checked proof: {other:?}").into()),
        };
        writeln!(out, "White {name}, Black {}", game.square_names(&attack))?;
        for square in attack {
            position.place(square)?;
        }
        if position.winner().is_some() {
            break;
        }
    }
    write!(out, "{}", Picture::new(&position).terminal(TerminalStyle::default()))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let moves: Vec<&str> = typed.iter().map(String::as_str).collect();
    run(if moves.is_empty() { &["A1", "C4"] } else { &moves }, &mut io::stdout())
}
