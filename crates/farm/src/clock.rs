//! How time passes for a manager or a worker.
//!
//! The clock of a machine may jump, forwards (after sleep, or when it is set) and backwards. Were
//! all leases to end at once after a jump, every job would be lent again while it is being done.
//! So time passes by small steps only: what seems to be a long step counts as a short one, and
//! nothing passes when the clock goes back.

/// The longest step that is believed. The program says the time more often than this.
pub(crate) const STEP_MS_MAX: u64 = 5_000;

/// Milliseconds that have passed since the start, as far as one can know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    last_ms: Option<u64>,
    passed_ms: u64,
}

impl Clock {
    /// Takes note of what the machine's clock says, and tells what time it is here.
    pub(crate) fn advance(&mut self, now_ms: u64) -> u64 {
        let last_ms = self.last_ms.replace(now_ms).unwrap_or(now_ms);
        self.passed_ms += now_ms.saturating_sub(last_ms).min(STEP_MS_MAX);
        self.passed_ms
    }

    /// What time it was when the clock was last looked at.
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
