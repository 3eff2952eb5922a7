//! A certificate from the first word to the verdict: write it, read it, and have it checked.
//!
//! ```sh
//! cargo run -p sixproof-certificate --example write_and_check
//! ```

use std::error::Error;
use std::io::{self, Write};

use sixproof_certificate::{Claim, Reader, Step, Writer, certify};
use sixproof_game::{Color, Game, Position, Square};

/// Writes what happens at each step.
pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Connect(7,8,4,2,1): four in a row win, two stones a move. Black has C4 and D4, so that row 4
    // holds a threat already; White is to move. The claim is that Black wins.
    let game: Game = "7,8,4,2,1".parse()?;
    let squares = |names: &str| -> Result<Vec<Square>, _> {
        names.split(' ').map(|name| game.parse_square(name)).collect()
    };
    let position = Position::set_up(game, &squares("C4 D4")?, &[], Color::White, 2)?;
    let claim = Claim::new(&position, Color::Black);

    // A proof is a stream of steps in prefix order. White has one reply to answer, a macro: even if
    // White had all four squares of the row at once, Black plays C5 C6, and no two stones block
    // what these threaten (docs/certificate.md).
    let mut writer = Writer::new(Vec::new(), &claim)?;
    writer.step(&Step::Defence { relies_on: None, replies: 1 })?;
    writer.step(&Step::Reply { squares: squares("A4 B4 E4 F4")?, slack: None })?;
    writer.step(&Step::Attack { squares: squares("C5 C6")? })?;
    writer.step(&Step::Defence { relies_on: None, replies: 0 })?;
    let certificate = writer.finish()?;
    out.write_all(&certificate)?;

    // The reader gives the steps back, each with its depth, one at a time: a certificate of any
    // length needs little memory.
    let mut reader = Reader::new(&certificate[..])?;
    while let Some((depth, step)) = reader.next_step()? {
        let names = match &step {
            Step::Win { squares } | Step::Attack { squares } | Step::Reply { squares, .. } => {
                game.square_names(squares)
            }
            other => format!("{other:?}"),
        };
        writeln!(out, "depth {depth}: {names}")?;
    }

    // `certify` is the only way to a `Certified`: the independent checker reads the bytes, and its
    // reading of the claim must be the claim in question.
    let certified = certify(&claim, &certificate)?;
    writeln!(out, "checked {} nodes", certified.counts().nodes)?;

    // A proof of something else does not count, and neither does a bad proof.
    let other = claim.of_the_other_side();
    writeln!(out, "refused: {}", certify(&other, &certificate).unwrap_err())?;
    let text = String::from_utf8(certificate)?.replace("C5 C6", "A1 A2");
    writeln!(out, "refused: {}", certify(&claim, text.as_bytes()).unwrap_err())?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
