//! The loop of a manager: feeds events of workers, results, disk, judges and search to its state
//! machine, and executes the effects.
//!
//! Nothing here waits for an answer of the server: the loop publishes assignments one after the
//! other, and the server's answers arrive at one inbox. It pulls results in batches, and requests
//! the next batch before the last one is used up.

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

use super::super::auditor::{AuditJob, Auditor};
use super::super::bodies::{Bodies, Question};
use super::super::connection::Connection;
use super::super::journal::{Writer, Written};
use super::super::judges::{Case, Judged, Judges};
use super::super::nats::{self, ConnectionEvent, InboxMessage, Pull};
use super::super::status::TITLE_HEADER;
use super::{FarmEvent, LoopEvent, PARTIALS_MAX, Shared};
use queues::Reason;

/// Interval of the ticks of the state machine.
const TICK_INTERVAL: Duration = Duration::from_millis(500);
/// Largest number of results in one pull.
const BATCH: usize = 512;
/// How long a pull waits for results.
const PULL_WAIT: Duration = Duration::from_secs(20);
/// How long to wait for the server's answer beyond [`PULL_WAIT`].
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
/// Shortest interval between two pulls, if the server ends a pull at once.
const PULL_INTERVAL_MIN: Duration = Duration::from_millis(500);
/// Interval at which the manager extends the acknowledgement time of results that it judges.
const ACK_PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// How long to wait for the server to confirm a published assignment.
const PUBLISH_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval of the checks for streams and consumers: a server may have lost its files.
const QUEUE_CHECK_INTERVAL: Duration = Duration::from_secs(30);
/// Shortest interval of these checks, which an unconfirmed assignment triggers, too.
const QUEUE_CHECK_INTERVAL_MIN: Duration = Duration::from_secs(1);
/// How long the last messages may take when the manager ends.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(3);

/// The state machine of a manager, and the threads behind it.
pub(super) struct Parts {
    pub(super) id: ManagerId,
    pub(super) title: String,
    pub(super) machine: Manager,
    pub(super) judges: Judges,
    pub(super) auditor: Auditor,
    pub(super) writer: Writer,
    pub(super) bodies: Arc<Bodies>,
}

/// The channels of the loop: to the server, to itself and to the search.
pub(super) struct Channels {
    pub(super) connection: Connection,
    pub(super) events: UnboundedSender<LoopEvent>,
    pub(super) farm_events: mpsc::Sender<FarmEvent>,
}

/// Runs the loop until it is stopped; sends once whether it could start.
pub(super) fn run(
    parts: Parts,
    channels: Channels,
    events: UnboundedReceiver<LoopEvent>,
    shared: Arc<Shared>,
    started: &mpsc::Sender<Result<()>>,
) {
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    // The starting thread waits for this.
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return drop(started.send(Err(Failure::io("the farm", &error)))),
    };
    if let Err(failure) = runtime.block_on(work(parts, channels, events, shared, started)) {
        drop(started.send(Err(failure)));
    }
    runtime.shutdown_timeout(Duration::ZERO);
}

async fn work(
    parts: Parts,
    channels: Channels,
    mut events: UnboundedReceiver<LoopEvent>,
    shared: Arc<Shared>,
    started: &mpsc::Sender<Result<()>>,
) -> Result<()> {
    let (sender, mut connection_events) = tokio::sync::mpsc::unbounded_channel();
    let client = nats::connect(&channels.connection, "manager", sender).await;
    let client = client.map_err(|error| error.failure)?;
    nats::make_streams(&client, &channels.connection).await?;
    nats::purge_jobs(&client, &channels.connection, parts.id).await?;
    nats::make_consumers(&client, &channels.connection, parts.id, parts.machine.queue()).await?;
    let is_open = nats::is_open(&client, &channels.connection);
    let lost = |error: async_nats::SubscribeError| Failure::new(format!("NATS: {error}"));
    let inbox = client.new_inbox();
    let own = nats::manager_subject(parts.id);
    let mut workers = client.subscribe(own).await.map_err(lost)?;
    let mut questions = client.subscribe(nats::STATUS).await.map_err(lost)?;
    let mut answers = client.subscribe(format!("{inbox}.>")).await.map_err(lost)?;
    drop(started.send(Ok(())));
    let mut manager_loop = ManagerLoop::new(parts, channels, client, inbox, shared);
    if is_open {
        manager_loop.feed(Event::Warned(WarningKind::OpenServer)).await;
    }
    let mut clock = interval(TICK_INTERVAL);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            Some(event) = connection_events.recv() => manager_loop.connection_event(event).await,
            Some(event) = events.recv() => match event {
                LoopEvent::Stop => break,
                #[cfg(test)]
                LoopEvent::Crash => return Ok(()),
                event => manager_loop.handle(event).await,
            },
            Some(message) = workers.next() => {
                // An unreadable message is foreign or of another version; its sender reports that.
                if let Ok(message) = FromWorker::from_bytes(&message.payload) {
                    manager_loop.feed(Event::Worker(message)).await;
                }
            }
            Some(message) = answers.next() => manager_loop.inbox_message(message).await,
            Some(message) = questions.next() => manager_loop.answer_status(&message).await,
            _ = clock.tick() => manager_loop.tick().await,
        }
        let capacity = manager_loop.machine.capacity();
        manager_loop.shared.capacity.store(capacity, Ordering::Relaxed);
    }
    manager_loop.leave().await;
    Ok(())
}

/// The current pull of results.
struct CurrentPull {
    number: u64,
    left: usize,
    asked: Instant,
    deadline: Instant,
}

/// A result that is not acknowledged yet.
struct Delivery {
    acknowledge: String,
    /// Its certificate, if that came over HTTP.
    certificate: Option<[u8; 32]>,
}

/// The state of the loop, around the state machine.
struct ManagerLoop {
    id: ManagerId,
    title: String,
    machine: Manager,
    judges: Judges,
    auditor: Auditor,
    writer: Writer,
    bodies: Arc<Bodies>,
    channels: Channels,
    client: Client,
    /// The subject under which the server's answers arrive.
    inbox: String,
    shared: Arc<Shared>,
    start: Instant,
    /// Whether the server is connected and has the queues.
    ready: bool,
    next: u64,
    pull: Option<CurrentPull>,
    deliveries: BTreeMap<u64, Delivery>,
    /// Assignments that the server has not confirmed.
    published: BTreeMap<u64, (JobId, u32, Instant)>,
    /// Jobs whose bodies are too large for a message.
    large: BTreeMap<JobId, [u8; 32]>,
    progress_sent: Instant,
    queues_checked: Instant,
    /// Whether the queues need their new name.
    renews: bool,
}

impl ManagerLoop {
    fn new(
        parts: Parts,
        channels: Channels,
        client: Client,
        inbox: String,
        shared: Arc<Shared>,
    ) -> ManagerLoop {
        let Parts { id, title, machine, judges, auditor, writer, bodies } = parts;
        let now = Instant::now();
        ManagerLoop {
            id,
            title,
            machine,
            judges,
            auditor,
            writer,
            bodies,
            channels,
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
            progress_sent: now,
            queues_checked: now,
            renews: false,
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn report(&self, event: FarmEvent) {
        // A search that has ended needs no events.
        drop(self.channels.farm_events.send(event));
    }

    async fn feed(&mut self, event: Event) {
        let now_ms = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        for effect in self.machine.handle(now_ms, event) {
            self.execute(effect).await;
        }
        if std::mem::take(&mut self.renews) {
            // As after a lost connection: the new queues get every job that no worker is doing.
            self.ready = false;
            for effect in self.machine.handle(now_ms, Event::Disconnected) {
                self.execute(effect).await;
            }
            self.maintain_queues(Reason::Renewal);
        }
    }

    async fn connection_event(&mut self, event: ConnectionEvent) {
        match event {
            ConnectionEvent::Up => self.maintain_queues(Reason::Connected),
            ConnectionEvent::Down => {
                self.ready = false;
                self.pull = None;
                self.published.clear();
                self.feed(Event::Disconnected).await;
                let server = self.channels.connection.shown();
                self.report(FarmEvent::Problem(format!("the connection to {server} is lost")));
            }
        }
    }

    /// Handles an event of another thread.
    async fn handle(&mut self, event: LoopEvent) {
        match event {
            LoopEvent::Submit(mut job) => {
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
            LoopEvent::Withdraw(job) => {
                self.feed(Event::Withdraw(job)).await;
                self.close(job);
            }
            LoopEvent::Status(ask) => drop(ask.send(self.machine.status())),
            LoopEvent::Settle => self.feed(Event::Settle).await,
            LoopEvent::Performed { audit, answer } => {
                self.feed(Event::Performed { audit, answer }).await;
            }
            LoopEvent::Judged(Judged { delivery, job, worker, verdict }) => {
                self.feed(Event::Judged { delivery, job, worker, verdict }).await;
            }
            LoopEvent::Written(Written::Synced { upto }) => {
                self.feed(Event::Synced { upto }).await;
            }
            LoopEvent::Written(Written::Problem(problem)) | LoopEvent::Problem(problem) => {
                self.report(FarmEvent::Problem(problem));
            }
            LoopEvent::Body(question) => self.body(question),
            // The queues got another name meanwhile.
            LoopEvent::Ready { queue, .. } if queue != self.machine.queue() => {
                self.maintain_queues(Reason::Renewal);
            }
            LoopEvent::Ready { was_missing, .. } => {
                if was_missing && self.ready {
                    // Its messages are lost, and so is the pull of results.
                    self.ready = false;
                    self.feed(Event::Warned(WarningKind::StreamMissing)).await;
                    self.feed(Event::Disconnected).await;
                }
                if !self.ready && is_connected(&self.client) {
                    self.ready = true;
                    self.pull_results().await;
                    self.feed(Event::Connected).await;
                }
            }
            LoopEvent::Stop => {}
            #[cfg(test)]
            LoopEvent::Crash => {}
        }
    }

    /// Answers the HTTP server.
    fn body(&mut self, question: Question) {
        match question {
            Question::Permit { token, uses, answer } => {
                let permit = match uses {
                    true => self.machine.use_token(&token),
                    false => self.machine.permit(&token),
                };
                // An aborted request needs no answer.
                let _sent = answer.send(permit);
            }
            Question::Release { token } => self.machine.release_token(&token),
        }
    }

    /// Drops the large body of a job that is no longer open.
    fn close(&mut self, job: JobId) {
        if let Some(hash) = self.large.remove(&job) {
            self.bodies.drop_job(&hash);
        }
    }

    /// Answers a status question.
    async fn answer_status(&self, message: &Message) {
        let is_ours = StatusQuestion::from_bytes(&message.payload).is_ok();
        if let Some(reply) = message.reply.clone().filter(|_| is_ours) {
            let mut headers = HeaderMap::new();
            let title: String =
                self.title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            headers.insert(TITLE_HEADER, title);
            let status = self.machine.status().to_bytes().into();
            let _sent = self.client.publish_with_headers(reply, headers, status).await;
        }
    }

    /// Handles a message in the inbox.
    async fn inbox_message(&mut self, message: Message) {
        match InboxMessage::of(&self.inbox, &message) {
            InboxMessage::Pulled { acknowledge } => self.pulled(acknowledge, &message).await,
            InboxMessage::PullOver { pull } => self.pull_over(pull).await,
            InboxMessage::Published { number } => {
                if let Some((job, attempt, _)) = self.published.remove(&number)
                    && !nats::is_stored(&message)
                {
                    self.feed(Event::Unpublished { job, attempt }).await;
                    // The stream may be gone.
                    if self.ready && self.queues_checked.elapsed() >= QUEUE_CHECK_INTERVAL_MIN {
                        self.maintain_queues(Reason::Routine);
                    }
                }
            }
            InboxMessage::Confirmed { .. } | InboxMessage::Nothing => {}
        }
    }

    async fn pull_over(&mut self, number: u64) {
        let is_early = |pull: &CurrentPull| pull.asked.elapsed() < PULL_INTERVAL_MIN;
        match &mut self.pull {
            Some(pull) if pull.number == number && is_early(pull) => {
                pull.deadline = Instant::now() + PULL_INTERVAL_MIN;
            }
            Some(pull) if pull.number == number => {
                self.pull = None;
                self.pull_results().await;
            }
            _ => {}
        }
    }

    /// Handles a pulled result.
    async fn pulled(&mut self, acknowledge: String, message: &Message) {
        if let Some(pull) = &mut self.pull {
            pull.left = pull.left.saturating_sub(1);
            if pull.left <= BATCH / 2 {
                self.pull_results().await;
            }
        }
        let Ok(result) = WorkerResult::from_bytes(&message.payload) else {
            // No other manager reads it, and this one publishes the job again in time.
            return self.publish(acknowledge, nats::ACK.to_vec()).await;
        };
        let certificate = match &result.outcome {
            Outcome::Won(Body::Remote { hash, .. }) => Some(*hash),
            _ => None,
        };
        let delivery = self.number();
        self.deliveries.insert(delivery, Delivery { acknowledge, certificate });
        self.feed(Event::Result { delivery, result }).await;
    }

    /// Requests more results.
    async fn pull_results(&mut self) {
        let number = self.number();
        let left = self.pull.as_ref().map_or(0, |pull| pull.left) + BATCH;
        let now = Instant::now();
        let deadline = now + PULL_WAIT + ANSWER_TIMEOUT;
        self.pull = Some(CurrentPull { number, left, asked: now, deadline });
        let pull = Pull::Waiting { count: BATCH, wait: PULL_WAIT };
        let subject = nats::results_pull_subject(self.id);
        let reply = nats::pull_reply(&self.inbox, number);
        // `tick` repeats a pull that was not sent.
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
        if now.duration_since(self.progress_sent) >= ACK_PROGRESS_INTERVAL {
            self.progress_sent = now;
            let subjects: Vec<String> =
                self.deliveries.values().map(|delivery| delivery.acknowledge.clone()).collect();
            for subject in subjects {
                self.publish(subject, nats::ACK_PROGRESS.to_vec()).await;
            }
        }
        if now.duration_since(self.queues_checked) >= QUEUE_CHECK_INTERVAL {
            self.maintain_queues(Reason::Routine);
        }
    }

    async fn execute(&mut self, effect: Effect) {
        match effect {
            Effect::Publish { priority, assignment } => {
                self.publish_assignment(priority, &assignment).await;
            }
            Effect::Broadcast(message) => {
                self.publish(nats::MANAGERS.to_string(), message.to_bytes()).await;
            }
            Effect::SendTo { worker, message } => {
                self.publish(nats::worker_subject(worker), message.to_bytes()).await;
            }
            Effect::Judge { delivery, job, worker, outcome } => {
                let key = self.machine.key_of(job).unwrap_or_default().into();
                self.judges.judge(Case { delivery, job, worker, key, outcome });
            }
            Effect::Record { number, record } => self.writer.append(number, record),
            Effect::Acknowledge { delivery } => {
                if let Some(Delivery { acknowledge, certificate }) =
                    self.deliveries.remove(&delivery)
                {
                    self.publish(acknowledge, nats::ACK.to_vec()).await;
                    if let Some(hash) = certificate {
                        self.bodies.drop_certificate(&hash);
                    }
                }
            }
            Effect::Answer { job, nodes, answer } => {
                // An audit may need its body.
                if let Some(audit) = self.machine.audit_of(job)
                    && let Some(hash) = self.large.remove(&job)
                {
                    self.large.insert(audit, hash);
                }
                self.close(job);
                if let Answered::Good { record } = &answer {
                    self.shared.answers().insert(job, (nodes, record.clone()));
                }
                self.report(FarmEvent::Answer { job, nodes, answer });
            }
            Effect::Perform { audit, body } => self.perform(audit, &body),
            Effect::Close { audit } => self.close(audit),
            Effect::Revoke { jobs, nodes } => {
                let mut answers = self.shared.answers();
                jobs.iter().for_each(|job| drop(answers.remove(job)));
                drop(answers);
                self.report(FarmEvent::Revoked { nodes });
            }
            Effect::Confirm { key, nodes, record } => {
                self.report(FarmEvent::Confirmed { key, nodes, record });
            }
            Effect::Settled => self.report(FarmEvent::Settled),
            Effect::Queue { .. } => self.renews = true,
            Effect::Partial { job, nodes, found } => {
                if self.shared.partials.load(Ordering::Relaxed) < PARTIALS_MAX {
                    self.shared.partials.fetch_add(1, Ordering::Relaxed);
                    self.report(FarmEvent::Partial { job, nodes, found });
                }
            }
            Effect::Notice(notice) => self.report(FarmEvent::Notice(notice)),
        }
    }

    /// Audits a job on this machine.
    fn perform(&self, audit: JobId, body: &Body) {
        let key = self.machine.key_of(audit).unwrap_or_default().to_vec();
        let body = match body {
            Body::Inline(bytes) => Arc::new(bytes.clone()),
            // Without its body the audit fails, and reports that.
            Body::Remote { hash, .. } => self.bodies.job(hash).unwrap_or_default(),
        };
        self.auditor.perform(AuditJob { audit, key, body });
    }

    /// Puts an assignment into its queue.
    async fn publish_assignment(&mut self, priority: Priority, assignment: &Assignment) {
        let (job, attempt) = (assignment.job, assignment.attempt);
        if !self.ready {
            return; // The state machine publishes it again when the connection is back.
        }
        let number = self.number();
        self.published.insert(number, (job, attempt, Instant::now() + PUBLISH_TIMEOUT));
        let reply = nats::publish_reply(&self.inbox, number);
        let subject = nats::jobs_subject(priority, self.id);
        let bytes = assignment.to_bytes().into();
        // Without a confirmation it counts as not published.
        let _sent = self.client.publish_with_reply(subject, reply, bytes).await;
    }

    async fn publish(&self, subject: String, bytes: Vec<u8>) {
        if is_connected(&self.client) {
            // A message lost here is no worse than one lost on the network.
            let _sent = self.client.publish(subject, bytes.into()).await;
        }
    }

    /// Takes the jobs out of the queues, and waits until all messages are sent.
    async fn leave(self) {
        if is_connected(&self.client) {
            let connection = &self.channels.connection;
            let clean_up = async {
                drop(nats::purge_jobs(&self.client, connection, self.id).await);
                nats::remove_job_consumers(&self.client, connection, self.id).await;
                drop(self.client.flush().await);
                drop(self.client.drain().await);
            };
            let _ended = timeout(LEAVE_TIMEOUT, clean_up).await;
        }
    }
}

fn is_connected(client: &Client) -> bool {
    client.connection_state() == async_nats::connection::State::Connected
}
