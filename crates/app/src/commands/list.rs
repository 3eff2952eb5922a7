//! `sixproof list`: the games and positions that have a name.

use serde_json::json;
use sixproof_game::{Game, named};
use sixproof_solve::failure::Result;
use sixproof_solve::output::{HINT, Output, STRONG};

use crate::Answer;

pub(crate) fn run(output: Output) -> Result<Answer> {
    if output.json {
        let games: Vec<_> = Game::named()
            .map(|(name, game, what)| json!({ "name": name, "game": game.title(), "description": what }))
            .collect();
        let positions: Vec<_> =
            named::all().map(|p| json!({ "name": p.name, "description": p.about })).collect();
        output.say_json(&json!({ "games": games, "positions": positions }));
        return Ok(Answer::Yes);
    }
    output.say(format!("{STRONG}Games{STRONG:#}"));
    for (name, game, what) in Game::named() {
        output.say(format!("  {HINT}{name:14}{HINT:#} {what}, {}", game.title()));
    }
    output.say(format!(
        "  {HINT}{:14}{HINT:#} any other game; boards up to 59 x 59\n  {HINT}{:14}{HINT:#} the same on the unbounded board",
        "m,n,k,p,q", "inf,k,p,q"
    ));
    output.say(format!("\n{STRONG}Positions{STRONG:#}"));
    for position in named::all().filter(|p| Game::named().all(|(name, ..)| name != p.name)) {
        output.say(format!("  {HINT}{:14}{HINT:#} {}", position.name, position.about));
    }
    output.say(format!("\nTry: {HINT}sixproof show tx-h9{HINT:#}"));
    Ok(Answer::Yes)
}
