//! Threats on the search board, and the ways to block them.
//!
//! A threat is given by its empty squares; a Defender move blocks it by taking one. The sets that
//! block all threats are found by branching on an open threat (Lin, section 3.2.3: normal and
//! relaxed critical defences): at most p squares, at most t deep. This is exact over crossing
//! lines, because it knows squares and not lines.

use sixproof_game::P_MAX;

use crate::board::{Bits, Board, Rules, Side, Sq};

/// The most empty squares of a threat.
const EMPTIES_MAX: usize = P_MAX as usize;

/// A threat: the empty squares of its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    count: u8,
    squares: [Sq; EMPTIES_MAX],
}

impl Threat {
    /// The squares that complete the threat, and any of which blocks it.
    #[inline(always)]
    pub fn empties(&self) -> &[Sq] {
        &self.squares[..usize::from(self.count)]
    }

    /// Whether a stone on one of `squares` blocks it.
    #[inline(always)]
    pub fn is_hit_by(&self, squares: &[Sq]) -> bool {
        // Spelled out: both slices are short, and the library's search is made for long ones.
        for empty in self.empties() {
            for square in squares {
                if empty == square {
                    return true;
                }
            }
        }
        false
    }
}

impl<R: Rules> Board<R> {
    /// Adds the threats of `side` on one line to `threats`.
    #[inline]
    fn threats_on(&self, number: usize, side: Side, threats: &mut Vec<Threat>) {
        let line = self.line(number);
        let many = line.at_least::<R>(side, self.rules.k().saturating_sub(self.rules.p()));
        if many == 0 {
            return;
        }
        let free = !line.taken();
        let width = (1u64 << self.rules.k()) - 1;
        for start in Bits(many & self.active(number, side)) {
            let mut threat = Threat { count: 0, squares: [0; EMPTIES_MAX] };
            for square in self.geometry.lines[number].squares_at(width << start & free) {
                threat.squares[usize::from(threat.count)] = square;
                threat.count += 1;
            }
            threats.push(threat);
        }
    }

    /// Collects all threats of `side` into `threats`.
    pub fn threats(&self, side: Side, threats: &mut Vec<Threat>) {
        threats.clear();
        self.each_busy(side, |number| self.threats_on(number, side, threats));
    }

    /// Collects the threats of `side` on the lines through `squares` into `threats`: these are all
    /// its threats if it had none before its stones came to these squares.
    #[inline]
    pub fn threats_through(&self, side: Side, squares: &[Sq], threats: &mut Vec<Threat>) {
        threats.clear();
        for (index, &square) in squares.iter().enumerate() {
            let crossing = &self.geometry.crossings[usize::from(square)];
            for direction in 0..4 {
                let number = crossing.line[direction];
                let seen = squares[..index].iter().any(|&earlier| {
                    self.geometry.crossings[usize::from(earlier)].line[direction] == number
                });
                if !seen {
                    self.threats_on(usize::from(number), side, threats);
                }
            }
        }
    }
}

/// Calls `visit` with sets of at most `stones` squares such that a move blocks all `threats` if
/// and only if it contains one of the sets. `chosen` is scratch space and must be empty.
pub fn each_block(
    threats: &[Threat],
    stones: u32,
    chosen: &mut Vec<Sq>,
    visit: &mut impl FnMut(&[Sq]),
) {
    match threats.iter().find(|threat| !threat.is_hit_by(chosen)) {
        None => visit(chosen),
        Some(_) if chosen.len() == stones as usize => {}
        Some(open) => {
            for &square in open.empties() {
                chosen.push(square);
                each_block(threats, stones, chosen, visit);
                chosen.pop();
            }
        }
    }
}

/// What `stones` Defender stones can do against threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defences {
    /// Nothing blocks them: there are more threats than stones.
    None,
    /// Every defence needs all the stones, so that one macro can reply with all of them together.
    Forced,
    /// Some defence leaves stones over: the number of stones that a defence needs at least.
    Free(u32),
}

/// Classifies the defences of `stones` stones, and collects the union of the blocking sets into
/// `reply`: Wu's reply set when they are forced.
#[inline]
pub fn defences(threats: &[Threat], stones: u32, reply: &mut Vec<Sq>) -> Defences {
    reply.clear();
    if stones == 2 && threats.iter().all(|threat| threat.count <= 2) {
        return two_stones(threats, reply);
    }
    let mut least = u32::MAX;
    each_block(threats, stones, &mut Vec::new(), &mut |block| {
        least = least.min(block.len() as u32);
        block.iter().for_each(|&square| add_new(reply, square));
    });
    if least == u32::MAX {
        Defences::None
    } else if least == stones {
        Defences::Forced
    } else {
        Defences::Free(least)
    }
}

/// [`defences`] of two stones against threats of at most two squares, without recursion.
#[inline]
fn two_stones(threats: &[Threat], reply: &mut Vec<Sq>) -> Defences {
    let Some(first) = threats.first() else { return Defences::Free(0) };
    let mut alone = false;
    for &square in first.empties() {
        let mut open = threats.iter().filter(|threat| !threat.is_hit_by(&[square]));
        let Some(next) = open.next() else {
            alone = true;
            add_new(reply, square);
            continue;
        };
        for &partner in next.empties() {
            if open.clone().all(|threat| threat.is_hit_by(&[partner])) {
                add_new(reply, square);
                add_new(reply, partner);
            }
        }
    }
    match (alone, reply.is_empty()) {
        (true, _) => Defences::Free(1),
        (false, true) => Defences::None,
        (false, false) => Defences::Forced,
    }
}

/// Adds a square to a short list that does not have it.
#[inline(always)]
fn add_new(squares: &mut Vec<Sq>, square: Sq) {
    for &known in squares.iter() {
        if known == square {
            return;
        }
    }
    squares.push(square);
}
