//! Positions with their proof and disproof numbers, in a fixed amount of memory.
//!
//! An entry has the whole position, not a hash of it: what is found is the position asked for.

use super::state::BitPosition;

/// The number of entries that compete for the same place.
const WAYS: usize = 4;

/// The number of entries of a new table.
const FIRST_LEN: usize = 1 << 12;

/// Proof and disproof number; 0 and [`INFINITE`] when the position is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// The number of what cannot be.
pub(super) const INFINITE: u32 = u32::MAX;

impl Numbers {
    pub(super) const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(super) const REFUTED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    pub(super) fn decided(wins: bool) -> Numbers {
        if wins { Numbers::PROVED } else { Numbers::REFUTED }
    }

    pub(super) fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    state: BitPosition,
    numbers: Numbers,
    /// Nodes spent below; 0 for a free place.
    work: u32,
}

const FREE: Entry = Entry { state: BitPosition::NOTHING, numbers: Numbers::PROVED, work: 0 };

/// The table. It grows with what it holds, up to its limit.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    len: usize,
    len_max: usize,
}

impl Table {
    /// A table of at most 2^`bits` entries.
    pub(super) fn new(bits: u32) -> Table {
        let len_max = (1usize << bits).max(WAYS);
        Table { entries: vec![FREE; len_max.min(FIRST_LEN)], len: 0, len_max }
    }

    pub(super) fn get(&self, state: &BitPosition) -> Option<Numbers> {
        let place = self.place(state);
        let ways = &self.entries[place..place + WAYS];
        ways.iter().find(|e| e.work > 0 && e.state == *state).map(|entry| entry.numbers)
    }

    /// Remembers numbers; where there is no room, the table forgets the entry that took the least
    /// work.
    pub(super) fn set(&mut self, state: &BitPosition, numbers: Numbers, work: u64) {
        if self.len > self.entries.len() / 2 && self.entries.len() < self.len_max {
            self.grow();
        }
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        self.put(Entry { state: *state, numbers, work });
    }

    fn grow(&mut self) {
        let len = (self.entries.len() * 4).min(self.len_max);
        let entries = std::mem::replace(&mut self.entries, vec![FREE; len]);
        self.len = 0;
        for entry in entries.into_iter().filter(|entry| entry.work > 0) {
            self.put(entry);
        }
    }

    fn put(&mut self, mut entry: Entry) {
        let place = self.place(&entry.state);
        let ways = &mut self.entries[place..place + WAYS];
        let same = ways.iter().position(|e| e.work > 0 && e.state == entry.state);
        let way = match same {
            Some(way) => way,
            None => (0..WAYS).min_by_key(|&way| ways[way].work).expect("there are ways"),
        };
        if same.is_some() {
            entry.work = entry.work.saturating_add(ways[way].work);
        } else {
            self.len += usize::from(ways[way].work == 0);
        }
        ways[way] = entry;
    }

    fn place(&self, state: &BitPosition) -> usize {
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let side = u64::from(state.left) << 1 | u64::from(state.attacks);
        let mut hash = state.attacker.wrapping_mul(MIX).rotate_left(29) ^ state.defender;
        hash = (hash ^ hash >> 32).wrapping_mul(MIX).wrapping_add(side);
        hash = (hash ^ hash >> 29).wrapping_mul(MIX);
        (hash >> 20) as usize & (self.entries.len() - WAYS)
    }
}
