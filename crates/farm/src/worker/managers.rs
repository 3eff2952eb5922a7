//! The managers that a worker knows, and their admissions.

use std::collections::BTreeMap;

use super::{Effect, Notice, Worker};
use crate::id::{ManagerId, QueueId};
use crate::wire::ToWorker;

/// Largest number of managers.
const MANAGERS_MAX: usize = 256;
/// Ratio of the silence that removes a manager to [`Settings::silence_ms`].
const FORGOTTEN: u64 = 30;

/// A manager that the worker knows.
#[derive(Debug)]
struct Known {
    seen_ms: u64,
    silent: bool,
    /// Its lease.
    lease_ms: u64,
    admission: Admission,
}

/// Whether a manager admits the worker.
#[derive(Debug, PartialEq, Eq)]
enum Admission {
    /// The worker has asked, or will ask at the manager's next announcement.
    Asked,
    /// The worker may take jobs from the queues of this number and id.
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
    /// The managers that welcome the worker, silent or not.
    pub(super) fn welcoming(&self) -> impl Iterator<Item = ManagerId> {
        let welcoming = |known: &Known| matches!(known.admission, Admission::Welcomed { .. });
        self.known.iter().filter(move |(_, known)| welcoming(known)).map(|(&manager, _)| manager)
    }

    /// The present managers that welcome the worker, with the ids of their queues.
    pub(super) fn serving(&self) -> impl Iterator<Item = (ManagerId, QueueId)> {
        let there = self.known.iter().filter(|(_, known)| !known.silent);
        there.filter_map(|(&manager, known)| match known.admission {
            Admission::Welcomed { queue, .. } => Some((manager, queue)),
            _ => None,
        })
    }

    /// The shortest lease of the managers that welcome the worker.
    pub(super) fn lease_ms(&self) -> Option<u64> {
        self.welcoming().map(|manager| self.known[&manager].lease_ms).min()
    }

    pub(super) fn is_welcome(&self, manager: ManagerId) -> bool {
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
        // A manager that dismissed the worker stays, so that the worker does not ask again.
        self.known.retain(|_, known| {
            known.admission == Admission::Dismissed
                || now_ms.saturating_sub(known.seen_ms) < gone_ms
        });
    }
}

impl Worker {
    pub(super) fn handle_message(&mut self, message: ToWorker, out: &mut Vec<Effect>) {
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
                    // If this is an old message, the next `Here` shows that.
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
                    out.push(Effect::SendTo { manager, message: self.hello() });
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
            // The manager now has another build than when it welcomed this worker.
            Admission::Welcomed { .. } if signature != self.settings.signature => {
                known.admission = Admission::Asked;
                true
            }
            Admission::Refused { since_ms } => now_ms.saturating_sub(since_ms) >= refused_ms,
            // The message with the new queues was lost.
            Admission::Welcomed { epoch: own, .. } => own != epoch,
            Admission::Dismissed => false,
        };
        if asks && !self.quitting {
            out.push(Effect::SendTo { manager, message: hello });
        }
    }
}
