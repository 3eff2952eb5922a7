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
//! # Check bytes
//!
//! ```
//! let certificate = b"sixproof-certificate 1
//!     game 3 3 3 1 1  attacker black
//!     black A1 B1     white A2 B2
//!     to-move black 1
//!     W C1";
//! let verified = sixproof_check::check_bytes(certificate).unwrap();
//! assert_eq!(verified.counts.nodes, 1);
//! // The claim is the checker's own reading: compare it with what you asked.
//! assert_eq!(verified.claim.attacker, sixproof_check::Color::Black);
//! ```
//!
//! # Say why not
//!
//! ```
//! use sixproof_check::{Refusal, check_bytes};
//!
//! let bad = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black
//!     black A1 B1 white A2 B2 to-move black 1 W C3";
//! let Err(Refusal::Rejected(rejection)) = check_bytes(bad) else { panic!("not verified") };
//! assert_eq!(rejection.node, 1);
//! println!("{}", rejection.explain());
//! ```
//!
//! # Check a large file
//!
//! The file is read as a stream, with memory for the depth of the proof and its marked nodes.
//!
//! ```no_run
//! use sixproof_check::{CheckWatch, check};
//! use std::fs::File;
//! use std::io::BufReader;
//! use std::ops::ControlFlow;
//!
//! struct Progress;
//!
//! impl CheckWatch for Progress {
//!     fn progress(&mut self, nodes: u64) -> ControlFlow<()> {
//!         eprintln!("{nodes} nodes");
//!         ControlFlow::Continue(()) // a break stops the check
//!     }
//! }
//!
//! let verdict = check(|| File::open("large.cert").map(BufReader::new), &mut Progress);
//! ```
//!
//! There are no features and no dependencies. `sixproof-check` is also a program: its arguments are
//! certificates, and it prints a verdict for each.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

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
pub use proof::CheckWatch;
pub use report::{
    Counts, FilePlace, Reason, Refusal, Rejection, RootZone, Turn, Unread, Unreadable, Verified,
    ZoneSegment,
};

use std::io::{self, BufRead};

use grid::Grid;
use proof::ProofChecker;
use token::Tokens;

/// Checks a certificate. `open` opens the file; it is called once, and a second time when the board
/// is unbounded, to learn first which squares the file names.
pub fn check<R: BufRead>(
    mut open: impl FnMut() -> io::Result<R>,
    watch: &mut dyn CheckWatch,
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
    watch: &mut dyn CheckWatch,
    widen: i32,
) -> Result<Verified, Refusal> {
    let mut start = || {
        let input =
            open().map_err(|e| Unreadable { place: None, what: Unread::Io(e.to_string()) })?;
        // Nothing that starts with a long word is a certificate; more is not to be said about it.
        let mut tokens = Tokens::new(input).map_err(|error| match error.what {
            Unread::TokenTooLong => Unreadable { what: Unread::NotACertificate, ..error },
            _ => error,
        })?;
        let claim = Claim::read(&mut tokens)?;
        Ok::<_, Unreadable>((claim, tokens))
    };
    let (claim, mut tokens) = start()?;
    watch.claim(&claim);
    if !claim.game.is_unbounded() {
        let grid = Grid::bounded(claim.game);
        return ProofChecker::new(tokens, &claim, &grid).check(watch);
    }
    let grid = Grid::unbounded(&claim, &mut tokens, widen)?;
    let (again, tokens) = start()?;
    if again != claim {
        return Err(Unreadable { place: None, what: Unread::Changed }.into());
    }
    ProofChecker::new(tokens, &claim, &grid).check(watch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;

    const UNBOUNDED: [&str; 3] = [
        include_str!("../../../suite/oracle/unbounded.cert"),
        include_str!("../../../suite/oracle/unbounded-far.cert"),
        "sixproof-certificate 1 game 0 0 4 2 1 attacker black black 0,0 1,0 0,1 white 5,5
         to-move white 2
         D 3 R A 2,0 -1,0 D 0 R -1,0 2,0 A 0,2 0,-1 D 0 R 0,2 0,-1 ~1 A 2,0 -1,0 D 0",
    ];

    #[test]
    fn the_example_of_the_document_is_verified() {
        let document = include_str!("../../../docs/certificate.md");
        let (_, rest) = document.split_once("```text\n").unwrap();
        let (example, _) = rest.split_once("```").unwrap();
        assert_eq!(check_bytes(example.as_bytes()).unwrap().counts.nodes, 3);
    }

    /// The verdict, which a grid of twice the width must not change.
    fn verdict_on_any_grid(file: &[u8]) -> bool {
        let mut open = || Ok(file);
        let narrow = check_on_grid(&mut open, &mut (), 1).is_ok();
        let wide = check_on_grid(&mut open, &mut (), 2).is_ok();
        assert_eq!(narrow, wide, "{}", String::from_utf8_lossy(file));
        narrow
    }

    /// The places of all digits of a proof: squares, slack and counts.
    fn digits(file: &[u8]) -> Vec<usize> {
        let body = file.windows(7).position(|w| w == b"to-move").unwrap_or(0);
        (body..file.len()).filter(|&i| file[i].is_ascii_digit()).collect()
    }

    #[test]
    fn a_wider_grid_gives_the_same_verdict() {
        let mut verdicts = [0; 2];
        for file in UNBOUNDED {
            for place in digits(file.as_bytes()) {
                for digit in b'0'..=b'9' {
                    let mut file = file.as_bytes().to_vec();
                    file[place] = digit;
                    verdicts[usize::from(verdict_on_any_grid(&file))] += 1;
                }
            }
        }
        assert!(verdicts[0] > 20 && verdicts[1] > 20, "both kinds: {verdicts:?}");
        arbtest(|u| {
            let mut file = u.choose(&UNBOUNDED)?.as_bytes().to_vec();
            let digits = digits(&file);
            for _ in 0..u.int_in_range(2..=4)? {
                file[digits[u.choose_index(digits.len())?]] = b'0' + u.int_in_range(0..=9)?;
            }
            verdict_on_any_grid(&file);
            Ok(())
        })
        .budget_ms(sixproof_oracle::effort(300, 1_000))
        .run();
    }
}
