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
//! # Drive a manager
//!
//! ```
//! use sixproof_farm::manager::{Effect, Event, Job, Settings};
//! use sixproof_farm::wire::{Body, Priority};
//! use sixproof_farm::{JobId, Manager, ManagerId};
//!
//! let id = ManagerId::of(b"a search");
//! let settings = Settings::new(id, [7; 32], "signature", "0.1.0");
//! // The records are those of its journal; here it is new.
//! let mut manager = Manager::new(settings, []);
//! // Execute the effects of each event in their order: send, publish, write, judge.
//! manager.handle(0, Event::Connected);
//! let key = b"solve 1".to_vec();
//! let (priority, body) = (Priority::User, Body::Inline(b"the position".to_vec()));
//! let job = Job { id: JobId::of(id, &key), key, priority, body, limit_ms: 60_000 };
//! let effects = manager.handle(10, Event::Submit(job));
//! assert!(matches!(effects[..], [Effect::Publish { .. }]));
//! ```
//!
//! # Drive a worker
//!
//! ```
//! use sixproof_farm::worker::{Effect, Event, Settings};
//! use sixproof_farm::wire::ToWorker;
//! use sixproof_farm::{ManagerId, Worker, WorkerId};
//!
//! let settings = Settings::new(WorkerId([1; 16]), "host", "0.1.0", "signature", 4);
//! let mut worker = Worker::new(settings);
//! worker.handle(0, Event::Connected);
//! // A manager announces itself, and the worker asks it for jobs.
//! let (signature, version) = ("signature".to_string(), "0.1.0".to_string());
//! let manager = ManagerId::of(b"a search");
//! let here = ToWorker::Here { manager, signature, version, lease_ms: 45_000, epoch: 0 };
//! let effects = worker.handle(10, Event::Manager(here));
//! assert!(effects.iter().any(|effect| matches!(effect, Effect::SendTo { .. })));
//! ```
//!
//! # Read and write messages
//!
//! Every message has a version, a kind, and limits on everything that has a length.
//!
//! ```
//! use sixproof_farm::wire::ToWorker;
//! use sixproof_farm::{JobId, ManagerId};
//!
//! let manager = ManagerId::of(b"a search");
//! let cancel = ToWorker::Cancel { manager, job: JobId::of(manager, b"solve 1") };
//! let bytes = cancel.to_bytes();
//! assert_eq!(ToWorker::from_bytes(&bytes), Ok(cancel));
//! assert!(ToWorker::from_bytes(&bytes[1..]).is_err());
//! ```
//!
//! # Features
//!
//! - `schema` (off by default): [`FarmView`] and its parts describe themselves for OpenAPI. Cost:
//!   the package utoipa with its macros.
//!
//! Start reading at `wire` (the messages), then `manager` (`job`: the life of a job, `roster`: the
//! workers) and `worker`; `journal` is the manager's memory, `clock` the time of both, `status` and
//! `view` the status for users. `docs/protocol.md` describes the protocol for authors of other
//! workers.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

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
