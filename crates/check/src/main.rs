//! `sixproof-check FILE…`: the checker as a program of its own, with nothing around it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::time::Instant;

use sixproof_check::{CheckWatch, Claim, Refusal, Unread, Verified, check, check_pipe};

const HELP: &str = "\
Checks sixproof certificates: does each prove that the side it names wins?

Usage: sixproof-check FILE...      (`-` reads standard input)

Of one file, prints the claim as it was read, then `verified` or `rejected` with the reason.
Of several, prints the verdict of each, and how many are verified.
Exit code: 0 all verified, 1 some rejected, 2 some not a certificate or not readable.

Examples:
  sixproof-check opening.cert
  sixproof-check proofs/*.cert
  zstd -dc opening.cert.zst | sixproof-check -
";

/// The exit codes, from best to worst.
const VERIFIED: u8 = 0;
const REJECTED: u8 = 1;
const UNREADABLE: u8 = 2;

/// Prints the claim as soon as it is read.
struct PrintClaim;

impl CheckWatch for PrintClaim {
    fn claim(&mut self, claim: &Claim) {
        say(&format!("{claim}\n"));
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [] => {
            eprint!("{HELP}");
            ExitCode::from(UNREADABLE)
        }
        [word] if word == "--help" || word == "-h" => {
            say(HELP);
            ExitCode::SUCCESS
        }
        [word] if word == "--version" || word == "-V" => {
            say(&format!("sixproof-check {}\n", env!("CARGO_PKG_VERSION")));
            ExitCode::SUCCESS
        }
        [file] => ExitCode::from(check_one(file)),
        files => {
            let codes: Vec<u8> = files.iter().map(|file| check_among(file)).collect();
            let verified = codes.iter().filter(|&&code| code == VERIFIED).count();
            say(&format!("{verified} of {} proofs verified\n", codes.len()));
            ExitCode::from(codes.into_iter().max().unwrap_or(UNREADABLE))
        }
    }
}

/// Checks a file, and prints all that the checker found.
fn check_one(file: &OsStr) -> u8 {
    let start = Instant::now();
    let name = file.to_string_lossy();
    match outcome(file, &mut PrintClaim) {
        Ok(Verified { claim, counts, zone }) => {
            let seconds = start.elapsed().as_secs_f64();
            let winner = claim.attacker.title();
            say(&format!(
                "{counts}\n{zone}\ntime        {seconds:.3} s\nverified: {winner} wins\n"
            ));
            VERIFIED
        }
        Err(Refusal::Rejected(rejection)) => {
            say(&format!("node  {}\nline  {}\n", rejection.node, rejection.line_text()));
            say(&format!("rejected: {name}:{}: {}\n", rejection.place.line, rejection.explain()));
            REJECTED
        }
        Err(Refusal::Unreadable(unreadable)) => {
            eprintln!("sixproof-check: {name}: {unreadable}");
            if unreadable.what == Unread::NotACertificate && name.ends_with(".zst") {
                eprintln!("sixproof-check: unpack it first: zstd -dc {name} | sixproof-check -");
            }
            UNREADABLE
        }
    }
}

/// Checks one of several files, and prints the verdict in one line.
fn check_among(file: &OsStr) -> u8 {
    let name = file.to_string_lossy();
    match outcome(file, &mut ()) {
        Ok(Verified { claim, counts, .. }) => {
            let winner = claim.attacker.title();
            let plural = if counts.nodes == 1 { "node" } else { "nodes" };
            say(&format!("{name}: verified, {winner} wins ({} {plural})\n", counts.nodes));
            VERIFIED
        }
        Err(Refusal::Rejected(rejection)) => {
            say(&format!("{name}:{}: rejected: {}\n", rejection.place.line, rejection.explain()));
            REJECTED
        }
        Err(Refusal::Unreadable(unreadable)) => {
            eprintln!("sixproof-check: {name}: {unreadable}");
            UNREADABLE
        }
    }
}

/// The checker's outcome for a file, or for standard input.
fn outcome(file: &OsStr, watch: &mut dyn CheckWatch) -> Result<Verified, Refusal> {
    if file == "-" {
        return check_pipe(io::stdin().lock(), watch);
    }
    check(|| File::open(file).map(BufReader::new), watch)
}

/// Prints. A reader that has gone away is not an error: the exit code still answers.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        // The reader has gone away.
    }
}
