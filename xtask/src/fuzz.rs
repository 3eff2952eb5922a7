//! `cargo xtask fuzz`: the laws of `fuzz/laws`, tried on many bytes.
//!
//! Every law runs for a few seconds, under libFuzzer where `cargo fuzz` is installed, or, with
//! `--builtin`, under the simple mutations of the laws' own crate. Both start from the files of the
//! suite. A law that is broken does not stop the others. One law, the canary, does not hold, and a
//! run that does not notice it fails.

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use sixproof_laws::explore::{broken, explore, shrink};
use sixproof_laws::{CANARY, LAWS, Law, seeds};

/// The time for each law without `--seconds`.
const SECONDS: u64 = 5;
/// The most time for each law where a number of executions is given.
const HOUR_SECONDS: u64 = 3600;
/// The table of runs.
const TABLE: &str = "docs/fuzzing.md";
/// The time within which a run must find the canary.
const CANARY_SECONDS: u64 = 20;
/// The exit code of "could not run here"; `scripts/test` knows it.
const SKIPPED: u8 = 77;
/// The longest input under libFuzzer: its mutants of long files reach no more code, and take ten
/// times as long.
const INPUT_BYTES_MAX: usize = 4096;
/// The number of bytes of an input that are shown.
const SHOWN_BYTES: usize = 400;

/// The options.
struct Order {
    laws: Vec<&'static Law>,
    limits: Limits,
    builtin: bool,
    input: Option<PathBuf>,
    /// Whether a row is added to the table of runs.
    log: bool,
}

/// The end of a law's run: the limit that is reached first.
#[derive(Clone, Copy)]
struct Limits {
    seconds: u64,
    executions: u64,
}

/// The result of trying a law.
struct Tried {
    executions: u64,
    seconds: u64,
    /// The number of inputs that reach different code.
    corpus: usize,
    /// The file of the input that broke the law.
    broken: Option<PathBuf>,
}

/// Runs `cargo xtask fuzz` on the repository that this program was built from.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    if arguments.iter().any(|argument| crate::is_help(argument)) {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    if arguments.iter().any(|argument| argument == "--list") {
        print!("{}", list());
        return ExitCode::SUCCESS;
    }
    let order = match parse(arguments) {
        Ok(order) => order,
        Err(complaint) => return crate::usage_error(&complaint, &help()),
    };
    let result = match &order.input {
        Some(file) => try_input(&order, file),
        None if order.builtin => Fuzzer::Builtin.run(&order),
        None => match cargo_fuzz() {
            Some(path) => LibFuzzer::build(path).and_then(|f| Fuzzer::LibFuzzer(f).run(&order)),
            None => {
                eprintln!("xtask fuzz: `cargo fuzz` is not installed; --builtin does without it");
                return ExitCode::from(SKIPPED);
            }
        },
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask fuzz: {error}");
            ExitCode::from(crate::UNDECIDED)
        }
    }
}

fn parse(arguments: &[String]) -> Result<Order, String> {
    let limits = Limits { seconds: SECONDS, executions: u64::MAX };
    let mut order = Order { laws: Vec::new(), limits, builtin: false, input: None, log: false };
    let mut seconds = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(format!("`{argument}` lacks its value"));
        match argument.as_str() {
            "--builtin" => order.builtin = true,
            "--input" => order.input = Some(value()?.into()),
            "--log" => order.log = true,
            "--seconds" => seconds = Some(number(value()?)?),
            "--executions" => order.limits.executions = number(value()?)?,
            name => order.laws.push(
                sixproof_laws::find(name).ok_or(format!("there is no fuzz target `{name}`"))?,
            ),
        }
    }
    if order.input.is_some() && order.laws.len() != 1 {
        return Err("`--input` is for one target".to_string());
    }
    let usual = if order.limits.executions == u64::MAX { SECONDS } else { HOUR_SECONDS };
    order.limits.seconds = seconds.unwrap_or(usual);
    Ok(order)
}

fn number(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or(format!("`{text}` is not a number from 1"))
}

fn help() -> String {
    "Usage: cargo xtask fuzz [TARGET…] [OPTIONS]\n\n\
     Tries the laws of fuzz/laws on many bytes, all of them unless some are named.\n\n\
     \x20 --seconds N      try each for N seconds (5, or 3600 with --executions)\n\
     \x20 --executions N   try each N times, unless the seconds are over before\n\
     \x20 --log            add a row for each to the table of docs/fuzzing.md\n\
     \x20 --builtin        use our own mutations instead of `cargo fuzz`: weaker, but need no tool\n\
     \x20 --input FILE     try one target on one file\n\
     \x20 --list           show the targets\n\n\
     Exit code 0 when all laws hold, 1 when one is broken, 2 when the command failed,\n\
     77 when `cargo fuzz` is not installed.\n"
        .to_string()
}

fn list() -> String {
    let line = |law: &Law| format!("{:<22} {}\n", law.name, law.rule);
    LAWS.iter().chain([&CANARY]).map(line).collect()
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().unwrap_or(root)
}

/// The folder of everything that a run leaves behind.
fn work() -> PathBuf {
    root().join("target/fuzz")
}

fn try_input(order: &Order, file: &Path) -> Result<bool, String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let law = order.laws[0];
    let complaint = broken(law, &bytes);
    println!("{}: {}", law.name, if complaint.is_none() { "holds" } else { "is BROKEN" });
    Ok(complaint.is_none())
}

/// The source of bytes.
enum Fuzzer {
    LibFuzzer(LibFuzzer),
    Builtin,
}

impl Fuzzer {
    /// Tries the laws in question, the canary first; true when all hold but the canary.
    fn run(&self, order: &Order) -> Result<bool, String> {
        let laws: Vec<&Law> =
            if order.laws.is_empty() { LAWS.iter().collect() } else { order.laws.clone() };
        let mut all_hold = true;
        println!("{:<22} the law that does not hold comes first", CANARY.name);
        let limits = Limits { seconds: CANARY_SECONDS, executions: u64::MAX };
        if self.try_law(&CANARY, limits)?.broken.is_none() {
            println!("{:<22} NOT NOTICED: this run would notice no failure", CANARY.name);
            all_hold = false;
        }
        for law in laws.into_iter().filter(|law| law.name != CANARY.name) {
            let tried = self.try_law(law, order.limits)?;
            if order.log {
                add_row(law, &tried)?;
            }
            if let Some(input) = tried.broken {
                all_hold = false;
                report(law, &input);
            }
        }
        Ok(all_hold)
    }

    /// Tries one law.
    fn try_law(&self, law: &Law, limits: Limits) -> Result<Tried, String> {
        let mut seeds = seeds::read(&root().join("suite"), law)
            .map_err(|error| format!("the files of the suite: {error}"))?;
        seeds.retain(|seed| seed.bytes.len() <= seeds::BYTES_MAX);
        match self {
            Fuzzer::LibFuzzer(fuzzer) => fuzzer.try_law(law, &seeds, limits),
            Fuzzer::Builtin => try_builtin(law, seeds, limits),
        }
    }
}

/// Adds a row to the table of runs, which ends its page.
fn add_row(law: &Law, tried: &Tried) -> Result<(), String> {
    let path = root().join(TABLE);
    let mut page = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let Tried { executions, seconds, corpus, broken } = tried;
    let crashes = usize::from(broken.is_some());
    page += &format!("| {} | {executions} | {seconds} | {corpus} | {crashes} |\n", law.name);
    write(&path, page.as_bytes())
}

/// Prints what to do about a broken law.
fn report(law: &Law, input: &Path) {
    let name = law.name;
    println!("{name:<22} BROKEN: {}", law.rule);
    println!("  input: {}", input.display());
    if let Ok(bytes) = fs::read(input) {
        let shown = &bytes[..bytes.len().min(SHOWN_BYTES)];
        println!("  {} bytes: \"{}\"", bytes.len(), shown.escape_ascii());
    }
    println!("  again: cargo xtask fuzz {name} --input {}", input.display());
}

/// Our own mutations. Failures are made small before they are kept.
fn try_builtin(law: &Law, seeds: Vec<seeds::Seed>, limits: Limits) -> Result<Tried, String> {
    let seeds: Vec<Vec<u8>> = seeds.into_iter().map(|seed| seed.bytes).collect();
    let (start, limit) = (Instant::now(), Duration::from_secs(limits.seconds));
    // The complaint of a law comes from its panic, which is therefore not printed each time.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = explore(law, &seeds, |case| start.elapsed() < limit && case < limits.executions);
    let seconds = start.elapsed().as_secs();
    let small = result.as_ref().err().map(|failure| shrink(law, &failure.input));
    panic::set_hook(hook);
    match (result, small) {
        (Err(failure), Some(input)) => {
            println!("{:<22} case {}: {}", law.name, failure.case, first_line(&failure.message));
            let folder = work().join("artifacts").join(law.name);
            let file = folder.join(format!("case-{}", failure.case));
            make_folder(&folder)?;
            write(&file, &input)?;
            let executions = failure.case + 1;
            Ok(Tried { executions, seconds, corpus: seeds.len(), broken: Some(file) })
        }
        (result, _) => {
            let executions = result.unwrap_or_default();
            println!("{:<22} holds, {} cases/s", law.name, executions / seconds.max(1));
            Ok(Tried { executions, seconds, corpus: seeds.len(), broken: None })
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The program of `cargo fuzz`: where `scripts/test` installs it, or in the path.
fn cargo_fuzz() -> Option<PathBuf> {
    let installed = root().join("target/tools/bin/cargo-fuzz");
    let works = |program: &PathBuf| {
        let version = Command::new(program).args(["fuzz", "--version"]).output();
        version.is_ok_and(|output| output.status.success())
    };
    [installed, PathBuf::from("cargo-fuzz")].into_iter().find(works)
}

/// All targets, compiled.
struct LibFuzzer {
    cargo_fuzz: PathBuf,
}

impl LibFuzzer {
    fn build(cargo_fuzz: PathBuf) -> Result<LibFuzzer, String> {
        let fuzzer = LibFuzzer { cargo_fuzz };
        let status = fuzzer.command("build").status().map_err(|error| error.to_string())?;
        if status.success() { Ok(fuzzer) } else { Err("the targets do not build".to_string()) }
    }

    /// Sanitizers need an unstable compiler and guard against what safe code cannot do.
    fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(&self.cargo_fuzz);
        command.args(["fuzz", verb, "--sanitizer", "none", "--target-dir"]);
        command.arg(work().join("build")).current_dir(root().join("fuzz"));
        command
    }

    fn try_law(&self, law: &Law, seeds: &[seeds::Seed], limits: Limits) -> Result<Tried, String> {
        let folder = |kind: &str| work().join(kind).join(law.name);
        let (corpus, from_suite) = (folder("corpus"), folder("seeds"));
        let artifacts = folder("artifacts");
        // Removed files of the suite are removed here, too.
        let _ = fs::remove_dir_all(&from_suite);
        for folder in [&corpus, &from_suite, &artifacts] {
            make_folder(folder)?;
        }
        for seed in seeds {
            write(&from_suite.join(seed.name.replace('/', "-")), &seed.bytes)?;
        }
        let words = work().join("words").join(law.name);
        make_folder(&work().join("words"))?;
        write(&words, dictionary(law).as_bytes())?;
        let start = Instant::now();
        let output = self
            .command("run")
            .arg(law.name)
            .args([&corpus, &from_suite])
            .arg("--")
            .arg(format!("-max_total_time={}", limits.seconds))
            .arg(format!("-runs={}", limits.executions.min(i32::MAX as u64)))
            .arg(format!("-max_len={INPUT_BYTES_MAX}"))
            .arg(format!("-artifact_prefix={}/", artifacts.display()))
            .arg(format!("-dict={}", words.display()))
            .args(["-timeout=20", "-print_final_stats=1", "-verbosity=1", "-close_fd_mask=1"])
            .output()
            .map_err(|error| error.to_string())?;
        let log = String::from_utf8_lossy(&output.stderr);
        write(&work().join(format!("{}.log", law.name)), log.as_bytes())?;
        let executions = statistic(&log, "stat::number_of_executed_units:");
        let executions = executions.and_then(|text| text.parse().ok()).unwrap_or(0);
        let seconds = start.elapsed().as_secs();
        let corpus = fs::read_dir(&corpus).map_or(0, Iterator::count);
        if output.status.success() {
            let rate = executions / seconds.max(1);
            println!("{:<22} holds, {executions} executions, {rate} a second", law.name);
            return Ok(Tried { executions, seconds, corpus, broken: None });
        }
        match statistic(&log, "Test unit written to ") {
            Some(input) => {
                let complaint = log.lines().skip_while(|line| !line.contains("panicked at"));
                for line in complaint.take(2) {
                    println!("{:<22} {line}", law.name);
                }
                Ok(Tried { executions, seconds, corpus, broken: Some(input.into()) })
            }
            None => Err(format!("{}: no verdict\n{log}", law.name)),
        }
    }
}

/// The rest of the line of a log that holds this text.
fn statistic<'a>(log: &'a str, text: &str) -> Option<&'a str> {
    log.lines().find_map(|line| line.split_once(text)).map(|(_, rest)| rest.trim())
}

/// The words of a law as libFuzzer reads them: quoted, one a line. An empty file is an error to it,
/// but a comment is enough.
fn dictionary(law: &Law) -> String {
    let quoted = |word: &&str| {
        let bytes = word.bytes().map(|byte| match byte {
            b' '..=b'~' if !b"\"\\".contains(&byte) => char::from(byte).to_string(),
            _ => format!("\\x{byte:02X}"),
        });
        format!("\"{}\"\n", bytes.collect::<String>())
    };
    let words: String = law.words.iter().map(quoted).collect();
    format!("# The words of {}.\n{words}", law.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(text: &str) -> Result<Order, String> {
        parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_understood_or_refused() {
        let order_of_two = order("sgf --seconds 9 load --builtin").unwrap();
        let names: Vec<&str> = order_of_two.laws.iter().map(|law| law.name).collect();
        assert_eq!((names, order_of_two.limits.seconds), (vec!["sgf", "load"], 9));
        assert!(order_of_two.builtin && !order_of_two.log);
        let many = order("sgf --executions 10 --log").unwrap();
        assert_eq!((many.limits.executions, many.limits.seconds, many.log), (10, 3600, true));
        assert!(order("").unwrap().laws.is_empty());
        assert!(order("sgf --input a").is_ok());
        for text in [
            "chess",
            "--seconds",
            "--seconds 0",
            "--executions x",
            "--input a",
            "sgf load --input a",
        ] {
            assert!(order(text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_are_quoted_for_libfuzzer() {
        let law = Law { words: &["a \"b\\", "\n\u{e9}"], ..CANARY };
        assert_eq!(
            dictionary(&law),
            "# The words of canary.\n\"a \\x22b\\x5C\"\n\"\\x0A\\xC3\\xA9\"\n"
        );
    }

    #[test]
    fn the_list_names_every_target() {
        assert_eq!(list().lines().count(), LAWS.len() + 1);
    }
}
