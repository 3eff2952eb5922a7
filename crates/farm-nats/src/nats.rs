//! The NATS requests of the farm: a connection that restores itself, and JetStream's streams,
//! consumers and pulls, as plain requests in JSON.
//!
//! Plain requests are the same in all versions of the server, several can be under way at once, and
//! every answer arrives at one inbox, without a subscription for each.

use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Message, Request, RequestErrorKind};
use serde_json::{Value, json};
use sixproof_farm::wire::Priority;
use sixproof_farm::{ManagerId, QueueId, WorkerId};
use sixproof_solve::failure::Failure;
use tokio::sync::mpsc;

use super::connection::{Connection, Identity};

/// The streams of jobs and of results.
pub(crate) const JOBS: &str = "SIXPROOF_JOBS";
pub(crate) const RESULTS: &str = "SIXPROOF_RESULTS";
/// The subject of messages from managers to all workers.
pub(crate) const MANAGERS: &str = "sixproof.managers";
/// The subject of status questions.
pub(crate) const STATUS: &str = "sixproof.status";

/// How long the server waits for an acknowledgement before it delivers a job again.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// How many times the server delivers a job; after that its manager publishes it again.
const DELIVER_MAX: i64 = 5;
/// Largest number of unacknowledged jobs of a manager.
const ACK_PENDING_MAX: u32 = 1 << 17;
/// Largest number of pulls that wait for jobs of a manager.
const WAITING_MAX: u32 = 1 << 14;
/// Age at which the server deletes a message.
const AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long to wait for an answer of the server, and for a connection.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval of pings; the client notices a lost connection after two of them.
const PING_INTERVAL: Duration = Duration::from_secs(5);
/// Capacity of the client's queues of messages to send and to read.
const CLIENT_MESSAGES_MAX: usize = 1 << 16;
/// The first and the longest delay before connecting again. The delay doubles with each attempt,
/// and half of it is random, so that a thousand workers do not connect at once.
const DELAY_FIRST: Duration = Duration::from_millis(100);
const DELAY_MAX: Duration = Duration::from_secs(8);
/// The status of a heartbeat message of the server.
const STATUS_ALIVE: u16 = 100;
/// JetStream's error number for a stream that exists with other settings, chosen by an operator.
const ERROR_OTHER_SETTINGS: u64 = 10_058;
/// JetStream's error number for a missing stream.
const ERROR_NO_STREAM: u64 = 10_059;
/// JetStream's error number for a second consumer of the same jobs.
const ERROR_NOT_UNIQUE: u64 = 10_100;
/// Largest number of pages of consumer names to read.
const PAGES_MAX: u64 = 1 << 10;
/// JetStream's error numbers for an account without JetStream.
const ERROR_NOT_ENABLED: [u64; 2] = [10_039, 10_076];

/// The subject of a manager's jobs.
pub(crate) fn jobs_subject(priority: Priority, manager: ManagerId) -> String {
    format!("sixproof.jobs.{}.{manager}", word(priority))
}

/// The subject of results for a manager.
pub(crate) fn results_subject(manager: ManagerId) -> String {
    format!("sixproof.results.{manager}")
}

/// The subject of messages from workers to a manager.
pub(crate) fn manager_subject(manager: ManagerId) -> String {
    format!("sixproof.manager.{manager}")
}

/// The subject of messages from managers to a worker.
pub(crate) fn worker_subject(worker: WorkerId) -> String {
    format!("sixproof.worker.{worker}")
}

/// The consumer of a queue of jobs; only welcome workers know its name.
fn jobs_consumer(priority: Priority, manager: ManagerId, queue: QueueId) -> String {
    format!("{}-{manager}-{queue}", word(priority))
}

fn results_consumer(manager: ManagerId) -> String {
    format!("results-{manager}")
}

fn word(priority: Priority) -> &'static str {
    match priority {
        Priority::User => "user",
        Priority::Auto => "auto",
    }
}

/// A change of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionEvent {
    Up,
    Down,
}

/// Why a connection failed.
#[derive(Debug)]
pub(crate) struct ConnectFailure {
    pub(crate) failure: Failure,
    /// Whether another attempt may succeed: the server may start later.
    pub(crate) may_pass: bool,
}

/// Connects. From then on the connection restores itself, and `events` receives its changes.
pub(crate) async fn connect(
    to: &Connection,
    name: &str,
    events: mpsc::UnboundedSender<ConnectionEvent>,
) -> Result<Client, ConnectFailure> {
    let mut options = ConnectOptions::new()
        .name(format!("sixproof {name}"))
        .connection_timeout(CONNECT_TIMEOUT)
        .request_timeout(Some(REQUEST_TIMEOUT))
        .ping_interval(PING_INTERVAL)
        .client_capacity(CLIENT_MESSAGES_MAX)
        .subscription_capacity(CLIENT_MESSAGES_MAX)
        .max_reconnects(None)
        .reconnect_delay_callback(delay)
        .event_callback(move |event| {
            let change = match event {
                async_nats::Event::Connected => Some(ConnectionEvent::Up),
                async_nats::Event::Disconnected | async_nats::Event::Closed => {
                    Some(ConnectionEvent::Down)
                }
                _ => None,
            };
            if let Some(change) = change {
                // A loop that has ended needs no events.
                let _sent = events.send(change);
            }
            std::future::ready(())
        });
    options = match &to.identity {
        Identity::Anonymous => options,
        Identity::Token(token) => options.token(token.reveal().to_string()),
        Identity::User { name, password } => {
            options.user_and_password(name.clone(), password.reveal().to_string())
        }
        Identity::NKey(seed) => options.nkey(seed.reveal().to_string()),
        Identity::Credentials(text) => {
            options.credentials(text.reveal()).map_err(|_| ConnectFailure {
                failure: Failure::new("the file of --nats-creds contains no NATS credentials")
                    .help("`nsc generate creds` makes such a file"),
                may_pass: false,
            })?
        }
    };
    if let Some(ca) = &to.ca {
        options = options.add_root_certificates(ca.clone());
    }
    if let Some((certificate, key)) = &to.certificate {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    // With certificates we require TLS, so that no secret is sent without it.
    options = options.require_tls(to.ca.is_some() || to.certificate.is_some());
    options.connect(&to.servers[..]).await.map_err(|error| connect_failure(to, &error))
}

/// The delay before the next attempt.
pub(crate) fn delay(attempts: usize) -> Duration {
    if attempts <= 1 {
        return Duration::ZERO;
    }
    let doublings = u32::try_from(attempts - 2).unwrap_or(u32::MAX).min(16);
    let longest = DELAY_FIRST.saturating_mul(1 << doublings).min(DELAY_MAX);
    longest.mul_f64(0.5 + 0.5 * chance())
}

/// A random number from 0 to 1.
fn chance() -> f64 {
    let mut bytes = [0; 4];
    // Without random bytes all workers connect at once, which still works.
    let _drawn = getrandom::fill(&mut bytes);
    f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)
}

/// The failure of a connection attempt, with advice.
fn connect_failure(to: &Connection, error: &async_nats::ConnectError) -> ConnectFailure {
    use std::error::Error as _;
    let source = error.source().map(|source| to.without_secrets(&source.to_string()));
    let cause = source.unwrap_or_else(|| error.kind().to_string());
    let server = to.shown();
    // The library reports errors of certificates as errors of reading.
    let is_tls = ["certificate", "alert", "tls", "TLS", "corrupt message"]
        .iter()
        .any(|word| cause.contains(word));
    let (failure, may_pass) = match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            let failure =
                Failure::new(format!("the NATS server at {server} refused the authorisation"));
            let help = match &to.identity {
                Identity::Anonymous => {
                    "the server requires a token, a user or a key: see --nats-token-file, --nats-user and \
                     --nats-nkey-file"
                }
                Identity::Token(_) => "check the token",
                Identity::User { .. } => "check the user and the password",
                Identity::NKey(_) => "check that the server knows the public key of this nkey",
                Identity::Credentials(_) => "check the credentials",
            };
            (failure.help(help), false)
        }
        kind if kind == ConnectErrorKind::Tls || is_tls => {
            let failure = Failure::new(format!("no TLS with the NATS server at {server}: {cause}"));
            let help = "check that the certificate of the server is for this host, and that \
                        --nats-ca names the authority that signed it; a server that requires a \
                        certificate of ours needs --nats-cert and --nats-key";
            (failure.help(help), false)
        }
        ConnectErrorKind::Dns => {
            let failure = Failure::new(format!("no host of that name: {server}: {cause}"));
            (failure.help("check the address"), true)
        }
        ConnectErrorKind::TimedOut => {
            let failure = Failure::new(format!("the NATS server at {server} does not answer"));
            (failure.help("check the address, and that no firewall is in between"), true)
        }
        _ => {
            let failure = Failure::new(format!("there is no NATS server at {server}: {cause}"));
            (failure.help("start one: `nats-server -js`, or check the address"), true)
        }
    };
    ConnectFailure { failure, may_pass }
}

/// An error of JetStream.
#[derive(Debug)]
struct Refusal {
    /// JetStream's error number; 0 without an answer.
    number: u64,
    failure: Failure,
}

/// Sends a request to JetStream.
async fn request(
    client: &Client,
    to: &Connection,
    call: &str,
    body: &Value,
) -> Result<Value, Refusal> {
    let server = to.shown();
    let not_enabled = || {
        Failure::new(format!("JetStream is not enabled on the NATS server at {server}"))
            .help("start the server with JetStream: `nats-server -js`")
    };
    let request = Request::new().payload(body.to_string().into()).timeout(Some(REQUEST_TIMEOUT));
    let answer = client.send_request(format!("$JS.API.{call}"), request).await;
    let answer = answer.map_err(|error| {
        let failure = match error.kind() {
            RequestErrorKind::NoResponders => not_enabled(),
            RequestErrorKind::TimedOut => {
                Failure::new(format!("JetStream of the NATS server at {server} does not answer"))
                    .help("check that the user may publish to $JS.API.> and subscribe to _INBOX.>")
            }
            _ => Failure::new(to.without_secrets(&format!("NATS at {server}: {error}"))),
        };
        Refusal { number: 0, failure }
    })?;
    let answer: Value = serde_json::from_slice(&answer.payload).unwrap_or(Value::Null);
    match answer.get("error") {
        None => Ok(answer),
        Some(error) => {
            let number = error["err_code"].as_u64().unwrap_or(0);
            let why = error["description"].as_str().unwrap_or("without a reason");
            let failure = if ERROR_NOT_ENABLED.contains(&number) {
                not_enabled()
            } else {
                Failure::new(format!("JetStream of the NATS server at {server} refused: {why}"))
            };
            Err(Refusal { number, failure })
        }
    }
}

/// Creates the missing ones of the streams that all managers share; whether one was missing.
pub(crate) async fn make_streams(client: &Client, to: &Connection) -> Result<bool, Failure> {
    let mut was_missing = false;
    // Managers publish jobs again after a restart of the server; results must survive it.
    let streams = [(JOBS, "sixproof.jobs.*.*", "memory"), (RESULTS, "sixproof.results.*", "file")];
    for (stream, subjects, storage) in streams {
        let settings = json!({
            "name": stream,
            "subjects": [subjects],
            "retention": "workqueue",
            "storage": storage,
            "discard": "old",
            "max_age": nanos(AGE_MAX),
            "num_replicas": 1,
        });
        let known = request(client, to, &format!("STREAM.INFO.{stream}"), &json!({})).await;
        was_missing |= known.is_err_and(|refusal| refusal.number == ERROR_NO_STREAM);
        match request(client, to, &format!("STREAM.CREATE.{stream}"), &settings).await {
            Ok(_) => {}
            Err(refusal) if refusal.number == ERROR_OTHER_SETTINGS => {}
            Err(refusal) => return Err(refusal.failure),
        }
    }
    Ok(was_missing)
}

/// Whether the server accepts clients without credentials.
pub(crate) fn is_open(client: &Client, to: &Connection) -> bool {
    !client.server_info().auth_required && to.certificate.is_none()
}

/// Whether the server lets us list its streams, as only an operator should.
pub(crate) async fn may_do_everything(client: &Client) -> bool {
    let request = Request::new().payload("".into()).timeout(Some(REQUEST_TIMEOUT));
    client.send_request("$JS.API.STREAM.NAMES", request).await.is_ok()
}

/// Creates the consumers of a manager, unless they exist.
pub(crate) async fn make_consumers(
    client: &Client,
    to: &Connection,
    manager: ManagerId,
    queue: QueueId,
) -> Result<(), Failure> {
    let jobs = [Priority::User, Priority::Auto].map(|priority| {
        let subject = jobs_subject(priority, manager);
        (JOBS, jobs_consumer(priority, manager, queue), subject, DELIVER_MAX)
    });
    let results = (RESULTS, results_consumer(manager), results_subject(manager), -1);
    for (stream, name, subject, deliver_max) in jobs.into_iter().chain([results]) {
        let settings = json!({
            "stream_name": stream,
            "config": {
                "durable_name": name,
                "filter_subject": subject,
                "deliver_policy": "all",
                "replay_policy": "instant",
                "ack_policy": "explicit",
                "ack_wait": nanos(ACK_WAIT),
                "max_deliver": deliver_max,
                "max_ack_pending": ACK_PENDING_MAX,
                "max_waiting": WAITING_MAX,
            },
        });
        let call = format!("CONSUMER.DURABLE.CREATE.{stream}.{name}");
        match request(client, to, &call, &settings).await {
            Err(refusal) if refusal.number == ERROR_NOT_UNIQUE => {
                remove_job_consumers(client, to, manager).await;
                request(client, to, &call, &settings).await
            }
            made => made,
        }
        .map_err(|refusal| refusal.failure)?;
    }
    Ok(())
}

/// Takes the jobs of a manager out of the queues. Otherwise a message that its consumer has given
/// up stays for days.
pub(crate) async fn purge_jobs(
    client: &Client,
    to: &Connection,
    manager: ManagerId,
) -> Result<(), Failure> {
    for priority in [Priority::User, Priority::Auto] {
        let filter = json!({ "filter": jobs_subject(priority, manager) });
        let call = format!("STREAM.PURGE.{JOBS}");
        request(client, to, &call, &filter).await.map_err(|refusal| refusal.failure)?;
    }
    Ok(())
}

/// Removes all consumers of a manager's jobs, under any name of its queues.
pub(crate) async fn remove_job_consumers(client: &Client, to: &Connection, manager: ManagerId) {
    let prefixes = [Priority::User, Priority::Auto].map(|it| format!("{}-{manager}", word(it)));
    let mut own: Vec<String> = Vec::new();
    let mut offset = 0;
    for _ in 0..PAGES_MAX {
        let page = json!({ "offset": offset });
        let Ok(answer) = request(client, to, &format!("CONSUMER.NAMES.{JOBS}"), &page).await else {
            break;
        };
        let names = answer["consumers"].as_array().map_or(&[][..], Vec::as_slice);
        let names = names.iter().filter_map(Value::as_str);
        offset += names.clone().count() as u64;
        let is_own = |name: &&str| prefixes.iter().any(|prefix| name.starts_with(prefix));
        own.extend(names.clone().filter(is_own).map(str::to_string));
        if names.count() == 0 || offset >= answer["total"].as_u64().unwrap_or(0) {
            break;
        }
    }
    for name in own {
        // A consumer that stays does no harm.
        let _gone =
            request(client, to, &format!("CONSUMER.DELETE.{JOBS}.{name}"), &json!({})).await;
    }
}

/// A time in JetStream's unit.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A request for messages: available ones only, or with a wait for the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pull {
    Available { count: usize },
    Waiting { count: usize, wait: Duration },
}

impl Pull {
    fn body(self) -> String {
        match self {
            Pull::Available { count } => json!({ "batch": count, "no_wait": true }),
            Pull::Waiting { count, wait } => json!({ "batch": count, "expires": nanos(wait) }),
        }
        .to_string()
    }
}

/// The subject of pulls of a manager's jobs.
pub(crate) fn jobs_pull_subject(priority: Priority, manager: ManagerId, queue: QueueId) -> String {
    format!("$JS.API.CONSUMER.MSG.NEXT.{JOBS}.{}", jobs_consumer(priority, manager, queue))
}

/// The subject of pulls of a manager's results.
pub(crate) fn results_pull_subject(manager: ManagerId) -> String {
    format!("$JS.API.CONSUMER.MSG.NEXT.{RESULTS}.{}", results_consumer(manager))
}

/// The body of a pull.
pub(crate) fn pull_body(pull: Pull) -> Vec<u8> {
    pull.body().into_bytes()
}

/// A message in our inbox.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InboxMessage {
    /// A pulled message of a stream, and the subject to acknowledge it on. It does not say which
    /// pull it belongs to.
    Pulled { acknowledge: String },
    /// A pull has ended.
    PullOver { pull: u64 },
    /// The answer to a published message.
    Published { number: u64 },
    /// The server confirms an acknowledgement.
    Confirmed { number: u64 },
    /// A heartbeat, or an unknown message.
    Nothing,
}

/// The reply subject of a pull.
pub(crate) fn pull_reply(inbox: &str, number: u64) -> String {
    format!("{inbox}.p.{number}")
}

/// The reply subject of a published message.
pub(crate) fn publish_reply(inbox: &str, number: u64) -> String {
    format!("{inbox}.a.{number}")
}

/// The reply subject of an acknowledgement.
pub(crate) fn confirm_reply(inbox: &str, number: u64) -> String {
    format!("{inbox}.d.{number}")
}

impl InboxMessage {
    /// Classifies a message by its subject and status.
    pub(crate) fn of(inbox: &str, message: &Message) -> InboxMessage {
        let status = message.status.map(|status| status.as_u16());
        let rest = message.subject.as_str().strip_prefix(inbox);
        let Some(rest) = rest.and_then(|rest| rest.strip_prefix('.')) else {
            return match &message.reply {
                Some(reply) if status.is_none() => {
                    InboxMessage::Pulled { acknowledge: reply.to_string() }
                }
                _ => InboxMessage::Nothing,
            };
        };
        let parts = rest.split_once('.').and_then(|(kind, rest)| Some((kind, rest.parse().ok()?)));
        match parts {
            Some(("p", _)) if status == Some(STATUS_ALIVE) => InboxMessage::Nothing,
            Some(("p", pull)) => InboxMessage::PullOver { pull },
            Some(("a", number)) => InboxMessage::Published { number },
            Some(("d", number)) => InboxMessage::Confirmed { number },
            _ => InboxMessage::Nothing,
        }
    }
}

/// The acknowledgements of JetStream: done, in progress, and deliver again.
pub(crate) const ACK: &[u8] = b"+ACK";
pub(crate) const ACK_PROGRESS: &[u8] = b"+WPI";
pub(crate) const NAK: &[u8] = b"-NAK";

/// Whether the answer to a published message says that the stream has stored it.
pub(crate) fn is_stored(answer: &Message) -> bool {
    if answer.status.is_some() {
        return false; // No stream took it.
    }
    serde_json::from_slice::<Value>(&answer.payload)
        .is_ok_and(|answer| answer.get("error").is_none() && answer.get("stream").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_are_drawn_by_chance_and_stay_bounded() {
        assert_eq!(delay(0), Duration::ZERO);
        assert_eq!(delay(1), Duration::ZERO);
        for attempts in [2, 3, 10, 1_000, usize::MAX] {
            let delay = delay(attempts);
            assert!(DELAY_FIRST / 2 <= delay && delay <= DELAY_MAX, "{attempts}: {delay:?}");
        }
        let drawn: std::collections::BTreeSet<Duration> = (0..20).map(|_| delay(20)).collect();
        assert!(drawn.len() > 1);
    }

    #[test]
    fn subjects_are_those_of_the_protocol() {
        let manager = ManagerId([0xab; 16]);
        let hex = "ab".repeat(16);
        assert_eq!(jobs_subject(Priority::User, manager), format!("sixproof.jobs.user.{hex}"));
        assert_eq!(results_subject(manager), format!("sixproof.results.{hex}"));
    }
}
