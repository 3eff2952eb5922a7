//! The settings of a manager.

use crate::id::ManagerId;

/// The identity of a manager, and its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The id, which is the same after a restart.
    pub id: ManagerId,
    /// The URL of its HTTP server, without a slash at the end; empty if it has none.
    pub url: String,
    /// The secret of tokens and queues: random, and the same after a restart.
    pub secret: [u8; 32],
    /// The bench signature that workers must have.
    pub signature: String,
    /// The version of the program, for display.
    pub version: String,
    /// Interval of its announcements.
    pub here_ms: u64,
    /// The lease: time without a message of its worker after which a job is published again.
    pub lease_ms: u64,
    /// Time since the last message of a worker within which another worker that begins the same job
    /// is cancelled; after that the other worker takes the job over.
    pub fresh_ms: u64,
    /// Time in the queue after which a job is published again, if a worker is idle.
    pub queue_ms: u64,
    /// Time of beats with a free core after which a worker counts as idle.
    pub idle_ms: u64,
    /// Time without a message after which a worker counts as lost.
    pub silence_ms: u64,
    /// Time after a start during which running jobs go on and results wait, although the search has
    /// not submitted their jobs yet.
    pub orphan_ms: u64,
    /// Number of failures at which the manager gives up a job.
    pub failures_max: u32,
    /// The share of answers without a certificate to audit, in hundredths of a percent; 0 for none.
    /// The share of a worker's first answers is larger.
    pub audit: u32,
}

/// The share of all answers.
pub const AUDIT_ALL: u32 = 10_000;
/// The usual share of answers to audit: 2 %.
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

    /// The same settings with another lease, which scales all times.
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
