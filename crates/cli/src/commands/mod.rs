//! The commands, one file each: what a command does between the parsed command line and the answer.

pub(crate) mod atlas;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod convert;
mod demo;
mod effort;
#[cfg(feature = "farm")]
mod empty;
pub(crate) mod engine;
#[cfg(feature = "farm")]
pub(crate) mod farm;
#[cfg(feature = "farm")]
pub(crate) mod lend;
#[cfg(not(feature = "farm"))]
#[path = "lend_absent.rs"]
pub(crate) mod lend;
pub(crate) mod list;
pub(crate) mod manual;
pub(crate) mod match_;
pub(crate) mod play;
pub(crate) mod prove;
mod scale;
#[cfg(feature = "server")]
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod store;
pub(crate) mod survey;
pub(crate) mod threats;
pub(crate) mod tree;
pub(crate) mod value;
pub(crate) mod verify;
#[cfg(feature = "farm")]
pub(crate) mod worker;
pub(crate) mod zones;

#[cfg(not(all(feature = "farm", feature = "server")))]
use sixproof_solve::failure::Failure;

/// What was asked for is not part of this program.
#[cfg(not(all(feature = "farm", feature = "server")))]
pub(crate) fn absent(feature: &str) -> Failure {
    Failure::new(format!("this program was built without `{feature}`"))
        .help(format!("build it with `cargo build --release --features {feature}`"))
}
