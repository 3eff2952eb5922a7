//! The speed of a farm: counts of answers for each second of the last minute.

use std::collections::VecDeque;

/// The length of the window, in seconds.
const SECONDS: u64 = 60;

/// Jobs and nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) jobs: u64,
    pub(super) nodes: u64,
}

/// The counts of the last minute.
#[derive(Debug, Default)]
pub(super) struct Rate {
    /// Seconds with an answer, at most a minute of them, the latest last.
    seconds: VecDeque<(u64, Work)>,
    nodes: u64,
}

impl Rate {
    pub(super) fn add(&mut self, now_ms: u64, nodes: u64) {
        let second = now_ms / 1_000;
        self.nodes = self.nodes.saturating_add(nodes);
        if self.seconds.back().is_none_or(|last| last.0 != second) {
            self.seconds.push_back((second, Work::default()));
        }
        if let Some((_, work)) = self.seconds.back_mut() {
            work.jobs += 1;
            work.nodes = work.nodes.saturating_add(nodes);
        }
        while self.seconds.front().is_some_and(|first| first.0 + SECONDS <= second) {
            self.seconds.pop_front();
        }
    }

    pub(super) fn last_minute(&self, now_ms: u64) -> Work {
        let second = now_ms / 1_000;
        let recent = self.seconds.iter().filter(|(then, _)| then + SECONDS > second);
        recent.fold(Work::default(), |sum, (_, work)| Work {
            jobs: sum.jobs + work.jobs,
            nodes: sum.nodes.saturating_add(work.nodes),
        })
    }

    /// All nodes.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_than_a_minute_does_not_count() {
        let mut rate = Rate::default();
        for (now_ms, nodes) in [(0, 1), (500, 2), (30_000, 4), (59_999, 8)] {
            rate.add(now_ms, nodes);
        }
        assert_eq!(rate.last_minute(59_999), Work { jobs: 4, nodes: 15 });
        assert_eq!(rate.last_minute(60_000), Work { jobs: 2, nodes: 12 });
        assert_eq!(rate.last_minute(200_000), Work::default());
        rate.add(200_000, 16);
        assert_eq!((rate.seconds.len(), rate.nodes()), (1, 31));
    }
}
