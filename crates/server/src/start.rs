//! How the editor starts and stops: the store, the address, the token, the browser, Ctrl-C.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use axum::{Router, middleware};
use serde_json::json;
use sixproof_farm::FarmView;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files::{self, FilePart};
use sixproof_solve::output::{HINT, Output, STRONG};
use sixproof_solve::store::{self, Choice, Memory};
use sixproof_store::{Bucket, Store};
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::Semaphore;

use super::connections::{self, Limits, requests};
use super::guard::{self, Guard, bracketed};
use super::hub::Hub;
use super::jobs::documents::JobBucket;
use super::jobs::{self, JobEvent, Jobs};
use super::library::{self, Library};
use super::live::LiveConnections;
use super::proofs::Proofs;
use super::{Editor, api, assets, viewers};

/// The threads that answer requests; long work runs in other threads.
const SERVER_THREADS: usize = 2;
/// The number of random bytes in a token.
const TOKEN_BYTES: usize = 16;
/// The fewest characters of a token.
const TOKEN_CHARS_MIN: usize = 12;
/// The environment variable with the token, read where no file is given.
const TOKEN_VARIABLE: &str = "SIXPROOF_TOKEN";
/// The number of files that the server keeps for itself: the store, the terminal, sockets of
/// clients that it refuses.
const FILES_BESIDE: usize = 128;
/// The owner of the server's own records in the bucket of documents.
const SERVER: &[u8] = b"server";
/// The owner of the jobs in their bucket.
const JOBS: &[u8] = b"jobs";

/// The port that the server tries first.
pub const PORT: u16 = 6266;

/// Returns the present state of the farm.
pub type FarmLook = Box<dyn Fn() -> Pin<Box<dyn Future<Output = FarmView> + Send>> + Send + Sync>;

/// The options of the editor.
pub struct Options {
    /// Files to open: games in any format that is read, certificates; `FILE#3` is the third game
    /// of a collection.
    pub files: Vec<PathBuf>,
    /// The game of files that name none, or that have unknown rules.
    pub game: Option<String>,
    /// The port; `None` for [`PORT`], or a free one if that is in use.
    pub port: Option<u16>,
    /// The address to listen on.
    pub host: IpAddr,
    /// Further host names of the server.
    pub names: Vec<String>,
    /// A file with the token that every request must have.
    pub token_file: Option<PathBuf>,
    /// Whether the page opens in the browser.
    pub opens_browser: bool,
    /// The store of documents, jobs and proofs.
    pub store: Choice,
    /// The threads of one search.
    pub threads: usize,
    /// The farm that the page shows.
    pub farm: Option<FarmLook>,
}

/// Serves the editor until Ctrl-C.
pub fn run(options: Options, output: Output) -> Result<()> {
    let token = token(&options)?;
    let (store, is_temporary) = open_store(&options.store)?;
    let path = store.path().to_path_buf();
    let served = serve(options, token, store, is_temporary, output);
    if is_temporary {
        // A temporary file that stays behind does no harm.
        let _removed = std::fs::remove_file(path);
    }
    served
}

fn serve(
    mut options: Options,
    token: Option<String>,
    store: Store,
    is_temporary: bool,
    output: Output,
) -> Result<()> {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(SERVER_THREADS)
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| Failure::new(format!("the server cannot start: {error}")))?;
    let listener = runtime.block_on(listen(&options, output))?;
    let address = listener.local_addr().map_err(|error| Failure::io("the server", &error))?;
    let limits = Limits { sockets: sockets_max(), ..Limits::default() };
    let editor = Arc::new(editor(&mut options, limits, store, !is_temporary, output)?);
    let mut page = page_address(address, token.as_deref());
    for (index, file) in options.files.iter().enumerate() {
        let document = open_file(&editor, file, options.game.clone(), output)?;
        if index == 0 {
            page += &format!("#d={document}");
        }
    }
    let guard = Guard::new(address, &options.names, token, limits.wrong_token, output);
    announce(&editor, &options, &page, output);
    let requests = Arc::new(Semaphore::new(limits.requests));
    let router = router(Arc::clone(&editor), guard, requests);
    let sockets = Arc::new(Semaphore::new(limits.sockets));
    runtime.spawn(viewers::end_unwatched(Arc::clone(&editor)));
    let hub = Arc::clone(&editor.hub);
    runtime.block_on(async move {
        let stop = async move {
            stop_signal().await;
            // Live connections would keep the server waiting.
            hub.close();
        };
        connections::serve(listener, router, limits, sockets, stop).await;
    });
    // Jobs that are running are queued again, and go on when the server starts the next time.
    editor.jobs.shutdown();
    editor.store.flush().map_err(|error| store::failure(&error))?;
    if !output.json {
        output.note(if is_temporary {
            "stopped"
        } else {
            "stopped; all documents and jobs are stored"
        });
    }
    Ok(())
}

/// The routes of the server, behind the guard and the limit on requests.
pub(crate) fn router(editor: Arc<Editor>, guard: Guard, requests: Arc<Semaphore>) -> Router {
    let router = Router::new().nest("/api", api::router(editor)).fallback(assets::file);
    requests::limited(router, requests)
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::guard))
}

/// The editor on a store.
pub(crate) fn editor(
    options: &mut Options,
    limits: Limits,
    store: Store,
    is_kept: bool,
    output: Output,
) -> Result<Editor> {
    let store = Arc::new(store);
    let hub = Arc::new(Hub::new(random_text()?));
    let proofs = Arc::new(Proofs::new(Arc::clone(&store)));
    let memory = Arc::new(Memory::on(Some(Arc::clone(&store)), output));
    let library =
        Arc::new(Library::new(Arc::clone(&store), memory, Arc::clone(&proofs), Arc::clone(&hub)));
    let threads = options.threads;
    let events = Arc::clone(&hub);
    let jobs = Jobs::new(jobs::Resources {
        documents: Arc::clone(&library) as _,
        store: Some(Arc::clone(&store)),
        bucket: Arc::new(StoredJobs(Arc::clone(&store))),
        publish: Arc::new(move |event| match event {
            JobEvent::Job(job) => events.publish(json!({ "event": "job", "job": *job })),
            JobEvent::Removed(jobs) => {
                events.publish(json!({ "event": "jobs-removed", "jobs": jobs }))
            }
        }),
        threads,
        clock: Arc::new(library::now_ms),
    })?;
    let farm = options.farm.take();
    let listeners = Arc::new(LiveConnections::default());
    let viewers = Arc::default();
    Ok(Editor {
        store,
        is_kept,
        threads,
        limits,
        hub,
        listeners,
        viewers,
        proofs,
        library,
        jobs,
        farm,
    })
}

/// The bucket of jobs in the store.
struct StoredJobs(Arc<Store>);

impl JobBucket for StoredJobs {
    fn put(&self, id: u64, bytes: &[u8]) -> std::result::Result<(), String> {
        let bucket = self.0.bucket(Bucket::Jobs);
        bucket.put_now(JOBS, &id.to_be_bytes(), bytes).map_err(|error| error.to_string())
    }

    fn remove(&self, id: u64) -> std::result::Result<(), String> {
        let bucket = self.0.bucket(Bucket::Jobs);
        bucket.remove(JOBS, &id.to_be_bytes()).map(|_| ()).map_err(|error| error.to_string())
    }

    fn all(&self) -> std::result::Result<Vec<(u64, Vec<u8>)>, String> {
        let rows = self.0.bucket(Bucket::Jobs).iter(JOBS).map_err(|error| error.to_string())?;
        let mut all = Vec::new();
        for row in rows {
            let (key, kept) = row.map_err(|error| error.to_string())?;
            // A damaged record is left out: the user can order the job again.
            if let (Ok(id), Some(bytes)) = (<[u8; 8]>::try_from(&key[..]), kept.whole()) {
                all.push((u64::from_be_bytes(id), bytes));
            }
        }
        Ok(all)
    }
}

/// The store; without one, a temporary file.
fn open_store(choice: &Choice) -> Result<(Store, bool)> {
    let path = match choice {
        Choice::None => None,
        Choice::Usual => Store::default_path(),
        Choice::File(path) => Some(path.clone()),
    };
    let is_temporary = path.is_none();
    let temporary = || -> PathBuf {
        std::env::temp_dir().join(format!("sixproof-serve-{}.redb", std::process::id()))
    };
    let path = path.unwrap_or_else(temporary);
    let open = || {
        let store = Store::open(&path)?;
        // One editor would not see the edits of another. Searches may use the store meanwhile.
        if !is_temporary {
            store.edit_documents()?;
        }
        // The first write makes the file, and shows at once whether it can be written.
        let version = store::version();
        store.bucket(Bucket::Documents).put_now(SERVER, b"version", version.as_bytes())?;
        Ok(store)
    };
    let store = open().map_err(|error: sixproof_store::Error| store::failure(&error))?;
    Ok((store, is_temporary))
}

/// The sockets that the server may have at a time: the usual number, or fewer where the system
/// allows fewer open files, so that the editor can still open the files that it needs.
fn sockets_max() -> usize {
    let wanted = Limits::default().sockets;
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let files = (wanted + FILES_BESIDE) as u64;
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        if current.is_some_and(|current| current < files) {
            let current = Some(maximum.map_or(files, |maximum| maximum.min(files)));
            // The limit that holds, raised or not, is read below.
            let _raised = setrlimit(Resource::Nofile, Rlimit { current, maximum });
        }
        if let Some(files) = getrlimit(Resource::Nofile).current {
            let sockets = usize::try_from(files).unwrap_or(usize::MAX);
            return wanted.min(sockets.saturating_sub(FILES_BESIDE).max(1));
        }
    }
    wanted
}

/// Listens on the given port; without one on the usual port, or on a free one if that is in use.
async fn listen(options: &Options, output: Output) -> Result<TcpListener> {
    let port = options.port.unwrap_or(PORT);
    let failed = |error: std::io::Error| {
        let failure = Failure::io(SocketAddr::new(options.host, port), &error);
        match error.kind() {
            std::io::ErrorKind::AddrInUse => failure.help("choose another port with --port"),
            std::io::ErrorKind::AddrNotAvailable => {
                failure.help("--host takes an address of this machine, such as 0.0.0.0 for all")
            }
            _ => failure,
        }
    };
    match TcpListener::bind((options.host, port)).await {
        Ok(listener) => Ok(listener),
        Err(error) if options.port.is_none() && error.kind() == std::io::ErrorKind::AddrInUse => {
            if !output.json {
                output.note(format!("port {port} is in use; another one is taken"));
            }
            TcpListener::bind((options.host, 0)).await.map_err(failed)
        }
        Err(error) => Err(failed(error)),
    }
}

/// The given token; a random one if none is given and other machines can connect.
fn token(options: &Options) -> Result<Option<String>> {
    let given = match &options.token_file {
        Some(path) => {
            let bytes = files::read(path)?;
            Some(String::from_utf8_lossy(&bytes).trim().to_string())
        }
        None => std::env::var(TOKEN_VARIABLE).ok(),
    };
    match given {
        Some(token) => {
            let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
            if token.len() < TOKEN_CHARS_MIN || !token.bytes().all(is_plain) {
                return Err(Failure::new(
                    "the token is too short, or has signs other than letters, digits and - _ . ~",
                )
                .help(format!("use at least {TOKEN_CHARS_MIN} of these")));
            }
            Ok(Some(token))
        }
        None if options.host.is_loopback() => Ok(None),
        None => random_text().map(Some),
    }
}

/// Random text that cannot be guessed.
fn random_text() -> Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::new(format!("there is no randomness: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The address of the page.
fn page_address(address: SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
        ip => ip,
    };
    let token = token.map(|token| format!("?token={token}")).unwrap_or_default();
    format!("http://{}:{}/{token}", bracketed(host), address.port())
}

fn open_file(
    editor: &Editor,
    file: &std::path::Path,
    game: Option<String>,
    output: Output,
) -> Result<String> {
    let part = file.to_str().and_then(FilePart::find).filter(|found| found.part.node.is_none());
    let (file, typed) = part.map_or((file, None), |found| (found.path, found.part.number));
    // Text that is not a number is refused like a number that is too large.
    let number = typed.map(|typed| typed.parse().unwrap_or(0));
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let query = super::wire::OpenQuery { name: Some(name), game, number, anyway: None };
    let opened = editor.library.open_file(&files::read(file)?, &query).map_err(|problem| {
        let place = problem.place.map(|place| format!("\n{place}")).unwrap_or_default();
        let failure = Failure::new(format!("{}: {}{place}", file.display(), problem.title));
        match problem.help {
            Some(help) => failure.help(help),
            None => failure,
        }
    })?;
    if opened.games > 1 && number.is_none() {
        let (name, games) = (file.display(), opened.games);
        output.warn(format!("game 1 of {games}: `{name}#2` opens the second one"));
    }
    for note in &opened.notes {
        output.warn(note);
    }
    Ok(opened.document.summary.id)
}

fn announce(editor: &Editor, options: &Options, page: &str, output: Output) {
    let store = editor.store.path().display();
    if output.json {
        let store = editor.is_kept.then(|| store.to_string());
        output.say_json(&json!({ "event": "listening", "url": page, "store": store }));
    } else {
        output.say(format!("{STRONG}The editor is at {page}{STRONG:#}"));
        match editor.is_kept {
            true => output.say(format!("store       {store}")),
            false => {
                output.say("store       temporary: all documents are lost when the server stops")
            }
        }
        output.say(format!("to stop     {HINT}Ctrl-C{HINT:#}"));
    }
    if let Some(warning) = warning(options.host) {
        output.warn(warning);
    }
    if options.opens_browser && !output.json && std::io::IsTerminal::is_terminal(&std::io::stdout())
    {
        // Without a browser, the user has the printed address.
        let _opened = opener::open_browser(page);
    }
}

/// The warning for a server that other machines can reach.
fn warning(host: IpAddr) -> Option<&'static str> {
    (!host.is_loopback()).then_some(
        "others can connect, and the connection is plain HTTP: every machine on the way can read \
         the token; use a network that you trust, or a proxy with HTTPS in front",
    )
}

/// Waits for Ctrl-C, or for the system's signal to terminate.
async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut term) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = term.recv() => {}
            }
            return;
        }
    }
    let _received = tokio::signal::ctrl_c().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_for_others_warns_that_its_connections_are_plain() {
        for (host, is_warned) in
            [("127.0.0.1", false), ("::1", false), ("0.0.0.0", true), ("10.0.0.7", true)]
        {
            let warning = warning(host.parse().unwrap());
            assert_eq!(
                warning.is_some_and(|text| text.contains("plain HTTP")),
                is_warned,
                "{host}"
            );
        }
    }
}
