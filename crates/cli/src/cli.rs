//! The command line as clap sees it: one place for every name, default and example. Help, shell
//! completions and the man page are made from it.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{Resettable, Styles};
use clap::{Arg, Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use sixproof_game::Color;
use sixproof_game::picture::Theme;
use sixproof_prover::prove::ZoneRule;
use sixproof_solve::defaults::{ORDER_MAX, ORDER_USUAL};
use sixproof_solve::export::Format;

use sixproof_solve::output;
use sixproof_solve::quantity;

mod atlas;
mod check;
mod contest;
mod engine;
mod farm;
mod lend;
mod machine;
mod measure;
mod play;
mod player;
mod serve;
mod store;
mod value;
mod without;
pub(crate) use atlas::*;
pub(crate) use check::*;
pub(crate) use contest::*;
pub(crate) use engine::*;
pub(crate) use farm::*;
pub(crate) use lend::*;
pub(crate) use machine::*;
pub(crate) use measure::*;
pub(crate) use play::*;
pub(crate) use player::*;
pub(crate) use serve::*;
pub(crate) use store::*;
pub(crate) use value::*;
pub(crate) use without::*;

const STYLES: Styles = Styles::styled()
    .header(output::STRONG)
    .usage(output::STRONG)
    .literal(output::HINT)
    .valid(output::GOOD)
    .invalid(output::BAD)
    .error(output::BAD);

const EXIT_CODES: &str = "\
Without a command: what to try first. `sixproof help COMMAND` explains a command.

Exit codes: 0 yes, 1 no (no win exists, a certificate was rejected), 2 could not decide (nothing was
found within the limits, Ctrl-C, wrong usage, unreadable input).";

/// Proves and plays Connect6 and the whole family Connect(m,n,k,p,q) of k-in-a-row games.
#[derive(Debug, Parser)]
#[command(name = "sixproof", version, styles = STYLES, after_help = EXIT_CODES, max_term_width = 100)]
#[command(disable_help_subcommand = true, infer_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Answer in JSON, one value on a line, for programs
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) json: bool,

    /// When to use colours
    #[arg(
        long,
        global = true,
        default_value = "auto",
        value_name = "WHEN",
        help_heading = "Output"
    )]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Box<Serve>),
    Show(Box<Show>),
    Threats(Threats),
    Play(Box<Play>),
    Engine(Engine),
    Match(Box<Match>),
    Prove(Box<Prove>),
    Verify(Box<Verify>),
    Value(Value),
    Check(Check),
    Store(Store),
    Worker(Box<Worker>),
    Farm(Box<Farm>),
    Convert(Convert),
    List(List),
    Bench(Bench),
    Survey(Survey),
    Atlas(Atlas),
    Completions(Completions),
    Man(Man),
}

/// How a position is given; the same for every command.
const POSITIONS: &str = "\
A POSITION is one of
  a name              connect6, tx-h9, connect623 … (`sixproof list` shows all)
  a game              15,15,5,1,1 or inf,6,2,1,exact: its empty board
  moves               \"J10 / I8 H9 / K11 L10\", or a Little Golem list \"1.j10 2.i9l10\"
  a file              SGF, certificate, CCGC, .psq, RenLib .lib, connectk, diagram, moves;
                      FILE@12 is after move 12, FILE@4.b.3 follows a variation,
                      FILE#3 is the third game of a collection, FILE#3@12 a position of it
  a diagram           pasted as text, rows from the top, X and O for the stones
  -                   any of these from standard input";

/// A position and how to read it.
#[derive(Args, Clone, Debug)]
pub(crate) struct PositionArgs {
    /// The position: a name, a game, moves, a file, a diagram, or `-`
    #[arg(default_value = "connect6", allow_hyphen_values = true)]
    pub(crate) position: String,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// What a file does not say about itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadingArgs {
    /// The game, where the input does not say it: a name, or m,n,k,p,q and perhaps ,exact
    #[arg(long, value_name = "GAME", help_heading = "Reading")]
    pub(crate) game: Option<String>,

    /// Read the rows of an SGF file from the bottom (some writers count them so)
    #[arg(long, help_heading = "Reading")]
    pub(crate) flip: bool,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  sixproof show tx-h9
  sixproof show \"J10 / I8 H9 / K11 L10\" --numbers
  sixproof show game.sgf@12 --threats both --out board.png
  sixproof show game.sgf --out game.gif
  sixproof show opening.cert --zone --theme light --out zone.svg";

/// Show a position on the terminal, or draw it as SVG, PNG or animated GIF
#[derive(Args, Debug)]
#[command(after_help = SHOW_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{SHOW_EXAMPLES}"))]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Write a picture instead: .svg, .png, .gif (the moves, one after the other) or .txt (a
    /// diagram that can be read back)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,

    /// Draw the zone that a certificate's proof depends on (checks the certificate first); without
    /// a file, of the certificate that is the position
    #[arg(short, long, value_name = "CERT", num_args = 0..=1, require_equals = true)]
    #[arg(help_heading = "What to draw")]
    pub(crate) zone: Option<Option<PathBuf>>,

    /// Milliseconds between two moves of a GIF
    #[arg(long, value_name = "MS", default_value_t = 800, help_heading = "How to draw")]
    pub(crate) frame_ms: u32,
}

/// What a picture of a position shows, and how; the same on the terminal and in files.
#[derive(Args, Clone, Debug)]
pub(crate) struct PictureArgs {
    /// Number the stones by their moves
    #[arg(short, long, help_heading = "What to draw")]
    pub(crate) numbers: bool,

    /// Draw the threats of a side
    #[arg(short, long, value_name = "SIDE", help_heading = "What to draw")]
    pub(crate) threats: Option<Sides>,

    /// Put a label on a square
    #[arg(short, long = "label", value_name = "SQUARE=TEXT", help_heading = "What to draw")]
    pub(crate) labels: Vec<String>,

    /// Mark a square: with a triangle, or as SQUARE=square, circle, cross
    #[arg(short, long = "mark", value_name = "SQUARE[=SHAPE]", help_heading = "What to draw")]
    pub(crate) marks: Vec<String>,

    /// Show only a part of the board, from corner to corner
    #[arg(long, value_name = "F5:O14", allow_hyphen_values = true, help_heading = "What to draw")]
    pub(crate) window: Option<String>,

    /// A line of text under the picture
    #[arg(long, value_name = "TEXT", help_heading = "What to draw")]
    pub(crate) caption: Option<String>,

    /// Leave the coordinates out
    #[arg(long, help_heading = "How to draw")]
    pub(crate) no_coordinates: bool,

    /// Colours of a picture in a file
    #[arg(long, default_value = "wood", help_heading = "How to draw")]
    pub(crate) theme: ThemeName,

    /// Width of a picture of pixels (PNG, GIF)
    #[arg(long, value_name = "PIXELS", help_heading = "How to draw")]
    pub(crate) width: Option<u32>,

    /// Plain ASCII on the terminal
    #[arg(long, help_heading = "How to draw")]
    pub(crate) ascii: bool,
}

const THREATS_EXAMPLES: &str = "\
Examples:
  sixproof threats game.sgf@12
  sixproof threats \"J10 / A1 S19 / K11 L12\" --side black
  sixproof threats game.sgf --out threats.svg

Live-l and dead-l are listed when one move makes them into threats.";

/// List threats, live and dead patterns, and the moves that defend
#[derive(Args, Debug)]
#[command(after_help = THREATS_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{THREATS_EXAMPLES}"))]
pub(crate) struct Threats {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Whose threats
    #[arg(short, long, default_value = "both")]
    pub(crate) side: Sides,

    /// Draw the board into a file instead of on the terminal: .svg or .png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Show only a part of the board, from corner to corner
    #[arg(long, value_name = "F5:O14", allow_hyphen_values = true, help_heading = "What to draw")]
    pub(crate) window: Option<String>,

    /// Colours of SVG and PNG
    #[arg(long, default_value = "wood", help_heading = "How to draw")]
    pub(crate) theme: ThemeName,

    /// Width of PNG in pixels
    #[arg(long, value_name = "PIXELS", help_heading = "How to draw")]
    pub(crate) width: Option<u32>,

    /// Plain ASCII on the terminal
    #[arg(long, help_heading = "How to draw")]
    pub(crate) ascii: bool,
}

/// One side or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sides {
    Black,
    White,
    Both,
}

impl Sides {
    /// The sides that are meant, Black first.
    pub(crate) fn colors(self) -> &'static [Color] {
        match self {
            Sides::Black => &[Color::Black],
            Sides::White => &[Color::White],
            Sides::Both => &[Color::Black, Color::White],
        }
    }
}

/// Colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeName {
    /// A wooden board
    Wood,
    /// Black on white, for print
    Light,
    /// For dark pages
    Dark,
}

impl ThemeName {
    pub(crate) fn theme(self) -> Theme {
        match self {
            ThemeName::Wood => Theme::Wood,
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        }
    }
}

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

    /// The side that is to win; else the side to move
    #[arg(short, long, value_name = "SIDE")]
    pub(crate) attacker: Option<SideName>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  sixproof verify \"J10 / A1 S19 / K11 L12 / A3 S17\" --move \"I9 K9\"
  sixproof verify game.sgf@12 --move k11l10 --nodes 20M
  sixproof verify tx-h9 --move \"K11 L10\" --hints ideas.sgf

The certificate is that of the position after the move.";

/// Verify a winning move: does the side to move win by force with it?
#[derive(Args, Debug)]
#[command(after_help = VERIFY_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{VERIFY_EXAMPLES}"))]
#[command(mut_arg("position", no_default))]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The move: all its stones, as in "K11 L10"
    #[arg(long = "move", value_name = "SQUARES", allow_hyphen_values = true)]
    pub(crate) squares: String,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,
}

/// The named position that `prove` takes without another one.
pub(crate) const EXAMPLE: &str = "example";

/// A verification is about a move, which belongs to one position.
fn no_default(position: Arg) -> Arg {
    position.default_value(Resettable::Reset).required(true)
}

/// `defaults::NODES_USUAL` as it is typed.
const NODES_USUAL_TEXT: &str = "100M";

/// What a search may use, and where its answer goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct SearchArgs {
    /// The certificate; named .zst, it is compressed. Else a new file named after the position
    #[arg(short, long, value_name = "FILE")]
    pub(crate) cert: Option<PathBuf>,

    /// Draw the board with the zone of the proof into a file instead of on the terminal: .svg or
    /// .png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Plot the course of the search into a file, .svg or .png: proof and disproof number of the
    /// root over nodes; also when nothing was found, or after Ctrl-C
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print only the verdict
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The highest order tried; lower ones are tried first
    #[arg(long, value_name = "N", default_value_t = ORDER_USUAL, help_heading = "Search")]
    #[arg(value_parser = quantity::up_to::<ORDER_MAX>)]
    pub(crate) order: u32,

    /// Nodes searched at most: 100k, 5M
    #[arg(long, value_name = "N", default_value = NODES_USUAL_TEXT, value_parser = quantity::count)]
    #[arg(help_heading = "Search")]
    pub(crate) nodes: u64,

    /// Time spent at most: 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = quantity::time, help_heading = "Search")]
    pub(crate) time: Option<Duration>,

    /// How the replies are found that need an answer of their own
    #[arg(long, value_name = "RULE", default_value = "segment", help_heading = "Search")]
    pub(crate) zones: ZonesName,

    #[command(flatten)]
    pub(crate) machine: MachineArgs,

    /// How the next job is chosen while others are under way, with several threads or workers
    #[arg(long, value_name = "POLICY", default_value = "doubled", help_heading = "Search")]
    pub(crate) policy: PolicyName,

    #[command(flatten)]
    pub(crate) without: WithoutArgs,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}

/// What a search draws on besides this machine: hints, the store, workers elsewhere.
#[derive(Args, Clone, Debug)]
pub(crate) struct ResourceArgs {
    /// Winning moves to try first: every move of Attacker in the tree of this file
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub(crate) hints: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) memory: MemoryArgs,

    #[command(flatten)]
    pub(crate) lend: LendArgs,
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideName {
    Black,
    White,
}

impl SideName {
    pub(crate) fn color(self) -> Color {
        match self {
            SideName::Black => Color::Black,
            SideName::White => Color::White,
        }
    }
}

/// The verifiers of the papers, and ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ZonesName {
    /// The method of 2005, with forced replies only
    Wu,
    /// Relevance zones (RZOP)
    Vc6,
    /// Small relevance zones (SRZOP): sequences in any order
    O1,
    /// Small relevance zones (SRZOP): counter-threats too
    O2,
    /// Segment zones, with mutual coverage and grouped macros
    Segment,
}

impl ZonesName {
    pub(crate) fn rule(self) -> ZoneRule {
        match self {
            ZonesName::Wu => ZoneRule::Wu,
            ZonesName::Vc6 => ZoneRule::Vc6,
            ZonesName::O1 => ZoneRule::O1,
            ZonesName::O2 => ZoneRule::O2,
            ZonesName::Segment => ZoneRule::Segment,
        }
    }
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  sixproof convert game.lib --game gomoku --out game.sgf
  sixproof convert \"1.j10 2.i9l10 3.j8l8\" --to inline
  sixproof convert game.sgf@12 --to diagram
  sixproof convert game.psq --game gomoku-exact --to sgf
  sixproof convert games.sgf#3 --out third.sgf
  sixproof convert games.sgf --each --out game.psq";

/// Convert games between file formats
#[derive(Args, Debug)]
#[command(after_help = CONVERT_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{CONVERT_EXAMPLES}"))]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The format to write; else by the name of --out, else sgf
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) to: Option<FormatName>,

    /// Where to write; standard output when not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write each game of a collection into a file of its own: game-1.psq, game-2.psq … for --out
    /// game.psq
    #[arg(long, requires = "out")]
    pub(crate) each: bool,

    /// Replace the file that is read, and with --each files that are there
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

/// The formats that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// SGF with the whole tree
    Sgf,
    /// The line to the node, as in "J10 / I8 H9"
    Inline,
    /// The line to the node, as in "1.j10 2.i9h9"
    LittleGolem,
    /// The line to the node, as a CCGC record
    Ccgc,
    /// The line to the node, as a Gomocup .psq file
    Psq,
    /// The line to the node, as a connectk move list
    Connectk,
    /// The position as a board diagram
    Diagram,
}

impl FormatName {
    pub(crate) fn format(self) -> Format {
        match self {
            FormatName::Sgf => Format::Sgf,
            FormatName::Inline => Format::Inline,
            FormatName::LittleGolem => Format::LittleGolem,
            FormatName::Ccgc => Format::Ccgc,
            FormatName::Psq => Format::Psq,
            FormatName::Connectk => Format::Connectk,
            FormatName::Diagram => Format::Diagram,
        }
    }
}

const LIST_EXAMPLES: &str = "\
Examples:
  sixproof list
  sixproof list --json
  sixproof list games.sgf";

/// List the games and positions that have a name, or the games of a file
#[derive(Args, Debug)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct List {
    /// The file whose games are listed
    pub(crate) file: Option<PathBuf>,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  sixproof completions bash > ~/.local/share/bash-completion/completions/sixproof
  sixproof completions fish > ~/.config/fish/completions/sixproof.fish";

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}

const MAN_EXAMPLES: &str = "\
Examples:
  sixproof man | man -l -
  sixproof man --dir ~/.local/share/man/man1";

/// Print the manual page, or write one for each command
#[derive(Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// Write sixproof.1 and a page for each command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
