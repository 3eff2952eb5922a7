//! The options of `sixproof prove`.

use clap::Args;

use super::{POSITIONS, PictureArgs, PositionArgs, SearchArgs, SideName};

const PROVE_EXAMPLES: &str = "\
Examples:
  sixproof prove
  sixproof prove \"J10 / A1 S19 / K11 L12 / A3 S17\"
  sixproof prove xx-l8
  sixproof prove tx-h9 --threads 1 --svg course.svg
  sixproof prove tx-h9 --json | jq 'select(.event == \"progress\") | .proof'
  sixproof prove connect623 --attacker white --order 1
  sixproof prove game.sgf@12 --cert win.cert.zst --nodes 5M --time 10m
  sixproof prove game.sgf@12 --out zone.svg --theme light
  sixproof prove tx-h9 --farm nats://127.0.0.1:4222

Without a position, `prove` takes an opening of Connect6 as its example, and needs a few seconds;
openings such as xx-l8 and tx-h9 take a minute or so. A win counts only once the checker has
verified its certificate, which is then written to a file. Ctrl-C ends the search and reports how
far it came; the same command goes on from there, if it uses a store. With --farm, all machines on
which `sixproof worker` runs do the work (docs/protocol.md).";

/// Prove that a side wins by force, with a certificate that anyone can check
#[derive(Args, Debug)]
#[command(after_help = PROVE_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{PROVE_EXAMPLES}"))]
#[command(mut_arg("position", |position| position.default_value(EXAMPLE)))]
pub(crate) struct Prove {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The side that is to win [default: the side to move]
    #[arg(short, long, value_name = "SIDE")]
    pub(crate) attacker: Option<SideName>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,
}

/// The named position that `prove` takes without another one.
pub(crate) const EXAMPLE: &str = "example";
