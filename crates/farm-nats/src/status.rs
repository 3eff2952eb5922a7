//! What people are shown of a farm: every manager is asked how it goes, and what they answer within
//! a moment is put together. The same for `sixproof farm status` and for the editor.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt as _;
use sixproof_farm::wire::{StatusQuestion, WireError};
use sixproof_farm::{
    FarmView, ManagerId, ManagerView, Status, Warning, WarningKind, WarningView, WorkerId,
    WorkerState, WorkerView,
};
use sixproof_solve::failure::Failure;
use tokio::sync::mpsc;
use tokio::time::timeout_at;

use super::connection::Connection;
use super::nats;

/// The header of a manager's answer that has the name of its search.
pub(crate) const TITLE_HEADER: &str = "Sixproof-Title";
/// The first answer comes within so long; the others, after it, within so long.
const FIRST_WITHIN: Duration = Duration::from_millis(1_000);
const OTHERS_WITHIN: Duration = Duration::from_millis(200);
/// Managers that are shown.
const MANAGERS_MAX: usize = 256;
/// Rates are measured over at least so long.
const RATE_SECONDS_MIN: f64 = 0.2;
/// The manager counts over a minute.
const MINUTE_SECONDS: f64 = 60.0;

/// The warning about a server without any protection.
const OPEN_SERVER: &str = "the NATS server lets anybody do everything: give workers an account of \
                           their own (docs/protocol.md, \"Who may do what\")";

/// What is seen of a farm at one look.
pub struct Seen {
    /// The searches that answered.
    pub managers: Vec<ManagerView>,
    /// What could not be read.
    pub problem: Option<String>,
    /// What an operator should know.
    pub warnings: Vec<WarningView>,
}

/// Somebody who looks at a farm again and again.
pub struct Watcher {
    connection: Connection,
    client: Option<Client>,
    /// Nodes of each worker, and when they were told.
    nodes: BTreeMap<(ManagerId, WorkerId), (Instant, u64, f64)>,
}

impl Watcher {
    /// A watcher that connects at its first look.
    pub fn new(connection: Connection) -> Watcher {
        Watcher { connection, client: None, nodes: BTreeMap::new() }
    }

    /// The server, without secrets.
    pub fn server(&self) -> &str {
        self.connection.shown()
    }

    /// The farm as it is now; if there is no server, that.
    pub fn look(&mut self) -> Pin<Box<dyn Future<Output = FarmView> + Send + '_>> {
        Box::pin(async {
            match self.ask_managers().await {
                Ok(Seen { managers, problem, warnings }) => {
                    FarmView { managers, problem, warnings, ..self.empty(true) }
                }
                Err(failure) => {
                    let help =
                        failure.advice().map(|help| format!(" ({help})")).unwrap_or_default();
                    let problem = Some(format!("{}{help}", failure.message()));
                    FarmView { problem, ..self.empty(false) }
                }
            }
        })
    }

    /// What all managers answer, and what cannot be read among it. Boxed, like `look`, so that
    /// programs do not compile the client of NATS once more.
    pub fn managers(&mut self) -> Pin<Box<dyn Future<Output = Result<Seen, Failure>> + Send + '_>> {
        Box::pin(self.ask_managers())
    }

    fn empty(&self, connected: bool) -> FarmView {
        let url = self.connection.shown().to_string();
        let join = format!("sixproof worker {url}");
        let (warnings, managers) = (Vec::new(), Vec::new());
        FarmView { url, connected, join, problem: None, warnings, managers }
    }

    async fn ask_managers(&mut self) -> Result<Seen, Failure> {
        let client = match &self.client {
            Some(client) => client.clone(),
            None => {
                let (events, _) = mpsc::unbounded_channel();
                let client = nats::connect(&self.connection, "status", events).await;
                let client = client.map_err(|trouble| trouble.failure)?;
                self.client.insert(client).clone()
            }
        };
        if client.connection_state() != async_nats::connection::State::Connected {
            let server = self.connection.shown();
            return Err(Failure::new(format!("the connection to {server} is lost"))
                .help("it comes back by itself when the server does"));
        }
        let (answers, problem) = ask(&client).await.map_err(|error| {
            Failure::new(self.connection.without_secrets(&format!("NATS: {error}")))
        })?;
        let mut warnings = Vec::new();
        if nats::is_open(&client, &self.connection) {
            warnings.push(view_of(&Warning {
                kind: WarningKind::OpenServer,
                text: OPEN_SERVER.to_string(),
                count: 0,
            }));
        }
        let told = answers.iter().flat_map(|(_, status)| &status.warnings);
        // The server is the same for all.
        warnings.extend(told.filter(|it| it.kind != WarningKind::OpenServer).map(view_of));
        let managers =
            answers.into_iter().map(|(title, status)| self.view(title, &status)).collect();
        Ok(Seen { managers, problem, warnings })
    }

    fn view(&mut self, title: String, status: &Status) -> ManagerView {
        let up_seconds = seconds(status.up_ms);
        let minute = up_seconds.clamp(1.0, MINUTE_SECONDS);
        let mut workers = Vec::new();
        for row in &status.workers {
            let state = match () {
                () if row.lost => WorkerState::Lost,
                () if row.running > 0 => WorkerState::Working,
                () => WorkerState::Idle,
            };
            let name = (status.manager, row.worker);
            let rate = self.rate(name, row.nodes, up_seconds);
            workers.push(WorkerView {
                id: row.worker.to_string(),
                name: row.name.clone(),
                cores: row.cores,
                state,
                why: None,
                running: row.running,
                done: row.done,
                nodes: row.nodes,
                nodes_per_second: if state == WorkerState::Lost { 0.0 } else { rate },
                seen_seconds: seconds(row.silent_ms),
            });
        }
        workers.extend(status.dropped.iter().map(|row| WorkerView {
            id: String::new(),
            name: row.name.clone(),
            cores: 0,
            state: WorkerState::Dropped,
            why: Some(row.why.clone()),
            running: 0,
            done: 0,
            nodes: 0,
            nodes_per_second: 0.0,
            seen_seconds: 0.0,
        }));
        ManagerView {
            id: status.manager.to_string(),
            title,
            for_seconds: up_seconds,
            queued: status.queued_user.saturating_add(status.queued_auto),
            running: status.running,
            judging: status.judging,
            done: status.answered,
            given_up: status.given_up,
            oldest_seconds: seconds(status.oldest_ms),
            jobs_per_second: status.answered_last_minute as f64 / minute,
            nodes_per_second: status.nodes_last_minute as f64 / minute,
            worker_count: status.worker_count,
            core_count: status.core_count,
            uncertified: status.basis.answers,
            done_again: status.basis.done_again,
            workers,
        }
    }

    /// Nodes a second of a worker: since it was last asked, or on the whole.
    fn rate(&mut self, of: (ManagerId, WorkerId), nodes: u64, up_seconds: f64) -> f64 {
        let now = Instant::now();
        let on_the_whole = nodes as f64 / up_seconds.max(1.0);
        let (since, before, rate) =
            *self.nodes.entry(of).or_insert_with(|| (now, nodes, on_the_whole));
        let passed = now.duration_since(since).as_secs_f64();
        // A worker says only every few seconds how many nodes it has searched.
        if passed < RATE_SECONDS_MIN || (nodes == before && passed < 10.0) {
            return rate;
        }
        let rate = nodes.saturating_sub(before) as f64 / passed;
        self.nodes.insert(of, (now, nodes, rate));
        rate
    }
}

/// A warning as it is shown.
fn view_of(warning: &Warning) -> WarningView {
    let Warning { kind, text, count } = warning;
    WarningView { kind: kind.name(), text: text.clone(), count: Some(*count).filter(|&n| n > 0) }
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1_000.0
}

/// Asks all managers, and waits a moment for their answers.
async fn ask(
    client: &Client,
) -> Result<(Vec<(String, Status)>, Option<String>), async_nats::Error> {
    let inbox = client.new_inbox();
    let mut answers = client.subscribe(inbox.clone()).await?;
    client.publish_with_reply(nats::STATUS, inbox, StatusQuestion.to_bytes().into()).await?;
    client.flush().await?;
    let mut found: BTreeMap<ManagerId, (String, Status)> = BTreeMap::new();
    let mut problem = None;
    let mut deadline = tokio::time::Instant::now() + FIRST_WITHIN;
    while let Ok(Some(answer)) = timeout_at(deadline, answers.next()).await {
        if answer.status.is_some() {
            break; // The server says that nobody is there.
        }
        if found.is_empty() {
            deadline = tokio::time::Instant::now() + OTHERS_WITHIN;
        }
        match Status::from_bytes(&answer.payload) {
            Ok(status) => {
                let headers = answer.headers.as_ref();
                let title = headers.and_then(|headers| headers.get(TITLE_HEADER));
                let title = title.map(|title| title.as_str().to_string()).unwrap_or_default();
                found.insert(status.manager, (title, status));
            }
            Err(error @ WireError::Version { .. }) => {
                problem = Some(format!("a search sent {error}"))
            }
            Err(_) => {}
        }
        if found.len() >= MANAGERS_MAX {
            break;
        }
    }
    // The subscription ends with this function; what is on its way is dropped.
    Ok((found.into_values().collect(), problem))
}
