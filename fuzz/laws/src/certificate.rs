//! The law of certificates as bytes: however they are read, there is one verdict.
//!
//! The checker reads the same bytes at once and one by one; the prover's reader and writer copy the
//! file; on small boards the oracle's checkers and its minimax judge it as well. The law never asks
//! that damaged bytes be refused: a mutant may be right. It asks that they be judged alike, and
//! that every accepted claim be true.

use std::cell::RefCell;
use std::io::{self, Read};

use sixproof_certificate::{Claim, ReadError, Reader, Step, Writer};
use sixproof_check::{Refusal, Verified};
use sixproof_oracle::certificate::{Certificate, Square};
use sixproof_oracle::literal;
use sixproof_oracle::rules::{Position, Rules};
use sixproof_oracle::solve::Solver;
use sixproof_oracle::{meaning, parse};

/// Pieces of certificates.
pub const WORDS: &[&str] = &[
    "sixproof-certificate 1\n",
    "game 3 3 3 1 1\n",
    "game 0 0 3 2 1\n",
    " exact\n",
    "attacker black\n",
    "attacker white\n",
    "black ",
    "white ",
    "to-move black 1\n",
    "to-move white 1\n",
    "W ",
    "A ",
    "D 0\n",
    "D 1\n",
    "D! 1 A1-C1 0\n",
    "R ",
    " ~1 ",
    "@ ",
    "= 0\n",
    "A1 ",
    "B2 ",
    "0,0 ",
    "-1,2 ",
    "# remark\n",
];

/// The most squares of a board that the oracle is asked about …
const ORACLE_SQUARES_MAX: usize = 25;
/// … and the most stones of a move,
const ORACLE_STONES_MAX: usize = 3;
/// and the most empty squares of a position that its minimax is asked about.
const TRUTH_EMPTIES_MAX: usize = 9;
/// The number of places at which an accepted file is cut short.
const CUTS: usize = 8;

/// The law.
pub fn law(bytes: &[u8]) {
    let verdict = sixproof_check::check_bytes(bytes);
    let by_bytes = sixproof_check::check_pipe(OneByOne(bytes), &mut ());
    assert_eq!(format!("{by_bytes:?}"), format!("{verdict:?}"), "read byte by byte");
    copies_are_judged_alike(bytes, &verdict);
    if verdict.is_ok() {
        without_its_last_node_it_is_refused(bytes);
    }
    agrees_with_the_oracle(bytes, &verdict);
}

/// Hands out one byte at a time, as a slow pipe may.
struct OneByOne<'a>(&'a [u8]);

impl Read for OneByOne<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.0.len().min(1);
        let count = (&self.0[..len]).read(out)?;
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// The checker's verdict in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Verified,
    Rejected,
    Unreadable,
}

fn kind(verdict: &Result<Verified, Refusal>) -> Kind {
    match verdict {
        Ok(_) => Kind::Verified,
        Err(Refusal::Rejected(_)) => Kind::Rejected,
        Err(Refusal::Unreadable(_)) => Kind::Unreadable,
    }
}

/// The prover's writer copies all that its reader can read: with the same steps and the same
/// verdict. The reader can read all that the checker accepts.
fn copies_are_judged_alike(bytes: &[u8], verdict: &Result<Verified, Refusal>) {
    let (claim, steps) = match read(bytes) {
        Ok(read) => read,
        Err(error) => {
            assert!(verdict.is_err(), "accepted, but the prover's reader says: {error}");
            return;
        }
    };
    readers_agree_on_the_claim(&claim, verdict);
    let copy = write(&claim, &steps);
    let text = || String::from_utf8_lossy(&copy).into_owned();
    let (claim_again, steps_again) = read(&copy).unwrap_or_else(|e| panic!("{e}\n{}", text()));
    assert_eq!((claim_again, steps_again), (claim, steps), "{}", text());
    let copy_verdict = sixproof_check::check_bytes(&copy);
    if !beyond_limits(verdict) {
        assert_eq!(kind(&copy_verdict), kind(verdict), "{}", text());
    }
    if let (Ok(first), Ok(second)) = (verdict, &copy_verdict) {
        assert_eq!(second.counts, first.counts, "{}", text());
        assert_eq!(second.zone, first.zone, "{}", text());
    }
}

/// The checker's reading of a claim is the one that counts; ours is the same.
fn readers_agree_on_the_claim(ours: &Claim, verdict: &Result<Verified, Refusal>) {
    let checkers = match verdict {
        Ok(verified) => &verified.claim,
        Err(Refusal::Rejected(rejection)) => &rejection.claim,
        Err(Refusal::Unreadable(_)) => return,
    };
    assert_eq!(Claim::try_from(checkers).as_ref(), Ok(ours), "two readings of one claim");
}

fn read(bytes: &[u8]) -> Result<(Claim, Vec<(usize, Step)>), ReadError> {
    let mut reader = Reader::new(bytes)?;
    let mut steps = Vec::new();
    while let Some(step) = reader.next_step()? {
        steps.push(step);
    }
    Ok((reader.claim().clone(), steps))
}

fn write(claim: &Claim, steps: &[(usize, Step)]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), claim).expect("memory takes all");
    for (_, step) in steps {
        writer.step(step).expect("memory takes all");
    }
    writer.finish().expect("memory takes all")
}

/// A file without its last node proves nothing, wherever it is cut.
fn without_its_last_node_it_is_refused(bytes: &[u8]) {
    let last = last_node(bytes);
    for part in 0..CUTS {
        let cut = &bytes[..last - last * part / CUTS];
        assert!(sixproof_check::check_bytes(cut).is_err(), "cut to {} bytes", cut.len());
    }
}

/// Where the last node starts: the last word that is one of these.
fn last_node(bytes: &[u8]) -> usize {
    let (mut last, mut start, mut comment) = (0, 0, false);
    for (i, &byte) in bytes.iter().chain(b"\n").enumerate() {
        if !comment && matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'#') {
            if matches!(&bytes[start..i], b"W" | b"A" | b"D" | b"D!" | b"=") {
                last = start;
            }
            start = i + 1;
        }
        comment = byte != b'\n' && (comment || byte == b'#');
        if comment || byte == b'\n' {
            start = i + 1;
        }
    }
    last
}

/// On a small board the reference checker gives the same verdict, and every accepted claim is true.
pub(crate) fn agrees_with_the_oracle(bytes: &[u8], verdict: &Result<Verified, Refusal>) {
    // The oracle reads text only; the checker does not look into comments.
    if std::str::from_utf8(bytes).is_err() || beyond_limits(verdict) {
        return;
    }
    let certificate = match parse::parse(bytes) {
        Ok(certificate) => certificate,
        Err(error) => {
            assert!(verdict.is_err(), "accepted, but the oracle cannot read it: {error}");
            return;
        }
    };
    let (game, area) = (certificate.game, certificate.game.cols * certificate.game.rows);
    let stones = game.p.max(certificate.count);
    if area == 0 || area > ORACLE_SQUARES_MAX || stones > ORACLE_STONES_MAX {
        return;
    }
    match literal::check(&certificate) {
        Err(literal::Refusal::TooLarge) => {}
        reference => assert_eq!(
            verdict.is_ok(),
            reference.is_ok(),
            "{verdict:?}, but the reference checker says {:?}\n{certificate}",
            reference.err()
        ),
    }
    if verdict.is_ok() {
        is_true(&certificate);
    }
}

/// Whether the checker gave up, which is no verdict.
fn beyond_limits(verdict: &Result<Verified, Refusal>) -> bool {
    use sixproof_check::{Unread, Unreadable};
    matches!(verdict, Err(Refusal::Unreadable(Unreadable { what: Unread::Limit(_), .. })))
}

/// The claim holds by exhaustive search, and the proof wins when it is played.
fn is_true(certificate: &Certificate) {
    let game = certificate.game;
    let stones = certificate.black.len() + certificate.white.len();
    if game.cols * game.rows - stones > TRUTH_EMPTIES_MAX {
        return;
    }
    let mask = |list: &[Square]| {
        list.iter().fold(0u64, |mask, s| mask | 1 << (s.y as usize * game.cols + s.x as usize))
    };
    let position = Position {
        black: mask(&certificate.black),
        white: mask(&certificate.white),
        to_move: certificate.to_move,
        left: certificate.count,
    };
    with_solver(game, |solver| {
        assert!(solver.wins(certificate.attacker, &position), "a false claim:\n{certificate}");
    });
    assert!(meaning::wins(certificate), "the strategy loses:\n{certificate}");
}

/// Asks a solver of the game, which remembers positions from call to call.
pub(crate) fn with_solver<T>(
    game: sixproof_oracle::rules::Game,
    ask: impl FnOnce(&mut Solver) -> T,
) -> T {
    /// A solver that remembers more than this is made anew.
    const KNOWN_MAX: usize = 1 << 20;
    thread_local! {
        static SOLVER: RefCell<Option<Solver>> = const { RefCell::new(None) };
    }
    SOLVER.with_borrow_mut(|slot| {
        let fits = |s: &Solver| s.rules.game == game && s.known_count() < KNOWN_MAX;
        if !slot.as_ref().is_some_and(fits) {
            *slot = Some(Solver::new(Rules::new(game)));
        }
        ask(slot.as_mut().expect("it was made if it was missing"))
    })
}
