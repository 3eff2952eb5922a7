//! `--farm`: a search whose jobs are done by the workers of a farm, and what people see of them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sixproof_certificate::{Claim, Writer};
use sixproof_farm::manager::Notice;
use sixproof_farm::wire::Priority;
use sixproof_farm::{Basis, ManagerId, Status};
use sixproof_farm_nats::journal;
use sixproof_farm_nats::manager::{Farm, Setup};
use sixproof_farm_nats::search::{self, FarmNotice, FarmPool};
use sixproof_prover::prove::RemotePool;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{Output, grouped};
use sixproof_solve::store;

use crate::commands;
use crate::events;
use crate::options::{PriorityName, RemoteArgs};
use crate::watcher::{RestsOn, Watcher};

/// People are shown the farm so often.
const SHOWN_EVERY: Duration = Duration::from_secs(1);
/// After so many looks without a worker people are told how to join one.
const LONELY: u32 = 4;
/// The folder of journals, beside the store.
const FOLDER: &str = "farm";

/// Where answers are kept, and for how long.
struct Journal {
    path: PathBuf,
    keeps: Keeps,
}

/// How long a journal is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    /// Somebody named the file: it is his.
    Always,
    /// Until the store has the proof.
    UntilProved,
    /// There is no store.
    Never,
}

/// A farm that works for one search.
pub(crate) struct RemoteSearch {
    farm: Farm,
    id: ManagerId,
    priority: Priority,
    /// What was heard and not told yet.
    news: RefCell<Vec<FarmNotice>>,
    journal: Journal,
    /// Whether the server is on another machine.
    is_far: bool,
}

impl RemoteSearch {
    /// Refuses an address that cannot be used, and files of secrets that cannot be read.
    pub(crate) fn ensure_usable(options: &RemoteArgs) -> Result<()> {
        let Some(url) = &options.farm else { return Ok(()) };
        options.connection.connection(Some(url)).map(drop)
    }

    /// Connects to the server, and reads the answers of earlier times.
    pub(crate) fn open(
        claim: &Claim,
        title: String,
        options: &RemoteArgs,
        (store, usual): (Option<PathBuf>, PriorityName),
    ) -> Result<Option<RemoteSearch>> {
        let Some(url) = &options.farm else { return Ok(None) };
        let connection = options.connection.connection(Some(url))?;
        let is_near = ["127.", "localhost", "[::1]"].map(|name| connection.shown().contains(name));
        let is_far = !is_near.contains(&true);
        let journal = journal_of(claim, options.journal.as_deref(), store)?;
        let mut search = Vec::new();
        Writer::new(&mut search, claim).expect("memory takes all");
        // The same claim may be asked about by somebody else, with a journal of his own.
        search.extend(journal::secret(&journal.path)?);
        let id = ManagerId::of(&search);
        let farm = Farm::start(Setup {
            connection,
            id,
            title,
            signature: commands::signature(),
            version: store::version(),
            journal: journal.path.clone(),
            listen: options.listen,
            public_url: options.public_url.clone(),
            judge: search::judge(),
            lease: options.lease,
            handlers: search::handlers(),
            audit: options.audit,
            is_proof: search::is_proof,
        })?;
        let priority = options.priority.unwrap_or(usual).priority();
        Ok(Some(RemoteSearch { farm, id, priority, news: RefCell::default(), journal, is_far }))
    }

    /// Tells what a search begins with.
    pub(crate) fn say_start(&self, output: Output) {
        let known = self.farm.recorded_count() as u64;
        if !output.json && known > 0 {
            output.note(format!("goes on from {} answers of workers", grouped(known)));
        }
        if self.is_far && self.farm.url().starts_with("http://127.") {
            output.warn(
                "workers on other machines cannot leave large certificates here; \
                 --listen ADDRESS:PORT and --public-url http://HOST:PORT let them",
            );
        }
    }

    /// Ends the farm. The answers are in the journal, unless nobody needs them any more.
    pub(crate) fn end(self, is_proved: bool) {
        self.farm.stop();
        let Journal { path, keeps } = self.journal;
        if keeps == Keeps::Never || keeps == Keeps::UntilProved && is_proved {
            journal::remove(&path);
        }
    }
}

/// Who does the jobs, and who shows it.
pub(crate) struct Shown<'a> {
    lending: Option<&'a RemoteSearch>,
    due: Instant,
    /// People are told once, after a while, that there is no worker.
    lonely: u32,
    output: Output,
}

impl<'a> Shown<'a> {
    pub(crate) fn new(lending: Option<&'a RemoteSearch>, output: Output) -> Shown<'a> {
        Shown { lending, due: Instant::now(), lonely: 0, output }
    }

    /// Shows what there is to be shown of the farm, if there is one.
    pub(crate) fn show(&mut self, watcher: &mut Watcher) {
        let Some(lending) = self.lending else { return };
        for news in lending.news.take() {
            self.tell(&news, watcher);
        }
        let now = Instant::now();
        if now < self.due {
            return;
        }
        self.due = now + SHOWN_EVERY;
        let Some(status) = lending.farm.status() else { return };
        if self.output.json {
            self.output.say_json(&events::farm(&status));
        } else {
            watcher.set_farm(row(&status));
            self.lonely = if status.workers.is_empty() { self.lonely + 1 } else { LONELY };
            if self.lonely == LONELY && status.workers.is_empty() {
                watcher.wipe();
                self.output.note("no worker yet; `sixproof worker URL` on any machine joins one");
            }
        }
    }

    fn tell(&self, news: &FarmNotice, watcher: &mut Watcher) {
        if self.output.json {
            self.output.say_json(&match news {
                FarmNotice::Notice(notice) => events::farm_notice(notice),
                FarmNotice::Problem(problem) => events::farm_problem(problem),
            });
            return;
        }
        let Some(text) = text(news) else { return };
        watcher.wipe();
        match news {
            FarmNotice::Problem(_) => self.output.warn(text),
            FarmNotice::Notice(
                Notice::Dropped { .. } | Notice::Refused { .. } | Notice::Warning(_),
            ) => {
                self.output.warn(text);
            }
            FarmNotice::Notice(_) => self.output.note(text),
        }
    }
}

impl RemoteSearch {
    /// What an answer without a proof rests on, if it rests on workers at all.
    pub(crate) fn basis(&self) -> Option<RestsOn> {
        let Basis { answers, workers, done_again, dropped, audit } = self.farm.status()?.basis;
        (answers > 0 || dropped > 0).then_some(RestsOn {
            answers,
            workers,
            done_again,
            dropped,
            audit,
        })
    }

    /// The workers as a pool.
    pub(crate) fn pool(&self) -> Box<dyn RemotePool + '_> {
        let keep = |news| self.news.borrow_mut().push(news);
        Box::new(FarmPool::new(&self.farm, self.id, self.priority, keep))
    }
}

/// Where answers are kept: where it was said, else beside the store, else nowhere for long.
fn journal_of(claim: &Claim, given: Option<&Path>, store: Option<PathBuf>) -> Result<Journal> {
    if let Some(path) = given {
        return Ok(Journal { path: path.to_path_buf(), keeps: Keeps::Always });
    }
    let name = format!("{}.journal", store::name(claim));
    if let Some(store) = store {
        let folder = store.parent().unwrap_or(Path::new("")).join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(|error| {
            Failure::io(folder.display(), &error).help("name another place with --journal FILE")
        })?;
        return Ok(Journal { path: folder.join(name), keeps: Keeps::UntilProved });
    }
    let path = std::env::temp_dir().join(format!("sixproof-{}-{name}", std::process::id()));
    Ok(Journal { path, keeps: Keeps::Never })
}

/// The farm in a line.
fn row(status: &Status) -> String {
    let (workers, cores) = (status.worker_count, status.core_count);
    let queued = status.queued_user + status.queued_auto;
    if !status.connected {
        return "the server is out of reach; it is tried again".to_string();
    }
    if workers == 0 {
        return format!("no worker yet: sixproof worker URL joins one; {queued} jobs wait");
    }
    let Status { running, judging, answered, .. } = *status;
    format!(
        "{workers} {}, {cores} {}; {running} running, {queued} queued, {judging} checked, {} done",
        if workers == 1 { "worker" } else { "workers" },
        if cores == 1 { "core" } else { "cores" },
        grouped(answered),
    )
}

/// What people are told in words; `None` for what happens all the time.
fn text(news: &FarmNotice) -> Option<String> {
    Some(match news {
        FarmNotice::Problem(problem) => problem.clone(),
        FarmNotice::Notice(notice) => match notice {
            Notice::Joined { name, cores, .. } => format!("worker {name} joined, cores: {cores}"),
            Notice::Left { name, .. } => format!("worker {name} left"),
            Notice::Lost { name, .. } => {
                format!("worker {name} is silent; its jobs go to others")
            }
            Notice::Refused { name, why } => format!("worker {name} was refused: {why}"),
            Notice::Dropped { name, why, .. } => format!("worker {name} was dropped: {why}"),
            Notice::GivenUp { why, .. } => format!("a job was given up: {why}"),
            Notice::Warning(warning) => warning.text.clone(),
            Notice::Republished { .. } => return None,
        },
    })
}
