//! `sixproof serve`: the editor. A web server for one user, with the page, the documents, the jobs
//! and the proofs in it.
//!
//! `guard` decides who may ask, `api/` what can be asked, `wire/` how it is said. Behind them are
//! `library/` (documents), `proofs` (certificates) and `jobs/` (searches); `hub` and `live` tell
//! what happens, `assets` has the page itself.

mod api;
mod assets;
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
mod wire;

pub use start::{FarmLook, Options, PORT, run};

use std::sync::Arc;

use sixproof_store::Store;

use hub::Hub;
use jobs::Jobs;
use library::Library;
use proofs::Proofs;

/// The editor: everything that requests need.
struct Editor {
    store: Arc<Store>,
    /// Whether the store is there the next time.
    is_kept: bool,
    threads: usize,
    hub: Arc<Hub>,
    proofs: Arc<Proofs>,
    library: Arc<Library>,
    jobs: Jobs,
    /// Looks at the farm, if the editor was started with one.
    farm: Option<FarmLook>,
}
