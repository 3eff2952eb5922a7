//! The managers that a worker has heard of, and which of them let it work.

use std::collections::BTreeMap;

use super::{Effect, Notice, Worker};
use crate::id::{ManagerId, QueueId};
use crate::wire::ToWorker;

/// Managers that are known at once.
const MANAGERS_MAX: usize = 256;
/// A silent manager is forgotten after so many times the silence that made it silent.
const FORGOTTEN: u64 = 30;

/// What is known of a manager.
#[derive(Debug)]
struct Known {
    seen_ms: u64,
    silent: bool,
    /// How long it waits for signs of life.
    lease_ms: u64,
    admission: Admission,
}

/// Whether a manager lets the worker take jobs.
#[derive(Debug, PartialEq, Eq)]
enum Admission {
    /// It was asked, or will be when it says again that it is here.
    Asked,
    /// To the queues of this number and name.
    Welcomed {
        epoch: u64,
        queue: QueueId,
    },
    Refused {
        since_ms: u64,
    },
    Dismissed,
}

/// All managers.
#[derive(Debug, Default)]
pub(super) struct Managers {
    known: BTreeMap<ManagerId, Known>,
}

impl Managers {
    /// Those who let the worker take jobs, silent or not.
    pub(super) fn welcoming(&self) -> impl Iterator<Item = ManagerId> {
        let welcoming = |known: &Known| matches!(known.admission, Admission::Welcomed { .. });
        self.known.iter().filter(move |(_, known)| welcoming(known)).map(|(&manager, _)| manager)
    }

    /// Those whose jobs are to be taken, with the names of their queues.
    pub(super) fn serving(&self) -> impl Iterator<Item = (ManagerId, QueueId)> {
        let there = self.known.iter().filter(|(_, known)| !known.silent);
        there.filter_map(|(&manager, known)| match known.admission {
            Admission::Welcomed { queue, .. } => Some((manager, queue)),
            _ => None,
        })
    }

    /// The least patience of those who let the worker take jobs.
    pub(super) fn lease_ms(&self) -> Option<u64> {
        self.welcoming().map(|manager| self.known[&manager].lease_ms).min()
    }

    pub(super) fn lets_work(&self, manager: ManagerId) -> bool {
        let known = self.known.get(&manager);
        known.is_some_and(|known| matches!(known.admission, Admission::Welcomed { .. }))
    }

    pub(super) fn tick(&mut self, now_ms: u64, silence_ms: u64, out: &mut Vec<Effect>) {
        for (&manager, known) in &mut self.known {
            if !known.silent && now_ms.saturating_sub(known.seen_ms) >= silence_ms {
                known.silent = true;
                out.push(Effect::Notice(Notice::Silent { manager }));
            }
        }
        let gone_ms = silence_ms.saturating_mul(FORGOTTEN);
        // Who dismissed the worker stays, so that it is not asked again.
        self.known.retain(|_, known| {
            known.admission == Admission::Dismissed
                || now_ms.saturating_sub(known.seen_ms) < gone_ms
        });
    }
}

impl Worker {
    pub(super) fn hear(&mut self, message: ToWorker, out: &mut Vec<Effect>) {
        let is_for_me = match &message {
            ToWorker::Here { .. } | ToWorker::Cancel { .. } => true,
            ToWorker::Welcome { worker, .. }
            | ToWorker::Refused { worker, .. }
            | ToWorker::Dismissed { worker, .. }
            | ToWorker::Introduce { worker, .. } => *worker == self.settings.id,
        };
        if !is_for_me {
            return;
        }
        let now_ms = self.clock.now_ms();
        match message {
            ToWorker::Here { manager, signature, lease_ms, epoch, .. } => {
                self.here(manager, &signature, (lease_ms, epoch), out);
            }
            ToWorker::Welcome { manager, epoch, queue, .. } => {
                let Some(known) = self.managers.known.get_mut(&manager) else { return };
                match known.admission {
                    Admission::Dismissed => {}
                    // If it is a message of long ago, the next `Here` shows that.
                    Admission::Welcomed { .. } => {
                        known.admission = Admission::Welcomed { epoch, queue };
                    }
                    Admission::Asked | Admission::Refused { .. } => {
                        known.admission = Admission::Welcomed { epoch, queue };
                        out.push(Effect::Notice(Notice::Welcomed { manager }));
                    }
                }
            }
            ToWorker::Refused { manager, why, .. } => {
                let Some(known) = self.managers.known.get_mut(&manager) else { return };
                let refused = Admission::Refused { since_ms: now_ms };
                match known.admission {
                    Admission::Dismissed => {}
                    Admission::Refused { .. } => known.admission = refused,
                    Admission::Asked | Admission::Welcomed { .. } => {
                        known.admission = refused;
                        out.push(Effect::Notice(Notice::Refused { manager, why }));
                    }
                }
            }
            ToWorker::Dismissed { manager, why, .. } => {
                let Some(known) = self.managers.known.get_mut(&manager) else { return };
                if known.admission != Admission::Dismissed {
                    known.admission = Admission::Dismissed;
                    out.push(Effect::Notice(Notice::Dismissed { manager, why }));
                    self.cancel_all(manager, out);
                }
            }
            ToWorker::Cancel { manager, job } => self.cancelled(manager, job, out),
            ToWorker::Introduce { manager, .. } => {
                let known = self.managers.known.get(&manager);
                if !self.quitting && known.is_some_and(|k| k.admission != Admission::Dismissed) {
                    out.push(Effect::Say { manager, message: self.hello() });
                }
            }
        }
    }

    fn here(
        &mut self,
        manager: ManagerId,
        signature: &str,
        (lease_ms, epoch): (u64, u64),
        out: &mut Vec<Effect>,
    ) {
        let now_ms = self.clock.now_ms();
        let has_room = self.managers.known.len() < MANAGERS_MAX;
        let hello = self.hello();
        if has_room {
            let admission = Admission::Asked;
            let new = Known { seen_ms: now_ms, silent: false, lease_ms, admission };
            self.managers.known.entry(manager).or_insert(new);
        }
        let Some(known) = self.managers.known.get_mut(&manager) else { return };
        (known.seen_ms, known.silent, known.lease_ms) = (now_ms, false, lease_ms);
        let refused_ms = self.settings.refused_ms;
        let asks = match known.admission {
            Admission::Asked => true,
            // The manager is of another build than the one that welcomed this worker.
            Admission::Welcomed { .. } if signature != self.settings.signature => {
                known.admission = Admission::Asked;
                true
            }
            Admission::Refused { since_ms } => now_ms.saturating_sub(since_ms) >= refused_ms,
            // The name of the new queues was lost on its way.
            Admission::Welcomed { epoch: own, .. } => own != epoch,
            Admission::Dismissed => false,
        };
        if asks && !self.quitting {
            out.push(Effect::Say { manager, message: hello });
        }
    }
}
