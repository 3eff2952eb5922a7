//! `sixproof list`: the games and positions that have a name, or the games of a file.

use std::path::Path;

use serde_json::json;
use sixproof_game::{Game, Summary, load, named};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{HINT, Output, STRONG};
use sixproof_solve::{files, typed};

use crate::Exit;
use crate::options;

pub(crate) fn run(options: &options::List, output: Output) -> Result<Exit> {
    if let Some(file) = &options.file {
        return games_of(file, output);
    }
    if output.json {
        let games: Vec<_> = Game::named()
            .map(|(name, game, what)| json!({ "name": name, "game": game.title(), "description": what }))
            .collect();
        let positions: Vec<_> =
            named::all().map(|p| json!({ "name": p.name, "description": p.about })).collect();
        output.say_json(&json!({ "games": games, "positions": positions }));
        return Ok(Exit::Yes);
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
    Ok(Exit::Yes)
}

/// Lists the games of a file, each with its number.
fn games_of(file: &Path, output: Output) -> Result<Exit> {
    let (name, bytes) = (files::name(file), files::read(file)?);
    let games = typed::games(&name, &bytes, &load::Options::default())?;
    for number in 1..=games.count() {
        let summary = games.summary(number - 1).map_err(|e| Failure::input(&name, &bytes, e))?;
        let Summary { title, game, black, white, result, moves } = summary;
        let game = game.map(Game::title);
        if output.json {
            output.say_json(&json!({
                "number": number, "title": title, "game": game, "black": black, "white": white,
                "result": result, "moves": moves,
            }));
            continue;
        }
        let players =
            [black, white].map(|name| if name.is_empty() { "?".to_string() } else { name });
        let facts = [title, players.join(" - "), result, game.unwrap_or_default()];
        let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        let plural = if moves == 1 { "move" } else { "moves" };
        output.say(format!("{HINT}#{number:<4}{HINT:#} {}, {moves} {plural}", facts.join(", ")));
    }
    Ok(Exit::Yes)
}
