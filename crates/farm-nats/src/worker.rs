//! The process of a worker: executes the effects of `farm::worker::Worker`, with NATS and threads.
//!
//! One loop receives all events: messages of managers, pulled jobs, answers of the server, events
//! of threads, the clock. It executes the effects of one event before it takes the next. Without a
//! connection it sends nothing: the state machine repeats its messages when the connection is back.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use async_nats::{Client, Message};
use futures_util::StreamExt as _;
use sixproof_farm::wire::{Assignment, Priority, ToWorker, WireError};
use sixproof_farm::worker::{Effect, Event, Notice, Settings, Worker};
use sixproof_farm::{JobId, ManagerId, QueueId};
use sixproof_solve::failure::{Failure, Result};
use tokio::runtime;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::connection::Connection;
use super::jobs::{HandlerFactory, JobEvent, JobThreads, ThreadEvent};
use super::nats::{self, ConnectFailure, ConnectionEvent, InboxMessage, Pull};

/// Interval of the checks of the clock and of the [`Control`].
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Interval of the ticks of the state machine.
const TICK_INTERVAL: Duration = Duration::from_millis(500);
/// How long to wait for the server's answer, beyond the time that a request sets.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
/// How long to wait for the server to confirm an acknowledgement, and how many times to send it.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(3);
const CONFIRM_TRIES_MAX: u32 = 5;
/// How long the last messages may take when the worker leaves.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(3);

/// The set-up of a worker.
pub struct Setup {
    /// The server.
    pub connection: Connection,
    /// The identity of the worker, and its times.
    pub settings: Settings,
    /// Makes the handlers that do the jobs.
    pub handlers: HandlerFactory,
}

/// What a running worker should do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Run,
    /// Hand the jobs back, and end.
    Leave,
    /// End as a crash would.
    Abort,
}

/// An event of a running worker.
#[derive(Debug)]
pub enum WorkerEvent {
    /// There is no server yet.
    Waiting(Failure),
    /// The server answers.
    Connected,
    /// The connection is lost.
    Disconnected,
    /// The server lets a worker do everything, and so any other client.
    Open,
    /// An event of the state machine.
    Notice(Notice),
    /// The counters, several times a second.
    Counts(Counts),
}

/// The counters of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Whether the server answers.
    pub connected: bool,
    /// Jobs under way.
    pub running: usize,
    /// Jobs done.
    pub done: u64,
    /// Nodes of the jobs done.
    pub nodes: u64,
    /// Managers that welcomed it.
    pub managers: usize,
}

/// Works until `control` returns [`Control::Leave`] or [`Control::Abort`].
pub fn run(
    setup: Setup,
    control: &dyn Fn() -> Control,
    report: &mut dyn FnMut(WorkerEvent),
) -> Result<()> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| Failure::io("the worker", &error))?;
    let done = runtime.block_on(work(setup, control, report));
    // Tasks that still wait for the server end here.
    runtime.shutdown_timeout(Duration::ZERO);
    done
}

async fn work(
    setup: Setup,
    control: &dyn Fn() -> Control,
    report: &mut dyn FnMut(WorkerEvent),
) -> Result<()> {
    let (sender, mut connection_events) = mpsc::unbounded_channel();
    let name = format!("worker {}", setup.settings.name);
    let Some(client) = connect(&setup.connection, &name, sender, control, report).await? else {
        return Ok(());
    };
    let lost = |error: async_nats::SubscribeError| Failure::new(format!("NATS: {error}"));
    let inbox = client.new_inbox();
    let own = nats::worker_subject(setup.settings.id);
    let mut managers = client.subscribe(nats::MANAGERS).await.map_err(lost)?;
    let mut own = client.subscribe(own).await.map_err(lost)?;
    let mut answers = client.subscribe(format!("{inbox}.>")).await.map_err(lost)?;
    let (thread_sender, mut thread_events) = mpsc::unbounded_channel();
    let (open_sender, mut open_server) = mpsc::unbounded_channel();
    let asking = client.clone();
    tokio::spawn(async move {
        // A worker that has left needs no answer.
        let _sent = open_sender.send(nats::may_do_everything(&asking).await);
    });
    let threads = JobThreads::start(setup.settings.cores, &setup.handlers, &thread_sender)?;
    let mut worker_loop = WorkerLoop::new(client, inbox, Worker::new(setup.settings), threads);
    let mut clock = interval(POLL_INTERVAL);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut ticked = Instant::now();
    let mut is_leaving = false;
    loop {
        tokio::select! {
            Some(event) = connection_events.recv() => {
                report(match event {
                    ConnectionEvent::Up => WorkerEvent::Connected,
                    ConnectionEvent::Down => WorkerEvent::Disconnected,
                });
                worker_loop.connection_event(event).await;
            }
            Some(true) = open_server.recv() => report(WorkerEvent::Open),
            Some(message) = managers.next() => worker_loop.manager_message(&message).await,
            Some(message) = own.next() => worker_loop.manager_message(&message).await,
            Some(message) = answers.next() => worker_loop.inbox_message(message).await,
            Some(event) = thread_events.recv() => worker_loop.thread_event(event).await,
            _ = clock.tick() => {
                match control() {
                    Control::Run => {}
                    Control::Leave if is_leaving => {}
                    Control::Leave => {
                        is_leaving = true;
                        worker_loop.feed(Event::Quit).await;
                    }
                    Control::Abort => return Ok(()),
                }
                if ticked.elapsed() >= TICK_INTERVAL {
                    ticked = Instant::now();
                    worker_loop.feed(Event::Tick).await;
                    worker_loop.check_deadlines().await;
                }
                report(WorkerEvent::Counts(worker_loop.counts()));
            }
        }
        for notice in worker_loop.notices.drain(..) {
            report(WorkerEvent::Notice(notice));
        }
        if worker_loop.has_left {
            worker_loop.leave().await;
            return Ok(());
        }
    }
}

/// Connects, and waits until the server runs; `None` if the worker should leave before.
async fn connect(
    connection: &Connection,
    name: &str,
    events: mpsc::UnboundedSender<ConnectionEvent>,
    control: &dyn Fn() -> Control,
    report: &mut dyn FnMut(WorkerEvent),
) -> Result<Option<Client>> {
    for attempt in 2.. {
        match nats::connect(connection, name, events.clone()).await {
            Ok(client) => return Ok(Some(client)),
            Err(ConnectFailure { failure, may_pass: false }) => return Err(failure),
            Err(ConnectFailure { failure, .. }) => report(WorkerEvent::Waiting(failure)),
        }
        let until = Instant::now() + nats::delay(attempt);
        while Instant::now() < until {
            if control() != Control::Run {
                return Ok(None);
            }
            sleep(POLL_INTERVAL.min(until.saturating_duration_since(Instant::now()))).await;
        }
    }
    Ok(None)
}

/// The current pull.
struct CurrentPull {
    number: u64,
    /// The queue.
    from: (Priority, ManagerId, QueueId),
    /// The number of jobs that it may still bring.
    left: usize,
    /// Whether it waits for the first one.
    waits: bool,
    deadline: Instant,
}

/// An acknowledgement that the server has not confirmed.
struct Unconfirmed {
    subject: String,
    deadline: Instant,
    tries: u32,
}

/// The state of the loop, around the state machine.
struct WorkerLoop {
    client: Client,
    /// The subject under which the server's answers arrive.
    inbox: String,
    machine: Worker,
    threads: JobThreads,
    start: Instant,
    connected: bool,
    /// The last number of a delivery, a result or an acknowledgement.
    next: u64,
    /// The acknowledgement subjects of deliveries.
    deliveries: BTreeMap<u64, String>,
    pull: Option<CurrentPull>,
    /// Results that the server has not confirmed, with their deadlines.
    sent: BTreeMap<u64, (JobId, Instant)>,
    unconfirmed: BTreeMap<u64, Unconfirmed>,
    notices: Vec<Notice>,
    has_left: bool,
}

impl WorkerLoop {
    fn new(client: Client, inbox: String, machine: Worker, threads: JobThreads) -> WorkerLoop {
        WorkerLoop {
            client,
            inbox,
            machine,
            threads,
            start: Instant::now(),
            connected: false,
            next: 0,
            deliveries: BTreeMap::new(),
            pull: None,
            sent: BTreeMap::new(),
            unconfirmed: BTreeMap::new(),
            notices: Vec::new(),
            has_left: false,
        }
    }

    fn counts(&self) -> Counts {
        let summary = self.machine.summary();
        let so_far: u64 = summary.running.iter().map(|(_, nodes)| nodes).sum();
        Counts {
            connected: self.connected,
            running: self.threads.running(),
            done: summary.done,
            nodes: summary.nodes.saturating_add(so_far),
            managers: summary.managers,
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    async fn feed(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let now_ms = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
            for effect in self.machine.handle(now_ms, event) {
                self.execute(effect, &mut events).await;
            }
        }
    }

    async fn connection_event(&mut self, event: ConnectionEvent) {
        self.connected = event == ConnectionEvent::Up;
        self.pull = None;
        if self.connected {
            self.feed(Event::Connected).await;
            // Unconfirmed acknowledgements are sent again.
            for unconfirmed in self.unconfirmed.values_mut() {
                unconfirmed.deadline = Instant::now();
            }
            self.check_deadlines().await;
        } else {
            self.feed(Event::Disconnected).await;
            for (job, _) in std::mem::take(&mut self.sent).into_values() {
                self.feed(Event::Unsent { job }).await;
            }
        }
    }

    /// Handles a message of a manager.
    async fn manager_message(&mut self, message: &Message) {
        match ToWorker::from_bytes(&message.payload) {
            Ok(message) => self.feed(Event::Manager(message)).await,
            Err(WireError::Version { theirs, .. }) => {
                self.feed(Event::OtherVersion { theirs }).await;
            }
            // Another program uses our subjects.
            Err(_) => {}
        }
    }

    /// Handles a message in the inbox.
    async fn inbox_message(&mut self, message: Message) {
        match InboxMessage::of(&self.inbox, &message) {
            InboxMessage::Pulled { acknowledge } => self.pulled(acknowledge, &message).await,
            InboxMessage::PullOver { pull } => {
                if self.pull.as_ref().is_some_and(|current| current.number == pull) {
                    self.pull_over().await;
                }
            }
            InboxMessage::Published { number } => {
                if let Some((job, _)) = self.sent.remove(&number) {
                    let is_stored = nats::is_stored(&message);
                    let event = if is_stored { Event::Sent { job } } else { Event::Unsent { job } };
                    self.feed(event).await;
                }
            }
            InboxMessage::Confirmed { number } => {
                self.unconfirmed.remove(&number);
            }
            InboxMessage::Nothing => {}
        }
    }

    /// Handles a pulled job.
    async fn pulled(&mut self, acknowledge: String, message: &Message) {
        let Some(pull) = &mut self.pull else {
            // It arrived after the end of its pull.
            return self.publish(acknowledge, nats::NAK.to_vec()).await;
        };
        pull.left = pull.left.saturating_sub(1);
        let (left, waits) = (pull.left, pull.waits);
        match Assignment::from_bytes(&message.payload) {
            Ok(assignment) => {
                let delivery = self.number();
                self.deliveries.insert(delivery, acknowledge);
                self.feed(Event::Assigned { delivery, assignment }).await;
            }
            // Another worker may be able to read it.
            Err(_) => self.publish(acknowledge, nats::NAK.to_vec()).await,
        }
        if left == 0 {
            self.pull_over().await;
        } else if waits {
            self.pull_the_rest().await;
        }
    }

    /// After the first job of a pull, requests the other available ones.
    async fn pull_the_rest(&mut self) {
        let Some(pull) = &mut self.pull else { return };
        pull.waits = false;
        pull.deadline = Instant::now() + ANSWER_TIMEOUT;
        let (number, from) = (pull.number, pull.from);
        let rest = Pull::Available { count: pull.left };
        self.request_jobs(number, from, rest).await;
    }

    async fn pull_over(&mut self) {
        if let Some(pull) = self.pull.take() {
            self.feed(Event::PullOver { number: pull.number }).await;
        }
    }

    /// Handles an event of a thread.
    async fn thread_event(&mut self, event: ThreadEvent) {
        match self.threads.event(event) {
            Some(JobEvent::Progress { job, nodes, found }) => {
                self.feed(Event::Progress { job, nodes, found }).await;
            }
            Some(JobEvent::Finished { job, nodes, outcome }) => {
                self.feed(Event::Finished { job, nodes, outcome }).await;
            }
            None => {}
        }
    }

    /// Handles missed deadlines of the server's answers.
    async fn check_deadlines(&mut self) {
        let now = Instant::now();
        if self.pull.as_ref().is_some_and(|pull| pull.deadline <= now) {
            self.pull_over().await;
        }
        let is_late = |(_, (_, deadline)): &(&u64, &(JobId, Instant))| *deadline <= now;
        let late: Vec<u64> = self.sent.iter().filter(is_late).map(|(number, _)| *number).collect();
        for number in late {
            if let Some((job, _)) = self.sent.remove(&number) {
                self.feed(Event::Unsent { job }).await;
            }
        }
        if !self.connected {
            return;
        }
        let mut resent = Vec::new();
        self.unconfirmed.retain(|number, unconfirmed| {
            if unconfirmed.deadline <= now {
                unconfirmed.deadline = now + CONFIRM_TIMEOUT;
                unconfirmed.tries += 1;
                resent.push((*number, unconfirmed.subject.clone()));
            }
            unconfirmed.tries <= CONFIRM_TRIES_MAX
        });
        for (number, subject) in resent {
            self.acknowledge(number, subject).await;
        }
    }

    async fn execute(&mut self, effect: Effect, events: &mut VecDeque<Event>) {
        match effect {
            Effect::SendTo { manager, message } => {
                self.publish(nats::manager_subject(manager), message.to_bytes()).await;
            }
            Effect::Pull { number, manager, queue, priority, count, wait_ms } => {
                let wait = Duration::from_millis(wait_ms);
                let waits = wait_ms > 0;
                let deadline = Instant::now() + wait + ANSWER_TIMEOUT;
                let left = count.max(1);
                let pull = if waits {
                    Pull::Waiting { count: 1, wait }
                } else {
                    Pull::Available { count: left }
                };
                let from = (priority, manager, queue);
                self.pull = Some(CurrentPull { number, from, left, waits, deadline });
                self.request_jobs(number, from, pull).await;
            }
            Effect::Start { job, assignment } => self.threads.begin(job, assignment),
            Effect::Stop { job } => self.threads.stop(job),
            Effect::PublishResult { result } => {
                let job = result.job;
                if !self.connected {
                    events.push_back(Event::Unsent { job });
                    return;
                }
                let number = self.number();
                self.sent.insert(number, (job, Instant::now() + ANSWER_TIMEOUT));
                let reply = nats::publish_reply(&self.inbox, number);
                let subject = nats::results_subject(result.manager);
                let bytes = result.to_bytes().into();
                // Without a confirmation it counts as not sent.
                let _sent = self.client.publish_with_reply(subject, reply, bytes).await;
            }
            Effect::Acknowledge { delivery } => {
                if let Some(subject) = self.deliveries.remove(&delivery) {
                    let number = self.number();
                    let deadline = Instant::now() + CONFIRM_TIMEOUT;
                    let unconfirmed = Unconfirmed { subject: subject.clone(), deadline, tries: 1 };
                    self.unconfirmed.insert(number, unconfirmed);
                    self.acknowledge(number, subject).await;
                }
            }
            Effect::Nak { delivery } => {
                if let Some(subject) = self.deliveries.remove(&delivery) {
                    self.publish(subject, nats::NAK.to_vec()).await;
                }
            }
            Effect::AckProgress { delivery } => {
                if let Some(subject) = self.deliveries.get(&delivery).cloned() {
                    self.publish(subject, nats::ACK_PROGRESS.to_vec()).await;
                }
            }
            Effect::Notice(notice) => self.notices.push(notice),
            Effect::Leave => self.has_left = true,
        }
    }

    async fn request_jobs(
        &self,
        number: u64,
        (priority, manager, queue): (Priority, ManagerId, QueueId),
        pull: Pull,
    ) {
        if self.connected {
            let subject = nats::jobs_pull_subject(priority, manager, queue);
            let reply = nats::pull_reply(&self.inbox, number);
            let body = nats::pull_body(pull).into();
            // A pull that was not sent ends at its deadline.
            let _sent = self.client.publish_with_reply(subject, reply, body).await;
        }
    }

    async fn acknowledge(&self, number: u64, subject: String) {
        if self.connected {
            let reply = nats::confirm_reply(&self.inbox, number);
            // Without a confirmation it is sent again.
            let _sent = self.client.publish_with_reply(subject, reply, nats::ACK.into()).await;
        }
    }

    async fn publish(&self, subject: String, bytes: Vec<u8>) {
        if self.connected {
            // A message lost here is no worse than one lost on the network.
            let _sent = self.client.publish(subject, bytes.into()).await;
        }
    }

    /// Waits until all messages are sent, then ends the threads.
    async fn leave(self) {
        if self.connected {
            let _gone = timeout(LEAVE_TIMEOUT, self.client.flush()).await;
            let _gone = timeout(LEAVE_TIMEOUT, self.client.drain()).await;
        }
        self.threads.end();
    }
}
