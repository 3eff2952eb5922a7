//! The farm: a search leases its jobs to workers on many machines.
//!
//! The *manager* tracks the open jobs and the workers that do them; a *worker* takes jobs, does
//! them and sends answers. Both are state machines, `handle(now_ms, event) -> Vec<Effect>`, without
//! sockets, files or clocks, so that one seed can drive both of them, with the network, the server
//! and the disk, through everything that can go wrong (`tests/sim`).
//!
//! Invariants: the server between them carries work, never truth. The search receives an answer
//! only after its record is on the manager's own disk; a win counts only if the checker accepts the
//! certificate for exactly the claim of the job. An answer without a certificate counts as long as
//! the manager trusts its worker: the manager audits a share of these answers, and drops a worker
//! that was wrong or sent a bad certificate, together with its other answers. Any other
//! misbehaviour of a worker or of the server costs time, and nothing more.
//!
//! Start reading at `wire` (the messages), then `manager` (`job`: the life of a job, `roster`: the
//! workers) and `worker`; `journal` is the manager's memory, `clock` the time of both, `status` and
//! `view` the status for users. `docs/protocol.md` describes the protocol for authors of other
//! workers.

mod clock;
mod id;
pub mod journal;
pub mod manager;
mod status;
mod view;
pub mod wire;
pub mod worker;

pub use id::{BadId, JobId, ManagerId, QueueId, WorkerId, hex, unhex};
pub use manager::Manager;
pub use status::{Basis, DroppedRow, Status, Warning, WarningKind, WorkerRow};
pub use view::{FarmView, ManagerView, WarningView, WorkerState, WorkerView};
pub use worker::Worker;
