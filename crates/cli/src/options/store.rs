//! The options of `sixproof store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{ReadingArgs, SideName};

const STORE_EXAMPLES: &str = "\
Examples:
  sixproof store stats
  sixproof store export tx-h9 --to proofs
  sixproof store import proofs/*.cert.zst
  sixproof store verify
  sixproof store merge other.redb

The store is one file: --store FILE, else $SIXPROOF_STORE, else sixproof/store.redb in the user's
data folder. `prove` and `verify` look there first, and keep there what they find. A position is
found again when it is turned, reflected or, on an unbounded board, moved.";

/// Manage the store of proofs: count, export, import, verify, merge
#[derive(Args, Debug)]
#[command(after_help = STORE_EXAMPLES)]
pub(crate) struct Store {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,

    /// The store [default: $SIXPROOF_STORE, or sixproof/store.redb in the user's data folder]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    Stats(StoreStats),
    Export(StoreExport),
    Import(StoreImport),
    Verify(StoreVerify),
    Merge(StoreMerge),
}

/// Count what the store holds, by game and number of stones
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  sixproof store stats\n  sixproof store stats --list --json")]
pub(crate) struct StoreStats {
    /// List every proof, too, with the name that `store export` takes
    #[arg(long)]
    pub(crate) list: bool,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  sixproof store export --to proofs
  sixproof store export tx-h9 game.sgf@12 --to proofs
  sixproof store export connect6-3-stones-black-0123456789ab --to proofs

Each certificate is checked before it is written. No file is overwritten. Exit code 1 when a
position has no proof, or a proof is rejected.";

/// Write certificates to files: of all proofs, or of some
#[derive(Args, Debug)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(crate) struct StoreExport {
    /// Positions, or names of proofs from `store stats --list`; else all proofs
    #[arg(value_name = "POSITION")]
    pub(crate) positions: Vec<String>,

    /// The folder for the files; it is created if necessary
    #[arg(long, value_name = "DIR")]
    pub(crate) to: PathBuf,

    /// The side that wins; else either
    #[arg(short, long, value_name = "SIDE", requires = "positions")]
    pub(crate) attacker: Option<SideName>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  sixproof store import win.cert
  sixproof store import proofs/*.cert.zst

Each certificate is checked, and kept if the checker verifies it, unless a proof as short is there.
Exit code 1 when one is rejected, 2 when one cannot be read.";

/// Check certificates and keep them
#[derive(Args, Debug)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(crate) struct StoreImport {
    /// Certificates, plain or compressed with zstd; `-` reads standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

const STORE_VERIFY_EXAMPLES: &str = "\
Examples:
  sixproof store verify
  sixproof store verify --remove

The file is read whole, every proof is checked, and every other record is decoded. Exit code 1 when
something is bad. Ctrl-C ends it, and the counts so far are printed.";

/// Check every proof in the store, and the file itself
#[derive(Args, Debug)]
#[command(after_help = STORE_VERIFY_EXAMPLES)]
pub(crate) struct StoreVerify {
    /// Drop what is bad
    #[arg(long)]
    pub(crate) remove: bool,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  sixproof store merge other.redb
  sixproof store merge a.redb b.redb --trust

Every proof is checked first. Refutations (no win up to some order) cannot be checked: they are
taken with --trust only. The other stores are not changed. Exit code 1 when something is bad.";

/// Add what other stores hold
#[derive(Args, Debug)]
#[command(after_help = MERGE_EXAMPLES)]
pub(crate) struct StoreMerge {
    /// The other stores
    #[arg(required = true, value_name = "OTHER")]
    pub(crate) others: Vec<PathBuf>,

    /// Take everything as it is, unchecked
    #[arg(long)]
    pub(crate) trust: bool,
}
