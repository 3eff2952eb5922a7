//! What the farm needs of NATS: a connection that comes back by itself, and JetStream's streams,
//! consumers and pulls, as the requests in JSON that they are.
//!
//! JetStream is asked by plain requests: they are the same in all versions of the server, several
//! can be under way at once, and every answer comes to one inbox, without a subscription for each.

use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Message, Request, RequestErrorKind};
use serde_json::{Value, json};
use sixproof_farm::wire::Priority;
use sixproof_farm::{ManagerId, QueueId, WorkerId};
use sixproof_solve::failure::Failure;
use tokio::sync::mpsc;

use super::connection::{Connection, Identity};

/// Where jobs wait, and where results do.
pub(crate) const JOBS: &str = "SIXPROOF_JOBS";
pub(crate) const RESULTS: &str = "SIXPROOF_RESULTS";
/// Managers say here what all workers should hear.
pub(crate) const MANAGERS: &str = "sixproof.managers";
/// `farm status` asks here.
pub(crate) const STATUS: &str = "sixproof.status";

/// A job that is not acknowledged for so long is lent again by the server.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// A job is lent so often by the server, then only by its manager.
const DELIVER_MAX: i64 = 5;
/// Jobs of a manager that can be lent at the same time.
const ACK_PENDING_MAX: u32 = 1 << 17;
/// Pulls that can wait for jobs of a manager.
const WAITING_MAX: u32 = 1 << 14;
/// What nobody wanted for so long is forgotten by the server.
const AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long an answer of the server may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A cut line is noticed after two of these.
const PING_EVERY: Duration = Duration::from_secs(5);
/// Messages that may wait to be sent, and to be read.
const CLIENT_MESSAGES_MAX: usize = 1 << 16;
/// The first delay before connecting again, which doubles up to the longest; then half of it is
/// drawn by chance, so that a thousand workers do not come all at once.
const DELAY_FIRST: Duration = Duration::from_millis(100);
const DELAY_MAX: Duration = Duration::from_secs(8);
/// The status of a message that only says that the server is there.
const STATUS_ALIVE: u16 = 100;
/// JetStream says that there is such a stream already, with other settings: somebody chose them.
const ERROR_OTHER_SETTINGS: u64 = 10_058;
/// JetStream has no such stream.
const ERROR_NO_STREAM: u64 = 10_059;
/// JetStream has another consumer that reads the same jobs.
const ERROR_NOT_UNIQUE: u64 = 10_100;
/// Pages of names that are read at most.
const PAGES_MAX: u64 = 1 << 10;
/// JetStream is not there for this account.
const ERROR_NOT_ENABLED: [u64; 2] = [10_039, 10_076];

/// The queue of a manager's jobs.
pub(crate) fn jobs_subject(priority: Priority, manager: ManagerId) -> String {
    format!("sixproof.jobs.{}.{manager}", word(priority))
}

/// Results for a manager.
pub(crate) fn results_subject(manager: ManagerId) -> String {
    format!("sixproof.results.{manager}")
}

/// What workers say to a manager.
pub(crate) fn manager_subject(manager: ManagerId) -> String {
    format!("sixproof.manager.{manager}")
}

/// What managers say to a worker.
pub(crate) fn worker_subject(worker: WorkerId) -> String {
    format!("sixproof.worker.{worker}")
}

/// Who reads a queue of jobs: the name is known to workers that are welcome.
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

/// What happens to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Up,
    Down,
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) failure: Failure,
    /// Whether waiting may help: a server that is not there can come.
    pub(crate) may_pass: bool,
}

/// Connects; from then on the connection comes back by itself, and what happens to it is told.
pub(crate) async fn connect(
    to: &Connection,
    name: &str,
    events: mpsc::UnboundedSender<Wire>,
) -> Result<Client, Trouble> {
    let mut options = ConnectOptions::new()
        .name(format!("sixproof {name}"))
        .connection_timeout(CONNECT_TIMEOUT)
        .request_timeout(Some(REQUEST_TIMEOUT))
        .ping_interval(PING_EVERY)
        .client_capacity(CLIENT_MESSAGES_MAX)
        .subscription_capacity(CLIENT_MESSAGES_MAX)
        .max_reconnects(None)
        .reconnect_delay_callback(delay)
        .event_callback(move |event| {
            let told = match event {
                async_nats::Event::Connected => Some(Wire::Up),
                async_nats::Event::Disconnected | async_nats::Event::Closed => Some(Wire::Down),
                _ => None,
            };
            if let Some(told) = told {
                // Who has gone does not mind.
                let _told = events.send(told);
            }
            std::future::ready(())
        });
    options = match &to.identity {
        Identity::Nobody => options,
        Identity::Token(token) => options.token(token.reveal().to_string()),
        Identity::User { name, password } => {
            options.user_and_password(name.clone(), password.reveal().to_string())
        }
        Identity::NKey(seed) => options.nkey(seed.reveal().to_string()),
        Identity::Credentials(text) => options.credentials(text.reveal()).map_err(|_| Trouble {
            failure: Failure::new("the file of --nats-creds has no credentials of NATS in it")
                .help("`nsc generate creds` makes such a file"),
            may_pass: false,
        })?,
    };
    if let Some(ca) = &to.ca {
        options = options.add_root_certificates(ca.clone());
    }
    if let Some((certificate, key)) = &to.certificate {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    // Who names certificates wants TLS, and no secret may go over the wire without it.
    options = options.require_tls(to.ca.is_some() || to.certificate.is_some());
    options.connect(&to.servers[..]).await.map_err(|error| trouble(to, &error))
}

/// How long to wait before the next attempt.
pub(crate) fn delay(attempts: usize) -> Duration {
    if attempts <= 1 {
        return Duration::ZERO;
    }
    let doublings = u32::try_from(attempts - 2).unwrap_or(u32::MAX).min(16);
    let longest = DELAY_FIRST.saturating_mul(1 << doublings).min(DELAY_MAX);
    longest.mul_f64(0.5 + 0.5 * chance())
}

/// A number from 0 to 1.
fn chance() -> f64 {
    let mut bytes = [0; 4];
    // Without randomness everybody comes at once, which is no reason not to come.
    let _drawn = getrandom::fill(&mut bytes);
    f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)
}

/// What to tell about a connection that could not be made.
fn trouble(to: &Connection, error: &async_nats::ConnectError) -> Trouble {
    use std::error::Error as _;
    let source = error.source().map(|source| to.without_secrets(&source.to_string()));
    let cause = source.unwrap_or_else(|| error.kind().to_string());
    let server = to.shown();
    // The library tells trouble with certificates as trouble with reading.
    let is_tls = ["certificate", "alert", "tls", "TLS", "corrupt message"]
        .iter()
        .any(|word| cause.contains(word));
    let (failure, may_pass) = match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            let failure = Failure::new(format!(
                "the NATS server at {server} does not let us in: authorisation was refused"
            ));
            let help = match &to.identity {
                Identity::Nobody => {
                    "it wants a token, a user or a key: see --nats-token-file, --nats-user and \
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
                        --nats-ca names the authority that signed it; a server that asks for our \
                        own needs --nats-cert and --nats-key";
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
    Trouble { failure, may_pass }
}

/// What JetStream answered instead of what it was asked for.
#[derive(Debug)]
struct Refusal {
    /// JetStream's own number; 0 if there was no answer.
    number: u64,
    failure: Failure,
}

/// Asks JetStream.
async fn ask(client: &Client, to: &Connection, call: &str, body: &Value) -> Result<Value, Refusal> {
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
            let why = error["description"].as_str().unwrap_or("for a reason that it does not tell");
            let failure = if ERROR_NOT_ENABLED.contains(&number) {
                not_enabled()
            } else {
                Failure::new(format!("JetStream of the NATS server at {server} refused: {why}"))
            };
            Err(Refusal { number, failure })
        }
    }
}

/// Makes the streams that all managers share, unless they are there; whether one was missing.
pub(crate) async fn make_streams(client: &Client, to: &Connection) -> Result<bool, Failure> {
    let mut was_missing = false;
    // Jobs are published again when the server comes back; results wait for their manager.
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
        let known = ask(client, to, &format!("STREAM.INFO.{stream}"), &json!({})).await;
        was_missing |= known.is_err_and(|refusal| refusal.number == ERROR_NO_STREAM);
        match ask(client, to, &format!("STREAM.CREATE.{stream}"), &settings).await {
            Ok(_) => {}
            Err(refusal) if refusal.number == ERROR_OTHER_SETTINGS => {}
            Err(refusal) => return Err(refusal.failure),
        }
    }
    Ok(was_missing)
}

/// Whether the server lets anybody in.
pub(crate) fn is_open(client: &Client, to: &Connection) -> bool {
    !client.server_info().auth_required && to.certificate.is_none()
}

/// Whether the server lets us do what only those who look after it should: list its streams.
pub(crate) async fn may_do_everything(client: &Client) -> bool {
    let request = Request::new().payload("".into()).timeout(Some(REQUEST_TIMEOUT));
    client.send_request("$JS.API.STREAM.NAMES", request).await.is_ok()
}

/// Makes the consumers of a manager, unless they are there.
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
        match ask(client, to, &call, &settings).await {
            Err(refusal) if refusal.number == ERROR_NOT_UNIQUE => {
                remove_job_consumers(client, to, manager).await;
                ask(client, to, &call, &settings).await
            }
            made => made,
        }
        .map_err(|refusal| refusal.failure)?;
    }
    Ok(())
}

/// Takes the jobs of a manager out of the queues. An old message whose consumer has given up would
/// else stay for days.
pub(crate) async fn purge_jobs(
    client: &Client,
    to: &Connection,
    manager: ManagerId,
) -> Result<(), Failure> {
    for priority in [Priority::User, Priority::Auto] {
        let filter = json!({ "filter": jobs_subject(priority, manager) });
        let call = format!("STREAM.PURGE.{JOBS}");
        ask(client, to, &call, &filter).await.map_err(|refusal| refusal.failure)?;
    }
    Ok(())
}

/// Removes the consumers of a manager's jobs, whatever the names of its queues were.
pub(crate) async fn remove_job_consumers(client: &Client, to: &Connection, manager: ManagerId) {
    let prefixes = [Priority::User, Priority::Auto].map(|it| format!("{}-{manager}", word(it)));
    let mut own: Vec<String> = Vec::new();
    let mut offset = 0;
    for _ in 0..PAGES_MAX {
        let page = json!({ "offset": offset });
        let Ok(answer) = ask(client, to, &format!("CONSUMER.NAMES.{JOBS}"), &page).await else {
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
        // One that stays does no harm.
        let _gone = ask(client, to, &format!("CONSUMER.DELETE.{JOBS}.{name}"), &json!({})).await;
    }
}

/// A time as JetStream has it.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A request for messages: at once, or as they come until the time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pull {
    WhatIsThere { count: usize },
    Waiting { count: usize, wait: Duration },
}

impl Pull {
    fn body(self) -> String {
        match self {
            Pull::WhatIsThere { count } => json!({ "batch": count, "no_wait": true }),
            Pull::Waiting { count, wait } => json!({ "batch": count, "expires": nanos(wait) }),
        }
        .to_string()
    }
}

/// Where jobs of a manager are pulled from.
pub(crate) fn jobs_pull_subject(priority: Priority, manager: ManagerId, queue: QueueId) -> String {
    format!("$JS.API.CONSUMER.MSG.NEXT.{JOBS}.{}", jobs_consumer(priority, manager, queue))
}

/// Where results of a manager are pulled from.
pub(crate) fn results_pull_subject(manager: ManagerId) -> String {
    format!("$JS.API.CONSUMER.MSG.NEXT.{RESULTS}.{}", results_consumer(manager))
}

/// The body of a pull.
pub(crate) fn pull_body(pull: Pull) -> Vec<u8> {
    pull.body().into_bytes()
}

/// What a message in our inbox is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// A message of a stream that was pulled, and where to acknowledge it. It has the subject of
    /// the stream: which pull brought it cannot be told.
    Pulled { acknowledge: String },
    /// A pull is over.
    Over { pull: u64 },
    /// The answer to a message that was published.
    Published { number: u64 },
    /// The server knows that a message is acknowledged.
    Confirmed { number: u64 },
    /// A sign of life, or nothing that we know.
    Nothing,
}

/// The inbox, and a subject in it for what the server says about a pull.
pub(crate) fn pull_reply(inbox: &str, number: u64) -> String {
    format!("{inbox}.p.{number}")
}

/// Where the server says that a stream has a message.
pub(crate) fn publish_reply(inbox: &str, number: u64) -> String {
    format!("{inbox}.a.{number}")
}

/// Where the server says that it knows of an acknowledgement.
pub(crate) fn confirm_reply(inbox: &str, number: u64) -> String {
    format!("{inbox}.d.{number}")
}

/// Tells what came into our inbox.
pub(crate) fn came(inbox: &str, message: &Message) -> Came {
    let status = message.status.map(|status| status.as_u16());
    let rest = message.subject.as_str().strip_prefix(inbox);
    let Some(rest) = rest.and_then(|rest| rest.strip_prefix('.')) else {
        return match &message.reply {
            Some(reply) if status.is_none() => Came::Pulled { acknowledge: reply.to_string() },
            _ => Came::Nothing,
        };
    };
    let parts = rest.split_once('.').and_then(|(kind, rest)| Some((kind, rest.parse().ok()?)));
    match parts {
        Some(("p", _)) if status == Some(STATUS_ALIVE) => Came::Nothing,
        Some(("p", pull)) => Came::Over { pull },
        Some(("a", number)) => Came::Published { number },
        Some(("d", number)) => Came::Confirmed { number },
        _ => Came::Nothing,
    }
}

/// What the server is told about a message: done, still at it, take it back.
pub(crate) const DONE: &[u8] = b"+ACK";
pub(crate) const AT_IT: &[u8] = b"+WPI";
pub(crate) const BACK: &[u8] = b"-NAK";

/// Whether the answer to a message that was published says that the stream has it.
pub(crate) fn is_stored(answer: &Message) -> bool {
    if answer.status.is_some() {
        return false; // Nobody was there.
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
