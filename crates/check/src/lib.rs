//! The trusted checker of sixproof: certificate bytes in, verdict out.
//!
//! A certificate claims that one side of a Connect(m,n,k,p,q) game wins by force, and carries the
//! proof. This crate is all that has to be believed: it depends on nothing, shares no code with the
//! search that wrote the certificate (not even the rules of the game), never guesses, repairs or
//! warns, and recomputes everything that it relies on. `docs/certificate.md` is the format,
//! `docs/soundness.md` the argument for each rule with the test that guards it.
//!
//! Read it in this order: `claim` (the header), `board` (segments and stones), `zone` (what a proof
//! depends on), `cover` (is every Defender move answered?), `proof` (the nodes), and around them
//! `token` (bytes to words), `grid` (unbounded boards), `report` (the answer), `limits`.
//!
//! ```
//! let certificate = b"sixproof-certificate 1
//!     game 3 3 3 1 1  attacker black
//!     black A1 B1     white A2 B2
//!     to-move black 1
//!     W C1";
//! let verified = sixproof_check::check_bytes(certificate).unwrap();
//! assert_eq!(verified.counts.nodes, 1);
//! ```

mod board;
mod claim;
mod cover;
mod draw;
mod grid;
pub mod limits;
mod pipe;
mod proof;
mod report;
mod token;
mod zone;

pub use claim::{Claim, Color, Game, Square};
pub use pipe::check_pipe;
pub use proof::Watch;
pub use report::{
    Counts, Place, Reason, Refusal, Rejection, RootZone, Turn, Unread, Unreadable, Verified,
    ZoneSegment,
};

use std::io::{self, BufRead};

use grid::Grid;
use proof::Proof;
use token::Tokens;

/// Checks a certificate. `open` opens the file; it is called once, and a second time when the board
/// is unbounded, to learn first which squares the file names.
pub fn check<R: BufRead>(
    mut open: impl FnMut() -> io::Result<R>,
    watch: &mut dyn Watch,
) -> Result<Verified, Refusal> {
    check_on_grid(&mut open, watch, 1)
}

/// Checks a whole certificate held in memory.
pub fn check_bytes(bytes: &[u8]) -> Result<Verified, Refusal> {
    check(|| Ok(bytes), &mut ())
}

/// `widen` times the stretches of an unbounded board are kept; tests compare 1 with more.
fn check_on_grid<R: BufRead>(
    open: &mut dyn FnMut() -> io::Result<R>,
    watch: &mut dyn Watch,
    widen: i32,
) -> Result<Verified, Refusal> {
    let mut start = || {
        let input =
            open().map_err(|e| Unreadable { place: None, what: Unread::Io(e.to_string()) })?;
        let mut tokens = Tokens::new(input)?;
        let claim = Claim::read(&mut tokens)?;
        Ok::<_, Unreadable>((claim, tokens))
    };
    let (claim, mut tokens) = start()?;
    watch.claim(&claim);
    if !claim.game.is_unbounded() {
        let grid = Grid::bounded(claim.game);
        return Proof::new(tokens, &claim, &grid).check(watch);
    }
    let grid = Grid::unbounded(&claim, &mut tokens, widen)?;
    let (again, tokens) = start()?;
    if again != claim {
        return Err(Unreadable { place: None, what: Unread::Changed }.into());
    }
    Proof::new(tokens, &claim, &grid).check(watch)
}
