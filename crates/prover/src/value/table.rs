//! Positions with their proof and disproof numbers, in a fixed amount of memory.
//!
//! An entry has the whole position, not a hash of it: what is found is the position asked for.

use super::state::State;

/// Entries that compete for the same place.
const WAYS: usize = 4;

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
    state: State,
    numbers: Numbers,
    /// Nodes spent below; 0 for a free place.
    work: u32,
}

/// The table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    mask: usize,
}

impl Table {
    /// A table of 2^`bits` entries.
    pub(super) fn new(bits: u32) -> Table {
        let free = Entry { state: State::NOTHING, numbers: Numbers::PROVED, work: 0 };
        let len = (1usize << bits).max(WAYS);
        Table { entries: vec![free; len], mask: len - WAYS }
    }

    pub(super) fn get(&self, state: &State) -> Option<Numbers> {
        let place = self.place(state);
        let ways = &self.entries[place..place + WAYS];
        ways.iter().find(|e| e.work > 0 && e.state == *state).map(|entry| entry.numbers)
    }

    /// Remembers numbers; where there is no room, what took the least work is forgotten.
    pub(super) fn set(&mut self, state: &State, numbers: Numbers, work: u64) {
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        let place = self.place(state);
        let ways = &mut self.entries[place..place + WAYS];
        let same = ways.iter().position(|e| e.work > 0 && e.state == *state);
        let way = match same {
            Some(way) => way,
            None => (0..WAYS).min_by_key(|&way| ways[way].work).expect("there are ways"),
        };
        let before = if same.is_some() { ways[way].work } else { 0 };
        ways[way] = Entry { state: *state, numbers, work: before.saturating_add(work) };
    }

    fn place(&self, state: &State) -> usize {
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let side = u64::from(state.left) << 1 | u64::from(state.attacks);
        let mut hash = state.attacker.wrapping_mul(MIX).rotate_left(29) ^ state.defender;
        hash = (hash ^ hash >> 32).wrapping_mul(MIX).wrapping_add(side);
        hash = (hash ^ hash >> 29).wrapping_mul(MIX);
        (hash >> 20) as usize & self.mask
    }
}
