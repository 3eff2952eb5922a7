//! The transposition table, shared by the threads of a search without locks.
//!
//! An entry is two words: the contents, and their exclusive or with the key. Two threads that write
//! the same entry at once leave words that do not fit each other, which a reader sees as an entry
//! of another position.

use std::sync::atomic::{AtomicU64, Ordering};

use super::moves::BoardMove;

/// How a score was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the score.
    Exact = 1,
    /// The score is at least this one.
    Lower = 2,
    /// The score is at most this one.
    Upper = 3,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) score: i32,
    pub(crate) depth: i32,
    /// `None` if only a forced win was looked for.
    pub(crate) bound: Option<Bound>,
    /// The effort of a search for a forced win that found no win: 0 is no search, 3 the largest.
    pub(crate) unforced: u8,
    /// The best move, as its first two squares.
    pub(crate) best: [u16; 2],
}

/// No square.
pub(crate) const NONE: u16 = u16::MAX;

impl Known {
    /// Whether this is the move that was best.
    pub(crate) fn is_best(&self, stones: &BoardMove) -> bool {
        first_two(stones) == self.best
    }
}

/// The first two squares of a move.
pub(crate) fn first_two(stones: &BoardMove) -> [u16; 2] {
    let mut squares = stones.squares().iter().copied();
    [squares.next().unwrap_or(NONE), squares.next().unwrap_or(NONE)]
}

/// The table.
pub(crate) struct Table {
    entries: Vec<[AtomicU64; 2]>,
}

impl Table {
    /// A table of about this number of bytes.
    pub(crate) fn new(bytes: u64) -> Table {
        let entries = (bytes / 16).max(1).ilog2();
        Table { entries: (0..1usize << entries.min(32)).map(|_| Default::default()).collect() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.iter_mut().flatten().for_each(|word| *word.get_mut() = 0);
    }

    fn entry(&self, key: u64) -> &[AtomicU64; 2] {
        &self.entries[(key >> 8) as usize & (self.entries.len() - 1)]
    }

    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let [check, data] = self.entry(key).each_ref().map(|word| word.load(Ordering::Relaxed));
        (data != 0 && check ^ data == key).then(|| Known {
            score: i32::from(data as i16),
            depth: i32::from((data >> 16) as i8),
            bound: match data >> 24 & 3 {
                1 => Some(Bound::Exact),
                2 => Some(Bound::Lower),
                3 => Some(Bound::Upper),
                _ => None,
            },
            unforced: (data >> 26 & 3) as u8,
            best: [(data >> 32) as u16, (data >> 48) as u16],
        })
    }

    pub(crate) fn put(&self, key: u64, known: &Known) {
        let data = u64::from(known.score as i16 as u16)
            | u64::from(known.depth as i8 as u8) << 16
            | known.bound.map_or(0, |bound| bound as u64) << 24
            | u64::from(known.unforced) << 26
            | 1 << 28
            | u64::from(known.best[0]) << 32
            | u64::from(known.best[1]) << 48;
        let [check, place] = self.entry(key);
        check.store(key ^ data, Ordering::Relaxed);
        place.store(data, Ordering::Relaxed);
    }
}
