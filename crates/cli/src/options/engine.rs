//! The options of `sixproof engine`.

use std::time::Duration;

use clap::{Arg, Args, ValueEnum};
use sixproof_player::Control;
use sixproof_player::protocol::ProtocolName;

use super::{EngineArgs, LimitArgs};

const ENGINE_EXAMPLES: &str = "\
Examples:
  sixproof engine --protocol gomocup
  sixproof engine --protocol gomocup --game connect6 --threads 2 --ponder
  sixproof engine --protocol c6 --game-time 30m --increment 5s
  sixproof engine --protocol gtp --level 3 --time 0.5s
  printf 'new black\\n' | sixproof engine --protocol c6 --style greedy

The program reads commands from standard input, one on a line, and answers on standard output. A
command that comes while it thinks makes it move at once, or drop that move, as the protocol has it.
The end of the input ends the program. docs/protocols.md describes the protocols, with examples, and
how to add sixproof to programs such as Piskvork and GoGui.";

/// Play in another program: Gomocup, c6, CCGC, Botzone or GTP on standard input and output
#[derive(Args, Debug)]
#[command(after_help = ENGINE_EXAMPLES, mut_arg("time", time_help))]
pub(crate) struct Engine {
    /// The protocol
    #[arg(short, long)]
    pub(crate) protocol: ProtocolArg,

    /// The game: a name, or m,n,k,p,q and perhaps ,exact. Else Connect6 (15 x 15 in botzone), and
    /// in gomocup Go-Moku on the board that is asked for
    #[arg(short, long, value_name = "GAME")]
    pub(crate) game: Option<String>,

    #[command(flatten)]
    pub(crate) player: EngineArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Think on while the other side thinks
    #[arg(long)]
    pub(crate) ponder: bool,

    /// botzone: ask the judge to keep the program running
    #[arg(long)]
    pub(crate) keep_running: bool,
}

/// The time of a move, unless another is given.
const TIME_USUAL: Duration = Duration::from_secs(5);

fn time_help(time: Arg) -> Arg {
    time.help("Time for a move, unless the protocol sets one: 0.3s, 500ms, 1m [default: 5s]")
}

impl Engine {
    /// The time control where the protocol sets none.
    pub(crate) fn control(&self) -> Control {
        self.limits.control(TIME_USUAL).unwrap_or(Control::Move(TIME_USUAL))
    }
}

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolArg {
    /// Gomocup's brains and the manager Piskvork
    Gomocup,
    /// Cloudict and most public engines for Connect6
    C6,
    /// The platform of the Chinese Computer Games Contest
    Ccgc,
    /// Botzone's ConnectSix
    Botzone,
    /// GoGui, and the tools around it
    Gtp,
}

impl ProtocolArg {
    pub(crate) fn name(self) -> ProtocolName {
        match self {
            ProtocolArg::Gomocup => ProtocolName::Gomocup,
            ProtocolArg::C6 => ProtocolName::C6,
            ProtocolArg::Ccgc => ProtocolName::Ccgc,
            ProtocolArg::Botzone => ProtocolName::Botzone,
            ProtocolArg::Gtp => ProtocolName::Gtp,
        }
    }
}
