//! The farm: a search leases its jobs to workers on many machines, over NATS.
//!
//! `sixproof_farm` decides what happens, without sockets or clocks; this crate executes its
//! effects. `connection` holds the address of the server and the credentials, `nats` the requests
//! to it. `manager/` is the side of the search, with `journal` (its memory on disk), `judges` (they
//! check results), `auditor` (it does jobs again) and `bodies` (jobs and certificates that are too
//! large for a message). `worker` is the other side, with `jobs` (the threads that do them) and
//! `fetch`. `status` collects what `sixproof farm status` and the editor show, `unit` writes the
//! systemd unit of a worker.

mod auditor;
mod bodies;
pub mod connection;
mod fetch;
pub mod jobs;
pub mod journal;
mod judges;
pub mod manager;
mod nats;
pub mod search;
pub mod status;
pub mod unit;
pub mod worker;

#[cfg(test)]
mod tests;
