//! The loop of a manager: hears workers, results, the disk, the judges and the search, tells its
//! state machine, and carries out what that wants.
//!
//! Nothing here waits for an answer of the server: assignments are published one after the other,
//! and what the server says to each comes back to one inbox. Results are pulled in batches, the
//! next one asked for before the last one is used up.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use async_nats::{Client, HeaderMap, Message};
use futures_util::StreamExt as _;
use sixproof_farm::journal::Record;
use sixproof_farm::manager::{Effect, Event, Manager};
use sixproof_farm::wire::{
    Assignment, Body, FromWorker, INLINE_BYTES_MAX, Outcome, Priority, StatusQuestion, WorkerResult,
};
use sixproof_farm::{JobId, ManagerId};
use sixproof_solve::failure::{Failure, Result};
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::super::bodies::{Bodies, Permit, Question};
use super::super::connection::Connection;
use super::super::journal::{Writer, Written};
use super::super::judges::{Case, Judged, Judges};
use super::super::nats::{self, Came, Pull, Wire};
use super::super::status::TITLE_HEADER;
use super::{Inner, PARTIALS_MAX, Report, Shared};

/// The state machine is told the time so often.
const TICK_EVERY: Duration = Duration::from_millis(500);
/// Results that are asked for at once.
const BATCH: usize = 512;
/// How long a pull waits for results.
const PULL_WAIT: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_secs(3);
/// A pull that the server ended at once is repeated after so long.
const PULL_AGAIN: Duration = Duration::from_millis(500);
/// The server is told so often that results are being judged.
const AT_IT_EVERY: Duration = Duration::from_secs(10);
/// The server has so long to say that it has an assignment.
const PUBLISHED_WITHIN: Duration = Duration::from_secs(5);
/// Streams and consumers are looked after so often: a server may have lost its files.
const LOOK_AFTER_EVERY: Duration = Duration::from_secs(30);
const MAKE_AGAIN: Duration = Duration::from_millis(500);
const LEAVE_WITHIN: Duration = Duration::from_secs(3);

/// The parts that a manager works with.
pub(super) struct Crew {
    pub(super) id: ManagerId,
    pub(super) title: String,
    pub(super) machine: Manager,
    pub(super) judges: Judges,
    pub(super) writer: Writer,
    pub(super) bodies: Arc<Bodies>,
}

/// Whom the loop talks to.
pub(super) struct Line {
    pub(super) connection: Connection,
    pub(super) inner: UnboundedSender<Inner>,
    pub(super) report: mpsc::Sender<Report>,
}

/// Runs the loop until it is stopped; says once whether it could start.
pub(super) fn run(
    crew: Crew,
    line: Line,
    inner: UnboundedReceiver<Inner>,
    shared: Arc<Shared>,
    started: &mpsc::Sender<Result<()>>,
) {
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    // Whoever started the loop waits for this.
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return drop(started.send(Err(Failure::io("the farm", &error)))),
    };
    if let Err(failure) = runtime.block_on(work(crew, line, inner, shared, started)) {
        drop(started.send(Err(failure)));
    }
    runtime.shutdown_timeout(Duration::ZERO);
}

async fn work(
    crew: Crew,
    line: Line,
    mut inner: UnboundedReceiver<Inner>,
    shared: Arc<Shared>,
    started: &mpsc::Sender<Result<()>>,
) -> Result<()> {
    let (events, mut wire) = tokio::sync::mpsc::unbounded_channel();
    let client = nats::connect(&line.connection, "manager", events).await;
    let client = client.map_err(|trouble| trouble.failure)?;
    nats::make_streams(&client, &line.connection).await?;
    nats::purge_jobs(&client, &line.connection, crew.id).await?;
    nats::make_consumers(&client, &line.connection, crew.id).await?;
    let lost = |error: async_nats::SubscribeError| Failure::new(format!("NATS: {error}"));
    let inbox = client.new_inbox();
    let own = nats::manager_subject(crew.id);
    let mut workers = client.subscribe(own).await.map_err(lost)?;
    let mut questions = client.subscribe(nats::STATUS).await.map_err(lost)?;
    let mut answers = client.subscribe(format!("{inbox}.>")).await.map_err(lost)?;
    drop(started.send(Ok(())));
    let mut round = Round::new(crew, line, client, inbox, shared);
    let mut clock = interval(TICK_EVERY);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            Some(happened) = wire.recv() => round.wire(happened).await,
            Some(said) = inner.recv() => match said {
                Inner::Stop => break,
                #[cfg(test)]
                Inner::Crash => return Ok(()),
                said => round.inner(said).await,
            },
            Some(message) = workers.next() => {
                // Who cannot be understood is not one of ours, or will be refused by the worker.
                if let Ok(said) = FromWorker::from_bytes(&message.payload) {
                    round.feed(Event::Worker(said)).await;
                }
            }
            Some(message) = answers.next() => round.answered(message).await,
            Some(message) = questions.next() => round.asked(&message).await,
            _ = clock.tick() => round.tick().await,
        }
        let capacity = round.machine.capacity();
        round.shared.capacity.store(capacity, Ordering::Relaxed);
    }
    round.leave().await;
    Ok(())
}

/// The pull of results that is under way.
struct CurrentPull {
    number: u64,
    left: usize,
    asked: Instant,
    deadline: Instant,
}

/// A result that is not acknowledged.
struct Delivery {
    acknowledge: String,
    /// The certificate that came with it over HTTP.
    certificate: Option<[u8; 32]>,
}

/// The tokens of a job, and whether each has brought a certificate.
#[derive(Default)]
struct Tokens {
    all: BTreeMap<[u8; 32], bool>,
}

/// All that a manager knows besides its state machine.
struct Round {
    id: ManagerId,
    title: String,
    machine: Manager,
    judges: Judges,
    writer: Writer,
    bodies: Arc<Bodies>,
    line: Line,
    client: Client,
    /// Answers of the server come to subjects below this one.
    inbox: String,
    shared: Arc<Shared>,
    start: Instant,
    /// Whether there is a connection, with the queues behind it.
    ready: bool,
    next: u64,
    pull: Option<CurrentPull>,
    deliveries: BTreeMap<u64, Delivery>,
    /// Assignments that the server has not confirmed.
    published: BTreeMap<u64, (JobId, u32, Instant)>,
    /// Tokens by job, and jobs by token.
    tokens: BTreeMap<JobId, Tokens>,
    jobs_of_tokens: BTreeMap<[u8; 32], JobId>,
    /// Jobs whose bodies are too large for a message.
    large: BTreeMap<JobId, [u8; 32]>,
    /// Records that were written but not synced, for [`super::Farm::recall`].
    unsynced: VecDeque<(u64, Record)>,
    at_it: Instant,
    looked_after: Instant,
}

impl Round {
    fn new(crew: Crew, line: Line, client: Client, inbox: String, shared: Arc<Shared>) -> Round {
        let Crew { id, title, machine, judges, writer, bodies } = crew;
        let now = Instant::now();
        Round {
            id,
            title,
            machine,
            judges,
            writer,
            bodies,
            line,
            client,
            inbox,
            shared,
            start: now,
            ready: false,
            next: 0,
            pull: None,
            deliveries: BTreeMap::new(),
            published: BTreeMap::new(),
            tokens: BTreeMap::new(),
            jobs_of_tokens: BTreeMap::new(),
            large: BTreeMap::new(),
            unsynced: VecDeque::new(),
            at_it: now,
            looked_after: now,
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn report(&self, report: Report) {
        // A search that has gone needs no reports.
        drop(self.line.report.send(report));
    }

    async fn feed(&mut self, event: Event) {
        let now_ms = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        for effect in self.machine.handle(now_ms, event) {
            self.carry_out(effect).await;
        }
    }

    async fn wire(&mut self, happened: Wire) {
        match happened {
            Wire::Up => self.look_after(),
            Wire::Down => {
                self.ready = false;
                self.pull = None;
                self.published.clear();
                self.feed(Event::Disconnected).await;
                let server = self.line.connection.shown();
                self.report(Report::Problem(format!("the connection to {server} is lost")));
            }
        }
    }

    /// Makes the queues again, however long the server takes; then it says so.
    fn look_after(&mut self) {
        self.looked_after = Instant::now();
        let (client, id) = (self.client.clone(), self.id);
        let (connection, inner) = (self.line.connection.clone(), self.line.inner.clone());
        tokio::spawn(async move {
            let mut is_told = false;
            loop {
                let made = match nats::make_streams(&client, &connection).await {
                    Ok(()) => nats::make_consumers(&client, &connection, id).await,
                    Err(failure) => Err(failure),
                };
                match made {
                    Ok(()) => return drop(inner.send(Inner::Ready)),
                    // Another break: whoever hears of its end looks after the queues.
                    Err(_) if !is_connected(&client) => return,
                    Err(failure) => {
                        let problem = Inner::Problem(failure.message().to_string());
                        if inner.is_closed() || (!is_told && inner.send(problem).is_err()) {
                            return;
                        }
                        is_told = true;
                    }
                }
                sleep(MAKE_AGAIN).await;
            }
        });
    }

    /// What other threads say.
    async fn inner(&mut self, said: Inner) {
        match said {
            Inner::Submit(mut job) => {
                if let Body::Inline(bytes) = &mut job.body
                    && bytes.len() > INLINE_BYTES_MAX
                {
                    job.body = self.bodies.keep_job(std::mem::take(bytes));
                    if let Body::Remote { hash, .. } = &job.body
                        && let Some(before) = self.large.insert(job.id, *hash)
                    {
                        self.bodies.drop_job(&before);
                    }
                }
                self.feed(Event::Submit(job)).await;
            }
            Inner::Withdraw(job) => {
                self.feed(Event::Withdraw(job)).await;
                self.close(job);
            }
            Inner::Status(ask) => drop(ask.send(self.machine.status())),
            Inner::Judged(Judged { delivery, job, worker, verdict }) => {
                self.feed(Event::Judged { delivery, job, worker, verdict }).await;
            }
            Inner::Written(Written::Synced { upto }) => {
                self.remember(upto);
                self.feed(Event::Synced { upto }).await;
            }
            Inner::Written(Written::Problem(problem)) | Inner::Problem(problem) => {
                self.report(Report::Problem(problem));
            }
            Inner::Body(question) => self.body(question),
            Inner::Ready => {
                if !self.ready && is_connected(&self.client) {
                    self.ready = true;
                    self.pull_results().await;
                    self.feed(Event::Connected).await;
                }
            }
            Inner::Stop => {}
            #[cfg(test)]
            Inner::Crash => {}
        }
    }

    /// Answers that are on disk can be recalled.
    fn remember(&mut self, upto: u64) {
        while let Some((number, _)) = self.unsynced.front()
            && *number <= upto
        {
            if let Some((_, Record::Answer { key, nodes, record })) = self.unsynced.pop_front() {
                self.shared.answers().insert(key, (nodes, record));
            }
        }
    }

    /// What the HTTP server asks.
    fn body(&mut self, question: Question) {
        match question {
            Question::May { token, takes, answer } => {
                let job = self.jobs_of_tokens.get(&token);
                let used = job.and_then(|job| self.tokens.get_mut(job)?.all.get_mut(&token));
                let permit = match used {
                    None => Permit::Unknown,
                    Some(true) => Permit::Used,
                    Some(used) => {
                        *used = takes;
                        Permit::Open
                    }
                };
                // A request that was broken off needs no answer.
                let _told = answer.send(permit);
            }
            Question::Release { token } => {
                let job = self.jobs_of_tokens.get(&token);
                if let Some(used) =
                    job.and_then(|job| self.tokens.get_mut(job)?.all.get_mut(&token))
                {
                    *used = false;
                }
            }
        }
    }

    /// A job is no longer open: its tokens are worth nothing.
    fn close(&mut self, job: JobId) {
        if let Some(tokens) = self.tokens.remove(&job) {
            for token in tokens.all.keys() {
                self.jobs_of_tokens.remove(token);
            }
        }
        if let Some(hash) = self.large.remove(&job) {
            self.bodies.drop_job(&hash);
        }
    }

    /// Somebody asks how it goes.
    async fn asked(&self, message: &Message) {
        let is_ours = StatusQuestion::from_bytes(&message.payload).is_ok();
        if let Some(reply) = message.reply.clone().filter(|_| is_ours) {
            let mut headers = HeaderMap::new();
            let title: String =
                self.title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            headers.insert(TITLE_HEADER, title);
            let status = self.machine.status().to_bytes().into();
            let _told = self.client.publish_with_headers(reply, headers, status).await;
        }
    }

    /// What the server answers.
    async fn answered(&mut self, message: Message) {
        match nats::came(&self.inbox, &message) {
            Came::Pulled { acknowledge } => self.pulled(acknowledge, &message).await,
            Came::Over { pull } => self.pull_over(pull).await,
            Came::Published { number } => {
                if let Some((job, attempt, _)) = self.published.remove(&number)
                    && !nats::is_stored(&message)
                {
                    self.feed(Event::Unpublished { job, attempt }).await;
                }
            }
            Came::Confirmed { .. } | Came::Nothing => {}
        }
    }

    async fn pull_over(&mut self, number: u64) {
        let is_hasty = |pull: &CurrentPull| pull.asked.elapsed() < PULL_AGAIN;
        match &mut self.pull {
            Some(pull) if pull.number == number && is_hasty(pull) => {
                pull.deadline = Instant::now() + PULL_AGAIN;
            }
            Some(pull) if pull.number == number => {
                self.pull = None;
                self.pull_results().await;
            }
            _ => {}
        }
    }

    /// A result came.
    async fn pulled(&mut self, acknowledge: String, message: &Message) {
        if let Some(pull) = &mut self.pull {
            pull.left = pull.left.saturating_sub(1);
            if pull.left <= BATCH / 2 {
                self.pull_results().await;
            }
        }
        let Ok(result) = WorkerResult::from_bytes(&message.payload) else {
            // Nobody else can make more of it, and the job is lent again in time.
            return self.publish(acknowledge, nats::DONE.to_vec()).await;
        };
        let certificate = match &result.outcome {
            Outcome::Won(Body::Remote { hash, .. }) => Some(*hash),
            _ => None,
        };
        let delivery = self.number();
        self.deliveries.insert(delivery, Delivery { acknowledge, certificate });
        self.feed(Event::Result { delivery, result }).await;
    }

    /// Asks for more results.
    async fn pull_results(&mut self) {
        let number = self.number();
        let left = self.pull.as_ref().map_or(0, |pull| pull.left) + BATCH;
        let now = Instant::now();
        let deadline = now + PULL_WAIT + PATIENCE;
        self.pull = Some(CurrentPull { number, left, asked: now, deadline });
        let pull = Pull::Waiting { count: BATCH, wait: PULL_WAIT };
        let subject = nats::results_pull_subject(self.id);
        let reply = nats::pull_reply(&self.inbox, number);
        // One that was not sent is repeated when its time is over.
        let body = nats::pull_body(pull).into();
        let _sent = self.client.publish_with_reply(subject, reply, body).await;
    }

    async fn tick(&mut self) {
        self.feed(Event::Tick).await;
        if !self.ready {
            return;
        }
        let now = Instant::now();
        if self.pull.as_ref().is_none_or(|pull| pull.deadline <= now) {
            self.pull = None;
            self.pull_results().await;
        }
        while let Some(oldest) = self.published.first_entry()
            && oldest.get().2 <= now
        {
            let (job, attempt, _) = oldest.remove();
            self.feed(Event::Unpublished { job, attempt }).await;
        }
        if now.duration_since(self.at_it) >= AT_IT_EVERY {
            self.at_it = now;
            let held: Vec<String> =
                self.deliveries.values().map(|held| held.acknowledge.clone()).collect();
            for subject in held {
                self.publish(subject, nats::AT_IT.to_vec()).await;
            }
        }
        if now.duration_since(self.looked_after) >= LOOK_AFTER_EVERY {
            self.look_after();
        }
    }

    async fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Publish { priority, assignment } => self.lend(priority, &assignment).await,
            Effect::Broadcast(message) => {
                self.publish(nats::MANAGERS.to_string(), message.to_bytes()).await;
            }
            Effect::Tell { worker, message } => {
                self.publish(nats::worker_subject(worker), message.to_bytes()).await;
            }
            Effect::Judge { delivery, job, worker, nodes: _, outcome } => {
                let key = self.machine.key_of(job).unwrap_or_default().into();
                self.judges.judge(Case { delivery, job, worker, key, outcome });
            }
            Effect::Record { number, record } => {
                self.unsynced.push_back((number, record.clone()));
                self.writer.append(number, record);
            }
            Effect::Acknowledge { delivery } => {
                if let Some(Delivery { acknowledge, certificate }) =
                    self.deliveries.remove(&delivery)
                {
                    self.publish(acknowledge, nats::DONE.to_vec()).await;
                    if let Some(hash) = certificate {
                        self.bodies.drop_certificate(&hash);
                    }
                }
            }
            Effect::Answer { job, nodes, answer } => {
                self.close(job);
                self.report(Report::Answer { job, nodes, answer });
            }
            Effect::Partial { job, worker, nodes, found } => {
                if self.shared.partials.load(Ordering::Relaxed) < PARTIALS_MAX {
                    self.shared.partials.fetch_add(1, Ordering::Relaxed);
                    self.report(Report::Partial { job, worker, nodes, found });
                }
            }
            Effect::Notice(notice) => self.report(Report::Notice(notice)),
        }
    }

    /// Puts an assignment into its queue.
    async fn lend(&mut self, priority: Priority, assignment: &Assignment) {
        let (job, attempt, token) = (assignment.job, assignment.attempt, assignment.token);
        self.tokens.entry(job).or_default().all.entry(token).or_insert(false);
        self.jobs_of_tokens.insert(token, job);
        if !self.ready {
            return; // All that nobody has is published again when there is a connection.
        }
        let number = self.number();
        self.published.insert(number, (job, attempt, Instant::now() + PUBLISHED_WITHIN));
        let reply = nats::publish_reply(&self.inbox, number);
        let subject = nats::jobs_subject(priority, self.id);
        let bytes = assignment.to_bytes().into();
        // Without an answer it counts as not published.
        let _sent = self.client.publish_with_reply(subject, reply, bytes).await;
    }

    async fn publish(&self, subject: String, bytes: Vec<u8>) {
        if is_connected(&self.client) {
            // What is lost here is like what is lost on the wire.
            let _sent = self.client.publish(subject, bytes.into()).await;
        }
    }

    /// Takes the jobs out of the queues, and waits until all that was said has gone out.
    async fn leave(self) {
        if is_connected(&self.client) {
            let connection = &self.line.connection;
            let tidy = async {
                drop(nats::purge_jobs(&self.client, connection, self.id).await);
                nats::remove_job_consumers(&self.client, connection, self.id).await;
                drop(self.client.flush().await);
                drop(self.client.drain().await);
            };
            let _tidied = timeout(LEAVE_WITHIN, tidy).await;
        }
    }
}

fn is_connected(client: &Client) -> bool {
    client.connection_state() == async_nats::connection::State::Connected
}
