//! What a manager is told at its start.

use crate::id::ManagerId;

/// Who the manager is, and how patient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The same over restarts.
    pub id: ManagerId,
    /// Where workers reach its HTTP server, without a slash at the end; empty if they cannot.
    pub url: String,
    /// What tokens are made of: drawn by chance once, the same over restarts.
    pub secret: [u8; 32],
    /// The bench signature that workers must have.
    pub signature: String,
    /// The version of the program, for people.
    pub version: String,
    /// How often it says that it is here.
    pub here_ms: u64,
    /// A running job without a sign of life for so long is lent again.
    pub lease_ms: u64,
    /// Somebody who begins a job that another is doing is told to stop, if that other was heard of
    /// within this time; else he takes it over.
    pub fresh_ms: u64,
    /// A queued job is published again after so long if a worker has nothing to do.
    pub queue_ms: u64,
    /// A worker has nothing to do if its beats have said so for this long.
    pub idle_ms: u64,
    /// A worker that is silent for so long is gone.
    pub silence_ms: u64,
    /// After a start, jobs that nobody has asked for yet may run for so long before they are
    /// cancelled, and their results wait: the search may be about to ask for them again.
    pub orphan_ms: u64,
    /// So many failures of workers at one job, and it is given up.
    pub failures_max: u32,
    /// The share of answers without a certificate that is done again, in hundredths of a percent;
    /// 0 for none. Of a worker's first answers it is more.
    pub audit: u32,
}

/// All of them.
pub const AUDIT_ALL: u32 = 10_000;
/// The usual share of answers that is done again: 2 %.
pub const AUDIT_USUAL: u32 = 200;

impl Settings {
    /// The usual times.
    pub fn new(id: ManagerId, secret: [u8; 32], signature: &str, version: &str) -> Settings {
        Settings {
            id,
            url: String::new(),
            secret,
            signature: signature.to_string(),
            version: version.to_string(),
            here_ms: 5_000,
            lease_ms: 45_000,
            fresh_ms: 15_000,
            queue_ms: 60_000,
            idle_ms: 10_000,
            silence_ms: 45_000,
            orphan_ms: 60_000,
            failures_max: 5,
            audit: AUDIT_USUAL,
        }
    }

    /// With another patience: all times become longer or shorter with the lease.
    pub fn with_lease(mut self, lease_ms: u64) -> Settings {
        let usual_ms = self.lease_ms.max(1);
        for time_ms in [
            &mut self.here_ms,
            &mut self.fresh_ms,
            &mut self.queue_ms,
            &mut self.idle_ms,
            &mut self.silence_ms,
            &mut self.orphan_ms,
        ] {
            *time_ms = (time_ms.saturating_mul(lease_ms) / usual_ms).max(1);
        }
        self.lease_ms = lease_ms;
        self
    }
}
