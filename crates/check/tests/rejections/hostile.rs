//! Input that is nothing like a certificate, readers that fail, files that change, callers that
//! stop: never verified without reason, never a panic.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;

use sixproof_check::{CheckWatch, Claim, Refusal, Verified, check, check_bytes, check_pipe};

use crate::text::{Random, Text};
use crate::{bad, good, outcome};

const HEADER: &str = "sixproof-certificate 1 game 3 3 3 1 1 attacker black ";
/// White to move on a board where Black wins at A1 or B2.
const REPLIES: &str = "black B1 C1 A2 C2 white A3 to-move white 1 ";
/// A full board without a line.
const FULL: &str = "black A1 C1 A2 B3 C3 white B1 B2 C2 A3 to-move black 1 ";

fn outcome_of(text: &str) -> String {
    outcome(&check_bytes(text.as_bytes()))
}

#[test]
fn a_million_marks_are_too_deep() {
    assert_eq!(
        outcome_of(&format!("{HEADER}{REPLIES}{}", "@ ".repeat(1_000_000))),
        "unreadable limit"
    );
}

#[test]
fn a_chain_of_200_000_moves_is_too_deep() {
    let chain = "A D 1 R ".repeat(100_000);
    assert_eq!(outcome_of(&format!("{HEADER}{FULL}{chain}")), "unreadable limit");
}

#[test]
fn a_chain_within_the_limit_is_read_to_its_end() {
    let chain = "A D 1 R ".repeat(10_000);
    assert_eq!(outcome_of(&format!("{HEADER}{FULL}{chain}A D 0")), "rejected uncovered");
    assert_eq!(outcome_of(&format!("{HEADER}{FULL}{chain}")), "unreadable truncated");
}

#[test]
fn many_replies_and_marks_are_only_many() {
    let replies = "R @ W A1 ".repeat(30_000);
    let text = format!("{HEADER}{REPLIES}D! 0 30001 {replies}R A1 W B2");
    let verified = check_bytes(text.as_bytes()).unwrap();
    assert_eq!((verified.counts.nodes, verified.counts.marks), (30_002, 30_000));
}

#[test]
fn a_node_with_too_many_moves_is_given_up() {
    // Nine threats of nine empty squares each: 9^9 moves block them all, and one macro holds every
    // such move. A tenth row, on which the node does not rely, wins.
    let row = |columns: std::ops::RangeInclusive<u8>, y: usize| {
        columns.map(move |x| format!("{}{y}", char::from(x))).collect::<Vec<_>>().join(" ")
    };
    let rows = |columns: std::ops::RangeInclusive<u8>, last: usize| {
        (1..=last).map(|y| row(columns.clone(), y)).collect::<Vec<_>>().join(" ")
    };
    let game = "sixproof-certificate 1 game 40 10 18 9 1 attacker black";
    let black = rows(b'J'..=b'R', 10);
    let proof = |threats: usize| {
        let named: Vec<_> = (1..=threats).map(|y| format!("A{y}-R{y}")).collect();
        let (named, blocks) = (named.join(" "), rows(b'A'..=b'I', threats));
        let win = row(b'A'..=b'I', 10);
        format!(
            "{game} black {black} white to-move white 9 D! {threats} {named} 1 R {blocks} ~8 W {win}"
        )
    };
    assert_eq!(outcome_of(&proof(9)), "unreadable limit");
    assert_eq!(
        outcome_of(&proof(1)),
        "rejected uncovered",
        "a move may also take squares of the win"
    );
}

#[test]
fn a_token_of_50_megabytes_is_not_kept() {
    for (header, expected) in [
        ("", "unreadable not-a-certificate"),
        ("sixproof-certificate 1 game 3 3 3 1 1 attacker ", "unreadable token-too-long"),
    ] {
        let input = header.as_bytes().chain(io::repeat(b'x').take(50_000_000));
        assert_eq!(outcome(&check_pipe(input, &mut ())), expected);
    }
}

#[test]
fn a_comment_of_50_megabytes_is_only_a_comment() {
    let start = b"sixproof-certificate 1 # ".as_slice();
    let rest =
        b"\n game 3 3 3 1 1 attacker black black A1 B1 white A2 to-move black 1 W C1".as_slice();
    let input = start.chain(io::repeat(b'x').take(50_000_000)).chain(rest);
    assert_eq!(outcome(&check_pipe(input, &mut ())), "verified");
}

#[test]
fn zeros_and_random_bytes_are_no_certificates() {
    assert_eq!(outcome(&check_bytes(&vec![0; 1 << 20])), "unreadable not-a-certificate");
    assert_eq!(outcome(&check_bytes(&[0; 40])), "unreadable not-a-certificate");
    let random = &mut Random(3);
    for len in 0..2_000 {
        let bytes: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
        assert!(check_bytes(&bytes).is_err());
    }
}

#[test]
fn random_tokens_behind_a_header_never_panic() {
    let words: Vec<&str> =
        "W A D D! @ = R ~0 ~1 ~9 0 1 2 3 A1 B1 C1 A2 B2 C2 A3 B3 C3 A1-C1 A1-C3 C1-A3 # \n D4 x"
            .split(' ')
            .collect();
    let random = &mut Random(4);
    for _ in 0..20_000 {
        let side = ["black 1", "white 1"][random.below(2)];
        let mut text = format!("{HEADER}black B1 C1 A2 white A3 to-move {side} ");
        for _ in 0..random.below(40) {
            text.push_str(words[random.below(words.len())]);
            text.push(' ');
        }
        outcome_of(&text);
    }
}

#[test]
fn mutants_of_good_files_never_panic() {
    let random = &mut Random(5);
    for (_, bytes) in good() {
        for _ in 0..300 {
            let mut mutant = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(mutant.len());
                match random.below(4) {
                    0 => mutant[at] = random.next() as u8,
                    1 => mutant[at] = bytes[random.below(bytes.len())],
                    2 => drop(mutant.remove(at)),
                    _ => mutant.insert(at, bytes[random.below(bytes.len())]),
                }
            }
            outcome(&check_bytes(&mutant));
        }
    }
}

#[test]
fn a_good_file_cut_short_is_never_verified() {
    for (name, bytes) in good() {
        let whole = Text::read(&bytes).expect("a good file").bytes();
        assert_eq!(outcome(&check_bytes(&whole)), "verified", "{name}");
        for len in 0..whole.len() {
            assert_ne!(outcome(&check_bytes(&whole[..len])), "verified", "{name} of {len} bytes");
        }
    }
}

#[test]
fn a_word_behind_a_good_file_is_never_verified() {
    for (name, bytes) in good() {
        for more in ["W", "0", "R", "@", "= 0", "\0", "x", "\u{a0}", "A1", "0,0", "~0", "exact"] {
            let longer = [&bytes[..], b" ", more.as_bytes()].concat();
            assert_ne!(outcome(&check_bytes(&longer)), "verified", "{name} with {more:?}");
        }
    }
}

#[test]
fn any_token_left_out_or_doubled_never_panics_and_a_header_keeps_its_order() {
    for (name, bytes) in good() {
        let tokens = Text::read(&bytes).expect("a good file").tokens();
        for i in 0..tokens.len() {
            let mut fewer = tokens.clone();
            fewer.remove(i);
            let mut more = tokens.clone();
            more.insert(i, tokens[i].clone());
            for changed in [fewer, more] {
                let found = outcome_of(&changed.join(" "));
                assert!(i > 1 || found.starts_with("unreadable"), "{name}, token {i}: {found}");
            }
        }
    }
}

/// Hands out one byte at a time, with interruptions, as a slow pipe may.
struct OneByOne<'a> {
    bytes: &'a [u8],
    interrupted: bool,
}

impl Read for OneByOne<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = self.bytes.len().min(out.len()).min(1);
        out[..len].copy_from_slice(&self.bytes[..len]);
        self.bytes = &self.bytes[len..];
        Ok(len)
    }
}

#[test]
fn a_slow_pipe_gives_the_same_outcome_as_memory() {
    for (name, bytes) in good().into_iter().chain(bad()) {
        let input = OneByOne { bytes: &bytes, interrupted: false };
        let piped = outcome(&check_pipe(input, &mut ()));
        assert_eq!(piped, outcome(&check_bytes(&bytes)), "{name}");
    }
}

/// Fails behind the bytes.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out) {
            Ok(0) if !out.is_empty() => Err(io::Error::other("the disk is gone")),
            other => other,
        }
    }
}

#[test]
fn a_reader_that_fails_anywhere_is_unreadable() {
    for (name, bytes) in good() {
        let whole = Text::read(&bytes).expect("a good file").bytes();
        for len in 0..=whole.len() {
            let through_pipe = outcome(&check_pipe(Failing(&whole[..len]), &mut ()));
            assert_eq!(through_pipe, "unreadable io", "{name} fails at {len}");
            let file = || Ok(BufReader::with_capacity(7, Failing(&whole[..len])));
            assert_eq!(outcome(&check(file, &mut ())), "unreadable io", "{name} fails at {len}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_unreadable() {
    let missing = || Err::<&[u8], _>(io::Error::from(io::ErrorKind::NotFound));
    assert_eq!(outcome(&check(missing, &mut ())), "unreadable io");
}

/// Keeps what the checker reports, and stops after a number of reports.
#[derive(Default)]
struct Notes {
    claims: Vec<String>,
    reports: Vec<u64>,
    reports_max: usize,
}

impl CheckWatch for Notes {
    fn claim(&mut self, claim: &Claim) {
        self.claims.push(claim.to_string());
    }

    fn progress(&mut self, nodes: u64) -> ControlFlow<()> {
        self.reports.push(nodes);
        match self.reports.len() < self.reports_max {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

#[test]
fn a_caller_who_stops_gets_no_verdict() {
    let replies = "R W A1 ".repeat(100_000);
    let text = format!("{HEADER}{REPLIES}D! 0 100001 {replies}R A1 W B2");
    let mut notes = Notes { reports_max: 2, ..Notes::default() };
    assert_eq!(outcome(&check(|| Ok(text.as_bytes()), &mut notes)), "unreadable stopped");
    assert_eq!((notes.claims.len(), notes.reports.len()), (1, 2));
    let mut notes = Notes { reports_max: 2, ..Notes::default() };
    assert_eq!(outcome(&check_pipe(text.as_bytes(), &mut notes)), "unreadable stopped");
    let mut patient = Notes { reports_max: 1_000, ..Notes::default() };
    assert_eq!(outcome(&check(|| Ok(text.as_bytes()), &mut patient)), "verified");
    assert!(patient.reports.is_sorted() && patient.reports.len() >= 2, "{:?}", patient.reports);
}

#[test]
fn the_claim_is_reported_before_the_proof_is_read() {
    let mut notes = Notes { reports_max: 1, ..Notes::default() };
    let text = format!("{HEADER}{REPLIES}nonsense");
    assert_eq!(outcome(&check(|| Ok(text.as_bytes()), &mut notes)), "unreadable unknown-token");
    assert_eq!(notes.claims.len(), 1);
    assert!(notes.claims[0].contains("White to move, 1 stone to place. Claim: Black wins."));
}

const UNBOUNDED: &str = "sixproof-certificate 1 game 0 0 3 1 1 attacker black ";

/// Checks a file that has other bytes when it is opened for the second time.
fn check_changing(first: &str, second: &str) -> Result<Verified, Refusal> {
    let opened = Cell::new(0);
    let open = || {
        opened.set(opened.get() + 1);
        Ok(Box::new(if opened.get() == 1 { first } else { second }.as_bytes())
            as Box<dyn BufRead + '_>)
    };
    let result = check(open, &mut ());
    assert_eq!(opened.get(), 2, "an unbounded file is opened twice");
    result
}

#[test]
fn an_unbounded_file_that_changes_is_unreadable() {
    let header = "black 0,0 1,0 white 0,5 to-move";
    let file = |rest: &str| format!("{UNBOUNDED}{header} {rest}");
    let win = file("black 1 W 2,0");
    assert_eq!(outcome(&check_changing(&win, &win)), "verified");
    let other_header = format!("{UNBOUNDED}black 0,0 2,0 white 0,5 to-move black 1 W 1,0");
    for second in [other_header.as_str(), &file("white 1 D 0"), &file("black 1 W 500,0")] {
        assert_eq!(outcome(&check_changing(&win, second)), "unreadable changed", "{second}");
    }
    let fork = file("white 1 D! 2 -1,0-1,0 0,0-2,0 0");
    assert_eq!(outcome(&check_changing(&fork, &fork)), "verified");
    let far = file("white 1 D! 1 700,0-702,0 0");
    assert_eq!(outcome(&check_changing(&fork, &far)), "unreadable changed");
    assert_eq!(outcome(&check_changing(&win, "")), "unreadable not-a-certificate");
    assert_eq!(outcome(&check_changing(&win, &win[..win.len() - 5])), "unreadable truncated");
}

#[test]
fn an_unbounded_file_that_vanishes_is_unreadable() {
    let text = format!("{UNBOUNDED}black 0,0 1,0 white 0,5 to-move black 1 W 2,0");
    let mut opened = 0;
    let open = || {
        opened += 1;
        if opened == 1 { Ok(text.as_bytes()) } else { Err(io::Error::other("gone")) }
    };
    assert_eq!(outcome(&check(open, &mut ())), "unreadable io");
}
