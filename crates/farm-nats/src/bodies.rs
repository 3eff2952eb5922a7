//! The manager's side of large bodies: a small HTTP server for jobs and certificates that do not
//! fit into a message.
//!
//! `GET /bodies/HASH` and `PUT /certificates/HASH`, both with `Authorization: Bearer TOKEN`, where
//! the token is that of an assignment of an open job. One certificate uses a token up. The server
//! writes an upload to a file, hashes it on the way, and keeps it only if it has the hash in its
//! name; the judge decides whether it proves anything.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body as Stream;
use axum::extract::{Path as Named, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, put};
use futures_util::StreamExt as _;
use sixproof_farm::manager::Permit;
use sixproof_farm::wire::{Body, REMOTE_BYTES_MAX};
use sixproof_farm::{hex, unhex};
use sixproof_solve::failure::{Failure, Result};
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::oneshot;

use super::fetch::hash;

/// Age after which a certificate is deleted: its job is long forgotten.
const AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long to wait for the next bytes of an upload.
const CHUNK_TIMEOUT: Duration = Duration::from_secs(60);

/// A question of the server to the manager.
#[derive(Debug)]
pub(crate) enum Question {
    /// The permit of a token. With `uses`, this uses the token up.
    Permit { token: [u8; 32], uses: bool, answer: oneshot::Sender<Permit> },
    /// The certificate did not arrive: the token is open again.
    Release { token: [u8; 32] },
}

/// Sends a question to the manager.
pub(crate) type Ask = Arc<dyn Fn(Question) + Send + Sync>;

/// Large bodies: jobs in memory, certificates in files.
pub(crate) struct Bodies {
    folder: PathBuf,
    jobs: Mutex<Jobs>,
}

/// Bodies of open jobs by their hash, and how many jobs have each.
type Jobs = BTreeMap<[u8; 32], (Arc<Vec<u8>>, usize)>;

impl Bodies {
    /// Bodies in a folder, which the first certificate creates.
    pub(crate) fn new(folder: PathBuf) -> Bodies {
        let bodies = Bodies { folder, jobs: Mutex::new(BTreeMap::new()) };
        bodies.delete_old();
        bodies
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the body of a job.
    pub(crate) fn keep_job(&self, bytes: Vec<u8>) -> Body {
        let body = Body::Remote { hash: hash(&bytes), len: bytes.len() as u64 };
        let Body::Remote { hash, .. } = &body else { return body };
        self.jobs().entry(*hash).or_insert_with(|| (Arc::new(bytes), 0)).1 += 1;
        body
    }

    /// The body of a job.
    pub(crate) fn job(&self, hash: &[u8; 32]) -> Option<Arc<Vec<u8>>> {
        self.jobs().get(hash).map(|(bytes, _)| Arc::clone(bytes))
    }

    /// Drops the body of a job.
    pub(crate) fn drop_job(&self, hash: &[u8; 32]) {
        let mut jobs = self.jobs();
        if let Some((_, count)) = jobs.get_mut(hash) {
            *count -= 1;
            if *count == 0 {
                jobs.remove(hash);
            }
        }
    }

    fn path(&self, hash: &[u8; 32]) -> PathBuf {
        self.folder.join(hex(hash))
    }

    /// Reads an uploaded certificate.
    pub(crate) fn certificate(&self, name: &[u8; 32], len: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(self.path(name))?;
        file.take(REMOTE_BYTES_MAX.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != len || hash(&bytes) != *name {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is damaged"));
        }
        Ok(bytes)
    }

    /// Deletes a certificate after its judgement.
    pub(crate) fn drop_certificate(&self, hash: &[u8; 32]) {
        // `delete_old` deletes one that stays.
        let _gone = fs::remove_file(self.path(hash));
    }

    /// Deletes certificates that searches left long ago.
    fn delete_old(&self) {
        let Ok(files) = fs::read_dir(&self.folder) else { return };
        for file in files.flatten() {
            let age = file.metadata().and_then(|meta| meta.modified()).ok();
            let age = age.and_then(|at| SystemTime::now().duration_since(at).ok());
            if age.is_some_and(|age| age > AGE_MAX) {
                let _gone = fs::remove_file(file.path());
            }
        }
    }
}

/// A running server. It ends when this is dropped.
pub(crate) struct Server {
    /// The address that it listens on.
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

#[derive(Clone)]
struct Shared {
    bodies: Arc<Bodies>,
    ask: Ask,
}

/// Starts the server in its own thread: a slow disk must not delay the manager. If `listen` allows
/// any port, the server takes the port in the file, if that is free: after a restart of the manager
/// the workers still have the address of their assignments.
pub(crate) fn serve(
    listen: SocketAddr,
    port_file: &Path,
    bodies: Arc<Bodies>,
    ask: Ask,
) -> Result<Server> {
    let failed = |error: &io::Error| {
        Failure::io(listen, error)
            .help("--listen takes an address of this machine, and a free port")
    };
    let before = fs::read_to_string(port_file).ok().and_then(|text| text.trim().parse().ok());
    let same = before
        .filter(|_| listen.port() == 0)
        .and_then(|port| std::net::TcpListener::bind(SocketAddr::new(listen.ip(), port)).ok());
    let listener = match same {
        Some(listener) => listener,
        None => std::net::TcpListener::bind(listen).map_err(|error| failed(&error))?,
    };
    listener.set_nonblocking(true).map_err(|error| failed(&error))?;
    let address = listener.local_addr().map_err(|error| failed(&error))?;
    // Without the file, workers lose their large certificates at a restart.
    let _kept = fs::write(port_file, address.port().to_string());
    let runtime = runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| failed(&error))?;
    let (stop, stopped) = oneshot::channel::<()>();
    let router = Router::new()
        .route("/bodies/{hash}", get(body))
        .route("/certificates/{hash}", put(certificate))
        .layer(axum::extract::DefaultBodyLimit::disable())
        .with_state(Shared { bodies, ask });
    let thread = thread::Builder::new()
        .name("bodies".to_string())
        .spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                // Workers repeat transfers that end with the manager.
                tokio::select! {
                    _ = stopped => {}
                    _ = async { axum::serve(listener, router).await } => {}
                }
            });
        })
        .map_err(|error| failed(&error))?;
    Ok(Server { address, stop: Some(stop), thread: Some(thread) })
}

/// The token of a request.
fn token(headers: &HeaderMap) -> Option<[u8; 32]> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    unhex(value.strip_prefix("Bearer ")?)
}

/// Asks the manager for the permit of a token.
async fn permit(shared: &Shared, token: [u8; 32], uses: bool) -> Permit {
    let (answer, answered) = oneshot::channel();
    (shared.ask)(Question::Permit { token, uses, answer });
    answered.await.unwrap_or(Permit::Unknown)
}

async fn body(
    State(shared): State<Shared>,
    Named(name): Named<String>,
    headers: HeaderMap,
) -> std::result::Result<Vec<u8>, StatusCode> {
    let token = token(&headers).ok_or(StatusCode::UNAUTHORIZED)?;
    if permit(&shared, token, false).await == Permit::Unknown {
        return Err(StatusCode::FORBIDDEN);
    }
    let found = unhex(&name).and_then(|hash| shared.bodies.jobs().get(&hash).cloned());
    found.map(|(bytes, _)| bytes.to_vec()).ok_or(StatusCode::NOT_FOUND)
}

async fn certificate(
    State(shared): State<Shared>,
    Named(name): Named<String>,
    headers: HeaderMap,
    stream: Stream,
) -> StatusCode {
    let Some(token) = token(&headers) else { return StatusCode::UNAUTHORIZED };
    let Some(name) = unhex(&name) else { return StatusCode::NOT_FOUND };
    match permit(&shared, token, true).await {
        Permit::Unknown => return StatusCode::FORBIDDEN,
        // The worker may have missed the answer to its first upload.
        Permit::Used if shared.bodies.path(&name).exists() => return StatusCode::NO_CONTENT,
        Permit::Used => return StatusCode::FORBIDDEN,
        Permit::Open => {}
    }
    // If this ends without a certificate, in any way, the token is open again.
    let mut release = Release { shared: &shared, token: Some(token) };
    let status = receive(&shared.bodies, &name, stream).await;
    if status == StatusCode::NO_CONTENT {
        release.token = None;
    }
    status
}

struct Release<'a> {
    shared: &'a Shared,
    token: Option<[u8; 32]>,
}

impl Drop for Release<'_> {
    fn drop(&mut self) {
        if let Some(token) = self.token {
            (self.shared.ask)(Question::Release { token });
        }
    }
}

/// Writes an upload to a file, and keeps it if it has the hash of its name.
async fn receive(bodies: &Bodies, name: &[u8; 32], stream: Stream) -> StatusCode {
    let mut drawn = [0; 8];
    if getrandom::fill(&mut drawn).is_err() || fs::create_dir_all(&bodies.folder).is_err() {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let part = bodies.folder.join(format!("{}.{}.part", hex(name), hex(&drawn)));
    let status = write(&part, name, stream).await;
    if status == StatusCode::NO_CONTENT && fs::rename(&part, bodies.path(name)).is_err() {
        let _gone = fs::remove_file(&part);
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    if status != StatusCode::NO_CONTENT {
        let _gone = fs::remove_file(&part);
    }
    status
}

async fn write(part: &Path, name: &[u8; 32], stream: Stream) -> StatusCode {
    let Ok(mut file) = File::create(part) else { return StatusCode::INTERNAL_SERVER_ERROR };
    let mut hasher = blake3::Hasher::new();
    let mut len: u64 = 0;
    let mut chunks = stream.into_data_stream();
    loop {
        let chunk = match tokio::time::timeout(CHUNK_TIMEOUT, chunks.next()).await {
            Ok(None) => break,
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(_))) => return StatusCode::BAD_REQUEST,
            Err(_) => return StatusCode::REQUEST_TIMEOUT,
        };
        len = len.saturating_add(chunk.len() as u64);
        if len > REMOTE_BYTES_MAX {
            return StatusCode::PAYLOAD_TOO_LARGE;
        }
        hasher.update(&chunk);
        if file.write_all(&chunk).is_err() {
            return StatusCode::INSUFFICIENT_STORAGE;
        }
    }
    if hasher.finalize().as_bytes() != name {
        return StatusCode::UNPROCESSABLE_ENTITY;
    }
    match file.sync_all() {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::INSUFFICIENT_STORAGE,
    }
}
