//! The farm: a search lends its jobs to workers on many machines.
//!
//! The *manager* knows which jobs are open and who seems to work on them; a *worker* takes jobs,
//! does them and sends answers. Both are state machines, `handle(now_ms, event) -> Vec<Effect>`:
//! they reach no socket, no file and no clock, so that one seed can drive both of them, with the
//! network, the server and the disk, through everything that can go wrong (`tests/sim`).
//!
//! What must hold: the server between them carries work, never truth. An answer is given to the
//! search when its record is on the manager's own disk, and not before; a win is an answer only
//! if the checker accepts the certificate for exactly the claim of the job. An answer without a
//! certificate is used as long as its worker is: a share of them is done again, and a worker that
//! was wrong, or sent a bad certificate, is dropped, together with its other answers. All else that
//! others do, say or forget may cost time, and nothing more.
//!
//! Start reading at `wire` (the messages), then `manager` (`job`: the life of a job, `roster`: the
//! workers) and `worker`; `journal` is the manager's memory, `clock` how time passes for both,
//! `status` and `view` what people are shown.
//! `docs/protocol.md` is the same for those who write another worker.

mod clock;
mod id;
pub mod journal;
pub mod manager;
mod status;
mod view;
pub mod wire;
pub mod worker;

pub use id::{BadId, JobId, ManagerId, QueueId, WorkerId};
pub use manager::Manager;
pub use status::{Basis, DroppedRow, Status, Warning, WarningKind, WorkerRow};
pub use view::{FarmView, ManagerView, WarningView, WorkerState, WorkerView};
pub use worker::Worker;
