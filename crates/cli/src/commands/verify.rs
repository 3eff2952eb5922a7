//! `sixproof verify`: is this move of the side to move a winning one? (The papers' NCTU6-Verifier.)

use sixproof_certificate::Claim;
use sixproof_game::moves;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{GOOD, Output};

use super::prove::request::Request;
use crate::Exit;
use crate::input;
use crate::options;

pub(crate) fn run(options: &options::Verify, output: Output) -> Result<Exit> {
    let source = input::position(&options.position, output)?;
    let before = &source.loaded.position;
    let attacker = before.to_move();
    if let Some(winner) = before.winner() {
        return Err(Failure::new(format!("the game is over: {} has won", winner.title()))
            .help("take a position before the last move, as in FILE@12"));
    }
    let (squares, position) = moves::read_move(before, &options.squares)
        .map_err(|error| Failure::input("--move", options.squares.as_bytes(), error))?;
    let number = source.loaded.played.iter().map(|&(_, number)| number).max().unwrap_or(0) + 1;
    let mut played = source.loaded.played.clone();
    played.extend(squares.iter().map(|&square| (square, number)));
    let earlier = [vec![before.clone()], source.earlier()].concat();
    let request = Request {
        claim: &Claim::new(&position, attacker),
        played: &played,
        attack: Some(&squares),
        earlier: &earlier,
        given: &options.position,
        rules: source.loaded.record.other_rules(),
        search: &options.search,
        picture: &options.picture,
    };
    if position.winner() == Some(attacker) {
        // The rules say so: there is nothing to search, and nothing to write down.
        request.say_start(output);
        if output.json {
            let mut value = request.json("won");
            value["message"] = "the move completes a line".into();
            output.say_json(&value);
        } else {
            let side = attacker.title();
            let subject = request.subject();
            output
                .say(format!("{GOOD}{subject} wins{GOOD:#}: it completes a line, {side} has won"));
        }
        return Ok(Exit::Yes);
    }
    request.answer(output)
}
