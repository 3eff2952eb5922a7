//! The project's own automation: `cargo xtask COMMAND`.

mod bench;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((word, rest)) if word == "bench" => bench::run(rest),
        _ => {
            eprintln!("Usage: cargo xtask bench --help");
            ExitCode::from(2)
        }
    }
}
