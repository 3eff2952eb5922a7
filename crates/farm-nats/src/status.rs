//! The status of a farm, for `sixproof farm status` and for the editor: asks every manager, and
//! collects the answers that arrive in time.

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

/// The header with the title of a search in its manager's answer.
pub(crate) const TITLE_HEADER: &str = "Sixproof-Title";
/// How long to wait for the first answer, and then for the others.
const FIRST_TIMEOUT: Duration = Duration::from_millis(1_000);
const OTHERS_TIMEOUT: Duration = Duration::from_millis(200);
/// Largest number of managers in a status.
const MANAGERS_MAX: usize = 256;
/// Shortest time over which rates are measured.
const RATE_SECONDS_MIN: f64 = 0.2;
/// The time over which a manager counts answers.
const MINUTE_SECONDS: f64 = 60.0;

/// The answers to one status question.
pub struct StatusAnswers {
    /// The searches that answered.
    pub managers: Vec<ManagerView>,
    /// Why an answer could not be read.
    pub problem: Option<String>,
    /// Warnings for the operator.
    pub warnings: Vec<WarningView>,
}

/// Asks for the status of a farm, again and again.
pub struct StatusClient {
    connection: Connection,
    client: Option<Client>,
    /// The last nodes of each worker, when they arrived, and the rate before.
    nodes: BTreeMap<(ManagerId, WorkerId), (Instant, u64, f64)>,
}

impl StatusClient {
    /// A client that connects at its first question.
    pub fn new(connection: Connection) -> StatusClient {
        StatusClient { connection, client: None, nodes: BTreeMap::new() }
    }

    /// The server, without secrets.
    pub fn server(&self) -> &str {
        self.connection.shown()
    }

    /// The current status of the farm; without a server, the problem.
    pub fn view(&mut self) -> Pin<Box<dyn Future<Output = FarmView> + Send + '_>> {
        Box::pin(async {
            match self.query_managers().await {
                Ok(StatusAnswers { managers, problem, warnings }) => {
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

    /// The answers of all managers. Boxed, like `view`, so that other crates need not compile the
    /// client of NATS again.
    pub fn managers(
        &mut self,
    ) -> Pin<Box<dyn Future<Output = Result<StatusAnswers, Failure>> + Send + '_>> {
        Box::pin(self.query_managers())
    }

    fn empty(&self, connected: bool) -> FarmView {
        let url = self.connection.shown().to_string();
        let join = format!("sixproof worker {url}");
        let (warnings, managers) = (Vec::new(), Vec::new());
        FarmView { url, connected, join, problem: None, warnings, managers }
    }

    async fn query_managers(&mut self) -> Result<StatusAnswers, Failure> {
        let client = match &self.client {
            Some(client) => client.clone(),
            None => {
                let (events, _) = mpsc::unbounded_channel();
                let client = nats::connect(&self.connection, "status", events).await;
                let client = client.map_err(|error| error.failure)?;
                self.client.insert(client).clone()
            }
        };
        if client.connection_state() != async_nats::connection::State::Connected {
            let server = self.connection.shown();
            return Err(Failure::new(format!("the connection to {server} is lost"))
                .help("it is restored when the server is back"));
        }
        let (answers, problem) = request(&client).await.map_err(|error| {
            Failure::new(self.connection.without_secrets(&format!("NATS: {error}")))
        })?;
        let mut warnings = Vec::new();
        if nats::is_open(&client, &self.connection) {
            warnings.push(view_of(&Warning::open_server()));
        }
        let others = answers.iter().flat_map(|(_, status)| &status.warnings);
        // All managers share the server, and so this warning.
        warnings.extend(others.filter(|it| it.kind != WarningKind::OpenServer).map(view_of));
        let managers =
            answers.into_iter().map(|(title, status)| self.manager_view(title, &status)).collect();
        Ok(StatusAnswers { managers, problem, warnings })
    }

    fn manager_view(&mut self, title: String, status: &Status) -> ManagerView {
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

    /// Nodes per second of a worker: since the last question, or since its start.
    fn rate(&mut self, of: (ManagerId, WorkerId), nodes: u64, up_seconds: f64) -> f64 {
        let now = Instant::now();
        let on_the_whole = nodes as f64 / up_seconds.max(1.0);
        let (since, before, rate) =
            *self.nodes.entry(of).or_insert_with(|| (now, nodes, on_the_whole));
        let passed = now.duration_since(since).as_secs_f64();
        // A worker reports its nodes only every few seconds.
        if passed < RATE_SECONDS_MIN || (nodes == before && passed < 10.0) {
            return rate;
        }
        let rate = nodes.saturating_sub(before) as f64 / passed;
        self.nodes.insert(of, (now, nodes, rate));
        rate
    }
}

/// A warning as a view.
fn view_of(warning: &Warning) -> WarningView {
    let Warning { kind, text, count } = warning;
    WarningView { kind: kind.name(), text: text.clone(), count: Some(*count).filter(|&n| n > 0) }
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1_000.0
}

/// Asks all managers, and waits for their answers.
async fn request(
    client: &Client,
) -> Result<(Vec<(String, Status)>, Option<String>), async_nats::Error> {
    let inbox = client.new_inbox();
    let mut answers = client.subscribe(inbox.clone()).await?;
    client.publish_with_reply(nats::STATUS, inbox, StatusQuestion.to_bytes().into()).await?;
    client.flush().await?;
    let mut found: BTreeMap<ManagerId, (String, Status)> = BTreeMap::new();
    let mut problem = None;
    let mut deadline = tokio::time::Instant::now() + FIRST_TIMEOUT;
    while let Ok(Some(answer)) = timeout_at(deadline, answers.next()).await {
        if answer.status.is_some() {
            break; // The server says that no manager listens.
        }
        if found.is_empty() {
            deadline = tokio::time::Instant::now() + OTHERS_TIMEOUT;
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
    // The subscription ends with this function; later answers are dropped.
    Ok((found.into_values().collect(), problem))
}
