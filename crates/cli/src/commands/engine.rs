//! `sixproof engine`: an engine that speaks one of the protocols on standard input and output.
//!
//! Three threads: one reads lines, one searches, and the main one runs the protocol, which decides
//! what a line means, also for a search that is under way. This module carries that out.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::mem;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use sixproof_game::Position;
use sixproof_player::protocol::{Effect, Interruption, Protocol, Setup};
use sixproof_player::{Engine, Level, Limits, Settings, Style, ThinkWatch as _, Thought};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::Output;
use sixproof_solve::stopwatch::Stopwatch;
use sixproof_solve::typed;

use crate::Exit;
use crate::options::{self, LimitArgs};

/// The longest line, in bytes; longer ones are cut. No protocol has any.
const LINE_BYTES_MAX: u64 = 1 << 20;
/// The longest time of pondering, which the next line ends.
const PONDERING_MAX: Duration = Duration::from_secs(3_600);
/// The seed where the user gives none.
const SEED_USUAL: u64 = 1;
/// The smallest table of the engine, in bytes.
const TABLE_BYTES_MIN: u64 = 1 << 20;

pub(crate) fn run(options: &options::Engine, output: Output) -> Result<Exit> {
    let game = options.game.as_deref().map(typed::game).transpose()?;
    let setup = Setup {
        name: match options.player.style {
            Style::Sixproof => "sixproof".to_string(),
            style => format!("sixproof-{style}"),
        },
        game,
        control: options.control(),
        keep_running: options.keep_running,
    };
    let protocol = options.protocol.name().begin(&setup).map_err(|error| {
        Failure::new(error.to_string()).help("choose another protocol, or another --game")
    })?;
    let (events, inbox) = mpsc::channel();
    let tasks =
        start_search_thread(options.player.settings(Level::MAX, SEED_USUAL)?, events.clone());
    thread::spawn(move || read_lines(io::stdin().lock(), &events));
    let session = ProtocolSession {
        protocol,
        tasks,
        inbox,
        waiting: VecDeque::new(),
        state: EngineState::Idle,
        limits: options.limits,
        ponders: options.ponder,
        output,
    };
    session.run()?;
    Ok(Exit::Yes)
}

/// What the other threads report.
enum EngineEvent {
    Line(String),
    /// The end of the input.
    End,
    Thought(Box<Thought>),
    /// The search thread has ended.
    SearchEnded,
}

/// A task for the search thread.
enum EngineTask {
    Think(Box<Position>, Limits, Stopwatch),
    NewGame,
    Memory(u64),
}

/// What the search thread does.
enum EngineState {
    Idle,
    Thinks(Box<Position>, Stopwatch),
    Ponders(Stopwatch),
}

/// Reports the end of the search thread, also when it panics.
struct EndReport(Sender<EngineEvent>);

impl Drop for EndReport {
    fn drop(&mut self) {
        // After the end of the session the channel is closed.
        let _ = self.0.send(EngineEvent::SearchEnded);
    }
}

fn start_search_thread(settings: Settings, events: Sender<EngineEvent>) -> Sender<EngineTask> {
    let (tasks, inbox) = mpsc::channel();
    thread::spawn(move || {
        let report = EndReport(events);
        let mut engine = Engine::new(settings);
        for task in inbox {
            match task {
                EngineTask::Think(position, limits, stopwatch) => {
                    let thought = engine.think(&position, &limits, &stopwatch);
                    if report.0.send(EngineEvent::Thought(Box::new(thought))).is_err() {
                        return;
                    }
                }
                EngineTask::NewGame => engine.reset(),
                EngineTask::Memory(bytes) => {
                    // Half of it for the table: the program needs some, too.
                    let memory = (bytes / 2).max(TABLE_BYTES_MIN);
                    if memory < engine.settings().memory {
                        let settings = Settings { memory, ..engine.settings().clone() };
                        engine = Engine::new(settings);
                    }
                }
            }
        }
    });
    tasks
}

/// Sends every line of the input, as text.
fn read_lines(mut input: impl BufRead, events: &Sender<EngineEvent>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes);
        let ended = !matches!(read, Ok(1..));
        let cut = bytes.len() as u64 == LINE_BYTES_MAX && bytes.last() != Some(&b'\n');
        let event = match ended {
            true => EngineEvent::End,
            false => EngineEvent::Line(String::from_utf8_lossy(&bytes).trim_end().to_string()),
        };
        if events.send(event).is_err() || ended {
            return;
        }
        if cut && input.skip_until(b'\n').is_err() {
            let _ = events.send(EngineEvent::End);
            return;
        }
    }
}

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    GoesOn,
    IsOver,
}

struct ProtocolSession {
    protocol: Box<dyn Protocol>,
    tasks: Sender<EngineTask>,
    inbox: Receiver<EngineEvent>,
    /// Events that arrived before the thought that the session waited for.
    waiting: VecDeque<EngineEvent>,
    state: EngineState,
    limits: LimitArgs,
    ponders: bool,
    output: Output,
}

impl ProtocolSession {
    /// Reads and answers lines until the end.
    fn run(mut self) -> Result<()> {
        loop {
            let waiting = self.waiting.pop_front();
            let next = match waiting.map_or_else(|| self.inbox.recv(), Ok) {
                Ok(EngineEvent::Line(line)) => self.line(&line)?,
                Ok(EngineEvent::Thought(thought)) => self.thought(&thought)?,
                Ok(EngineEvent::SearchEnded) => return Err(search_ended()),
                Ok(EngineEvent::End) | Err(_) => return self.end(),
            };
            if next == Next::IsOver {
                return Ok(());
            }
        }
    }

    fn line(&mut self, line: &str) -> Result<Next> {
        match mem::replace(&mut self.state, EngineState::Idle) {
            EngineState::Idle => {}
            EngineState::Ponders(stopwatch) => {
                stopwatch.stop();
                self.await_thought()?;
            }
            EngineState::Thinks(position, stopwatch) => match self.protocol.interruption(line) {
                Interruption::Nothing => {
                    let effects = self.protocol.line(line);
                    self.state = EngineState::Thinks(position, stopwatch);
                    return self.carry_out(effects);
                }
                Interruption::Hurry => {
                    stopwatch.stop();
                    let thought = self.await_thought()?;
                    if self.send(&thought, &stopwatch)? == Next::IsOver {
                        return Ok(Next::IsOver);
                    }
                }
                Interruption::Drop => {
                    stopwatch.stop();
                    self.await_thought()?;
                }
            },
        }
        let effects = self.protocol.line(line);
        self.carry_out(effects)
    }

    /// The search has ended by itself.
    fn thought(&mut self, thought: &Thought) -> Result<Next> {
        let EngineState::Thinks(position, stopwatch) =
            mem::replace(&mut self.state, EngineState::Idle)
        else {
            return Ok(Next::GoesOn);
        };
        let next = self.send(thought, &stopwatch)?;
        if next == Next::GoesOn && self.ponders {
            self.ponder(*position, thought)?;
        }
        Ok(next)
    }

    /// After the end of the input, the protocol may still want the move that is searched.
    fn end(mut self) -> Result<()> {
        let EngineState::Thinks(_, stopwatch) = mem::replace(&mut self.state, EngineState::Idle)
        else {
            return Ok(());
        };
        match self.protocol.end() {
            Interruption::Drop => return Ok(()),
            Interruption::Hurry => stopwatch.stop(),
            Interruption::Nothing => {}
        }
        let thought = self.await_thought()?;
        self.send(&thought, &stopwatch).map(|_| ())
    }

    /// Waits for the thought; events that arrive meanwhile are handled after it.
    fn await_thought(&mut self) -> Result<Thought> {
        loop {
            match self.inbox.recv() {
                Ok(EngineEvent::Thought(thought)) => return Ok(*thought),
                Ok(EngineEvent::SearchEnded) | Err(_) => return Err(search_ended()),
                Ok(event) => self.waiting.push_back(event),
            }
        }
    }

    fn send(&mut self, thought: &Thought, stopwatch: &Stopwatch) -> Result<Next> {
        let effects = self.protocol.thought(thought, stopwatch.elapsed());
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Result<Next> {
        for effect in effects {
            match effect {
                Effect::Say(text) => self.output.say(text),
                Effect::Think(position, limits) => {
                    let limits = self.limits.beside(limits);
                    let stopwatch = Stopwatch::start();
                    self.start(EngineTask::Think(position.clone(), limits, stopwatch.clone()))?;
                    self.state = EngineState::Thinks(position, stopwatch);
                }
                Effect::NewGame => self.start(EngineTask::NewGame)?,
                Effect::Memory(bytes) => self.start(EngineTask::Memory(bytes))?,
                Effect::Quit => return Ok(Next::IsOver),
            }
        }
        Ok(Next::GoesOn)
    }

    fn start(&self, task: EngineTask) -> Result<()> {
        self.tasks.send(task).map_err(|_| search_ended())
    }

    /// Searches the expected reply: the results stay in the table of the engine.
    fn ponder(&mut self, mut position: Position, thought: &Thought) -> Result<()> {
        let [own, reply, ..] = &thought.line[..] else { return Ok(()) };
        // In some protocols the move that was searched is not yet on the board as a whole.
        let expected = position.play(own).is_ok() && position == *self.protocol.position();
        let is_idle = matches!(self.state, EngineState::Idle);
        if !expected || !is_idle || position.play(reply).is_err() {
            return Ok(());
        }
        let limits = Limits { hard: Some(PONDERING_MAX), ..Limits::default() };
        let stopwatch = Stopwatch::start();
        self.start(EngineTask::Think(Box::new(position), limits, stopwatch.clone()))?;
        self.state = EngineState::Ponders(stopwatch);
        Ok(())
    }
}

fn search_ended() -> Failure {
    Failure::new("the engine has crashed").help("please report the commands that led to it")
}
