//! `sixproof prove`: does a side win by force? The answer is a certificate, or an honest no.
//! `verify` asks the same about one move.

mod proved;
pub(super) mod request;
mod unproved;
mod wording;

use sixproof_certificate::Claim;
use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use crate::Exit;
use crate::input;
use crate::options;
use request::Request;

pub(crate) fn run(options: &options::Prove, output: Output) -> Result<Exit> {
    let source = input::position(&options.position, output)?;
    let position = &source.loaded.position;
    let attacker = options.attacker.map_or(position.to_move(), options::SideName::color);
    let request = Request {
        claim: &Claim::new(position, attacker),
        played: &source.loaded.played,
        attack: None,
        earlier: &source.earlier(),
        given: &options.position,
        rules: source.loaded.record.other_rules(),
        search: &options.search,
        picture: &options.picture,
    };
    request.answer(output)
}
