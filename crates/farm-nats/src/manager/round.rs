//! The loop of a manager: hears workers, results, the disk, the judges and the search, tells its
//! state machine, and carries out what that wants.
//!
//! Nothing here waits for an answer of the server: assignments are published one after the other,
//! and what the server says to each comes back to one inbox. Results are pulled in batches, the
//! next one asked for before the last one is used up.

mod queues;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use async_nats::{Client, HeaderMap, Message};
use futures_util::StreamExt as _;
use sixproof_farm::manager::{Answered, Effect, Event, Manager};
use sixproof_farm::wire::{
    Assignment, Body, FromWorker, INLINE_BYTES_MAX, Outcome, Priority, StatusQuestion, WorkerResult,
};
use sixproof_farm::{JobId, ManagerId, WarningKind};
use sixproof_solve::failure::{Failure, Result};
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::super::auditor::{Again, Auditor};
use super::super::bodies::{Bodies, Question};
use super::super::connection::Connection;
use super::super::journal::{Writer, Written};
use super::super::judges::{Case, Judged, Judges};
use super::super::nats::{self, Came, Pull, Wire};
use super::super::status::TITLE_HEADER;
use super::{Inner, PARTIALS_MAX, Report, Shared};
use queues::Reason;

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
/// After an assignment was not taken, they are looked after at once, but not more often than this.
const LOOK_AFTER_AGAIN: Duration = Duration::from_secs(1);
const LEAVE_WITHIN: Duration = Duration::from_secs(3);

/// The parts that a manager works with.
pub(super) struct Crew {
    pub(super) id: ManagerId,
    pub(super) title: String,
    pub(super) machine: Manager,
    pub(super) judges: Judges,
    pub(super) auditor: Auditor,
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
    nats::make_consumers(&client, &line.connection, crew.id, crew.machine.queue()).await?;
    let is_open = nats::is_open(&client, &line.connection);
    let lost = |error: async_nats::SubscribeError| Failure::new(format!("NATS: {error}"));
    let inbox = client.new_inbox();
    let own = nats::manager_subject(crew.id);
    let mut workers = client.subscribe(own).await.map_err(lost)?;
    let mut questions = client.subscribe(nats::STATUS).await.map_err(lost)?;
    let mut answers = client.subscribe(format!("{inbox}.>")).await.map_err(lost)?;
    drop(started.send(Ok(())));
    let mut round = Round::new(crew, line, client, inbox, shared);
    if is_open {
        round.feed(Event::Noted(WarningKind::OpenServer)).await;
    }
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

/// All that a manager knows besides its state machine.
struct Round {
    id: ManagerId,
    title: String,
    machine: Manager,
    judges: Judges,
    auditor: Auditor,
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
    /// Jobs whose bodies are too large for a message.
    large: BTreeMap<JobId, [u8; 32]>,
    at_it: Instant,
    looked_after: Instant,
    /// Whether the queues are to get another name.
    renews: bool,
}

impl Round {
    fn new(crew: Crew, line: Line, client: Client, inbox: String, shared: Arc<Shared>) -> Round {
        let Crew { id, title, machine, judges, auditor, writer, bodies } = crew;
        let now = Instant::now();
        Round {
            id,
            title,
            machine,
            judges,
            auditor,
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
            large: BTreeMap::new(),
            at_it: now,
            looked_after: now,
            renews: false,
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
        if std::mem::take(&mut self.renews) {
            // As after a break: when the new queues are there, all that nobody has is published.
            self.ready = false;
            for effect in self.machine.handle(now_ms, Event::Disconnected) {
                self.carry_out(effect).await;
            }
            self.look_after(Reason::Renewal);
        }
    }

    async fn wire(&mut self, happened: Wire) {
        match happened {
            Wire::Up => self.look_after(Reason::Connected),
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
            Inner::Settle => self.feed(Event::Settle).await,
            Inner::Performed { audit, answer } => {
                self.feed(Event::Performed { audit, answer }).await;
            }
            Inner::Judged(Judged { delivery, job, worker, verdict }) => {
                self.feed(Event::Judged { delivery, job, worker, verdict }).await;
            }
            Inner::Written(Written::Synced { upto }) => {
                self.feed(Event::Synced { upto }).await;
            }
            Inner::Written(Written::Problem(problem)) | Inner::Problem(problem) => {
                self.report(Report::Problem(problem));
            }
            Inner::Body(question) => self.body(question),
            // They got another name meanwhile.
            Inner::Ready { queue, .. } if queue != self.machine.queue() => {
                self.look_after(Reason::Renewal);
            }
            Inner::Ready { was_missing, .. } => {
                if was_missing && self.ready {
                    // All that was in it is lost, and so is the pull of results.
                    self.ready = false;
                    self.feed(Event::Noted(WarningKind::StreamMissing)).await;
                    self.feed(Event::Disconnected).await;
                }
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

    /// What the HTTP server asks.
    fn body(&mut self, question: Question) {
        match question {
            Question::May { token, takes, answer } => {
                let permit = match takes {
                    true => self.machine.use_token(&token),
                    false => self.machine.permit(&token),
                };
                // A request that was broken off needs no answer.
                let _told = answer.send(permit);
            }
            Question::Release { token } => self.machine.release_token(&token),
        }
    }

    /// A job is no longer open: its body is not needed any more.
    fn close(&mut self, job: JobId) {
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
                    // The stream may be gone.
                    if self.ready && self.looked_after.elapsed() >= LOOK_AFTER_AGAIN {
                        self.look_after(Reason::Routine);
                    }
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
            self.look_after(Reason::Routine);
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
            Effect::Record { number, record } => self.writer.append(number, record),
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
                // Its body may be needed for an audit.
                if let Some(audit) = self.machine.audit_of(job)
                    && let Some(hash) = self.large.remove(&job)
                {
                    self.large.insert(audit, hash);
                }
                self.close(job);
                if let Answered::Good { record } = &answer {
                    self.shared.answers().insert(job, (nodes, record.clone()));
                }
                self.report(Report::Answer { job, nodes, answer });
            }
            Effect::Perform { audit, body } => self.perform(audit, &body),
            Effect::Close { audit } => self.close(audit),
            Effect::Revoke { jobs, nodes } => {
                let mut answers = self.shared.answers();
                jobs.iter().for_each(|job| drop(answers.remove(job)));
                drop(answers);
                self.report(Report::Revoked { nodes });
            }
            Effect::Confirm { key, nodes, record } => {
                self.report(Report::Confirmed { key, nodes, record });
            }
            Effect::Settled => self.report(Report::Settled),
            Effect::Queue { .. } => self.renews = true,
            Effect::Partial { job, worker, nodes, found } => {
                if self.shared.partials.load(Ordering::Relaxed) < PARTIALS_MAX {
                    self.shared.partials.fetch_add(1, Ordering::Relaxed);
                    self.report(Report::Partial { job, worker, nodes, found });
                }
            }
            Effect::Notice(notice) => self.report(Report::Notice(notice)),
        }
    }

    /// Has a job done again on this machine.
    fn perform(&self, audit: JobId, body: &Body) {
        let key = self.machine.key_of(audit).unwrap_or_default().to_vec();
        let body = match body {
            Body::Inline(bytes) => Arc::new(bytes.clone()),
            // What is not there any more cannot be done, and that is said.
            Body::Remote { hash, .. } => self.bodies.job(hash).unwrap_or_default(),
        };
        self.auditor.perform(Again { audit, key, body });
    }

    /// Puts an assignment into its queue.
    async fn lend(&mut self, priority: Priority, assignment: &Assignment) {
        let (job, attempt) = (assignment.job, assignment.attempt);
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
