//! The faults of a run, and their rates: drawn for each seed, so that some runs have one kind of
//! fault only, and others all of them (swarm testing).

use sixproof_oracle::random::Random;

/// Chances in 10,000.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    /// A core message is lost.
    pub(crate) drop: usize,
    /// A core message arrives twice.
    pub(crate) duplicate: usize,
    /// A message is late by seconds.
    pub(crate) delay: usize,
    /// The manager dies before an effect.
    pub(crate) manager_crash: usize,
    /// A worker of the dying kind dies before an effect, or at its job.
    pub(crate) worker_crash: usize,
    /// The server dies, each second.
    pub(crate) server_crash: usize,
    /// A link is cut, each second.
    pub(crate) cut: usize,
    /// A clock jumps, each second.
    pub(crate) jump: usize,
    /// The search withdraws a job, each of its steps.
    pub(crate) withdraw: usize,
    /// A worker quits, each second.
    pub(crate) quit: usize,
    /// A client that was never welcome sends a result, each second.
    pub(crate) stranger: usize,
    /// Longest additional pause between two steps of the search, in milliseconds.
    pub(crate) leisure_ms: usize,
}

impl Faults {
    pub(crate) fn drawn(random: &mut Random) -> Faults {
        // Half of all faults do not occur in a run; the others are rare or frequent.
        let mut rate = |max: usize| {
            let max = *random.pick(&[max / 20, max / 4, max]);
            let rate = 1 + random.below(1 + max);
            if random.chance(50) { rate } else { 0 }
        };
        Faults {
            drop: rate(4_000),
            duplicate: rate(3_000),
            delay: rate(3_000),
            manager_crash: rate(500),
            worker_crash: rate(800),
            server_crash: rate(300),
            cut: rate(200),
            jump: rate(200),
            withdraw: rate(2_000),
            quit: rate(80),
            stranger: rate(500),
            leisure_ms: rate(120_000),
        }
    }
}

/// Whether an event happens that does so in `rate` of 10,000 cases.
pub(crate) fn strikes(random: &mut Random, rate: usize) -> bool {
    rate > 0 && random.below(10_000) < rate
}
