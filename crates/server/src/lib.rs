//! `sixproof serve`: the editor. A web server for one user, with the page, the documents, the jobs
//! and the proofs in it.
//!
//! `connections/` takes requests in, and bounds what clients may take of the machine. `guard`
//! decides who may ask, `api/` what can be asked, `wire/` how it is said. Behind them are
//! `library/` (documents), `proofs` (certificates) and `jobs/` (searches); `hub` and `live` tell
//! what happens, `viewers` knows who listens, `assets` has the page itself.

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
use live::Listeners;
use proofs::Proofs;
use viewers::Viewers;

/// The editor: everything that requests need.
struct Editor {
    store: Arc<Store>,
    /// Whether the store is there the next time.
    is_kept: bool,
    threads: usize,
    limits: Limits,
    hub: Arc<Hub>,
    listeners: Arc<Listeners>,
    proofs: Arc<Proofs>,
    library: Arc<Library>,
    jobs: Jobs,
    viewers: Arc<Viewers>,
    /// Looks at the farm, if the editor was started with one.
    farm: Option<FarmLook>,
}
