//! `sixproof prove`: does a side win by force? The answer is a certificate, or an honest no.

use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use super::question::Question;
use crate::Answer;
use crate::cli;
use crate::source;

pub(crate) fn run(options: &cli::Prove, output: Output) -> Result<Answer> {
    let source = source::position(&options.position, output)?;
    let position = &source.loaded.position;
    let attacker = options.attacker.map_or(position.to_move(), cli::SideName::color);
    let question = Question {
        position,
        played: &source.loaded.played,
        attacker,
        attack: None,
        given: &options.position,
        rules: source.loaded.record.other_rules(),
        search: &options.search,
        picture: &options.picture,
    };
    question.answer(output)
}
