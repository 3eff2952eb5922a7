//! The farm: a search lends its jobs to workers on many machines, over NATS.
//!
//! What must be done when is decided by `sixproof_farm`, which knows neither sockets nor clocks;
//! here its effects are carried out. `connection` says where the server is and who we are to it,
//! `nats` how it is talked to. `manager/` is the side of the search, with `journal` (what must not
//! be forgotten), `judges` (what is believed) and `bodies` (what is too large for a message);
//! `worker` is the other side, with `labour` (the threads) and `fetch`. `status` is what people are
//! shown of both, `unit` how systemd is told of a worker.

pub(crate) mod bodies;
pub(crate) mod connection;
pub(crate) mod fetch;
pub(crate) mod journal;
pub(crate) mod judges;
pub(crate) mod labour;
pub(crate) mod manager;
pub(crate) mod nats;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod unit;
pub(crate) mod worker;

#[cfg(test)]
mod tests;
