//! `sixproof engine`: a conversation in one of the protocols, on standard input and output.
//!
//! Three threads: one reads lines, one thinks, and one (this) has the conversation. The protocol
//! decides what a line means, also for a move that is being thought about; here is what it takes to
//! carry that out.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::mem;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use sixproof_game::Position;
use sixproof_player::protocol::{Effect, Interruption, Protocol, Setup};
use sixproof_player::{Engine, Limits, Settings, Style, ThinkWatch as _, Thought};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::Output;
use sixproof_solve::stopwatch::Stopwatch;
use sixproof_solve::typed;

use crate::Exit;
use crate::options::{self, LimitArgs};

/// A longer line is cut: no protocol has any.
const LINE_BYTES_MAX: u64 = 1 << 20;
/// Pondering ends with the next line; this is for those who never send one.
const PONDERING_MAX: Duration = Duration::from_secs(3_600);
/// A controller that wants other games says so.
const SEED_USUAL: u64 = 1;
/// The least table that is asked for, however little memory the program may take.
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
    let tasks = start_thinker(options.player.settings(SEED_USUAL), events.clone());
    thread::spawn(move || read_lines(io::stdin().lock(), &events));
    let conversation = Conversation {
        protocol,
        tasks,
        inbox,
        waiting: VecDeque::new(),
        mind: Mind::Idle,
        limits: options.limits,
        ponders: options.ponder,
        output,
    };
    conversation.hold()?;
    Ok(Exit::Yes)
}

/// What happens.
enum Event {
    Line(String),
    /// The end of the input.
    End,
    Thought(Box<Thought>),
    /// The thinking thread is no more.
    ThinkerGone,
}

/// What the thinking thread is told to do, one after the other.
enum Task {
    Think(Box<Position>, Limits, Stopwatch),
    NewGame,
    Memory(u64),
}

/// What the thinking thread does.
enum Mind {
    Idle,
    Thinks(Box<Position>, Stopwatch),
    Ponders(Stopwatch),
}

/// Says that the thread is gone, also when it panics.
struct Farewell(Sender<Event>);

impl Drop for Farewell {
    fn drop(&mut self) {
        // Nobody listens any more when the conversation is over.
        let _ = self.0.send(Event::ThinkerGone);
    }
}

fn start_thinker(settings: Settings, events: Sender<Event>) -> Sender<Task> {
    let (tasks, inbox) = mpsc::channel();
    thread::spawn(move || {
        let farewell = Farewell(events);
        let mut engine = Engine::new(settings);
        for task in inbox {
            match task {
                Task::Think(position, limits, stopwatch) => {
                    let thought = engine.think(&position, &limits, &stopwatch);
                    if farewell.0.send(Event::Thought(Box::new(thought))).is_err() {
                        return;
                    }
                }
                Task::NewGame => engine.reset(),
                Task::Memory(bytes) => {
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

/// Sends every line; whatever it holds, it is text.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes);
        let ended = !matches!(read, Ok(1..));
        let cut = bytes.len() as u64 == LINE_BYTES_MAX && bytes.last() != Some(&b'\n');
        let event = match ended {
            true => Event::End,
            false => Event::Line(String::from_utf8_lossy(&bytes).trim_end().to_string()),
        };
        if events.send(event).is_err() || ended {
            return;
        }
        if cut && input.skip_until(b'\n').is_err() {
            let _ = events.send(Event::End);
            return;
        }
    }
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    GoesOn,
    IsOver,
}

struct Conversation {
    protocol: Box<dyn Protocol>,
    tasks: Sender<Task>,
    inbox: Receiver<Event>,
    /// Events that came while a thought was waited for.
    waiting: VecDeque<Event>,
    mind: Mind,
    limits: LimitArgs,
    ponders: bool,
    output: Output,
}

impl Conversation {
    /// Listens and answers until the end.
    fn hold(mut self) -> Result<()> {
        loop {
            let waiting = self.waiting.pop_front();
            let next = match waiting.map_or_else(|| self.inbox.recv(), Ok) {
                Ok(Event::Line(line)) => self.line(&line)?,
                Ok(Event::Thought(thought)) => self.thought(&thought)?,
                Ok(Event::ThinkerGone) => return Err(thinker_gone()),
                Ok(Event::End) | Err(_) => return self.end(),
            };
            if next == Next::IsOver {
                return Ok(());
            }
        }
    }

    fn line(&mut self, line: &str) -> Result<Next> {
        match mem::replace(&mut self.mind, Mind::Idle) {
            Mind::Idle => {}
            Mind::Ponders(stopwatch) => {
                stopwatch.stop();
                self.await_thought()?;
            }
            Mind::Thinks(position, stopwatch) => match self.protocol.interruption(line) {
                Interruption::Nothing => {
                    let effects = self.protocol.line(line);
                    self.mind = Mind::Thinks(position, stopwatch);
                    return self.carry_out(effects);
                }
                Interruption::Hurry => {
                    stopwatch.stop();
                    let thought = self.await_thought()?;
                    if self.tell(&thought, &stopwatch)? == Next::IsOver {
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

    /// The thinking thread has come to an end by itself.
    fn thought(&mut self, thought: &Thought) -> Result<Next> {
        let Mind::Thinks(position, stopwatch) = mem::replace(&mut self.mind, Mind::Idle) else {
            return Ok(Next::GoesOn);
        };
        let next = self.tell(thought, &stopwatch)?;
        if next == Next::GoesOn && self.ponders {
            self.ponder(*position, thought)?;
        }
        Ok(next)
    }

    /// After the end of the input, the move that is being thought about may still be wanted.
    fn end(mut self) -> Result<()> {
        let Mind::Thinks(_, stopwatch) = mem::replace(&mut self.mind, Mind::Idle) else {
            return Ok(());
        };
        match self.protocol.end() {
            Interruption::Drop => return Ok(()),
            Interruption::Hurry => stopwatch.stop(),
            Interruption::Nothing => {}
        }
        let thought = self.await_thought()?;
        self.tell(&thought, &stopwatch).map(|_| ())
    }

    /// Waits until the thinking thread is done; whatever comes meanwhile waits, too.
    fn await_thought(&mut self) -> Result<Thought> {
        loop {
            match self.inbox.recv() {
                Ok(Event::Thought(thought)) => return Ok(*thought),
                Ok(Event::ThinkerGone) | Err(_) => return Err(thinker_gone()),
                Ok(event) => self.waiting.push_back(event),
            }
        }
    }

    fn tell(&mut self, thought: &Thought, stopwatch: &Stopwatch) -> Result<Next> {
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
                    self.give(Task::Think(position.clone(), limits, stopwatch.clone()))?;
                    self.mind = Mind::Thinks(position, stopwatch);
                }
                Effect::NewGame => self.give(Task::NewGame)?,
                Effect::Memory(bytes) => self.give(Task::Memory(bytes))?,
                Effect::Quit => return Ok(Next::IsOver),
            }
        }
        Ok(Next::GoesOn)
    }

    fn give(&self, task: Task) -> Result<()> {
        self.tasks.send(task).map_err(|_| thinker_gone())
    }

    /// Thinks about the reply that is expected: what is found stays in the engine's memory.
    fn ponder(&mut self, mut position: Position, thought: &Thought) -> Result<()> {
        let [own, reply, ..] = &thought.line[..] else { return Ok(()) };
        // In some protocols the move that was thought about is not yet on the board as a whole.
        let expected = position.play(own).is_ok() && position == *self.protocol.position();
        let is_idle = matches!(self.mind, Mind::Idle);
        if !expected || !is_idle || position.play(reply).is_err() {
            return Ok(());
        }
        let limits = Limits { hard: Some(PONDERING_MAX), ..Limits::default() };
        let stopwatch = Stopwatch::start();
        self.give(Task::Think(Box::new(position), limits, stopwatch.clone()))?;
        self.mind = Mind::Ponders(stopwatch);
        Ok(())
    }
}

fn thinker_gone() -> Failure {
    Failure::new("the engine has crashed").help("please report the commands that led to it")
}
