//! A worker at work: carries out what `farm::worker::Worker` wants, with NATS and threads.
//!
//! One loop hears everything: managers, jobs that were pulled, answers of the server, threads, the
//! clock. What comes is an event; the effects are carried out before the next one is heard. While
//! there is no connection nothing is said: the state machine says it again when there is one.

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
use super::labour::{Heard, Hire, Labour, Saying};
use super::nats::{self, Came, Pull, Trouble, Wire};

/// How often the clock is looked at, and whether anybody wants an end.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The state machine is told the time so often.
const TICK_EVERY: Duration = Duration::from_millis(500);
/// The server has so long to answer beyond what was asked for.
const PATIENCE: Duration = Duration::from_secs(3);
/// The server confirms an acknowledgement within so long, or is told again, so often.
const CONFIRM_WITHIN: Duration = Duration::from_secs(3);
const CONFIRM_TRIES_MAX: u32 = 5;
/// At the end, what was said has so long to go out.
const LEAVE_WITHIN: Duration = Duration::from_secs(3);

/// What a worker is started with.
pub struct Setup {
    /// The server.
    pub connection: Connection,
    /// Who the worker is, and its time limits.
    pub settings: Settings,
    /// Makes those who do the jobs.
    pub hire: Hire,
}

/// What somebody wants of a running worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Work on.
    Stay,
    /// Hand the jobs back, and end.
    Leave,
    /// End as a crash would.
    Die,
}

/// What is told of a running worker.
#[derive(Debug)]
pub enum Told {
    /// There is no server yet.
    Waiting(Failure),
    /// The server answers.
    Connected,
    /// The connection is lost.
    Disconnected,
    /// The server lets a worker do everything, and so anybody else.
    Open,
    /// Something happened that people may want to know.
    Notice(Notice),
    /// How it goes, several times a second.
    Counts(Counts),
}

/// How a worker does.
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

/// Works until somebody wants an end.
pub fn run(setup: Setup, wish: &dyn Fn() -> Wish, tell: &mut dyn FnMut(Told)) -> Result<()> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| Failure::io("the worker", &error))?;
    let done = runtime.block_on(work(setup, wish, tell));
    // Whatever is still waiting for a server that does not answer is not waited for.
    runtime.shutdown_timeout(Duration::ZERO);
    done
}

async fn work(setup: Setup, wish: &dyn Fn() -> Wish, tell: &mut dyn FnMut(Told)) -> Result<()> {
    let (events, mut wire) = mpsc::unbounded_channel();
    let name = format!("worker {}", setup.settings.name);
    let Some(client) = reach(&setup.connection, &name, events, wish, tell).await? else {
        return Ok(());
    };
    let lost = |error: async_nats::SubscribeError| Failure::new(format!("NATS: {error}"));
    let inbox = client.new_inbox();
    let own = nats::worker_subject(setup.settings.id);
    let mut managers = client.subscribe(nats::MANAGERS).await.map_err(lost)?;
    let mut own = client.subscribe(own).await.map_err(lost)?;
    let mut answers = client.subscribe(format!("{inbox}.>")).await.map_err(lost)?;
    let (says, mut sayings) = mpsc::unbounded_channel();
    let (opens, mut opened) = mpsc::unbounded_channel();
    let asking = client.clone();
    tokio::spawn(async move {
        // Who has left does not mind.
        let _told = opens.send(nats::may_do_everything(&asking).await);
    });
    let labour = Labour::start(setup.settings.cores, &setup.hire, &says)?;
    let mut round = Round::new(client, inbox, Worker::new(setup.settings), labour);
    let mut clock = interval(LOOK_EVERY);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut ticked = Instant::now();
    let mut is_leaving = false;
    loop {
        tokio::select! {
            Some(happened) = wire.recv() => {
                tell(if happened == Wire::Up { Told::Connected } else { Told::Disconnected });
                round.wire(happened).await;
            }
            Some(true) = opened.recv() => tell(Told::Open),
            Some(message) = managers.next() => round.heard(&message).await,
            Some(message) = own.next() => round.heard(&message).await,
            Some(message) = answers.next() => round.answered(message).await,
            Some(saying) = sayings.recv() => round.said(saying).await,
            _ = clock.tick() => {
                match wish() {
                    Wish::Stay => {}
                    Wish::Leave if is_leaving => {}
                    Wish::Leave => {
                        is_leaving = true;
                        round.feed(Event::Quit).await;
                    }
                    Wish::Die => return Ok(()),
                }
                if ticked.elapsed() >= TICK_EVERY {
                    ticked = Instant::now();
                    round.feed(Event::Tick).await;
                    round.remind().await;
                }
                tell(Told::Counts(round.counts()));
            }
        }
        for notice in round.notices.drain(..) {
            tell(Told::Notice(notice));
        }
        if round.has_left {
            round.leave().await;
            return Ok(());
        }
    }
}

/// Connects, and waits for a server that is not there yet; `None` if somebody wants an end first.
async fn reach(
    connection: &Connection,
    name: &str,
    events: mpsc::UnboundedSender<Wire>,
    wish: &dyn Fn() -> Wish,
    tell: &mut dyn FnMut(Told),
) -> Result<Option<Client>> {
    for attempt in 2.. {
        match nats::connect(connection, name, events.clone()).await {
            Ok(client) => return Ok(Some(client)),
            Err(Trouble { failure, may_pass: false }) => return Err(failure),
            Err(Trouble { failure, .. }) => tell(Told::Waiting(failure)),
        }
        let until = Instant::now() + nats::delay(attempt);
        while Instant::now() < until {
            if wish() != Wish::Stay {
                return Ok(None);
            }
            sleep(LOOK_EVERY.min(until.saturating_duration_since(Instant::now()))).await;
        }
    }
    Ok(None)
}

/// The pull that is under way.
struct CurrentPull {
    number: u64,
    /// Whose jobs, and from which queue.
    from: (Priority, ManagerId, QueueId),
    /// Jobs that it may still bring.
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

/// All that a worker knows besides its state machine.
struct Round {
    client: Client,
    /// Answers of the server come to subjects below this one.
    inbox: String,
    machine: Worker,
    labour: Labour,
    start: Instant,
    connected: bool,
    /// Numbers of deliveries, results and acknowledgements: one row.
    next: u64,
    /// Where deliveries are acknowledged.
    deliveries: BTreeMap<u64, String>,
    pull: Option<CurrentPull>,
    /// Results that the server has not confirmed, and until when.
    sent: BTreeMap<u64, (JobId, Instant)>,
    unconfirmed: BTreeMap<u64, Unconfirmed>,
    notices: Vec<Notice>,
    has_left: bool,
}

impl Round {
    fn new(client: Client, inbox: String, machine: Worker, labour: Labour) -> Round {
        Round {
            client,
            inbox,
            machine,
            labour,
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
            running: self.labour.running(),
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
                self.carry_out(effect, &mut events).await;
            }
        }
    }

    async fn wire(&mut self, happened: Wire) {
        self.connected = happened == Wire::Up;
        self.pull = None;
        if self.connected {
            self.feed(Event::Connected).await;
            // What was not confirmed before the break is told again.
            for unconfirmed in self.unconfirmed.values_mut() {
                unconfirmed.deadline = Instant::now();
            }
            self.remind().await;
        } else {
            self.feed(Event::Disconnected).await;
            for (job, _) in std::mem::take(&mut self.sent).into_values() {
                self.feed(Event::Unsent { job }).await;
            }
        }
    }

    /// What a manager says.
    async fn heard(&mut self, message: &Message) {
        match ToWorker::from_bytes(&message.payload) {
            Ok(said) => self.feed(Event::Manager(said)).await,
            Err(WireError::Version { theirs, .. }) => {
                self.feed(Event::OtherVersion { theirs }).await;
            }
            // Somebody else uses our subjects; that is not for us.
            Err(_) => {}
        }
    }

    /// What the server answers.
    async fn answered(&mut self, message: Message) {
        match nats::came(&self.inbox, &message) {
            Came::Pulled { acknowledge } => self.pulled(acknowledge, &message).await,
            Came::Over { pull } => {
                if self.pull.as_ref().is_some_and(|current| current.number == pull) {
                    self.pull_over().await;
                }
            }
            Came::Published { number } => {
                if let Some((job, _)) = self.sent.remove(&number) {
                    let is_stored = nats::is_stored(&message);
                    let event = if is_stored { Event::Sent { job } } else { Event::Unsent { job } };
                    self.feed(event).await;
                }
            }
            Came::Confirmed { number } => {
                self.unconfirmed.remove(&number);
            }
            Came::Nothing => {}
        }
    }

    /// A job came.
    async fn pulled(&mut self, acknowledge: String, message: &Message) {
        let Some(pull) = &mut self.pull else {
            // It comes too late: nobody counts on it any more.
            return self.publish(acknowledge, nats::BACK.to_vec()).await;
        };
        pull.left = pull.left.saturating_sub(1);
        let (left, waits) = (pull.left, pull.waits);
        match Assignment::from_bytes(&message.payload) {
            Ok(assignment) => {
                let delivery = self.number();
                self.deliveries.insert(delivery, acknowledge);
                self.feed(Event::Assigned { delivery, assignment }).await;
            }
            // Others may read it; the manager notices if nobody can.
            Err(_) => self.publish(acknowledge, nats::BACK.to_vec()).await,
        }
        if left == 0 {
            self.pull_over().await;
        } else if waits {
            self.pull_the_rest().await;
        }
    }

    /// The first job is there: takes what else there is.
    async fn pull_the_rest(&mut self) {
        let Some(pull) = &mut self.pull else { return };
        pull.waits = false;
        pull.deadline = Instant::now() + PATIENCE;
        let (number, from) = (pull.number, pull.from);
        let rest = Pull::WhatIsThere { count: pull.left };
        self.ask_for_jobs(number, from, rest).await;
    }

    async fn pull_over(&mut self) {
        if let Some(pull) = self.pull.take() {
            self.feed(Event::PullOver { number: pull.number }).await;
        }
    }

    /// What a thread says.
    async fn said(&mut self, saying: Saying) {
        match self.labour.heard(saying) {
            Some(Heard::Progress { job, nodes, found }) => {
                self.feed(Event::Progress { job, nodes, found }).await;
            }
            Some(Heard::Finished { job, nodes, outcome }) => {
                self.feed(Event::Finished { job, nodes, outcome }).await;
            }
            None => {}
        }
    }

    /// Looks for what the server should have answered by now.
    async fn remind(&mut self) {
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
        let mut again = Vec::new();
        self.unconfirmed.retain(|number, unconfirmed| {
            if unconfirmed.deadline <= now {
                unconfirmed.deadline = now + CONFIRM_WITHIN;
                unconfirmed.tries += 1;
                again.push((*number, unconfirmed.subject.clone()));
            }
            unconfirmed.tries <= CONFIRM_TRIES_MAX
        });
        for (number, subject) in again {
            self.acknowledge(number, subject).await;
        }
    }

    async fn carry_out(&mut self, effect: Effect, events: &mut VecDeque<Event>) {
        match effect {
            Effect::Say { manager, message } => {
                self.publish(nats::manager_subject(manager), message.to_bytes()).await;
            }
            Effect::Pull { number, manager, queue, priority, count, wait_ms } => {
                let wait = Duration::from_millis(wait_ms);
                let waits = wait_ms > 0;
                let deadline = Instant::now() + wait + PATIENCE;
                let left = count.max(1);
                let pull = if waits {
                    Pull::Waiting { count: 1, wait }
                } else {
                    Pull::WhatIsThere { count: left }
                };
                let from = (priority, manager, queue);
                self.pull = Some(CurrentPull { number, from, left, waits, deadline });
                self.ask_for_jobs(number, from, pull).await;
            }
            Effect::Start { job, assignment } => self.labour.begin(job, assignment),
            Effect::Stop { job } => self.labour.stop(job),
            Effect::Send { result } => {
                let job = result.job;
                if !self.connected {
                    events.push_back(Event::Unsent { job });
                    return;
                }
                let number = self.number();
                self.sent.insert(number, (job, Instant::now() + PATIENCE));
                let reply = nats::publish_reply(&self.inbox, number);
                let subject = nats::results_subject(result.manager);
                let bytes = result.to_bytes().into();
                // Without an answer it counts as not sent.
                let _sent = self.client.publish_with_reply(subject, reply, bytes).await;
            }
            Effect::Done { delivery } => {
                if let Some(subject) = self.deliveries.remove(&delivery) {
                    let number = self.number();
                    let deadline = Instant::now() + CONFIRM_WITHIN;
                    let unconfirmed = Unconfirmed { subject: subject.clone(), deadline, tries: 1 };
                    self.unconfirmed.insert(number, unconfirmed);
                    self.acknowledge(number, subject).await;
                }
            }
            Effect::Return { delivery } => {
                if let Some(subject) = self.deliveries.remove(&delivery) {
                    self.publish(subject, nats::BACK.to_vec()).await;
                }
            }
            Effect::Progress { delivery } => {
                if let Some(subject) = self.deliveries.get(&delivery).cloned() {
                    self.publish(subject, nats::AT_IT.to_vec()).await;
                }
            }
            Effect::Notice(notice) => self.notices.push(notice),
            Effect::Leave => self.has_left = true,
        }
    }

    async fn ask_for_jobs(
        &self,
        number: u64,
        (priority, manager, queue): (Priority, ManagerId, QueueId),
        pull: Pull,
    ) {
        if self.connected {
            let subject = nats::jobs_pull_subject(priority, manager, queue);
            let reply = nats::pull_reply(&self.inbox, number);
            let body = nats::pull_body(pull).into();
            // A pull that was not sent is over when its time is.
            let _sent = self.client.publish_with_reply(subject, reply, body).await;
        }
    }

    async fn acknowledge(&self, number: u64, subject: String) {
        if self.connected {
            let reply = nats::confirm_reply(&self.inbox, number);
            // It is told again if nobody confirms it.
            let _sent = self.client.publish_with_reply(subject, reply, nats::DONE.into()).await;
        }
    }

    async fn publish(&self, subject: String, bytes: Vec<u8>) {
        if self.connected {
            // What is lost here is like what is lost on the wire.
            let _sent = self.client.publish(subject, bytes.into()).await;
        }
    }

    /// Waits until all that was said has gone out, then ends the threads.
    async fn leave(self) {
        if self.connected {
            let _gone = timeout(LEAVE_WITHIN, self.client.flush()).await;
            let _gone = timeout(LEAVE_WITHIN, self.client.drain()).await;
        }
        self.labour.end();
    }
}
