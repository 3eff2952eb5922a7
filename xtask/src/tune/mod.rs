//! `cargo xtask tune`: fits the weights of the evaluation on games of the engine against itself.
//!
//! The positions are those of the games in which nothing is forced; the weights are those under
//! which the results of the games are most likely (logistic regression). The section of the file is
//! written anew if the new weights win a match against the old ones.

mod accept;
mod fit;
mod games;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use sixproof_game::Game;
use sixproof_player::eval::Weights;

use crate::options;

const HELP: &str = "\
Fits the weights of the evaluation on games of the engine against itself.

Usage: cargo xtask tune [OPTIONS]

Options:
  --game GAME     the game [default: connect6]
  --games N       games to play [default: 2000]
  --nodes N       nodes of each move in them [default: 1500]
  --seed N        of the openings [default: 1]
  --epochs N      steps of the regression [default: 300]
  --pull X        how strongly weights are drawn to those in use [default: 20]
  --match N       pairs of games of the new weights against those in use [default: 200]
  --out FILE      the file of weights, changed in place
                  [default: crates/player/data/weights.txt]
  -h, --help      this text

The new weights are kept if they score more than half in the match, with a likelihood of superiority
of 95 %. The exit code is 1 if they do not.
";

/// The options.
struct Options {
    game: Game,
    games: u64,
    nodes: u64,
    seed: u64,
    epochs: u32,
    pull: f64,
    pairs: u64,
    out: String,
}

pub(crate) fn run(arguments: &[String]) -> ExitCode {
    options::run("tune", HELP, arguments, parse, tune)
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        game: "connect6".parse().expect("a named game"),
        games: 2_000,
        nodes: 1_500,
        seed: 1,
        epochs: 300,
        pull: 20.0,
        pairs: 200,
        out: String::from("crates/player/data/weights.txt"),
    };
    for setting in options::settings(arguments) {
        let setting = setting?;
        match setting.name {
            "--game" => options.game = setting.parse()?,
            "--games" => options.games = setting.parse()?,
            "--nodes" => options.nodes = setting.parse()?,
            "--seed" => options.seed = setting.parse()?,
            "--epochs" => options.epochs = setting.parse()?,
            "--pull" => options.pull = setting.parse()?,
            "--match" => options.pairs = setting.parse()?,
            "--out" => options.out = setting.value.to_string(),
            _ => return Err(setting.unknown()),
        }
    }
    Ok(options)
}

/// Whether the new weights were accepted.
fn tune(options: &Options) -> Result<bool, String> {
    let p = options.game.p();
    let path = Path::new(&options.out);
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut weights = Weights::rule_of_thumb(p);
    let section = Weights::section(p);
    weights.read(&text, &section).map_err(|error| format!("{}: {error}", path.display()))?;
    let quiet = games::play(options.game, options.games, options.nodes, options.seed);
    println!("{} positions of {} games", quiet.len(), options.games);
    let old = weights.clone();
    fit::fit(&mut weights, &quiet, options.epochs, options.pull);
    println!("\n{}", weights.write(p));
    if !accept::wins(options, &weights, &old) {
        println!("refused: {} stays as it is", path.display());
        return Ok(false);
    }
    println!("accepted: {}", path.display());
    fs::write(path, with_section(&text, &section, &weights.write(p)))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(true)
}

/// The text with one section replaced, or added at the end.
fn with_section(text: &str, section: &str, new: &str) -> String {
    let mut kept = String::new();
    let mut here = false;
    for line in text.lines() {
        if line.starts_with('[') {
            here = line.trim() == section;
        }
        if !here {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    format!("{}\n\n{new}", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::with_section;

    #[test]
    fn a_section_is_replaced_and_others_stay() {
        let text = "# head\n[a]\n1\n[b]\n2\n";
        assert_eq!(with_section(text, "[a]", "[a]\n3\n"), "# head\n[b]\n2\n\n[a]\n3\n");
        assert_eq!(with_section("# head\n", "[a]", "[a]\n3\n"), "# head\n\n[a]\n3\n");
    }
}
