//! Hitting sets: sets of squares that have a square in common with each of some given sets.
//!
//! Threats are sets of empty squares, and a move blocks them all when it hits every one. The
//! *least* size of a hitting set is the number of threats; the *minimal* hitting sets, which hit no
//! longer when a square is left out, are the critical defences.
//!
//! Both are found by trying the squares of a set that is not hit yet. In the worst case that takes
//! exponential time, so both count their steps and give up at a limit that no position from a
//! game comes near.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sixproof_game::Square;

use super::Number;

/// The most steps of one search: squares that are tried.
pub const STEPS_MAX: u32 = 100_000;
/// The largest least size that is searched for among sets that hang together; it is the depth of
/// the search, too.
pub const LEAST_MAX: u32 = 64;

/// The sets were too many: the search ended after [`STEPS_MAX`] steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "given up after {STEPS_MAX} steps")
    }
}

impl std::error::Error for GivenUp {}

/// A set of squares.
type Squares = BTreeSet<Square>;

/// The number of steps that a search may still take.
struct Steps(u32);

impl Steps {
    fn take(&mut self) -> Result<(), GivenUp> {
        self.0 = self.0.checked_sub(1).ok_or(GivenUp)?;
        Ok(())
    }
}

/// The size of the smallest hitting set; [`Number::Infinite`] when a set is empty.
pub fn least(sets: &[Squares]) -> Number {
    if sets.iter().any(BTreeSet::is_empty) {
        return Number::Infinite;
    }
    let sets = smallest(sets);
    let mut steps = Steps(STEPS_MAX);
    parts(&sets).iter().map(|part| least_of_part(part, &mut steps)).sum()
}

/// The least size for sets that hang together: the search tries one size after the other.
fn least_of_part(sets: &[&Squares], steps: &mut Steps) -> Number {
    let mut size = disjoint(sets.iter().copied());
    while size <= LEAST_MAX {
        match is_hit_by(sets, size, steps) {
            Ok(true) => return Number::Exactly(size),
            Ok(false) => size += 1,
            Err(GivenUp) => break,
        }
    }
    Number::AtLeast(size)
}

/// Whether this number of squares can hit all sets.
fn is_hit_by(sets: &[&Squares], size: u32, steps: &mut Steps) -> Result<bool, GivenUp> {
    // Every hitting set has a square of each set: it is enough to try those of the smallest.
    let Some(first) = sets.iter().min_by_key(|set| set.len()) else { return Ok(true) };
    // Sound because disjoint sets need a square each. Guarded by
    // `the_number_of_threats_is_the_least_block_of_brute_force`.
    if disjoint(sets.iter().copied()) > size {
        return Ok(false);
    }
    for square in *first {
        steps.take()?;
        let rest: Vec<&Squares> = sets.iter().copied().filter(|s| !s.contains(square)).collect();
        if is_hit_by(&rest, size - 1, steps)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// All minimal hitting sets of at most `size_max` squares: none when a set is empty, and the empty
/// one when there are no sets. The smaller ones come first. `size_max` is at most [`LEAST_MAX`].
pub fn minimal(sets: &[Squares], size_max: u32) -> Result<Vec<Squares>, GivenUp> {
    assert!(size_max <= LEAST_MAX, "no move has {size_max} stones");
    if sets.iter().any(BTreeSet::is_empty) {
        return Ok(Vec::new());
    }
    let sets = smallest(sets);
    let mut search =
        Minimal { sets: &sets, size_max, steps: Steps(STEPS_MAX), found: BTreeSet::new() };
    search.extend(&mut Squares::new(), &Squares::new())?;
    Ok(search.found.into_iter().map(|(_, squares)| squares).collect())
}

/// The search for minimal hitting sets.
struct Minimal<'a> {
    sets: &'a [Squares],
    size_max: u32,
    steps: Steps,
    found: BTreeSet<(usize, Squares)>,
}

impl Minimal<'_> {
    /// Finds all minimal hitting sets with the chosen squares and without the refused ones.
    fn extend(&mut self, chosen: &mut Squares, refused: &Squares) -> Result<(), GivenUp> {
        // Sound because a square that hits no set alone never will when squares are added. Guarded
        // by `critical_defences_are_the_minimal_blocks_of_brute_force`.
        if !chosen.iter().all(|square| self.hits_one_alone(chosen, square)) {
            return Ok(());
        }
        let open: Vec<&Squares> = self.sets.iter().filter(|s| s.is_disjoint(chosen)).collect();
        let Some(first) = open.iter().min_by_key(|set| set.len()) else {
            self.found.insert((chosen.len(), chosen.clone()));
            return Ok(());
        };
        // Sound because disjoint sets need a square each.
        if chosen.len() as u32 + disjoint(open.iter().copied()) > self.size_max {
            return Ok(());
        }
        // Sets with an earlier square of `first` have been found when a later one is tried.
        let mut refused = refused.clone();
        for &square in first.difference(&refused.clone()) {
            self.steps.take()?;
            chosen.insert(square);
            self.extend(chosen, &refused)?;
            chosen.remove(&square);
            refused.insert(square);
        }
        Ok(())
    }

    /// Whether some set is hit by this square and by no other of the chosen ones.
    fn hits_one_alone(&self, chosen: &Squares, square: &Square) -> bool {
        self.sets.iter().any(|set| set.contains(square) && set.intersection(chosen).count() == 1)
    }
}

/// The sets of which no other is a part. Sound because whatever hits a part hits the whole.
fn smallest(sets: &[Squares]) -> Vec<Squares> {
    let different: BTreeSet<&Squares> = sets.iter().collect();
    let different: Vec<&Squares> = different.into_iter().collect();
    let with = sets_by_square(&different);
    let has_part = |set: &Squares| {
        let near = set.iter().flat_map(|square| &with[square]);
        near.into_iter().any(|&i| different[i].len() < set.len() && different[i].is_subset(set))
    };
    different.iter().copied().filter(|set| !has_part(set)).cloned().collect()
}

/// Which sets have a square.
fn sets_by_square(sets: &[&Squares]) -> BTreeMap<Square, Vec<usize>> {
    let mut with: BTreeMap<Square, Vec<usize>> = BTreeMap::new();
    for (i, set) in sets.iter().enumerate() {
        for &square in *set {
            with.entry(square).or_default().push(i);
        }
    }
    with
}

/// The sets in parts that hang together by common squares. The least sizes of parts add up.
fn parts(sets: &[Squares]) -> Vec<Vec<&Squares>> {
    let all: Vec<&Squares> = sets.iter().collect();
    let with = sets_by_square(&all);
    let mut is_placed = vec![false; sets.len()];
    let mut parts = Vec::new();
    for start in 0..sets.len() {
        let mut part = Vec::new();
        let mut waiting = vec![start];
        while let Some(i) = waiting.pop() {
            if !is_placed[i] {
                is_placed[i] = true;
                part.push(&sets[i]);
                waiting.extend(sets[i].iter().flat_map(|square| &with[square]));
            }
        }
        if !part.is_empty() {
            parts.push(part);
        }
    }
    parts
}

/// The number of disjoint sets when each is taken that can be: a bound from below.
fn disjoint<'a>(sets: impl Iterator<Item = &'a Squares>) -> u32 {
    let mut taken = Squares::new();
    let mut count = 0;
    for set in sets {
        if set.is_disjoint(&taken) {
            taken.extend(set);
            count += 1;
        }
    }
    count
}
