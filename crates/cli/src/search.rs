//! A question that is answered in front of a user: from the rules or the store, or else by a search
//! on this machine or on a farm, whose progress the user sees and may stop.

use std::ops::ControlFlow;

use sixproof_game::{Color, Game, Square};
use sixproof_prover::prove::RemotePool;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::hints::{self, Hint};
use sixproof_solve::output::Output;
use sixproof_solve::question::{Answer, Event, Question, Unanswered};
use sixproof_solve::store;

use crate::input;
use crate::options::{PriorityName, ResourceArgs};
use crate::remote::{FarmDisplay, FarmSearch};
use crate::watcher::Watcher;

/// Answers a question. `unsolved` shows a reply that the verification of a move leaves open.
pub(crate) fn answer(
    question: &Question<'_>,
    resources: &ResourceArgs,
    watcher: &mut Watcher,
    unsolved: &mut dyn FnMut(&[Square], &mut Watcher),
    output: Output,
) -> Result<std::result::Result<Answer, Unanswered>> {
    match question.known() {
        Ok(None) => {}
        Ok(Some(answer)) => return Ok(Ok(answer)),
        Err(unanswered) => return Ok(Err(unanswered)),
    }
    let farm = open_farm(question, resources, output)?;
    let mut pool = farm.as_ref().map(FarmSearch::pool);
    let remote = pool.as_mut().map(|pool| &mut **pool as &mut dyn RemotePool);
    let mut shown = FarmDisplay::new(farm.as_ref(), output);
    let answer = question.search(remote, &mut |event| match event {
        Event::Progress(progress) => {
            shown.show(watcher);
            watcher.see(progress)
        }
        Event::Unsolved(squares) => {
            watcher.wipe();
            unsolved(&squares, watcher);
            ControlFlow::Continue(())
        }
    });
    shown.show(watcher);
    watcher.set_rests_on(farm.as_ref().and_then(FarmSearch::basis));
    watcher.wipe();
    drop(pool);
    if let Some(farm) = farm {
        let is_proved = answer.as_ref().is_ok_and(|answer| answer.proof().is_some());
        farm.end(is_proved);
    }
    Ok(answer)
}

/// The farm that does the jobs, if one is asked for.
fn open_farm(
    question: &Question<'_>,
    resources: &ResourceArgs,
    output: Output,
) -> Result<Option<FarmSearch>> {
    let ResourceArgs { remote, store, .. } = resources;
    let game = question.claim.position.game().title();
    let subject = question.subject();
    let (title, usual) = match question.attack {
        Some(_) => {
            let side = question.claim.attacker;
            (format!("does {side} win after {subject}? {game}"), PriorityName::User)
        }
        None => (format!("does {subject} win? {game}"), PriorityName::Auto),
    };
    let path = store::path(store.store.as_deref()).ok().filter(|_| !store.no_store);
    let farm = FarmSearch::open(question.claim, title, remote, (path, usual))?;
    if let Some(farm) = &farm {
        farm.say_start(output);
    }
    Ok(farm)
}

/// The moves that the file of `--hints` suggests for a side.
pub(crate) fn hints(
    resources: &ResourceArgs,
    flip: bool,
    (game, attacker): (Game, Color),
) -> Result<Vec<Hint>> {
    let Some(path) = &resources.hints else { return Ok(Vec::new()) };
    let name = path.display();
    let mut hints = Vec::new();
    for record in input::records(path, flip, game)? {
        if record.game != game {
            let (one, other) = (record.game.title(), game.title());
            let message = format!("{name}: hints for {one}, but the game is {other}");
            return Err(Failure::new(message));
        }
        let found = hints::of_record(&record, attacker)
            .map_err(|illegal| Failure::new(format!("{name}: {illegal}")))?;
        hints.extend(found);
    }
    if hints.is_empty() {
        let side = attacker.title();
        return Err(Failure::new(format!("{name}: no move of {side} in it"))
            .help("hints are moves of the side that is to win"));
    }
    Ok(hints)
}
