//! The farm: a search lends its jobs to workers on many machines, over NATS.
//!
//! What must be done when is decided by `sixproof_farm`, which knows neither sockets nor clocks;
//! here its effects are carried out. `connection` says where the server is and who we are to it,
//! `nats` how it is talked to. `manager/` is the side of the search, with `journal` (what must not
//! be forgotten), `judges` (what is believed), `auditor` (what is done again) and `bodies` (what is
//! too large for a message); `worker` is the other side, with `labour` (the threads)
//! and `fetch`. `status` is what people are shown of both, `unit` how systemd starts a worker.

mod auditor;
mod bodies;
pub mod connection;
mod fetch;
pub mod journal;
mod judges;
pub mod labour;
pub mod manager;
mod nats;
pub mod search;
pub mod status;
pub mod unit;
pub mod worker;

#[cfg(test)]
mod tests;
