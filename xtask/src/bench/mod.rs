//! `cargo xtask bench check`: how fast is the checker, and how much memory does it need?
//! `cargo xtask bench forced`: how fast is the search for forced wins?
//!
//! The benchmark of the checker writes its certificates itself, so that they do not change with the
//! prover: `threats` is a small search for wins by continuous threats, `quiet` proves that every
//! move loses at a node without threats, `stencil` repeats such proofs up to any size, `measure`
//! runs the checker on them. All printed numbers, except times and memory, are the same on every
//! machine.

mod board;
mod compositions;
mod forced;
mod good;
mod measure;
mod quiet;
mod split_mix;
mod stencil;
mod threats;

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use measure::Cost;
pub(crate) use split_mix::split_mix;
use stencil::Stencil;

const HELP: &str = "\
Measures the checker on generated 19 x 19 Connect6 certificates.

Usage: cargo xtask bench check [OPTIONS]
       cargo xtask bench forced    nodes/s of the search for forced wins, Connect6 and Go-Moku

Prints, each checked in a process of its own (one core, processor time):
  threats  a certificate of threat nodes only
  marked   a certificate with marks and references
  whole    certificates with null, semi-null, pair and macro replies in three sizes

Options:
  --quick          only the smallest size
  --instructions   count instructions per node instead (valgrind; the same in every run)
  --write FILE     write the certificate of the smallest size and do nothing else
  --suite FOLDER   write the small examples of suite/good and do nothing else
  -h, --help       this text
";

/// The sizes of the whole certificate, in nodes.
const SIZES: [u64; 3] = [100_000, 1_000_000, 10_000_000];
/// The goal of the checker: nodes a second, and memory for the largest size.
const THREAT_SPEED_MIN: f64 = 1_000_000.0;
const WHOLE_SPEED_MIN: f64 = 100_000.0;
const PEAK_KIB_MAX: u64 = 200 * 1024;
/// The number of runs of files up to a million nodes, of which the fastest counts.
const RUNS: usize = 3;

/// The arguments.
#[derive(Default)]
struct Options {
    quick: bool,
    instructions: bool,
    write: Option<PathBuf>,
    suite: Option<PathBuf>,
    measure: Option<PathBuf>,
}

/// Runs `cargo xtask bench …`, with the words after `bench`.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    if arguments == ["forced"] {
        return forced::run();
    }
    if arguments.iter().any(|a| a == "--help" || a == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match options(arguments) {
        Ok(options) => options,
        Err(complaint) => {
            eprint!("xtask bench: {complaint}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match execute(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut words = arguments.iter();
    if words.next().is_none_or(|word| word != "check") {
        return Err("what to measure is missing".to_string());
    }
    let mut options = Options::default();
    while let Some(word) = words.next() {
        let path = match word.as_str() {
            "--quick" => {
                options.quick = true;
                continue;
            }
            "--instructions" => {
                options.instructions = true;
                continue;
            }
            "--write" => &mut options.write,
            "--suite" => &mut options.suite,
            measure::MEASURE => &mut options.measure,
            _ => return Err(format!("there is no option `{word}`")),
        };
        *path = Some(words.next().ok_or_else(|| format!("{word} needs a path"))?.into());
    }
    Ok(options)
}

fn execute(options: &Options) -> Result<(), String> {
    let text = |e: std::io::Error| e.to_string();
    if let Some(file) = &options.measure {
        return measure::measure(file);
    }
    if let Some(folder) = &options.suite {
        return good::write_all(folder).map_err(text);
    }
    if let Some(file) = &options.write {
        let mut out = BufWriter::new(File::create(file).map_err(text)?);
        let (bytes, nodes) = Stencil::of_quiet_moves().write(&mut out, SIZES[0]).map_err(text)?;
        println!("{}: {nodes} nodes, {bytes} bytes", file.display());
        return Ok(());
    }
    let stencils = Stencils {
        threats: Stencil::of_threats(),
        marked: Stencil::of_references(),
        whole: Stencil::of_quiet_moves(),
    };
    let distinct = |(name, stencil): (&str, &Stencil)| format!("{name} {}", stencil.nodes());
    println!("distinct nodes: {}\n", stencils.named().map(distinct).join(", "));
    if options.instructions { count(&stencils) } else { time(&stencils, options) }
}

/// The certificates of the benchmark.
struct Stencils {
    threats: Stencil,
    marked: Stencil,
    whole: Stencil,
}

impl Stencils {
    fn named(&self) -> [(&'static str, &Stencil); 3] {
        [("threats", &self.threats), ("marked", &self.marked), ("whole", &self.whole)]
    }
}

/// The table of instructions.
fn count(stencils: &Stencils) -> Result<(), String> {
    println!("certificate        nodes     instructions   per node");
    for (name, stencil) in stencils.named() {
        let (nodes, _, instructions) = on_file(stencil, SIZES[0], measure::instructions)?;
        println!("{name:<12}{nodes:>12}{instructions:>17}{:>11}", instructions / nodes);
    }
    Ok(())
}

/// The table of times.
fn time(stencils: &Stencils, options: &Options) -> Result<(), String> {
    println!("certificate        nodes        bytes  seconds    nodes/s   ns/node  peak MiB");
    let sizes = if options.quick { &SIZES[..1] } else { &SIZES[..] };
    let row = |name: &str, stencil: &Stencil, size: u64| -> Result<Cost, String> {
        let runs = if size <= SIZES[1] { RUNS } else { 1 };
        let measure = |file: &Path| measure::check_apart(file, runs);
        let (nodes, bytes, cost) = on_file(stencil, size, measure)?;
        assert_eq!(nodes, cost.nodes, "the checker counts as the generator does");
        println!(
            "{name:<12}{nodes:>12}{bytes:>13}{:>9.3}{:>11.0}{:>10.0}{:>10.1}",
            cost.seconds,
            cost.speed(),
            1e9 / cost.speed(),
            cost.peak_kib as f64 / 1024.0
        );
        Ok(cost)
    };
    let threat = row("threats", &stencils.threats, sizes[sizes.len().min(2) - 1])?;
    row("marked", &stencils.marked, SIZES[0])?;
    let wholes = sizes.iter().map(|&size| row("whole", &stencils.whole, size));
    let wholes: Vec<Cost> = wholes.collect::<Result<_, _>>()?;
    println!();
    verdict("threat nodes: at least 1,000,000/s", threat.speed() >= THREAT_SPEED_MIN);
    let fast = wholes.iter().all(|cost| cost.speed() >= WHOLE_SPEED_MIN);
    verdict("whole certificate: at least 100,000/s", fast);
    let small = wholes.iter().all(|cost| cost.peak_kib < PEAK_KIB_MAX);
    verdict("memory: less than 200 MiB", small);
    Ok(())
}

fn verdict(target: &str, met: bool) {
    println!("{} {target}", if met { "met:   " } else { "missed:" });
}

/// Writes a certificate of a size to a temporary file and passes it to `action`; returns its nodes
/// bytes as well.
fn on_file<T>(
    stencil: &Stencil,
    size: u64,
    action: impl Fn(&Path) -> Result<T, String>,
) -> Result<(u64, u64, T), String> {
    let text = |e: std::io::Error| e.to_string();
    let mut file = tempfile::NamedTempFile::new().map_err(text)?;
    let (bytes, nodes) = stencil.write(&mut BufWriter::new(&mut file), size).map_err(text)?;
    Ok((nodes, bytes, action(file.path())?))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use sixproof_check::check_bytes;

    use super::board::Role;
    use super::compositions::{CLOSE_FIVE, GO_MOKU};
    use super::quiet::{Style, defence};

    /// Every file is accepted, and says in its first line what it shows.
    #[test]
    fn good_certificates_are_verified() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suite/good");
        let mut count = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "cert") {
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            assert!(bytes.starts_with(b"# "), "{} says what it shows", path.display());
            if let Err(refusal) = check_bytes(&bytes) {
                panic!("{}: {refusal:?}", path.display());
            }
            count += 1;
        }
        assert!(count >= 6, "only {count} certificates");
    }

    #[test]
    fn the_generator_writes_proofs_in_every_style() {
        let boards = [
            CLOSE_FIVE.board(),
            CLOSE_FIVE.for_white().board(),
            CLOSE_FIVE.unbounded_board(),
            GO_MOKU.board(),
        ];
        for mut board in boards {
            for style in [Style::Tree, Style::References] {
                let before = board.header(Role::Defender);
                let proof = defence(&mut board, style).expect("a quiet win");
                assert_eq!(before, board.header(Role::Defender), "the board is left as it was");
                let verified = check_bytes((before + &proof).as_bytes()).expect("a proof");
                assert_eq!(verified.counts.null_replies, 1);
            }
        }
    }
}
