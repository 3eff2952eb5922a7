//! `sixproof serve`: the editor. A web server for one user, with the page, the documents, the jobs
//! and the proofs in it.
//!
//! `connections/` reads requests, and bounds what clients may take of the machine. `guard` admits
//! or refuses a request, `api/` answers it, `wire/` has the types of requests and answers. Behind
//! them are `library/` (documents), `proofs` (certificates) and `jobs/` (searches). `hub` numbers
//! the messages about changes, `live` sends them, `viewers` counts the connections that watch an
//! analysis, and `assets` has the files of the page.

mod api;
mod assets;
mod connections;
mod extract;
mod guard;
mod hub;
mod jobs;
mod library;
mod live;
mod pictures;
mod problem;
mod proofs;
mod reading;
mod start;
mod viewers;
mod wire;

pub use start::{FarmLook, Options, PORT, run};

use std::sync::Arc;

use sixproof_store::Store;

use connections::Limits;
use hub::Hub;
use jobs::Jobs;
use library::Library;
use live::LiveConnections;
use proofs::Proofs;
use viewers::Viewers;

/// The editor: everything that requests need.
struct Editor {
    store: Arc<Store>,
    /// Whether the store outlives the server; a temporary one does not.
    is_kept: bool,
    threads: usize,
    limits: Limits,
    hub: Arc<Hub>,
    listeners: Arc<LiveConnections>,
    proofs: Arc<Proofs>,
    library: Arc<Library>,
    jobs: Jobs,
    viewers: Arc<Viewers>,
    /// Returns the state of the farm, if the editor was started with one.
    farm: Option<FarmLook>,
}
