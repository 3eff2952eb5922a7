//! `sixproof-check FILE`: the checker as a program of its own, with nothing around it.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::time::Instant;

use sixproof_check::{Claim, Refusal, Unread, Verified, Watch, check, check_pipe};

const HELP: &str = "\
Checks a sixproof certificate: does it prove that the side it names wins?

Usage: sixproof-check FILE      (`-` reads standard input)

Prints the claim as it was read, then `verified` or `rejected` with the reason.
Exit code: 0 verified, 1 rejected, 2 not a certificate or not readable.

Examples:
  sixproof-check opening.cert
  zstd -dc opening.cert.zst | sixproof-check -
";

/// Prints the claim as soon as it was read.
struct PrintClaim;

impl Watch for PrintClaim {
    fn claim(&mut self, claim: &Claim) {
        say(&format!("{claim}\n"));
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [file] = &arguments[..] else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    if file == "--help" || file == "-h" {
        say(HELP);
        return ExitCode::SUCCESS;
    }
    if file == "--version" || file == "-V" {
        say(&format!("sixproof-check {}\n", env!("CARGO_PKG_VERSION")));
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    let outcome = if file == "-" {
        check_pipe(io::stdin().lock(), &mut PrintClaim)
    } else {
        check(|| File::open(file).map(BufReader::new), &mut PrintClaim)
    };
    let name = file.to_string_lossy();
    match outcome {
        Ok(Verified { claim, counts, zone }) => {
            let seconds = start.elapsed().as_secs_f64();
            let winner = claim.attacker.title();
            say(&format!(
                "{counts}\n{zone}\ntime        {seconds:.3} s\nverified: {winner} wins\n"
            ));
            ExitCode::SUCCESS
        }
        Err(Refusal::Rejected(rejection)) => {
            say(&format!("node  {}\nline  {}\n", rejection.node, rejection.line_text()));
            say(&format!("rejected: {name}:{}: {}\n", rejection.place.line, rejection.explain()));
            ExitCode::from(1)
        }
        Err(Refusal::Unreadable(unreadable)) => {
            eprintln!("sixproof-check: {name}: {unreadable}");
            if unreadable.what == Unread::NotACertificate && name.ends_with(".zst") {
                eprintln!("sixproof-check: unpack it first: zstd -dc {name} | sixproof-check -");
            }
            ExitCode::from(2)
        }
    }
}

/// Prints, and takes no offence at a reader that has gone away: the exit code still answers.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        // Nobody listens.
    }
}
