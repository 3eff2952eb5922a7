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

/// The time between two updates of the farm on the terminal.
const SHOWN_EVERY: Duration = Duration::from_secs(1);
/// Updates without a worker after which a note says how to join one.
const UPDATES_ALONE_MAX: u32 = 4;
/// The folder of journals, beside the store.
const FOLDER: &str = "farm";

/// The file of the workers' answers, and when it is removed.
struct JournalFile {
    path: PathBuf,
    removal: Removal,
}

/// When a journal is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Removal {
    /// The user chose the path, so the program never removes it.
    Never,
    /// Once the store has the proof.
    WhenProved,
    /// After the search: there is no store.
    AtEnd,
}

/// A farm that works for one search.
pub(crate) struct FarmSearch {
    farm: Farm,
    id: ManagerId,
    priority: Priority,
    /// Notices that are not reported yet.
    notices: RefCell<Vec<FarmNotice>>,
    journal: JournalFile,
    /// Whether the server is on another machine.
    is_far: bool,
}

impl FarmSearch {
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
    ) -> Result<Option<FarmSearch>> {
        let Some(url) = &options.farm else { return Ok(None) };
        let connection = options.connection.connection(Some(url))?;
        // The signature takes a second: an address without a server is an error before it.
        connection.ensure_server()?;
        let is_near = ["127.", "localhost", "[::1]"].map(|name| connection.shown().contains(name));
        let is_far = !is_near.contains(&true);
        let journal = journal_of(claim, options.journal.as_deref(), store)?;
        let mut search = Vec::new();
        Writer::new(&mut search, claim).expect("memory takes all");
        // Another user may search for the same claim, with another journal.
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
        Ok(Some(FarmSearch { farm, id, priority, notices: RefCell::default(), journal, is_far }))
    }

    /// Prints what the search begins with.
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

    /// Ends the farm, and removes a journal that no later search needs.
    pub(crate) fn end(self, is_proved: bool) {
        self.farm.stop();
        let JournalFile { path, removal } = self.journal;
        if removal == Removal::AtEnd || removal == Removal::WhenProved && is_proved {
            journal::remove(&path);
        }
    }
}

/// Shows the user what the workers do.
pub(crate) struct FarmDisplay<'a> {
    farm: Option<&'a FarmSearch>,
    due: Instant,
    /// Updates without a worker so far.
    updates_alone: u32,
    output: Output,
}

impl<'a> FarmDisplay<'a> {
    pub(crate) fn new(farm: Option<&'a FarmSearch>, output: Output) -> FarmDisplay<'a> {
        FarmDisplay { farm, due: Instant::now(), updates_alone: 0, output }
    }

    /// Shows the status and the notices of the farm, if there is one.
    pub(crate) fn show(&mut self, watcher: &mut Watcher) {
        let Some(farm) = self.farm else { return };
        for notice in farm.notices.take() {
            self.report(&notice, watcher);
        }
        let now = Instant::now();
        if now < self.due {
            return;
        }
        self.due = now + SHOWN_EVERY;
        let Some(status) = farm.farm.status() else { return };
        if self.output.json {
            self.output.say_json(&events::farm(&status));
        } else {
            watcher.set_farm(row(&status));
            self.updates_alone =
                if status.workers.is_empty() { self.updates_alone + 1 } else { UPDATES_ALONE_MAX };
            if self.updates_alone == UPDATES_ALONE_MAX && status.workers.is_empty() {
                watcher.wipe();
                self.output.note("no worker yet; `sixproof worker URL` on any machine joins one");
            }
        }
    }

    fn report(&self, notice: &FarmNotice, watcher: &mut Watcher) {
        if self.output.json {
            self.output.say_json(&match notice {
                FarmNotice::Notice(notice) => events::farm_notice(notice),
                FarmNotice::Problem(problem) => events::farm_problem(problem),
            });
            return;
        }
        let Some(text) = text(notice) else { return };
        watcher.wipe();
        match notice {
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

impl FarmSearch {
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
        let keep = |notice| self.notices.borrow_mut().push(notice);
        Box::new(FarmPool::new(&self.farm, self.id, self.priority, keep))
    }
}

/// The journal of a search: the file that the user named, else one beside the store, else a
/// temporary one.
fn journal_of(claim: &Claim, given: Option<&Path>, store: Option<PathBuf>) -> Result<JournalFile> {
    if let Some(path) = given {
        return Ok(JournalFile { path: path.to_path_buf(), removal: Removal::Never });
    }
    let name = format!("{}.journal", store::name(claim));
    if let Some(store) = store {
        let folder = store.parent().unwrap_or(Path::new("")).join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(|error| {
            Failure::io(folder.display(), &error).help("name another place with --journal FILE")
        })?;
        return Ok(JournalFile { path: folder.join(name), removal: Removal::WhenProved });
    }
    let path = std::env::temp_dir().join(format!("sixproof-{}-{name}", std::process::id()));
    Ok(JournalFile { path, removal: Removal::AtEnd })
}

/// The farm in a line.
fn row(status: &Status) -> String {
    let (workers, cores) = (status.worker_count, status.core_count);
    let queued = status.queued_user + status.queued_auto;
    if !status.connected {
        return "no connection to the server; trying again".to_string();
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

/// A notice in words; `None` for what happens all the time.
fn text(notice: &FarmNotice) -> Option<String> {
    Some(match notice {
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
