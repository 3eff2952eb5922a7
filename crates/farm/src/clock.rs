//! The time of a manager or a worker.
//!
//! The clock of a machine may jump, forwards (after sleep, or when it is set) and backwards. If a
//! jump ended all leases at once, the manager would publish every job again while a worker does it.
//! So time passes by small steps only: a long step counts as a short one, and no time passes when
//! the clock goes back.

/// The longest step that counts in full; the programs tick more often than this.
pub(crate) const STEP_MS_MAX: u64 = 5_000;

/// Milliseconds since the start, by steps of limited length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    last_ms: Option<u64>,
    passed_ms: u64,
}

impl Clock {
    /// Reads the machine's clock, and returns the time since the start.
    pub(crate) fn advance(&mut self, now_ms: u64) -> u64 {
        let last_ms = self.last_ms.replace(now_ms).unwrap_or(now_ms);
        self.passed_ms += now_ms.saturating_sub(last_ms).min(STEP_MS_MAX);
        self.passed_ms
    }

    /// The time since the start at the last reading.
    pub(crate) fn now_ms(&self) -> u64 {
        self.passed_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_never_goes_back_and_never_jumps() {
        let mut clock = Clock::default();
        let seen: Vec<u64> = [7_000, 8_000, 90_000_000, 90_001_000, 5, 1_005, u64::MAX, 0, 1]
            .map(|now_ms| clock.advance(now_ms))
            .to_vec();
        let expected = [0, 1_000, 6_000, 7_000, 7_000, 8_000, 13_000, 13_000, 13_001];
        assert_eq!(seen, expected);
        assert_eq!(clock.now_ms(), 13_001);
    }
}
