//! Processes that die: killed again and again while they write, or with a disk that fills up. This
//! program is its own victim: it starts itself, and the environment says what to be.

#[path = "it/world/mod.rs"]
mod world;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sixproof_game::{Color, Game, Position, Square};
use sixproof_prover::certificate::Claim;
use sixproof_store::{Entry, Error, Refutation, Store};

use world::{claim_of, folder, meta, samples};

const ROLE: &str = "SIXPROOF_TEST_ROLE";
const PATH: &str = "SIXPROOF_TEST_STORE";
/// Processes that are killed.
const KILLS: u32 = 200;
/// The longest life of one.
const LIFE_MS_MAX: u64 = 120;
/// A store has so many victims before the next one is made.
const VICTIMS: u32 = 20;
/// Much longer than a write waits to be committed, even on a busy machine.
const WAIT: Duration = Duration::from_secs(4);

/// A test and its name.
type Test = (&'static str, fn());

const TESTS: [Test; 3] = [
    ("killed_writers_lose_nothing_that_was_flushed", kill_writers),
    ("what_is_written_is_committed_without_being_asked", kill_idlers),
    ("a_full_disk_is_told_and_costs_nothing_that_was_kept", full_disk),
];

fn main() {
    let role = std::env::var(ROLE).ok();
    let path = std::env::var_os(PATH).map(PathBuf::from);
    match (role.as_deref(), path) {
        (Some("writer"), Some(path)) => write_for_ever(&path),
        (Some("idler"), Some(path)) => write_once_and_idle(&path),
        (Some("filler"), Some(path)) => fill_the_disk(&path),
        _ => run_tests(&std::env::args().skip(1).collect::<Vec<_>>()),
    }
}

/// Understands as much of the arguments of a test program as cargo and nextest use.
fn run_tests(arguments: &[String]) {
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let filter = filter.filter(|_| !has("--format")).map_or("", |filter| filter.as_str());
    // No test here is marked as ignored.
    let tests = TESTS.iter().filter(|(name, _)| name.contains(filter) && !has("--ignored"));
    if has("--list") {
        tests.for_each(|(name, _)| println!("{name}: test"));
        return;
    }
    let mut passed = 0;
    for (name, test) in tests {
        test();
        println!("test {name} ... ok");
        passed += 1;
    }
    println!("test result: ok. {passed} passed; 0 failed");
}

fn child(role: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(ROLE, role).env(PATH, path).stdout(Stdio::piped());
    command
}

/// The claim that the records of a number belong to: each number has its own position.
fn claim(number: u64) -> Claim {
    let square = Square::new((number % 19) as i32, (number / 19 % 19) as i32);
    let position = Position::set_up(Game::CONNECT6, &[square], &[], Color::White, 2).unwrap();
    Claim { position, attacker: Color::Black }
}

fn result(number: u64) -> Vec<u8> {
    vec![number as u8; 10 + (number % 50) as usize * 40]
}

/// The root of the work that is numbered.
fn root() -> Claim {
    claim_of(&samples()[0].1)
}

/// Writes numbered records, flushes now and then, and tells which number is safe.
fn write_for_ever(path: &Path) {
    let store = Store::open(path).unwrap();
    let (root, samples) = (root(), samples());
    let start = store.work_iter(&root).unwrap().count() as u64;
    for number in start.. {
        let (_, certificate) = &samples[number as usize % samples.len()];
        store.insert(&claim_of(certificate), certificate, meta()).unwrap();
        let order = number as u32 + 1;
        let refutation = Refutation { order, search_nodes: number, version: String::new() };
        store.insert_refuted(&claim(0), &refutation).unwrap();
        store.work_put(&root, &number.to_be_bytes(), &result(number)).unwrap();
        if number % 7 == 3 {
            store.flush().unwrap();
            println!("{number}");
            std::io::stdout().flush().unwrap();
        }
    }
}

/// Opens a store after a crash, finds everything up to some number, and returns how much.
fn survey(path: &Path) -> u64 {
    if !path.exists() {
        return 0;
    }
    let store = Store::open(path).unwrap().check_structure().unwrap();
    let mut count = 0;
    for (number, row) in store.work_iter(&root()).unwrap().enumerate() {
        let (job, found) = row.unwrap();
        assert_eq!(job, (number as u64).to_be_bytes(), "the writes up to a moment, and none after");
        assert_eq!(found, result(number as u64));
        count += 1;
    }
    // What was written together is there together.
    assert_eq!(store.refuted(&claim(0)), Ok((count > 0).then_some(count as u32)));
    assert!(store.damaged_others().unwrap().is_empty());
    let mut proofs = 0;
    for entry in store.iter_proofs().unwrap() {
        let Entry::Proof(found) = entry.unwrap() else { panic!("a damaged proof") };
        assert!(sixproof_check::check_bytes(&found.1.certificate).is_ok());
        proofs += 1;
    }
    assert_eq!(proofs, count.min(samples().len() as u64));
    count
}

fn kill_writers() {
    let folder = folder("killed");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut safe, mut safe_in_all) = (0, 0);
    for kill in 0..KILLS {
        let path = folder.join(format!("store-{}.redb", kill / VICTIMS));
        if kill % VICTIMS == 0 {
            safe = 0;
        }
        let mut victim = child("writer", &path).spawn().unwrap();
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sleep(Duration::from_millis((random >> 33) % LIFE_MS_MAX));
        victim.kill().unwrap();
        victim.wait().unwrap();
        for line in BufReader::new(victim.stdout.take().unwrap()).lines() {
            // The last line may be cut.
            if let Ok(number) = line.unwrap().parse::<u64>() {
                safe = safe.max(number + 1);
                safe_in_all += 1;
            }
        }
        let found = survey(&path);
        assert!(safe <= found, "{safe} records were safe, {found} are there");
        safe = found;
    }
    assert!(safe_in_all > 0, "no writer lived long enough");
}

fn write_once_and_idle(path: &Path) {
    let store = Store::open(path).unwrap();
    store.work_put(&root(), b"job", b"result").unwrap();
    println!("written");
    sleep(Duration::from_secs(600));
}

fn kill_idlers() {
    let path = folder("idle").join("store.redb");
    let mut victim = child("idler", &path).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(victim.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let start = Instant::now();
    while start.elapsed() < WAIT {
        sleep(Duration::from_millis(50));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.work_get(&root(), b"job"), Ok(Some(b"result".to_vec())));
}

/// The limit of the system on the length of a file stands in for a disk that is full.
fn full_disk() {
    let path = folder("full").join("store.redb");
    let store = Store::open(&path).unwrap();
    for (_, certificate) in samples() {
        store.insert(&claim_of(&certificate), &certificate, meta()).unwrap();
    }
    drop(store);
    if cfg!(not(target_os = "linux")) {
        return;
    }
    let blocks = std::fs::metadata(&path).unwrap().len() / 1024 + 64;
    let script = format!("ulimit -f {blocks}; trap '' XFSZ; exec \"$0\"");
    let mut filler = Command::new("bash");
    filler.arg("-c").arg(script).arg(std::env::current_exe().unwrap());
    let ended = filler.env(ROLE, "filler").env(PATH, &path).status().unwrap();
    assert!(ended.success());
    let store = Store::open(&path).unwrap();
    for (name, certificate) in samples() {
        assert!(store.lookup(&claim_of(&certificate)).unwrap().is_some(), "{name}");
    }
}

fn fill_the_disk(path: &Path) {
    let store = Store::open(path).unwrap();
    let noise = vec![7; 8_000_000];
    store.work_put(&root(), b"noise", &noise).unwrap();
    assert_eq!(store.flush(), Err(Error::Full(path.to_path_buf())));
    assert_eq!(store.work_put(&root(), b"more", b"x"), Err(Error::Full(path.to_path_buf())));
    // What could not be written is still there for this process.
    assert_eq!(store.work_get(&root(), b"noise").unwrap(), Some(noise));
}
