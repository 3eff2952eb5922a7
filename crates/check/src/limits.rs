//! Every limit of the checker, by name. Memory and stack stay bounded, whatever a file holds; the
//! checker answers a file beyond a limit with "could not decide", never with a verdict.
//!
//! Limits on what a file may need are 64-bit numbers, so that they mean the same where addresses
//! have 32 bits. (`scripts/test --long` runs the checker on such a machine.)

/// The most columns or rows of a bounded board.
pub const BOARD_MAX: u32 = 59;
/// The longest winning line.
pub const K_MAX: u32 = 19;
/// The most stones in a move.
pub const P_MAX: u32 = 9;
/// The most stones in Black's first move.
pub const Q_MAX: u32 = 19;
/// The largest coordinate, in either sign, on an unbounded board.
pub const COORDINATE_MAX: i32 = 1_000_000_000;
/// The most squares of an unbounded board after its empty stretches were shortened.
pub const SQUARES_MAX: u64 = 1 << 19;
/// The longest token; a square or a segment needs at most 35 bytes.
pub const TOKEN_BYTES_MAX: usize = 48;
/// The most nodes on the path from the root to a node, marks included. A game on the largest board
/// has at most 3,481 moves.
pub const DEPTH_MAX: u64 = 1 << 16;
/// The most bytes held for the path and the marked nodes.
pub const HELD_BYTES_MAX: u64 = within_reach(4 << 30);
/// The most steps of the search for an uncovered move at one node (three stones and more).
pub const COVER_STEPS_MAX: u64 = 20_000_000;
/// The most bytes of the bit sets in which the checker looks for an uncovered pair at a time.
pub const ROWS_BYTES_MAX: u64 = 64 << 20;
/// The most bytes of an unbounded certificate from a pipe, which is kept because it is read twice.
pub const PIPE_BYTES_MAX: u64 = within_reach(2 << 30);
/// The most threats that a node can rely on.
pub const THREATS_MAX: u64 = 10_000;
/// The largest slack that a reply may state.
pub const SLACK_MAX: u64 = 1_000_000_000;

/// A number of bytes, but at most an eighth of all that can be addressed: on 32 bits a larger limit
/// would never be reached, because memory ends before it.
const fn within_reach(bytes: u64) -> u64 {
    let reach = (usize::MAX / 8) as u64 + 1;
    if bytes < reach { bytes } else { reach }
}
