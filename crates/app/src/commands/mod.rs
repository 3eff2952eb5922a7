//! The commands, one file each: what a command does between the parsed command line and the answer.

pub(crate) mod atlas;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod contest;
pub(crate) mod convert;
mod effort;
mod empty;
pub(crate) mod engine;
pub(crate) mod farm;
mod lend;
pub(crate) mod list;
pub(crate) mod manual;
pub(crate) mod play;
mod proof;
pub(crate) mod prove;
mod question;
mod scale;
mod search;
pub(crate) mod show;
pub(crate) mod store;
pub(crate) mod survey;
pub(crate) mod threats;
pub(crate) mod tree;
pub(crate) mod value;
pub(crate) mod verify;
pub(crate) mod worker;
pub(crate) mod zones;
