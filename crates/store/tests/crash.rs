//! Processes that die: killed again and again while they write, or with a disk that fills up. This
//! program is its own victim: it starts itself, and the environment says what to be.

#[path = "it/world/mod.rs"]
mod world;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position, Square};
use sixproof_oracle::effort;
use sixproof_store::{Bucket, Change, Error, ProofEntry, Refutation, Store};

use world::{claim_of, folder, meta, samples};

const ROLE: &str = "SIXPROOF_TEST_ROLE";
const PATH: &str = "SIXPROOF_TEST_STORE";
/// Processes that are killed, in the usual run and in the long one.
const KILLS: [u32; 2] = [40, 200];
/// The longest life of one.
const LIFE_MS_MAX: u64 = 120;
/// The number of victims of a store before the next store is made.
const VICTIMS: u32 = 20;
/// Processes that use one store at the same time.
const USERS: u64 = 3;
/// The number of kills among them, unless `SIXPROOF_TEST_KILLS` says otherwise.
const USERS_KILLED: u64 = 30;
/// Which of them a process is.
const USER: &str = "SIXPROOF_TEST_USER";
/// Much longer than a write waits to be committed, even on a busy machine.
const WAIT: Duration = Duration::from_secs(4);

/// A test and its name.
type Test = (&'static str, fn());

const TESTS: [Test; 5] = [
    ("killed_writers_lose_nothing_that_was_flushed", kill_writers),
    ("what_is_written_is_committed_without_being_asked", kill_idlers),
    ("killed_users_of_one_store_lose_nothing_that_was_acknowledged", kill_users),
    ("a_full_disk_is_reported_and_costs_nothing_that_was_kept", full_disk),
    ("writes_work_again_when_a_full_disk_has_room", full_disk_has_room),
];

fn main() {
    let role = std::env::var(ROLE).ok();
    let path = std::env::var_os(PATH).map(PathBuf::from);
    match (role.as_deref(), path) {
        (Some("writer"), Some(path)) => write_for_ever(&path),
        (Some("idler"), Some(path)) => write_once_and_idle(&path),
        (Some("user"), Some(path)) => use_for_ever(&path),
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

/// Writes numbered records, flushes now and then, and prints which number is safe.
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
        let ProofEntry::Proof(found) = entry.unwrap() else { panic!("a damaged proof") };
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
    for kill in 0..effort(KILLS[0], KILLS[1]) {
        let path = folder.join(format!("store-{}.redb", kill / VICTIMS));
        if kill % VICTIMS == 0 {
            safe = 0;
        }
        let mut victim = child("writer", &path).spawn().unwrap();
        let mut output = BufReader::new(victim.stdout.take().unwrap());
        let mut lines = String::new();
        // Most die young; some live until a number is safe, however slow the machine is.
        if kill % 5 == 4 {
            output.read_line(&mut lines).unwrap();
        }
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sleep(Duration::from_millis((random >> 33) % LIFE_MS_MAX));
        victim.kill().unwrap();
        victim.wait().unwrap();
        output.read_to_string(&mut lines).unwrap();
        for line in lines.lines() {
            // The last line may be cut.
            if let Ok(number) = line.parse::<u64>() {
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

/// The documents of a user: a log, and its length in a record beside it, written together.
fn log(store: &Store, user: u64) -> u64 {
    let owner = user.to_be_bytes();
    let (mut entries, mut length) = (0, 0);
    for row in store.bucket(Bucket::Documents).iter(&owner).unwrap() {
        let (key, kept) = row.unwrap();
        let bytes = kept.whole().unwrap();
        match key == b"length" {
            true => length = u64::from_be_bytes(bytes.try_into().unwrap()),
            false => entries += 1,
        }
    }
    assert_eq!(entries, length, "a batch is seen as a whole or not at all");
    length
}

/// The results of a user, without gaps.
fn results(store: &Store, user: u64) -> u64 {
    let mut count = 0;
    for row in store.work_iter(&claim(user)).unwrap() {
        assert_eq!(row.unwrap(), (u64::to_be_bytes(count).to_vec(), result(count)));
        count += 1;
    }
    count
}

/// Writes records of its own into a shared store, reads those of others, and prints what is safe.
fn use_for_ever(path: &Path) {
    let user: u64 = std::env::var(USER).unwrap().parse().unwrap();
    let store = Store::open(path).unwrap();
    let mut written = results(&store, user);
    let mut logged = log(&store, user);
    let owner = user.to_be_bytes();
    for round in 0u64.. {
        for _ in 0..3 {
            store.work_put(&claim(user), &written.to_be_bytes(), &result(written)).unwrap();
            written += 1;
        }
        if round.is_multiple_of(2) {
            store.flush().unwrap();
            println!("w {written}");
        }
        let (entry, length) = (logged.to_be_bytes(), (logged + 1).to_be_bytes());
        let changes: [Change<'_>; 2] =
            [(&owner, &entry, Some(&result(logged))), (&owner, b"length", Some(&length))];
        store.bucket(Bucket::Documents).write_all(&changes).unwrap();
        logged += 1;
        println!("l {logged}");
        std::io::stdout().flush().unwrap();
        for other in 0..USERS {
            assert!(other != user || log(&store, other) == logged);
            assert!(other != user || results(&store, other) == written);
            results(&store, other);
            log(&store, other);
        }
    }
}

fn kill_users() {
    let path = folder("users").join("store.redb");
    let start = |user: u64| child("user", &path).env(USER, user.to_string()).spawn().unwrap();
    let mut safe = [[0; 2]; USERS as usize];
    // Kills a user, at once or as soon as it has written results and batches.
    let mut end = |user: u64, mut victim: Child, at_once: bool| {
        let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let safe = &mut safe[user as usize];
        // The last line may be cut.
        let keep = |line: String, safe: &mut [u64; 2]| {
            if let Some((kind @ ("w" | "l"), number)) = line.split_once(' ') {
                let safe = &mut safe[usize::from(kind == "l")];
                *safe = number.parse::<u64>().unwrap_or(0).max(*safe);
            }
        };
        while !at_once && safe.contains(&0) {
            keep(lines.next().expect("a user has ended by itself").unwrap(), safe);
        }
        assert_eq!(victim.try_wait().unwrap(), None, "a user has ended by itself");
        victim.kill().unwrap();
        victim.wait().unwrap();
        for line in lines {
            keep(line.unwrap(), safe);
        }
    };
    let mut users: Vec<Child> = (0..USERS).map(start).collect();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let kills = std::env::var("SIXPROOF_TEST_KILLS").ok().and_then(|kills| kills.parse().ok());
    for kill in 0..kills.unwrap_or(USERS_KILLED) {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sleep(Duration::from_millis((random >> 33) % LIFE_MS_MAX));
        let user = kill % USERS;
        end(user, std::mem::replace(&mut users[user as usize], start(user)), true);
    }
    for (user, victim) in (0..USERS).zip(users) {
        end(user, victim, false);
    }
    let store = Store::open(&path).unwrap().check_structure().unwrap();
    for (user, [written, logged]) in (0..USERS).zip(safe) {
        assert!(results(&store, user) >= written);
        assert!(log(&store, user) >= logged);
        println!("user {user}: {written} results and {logged} batches were safe, and are there");
    }
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
    let script = format!("ulimit -S -f {blocks}; trap '' XFSZ; exec \"$0\"");
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
    run_out_of_room(&store, || {
        let mut give = Command::new("prlimit");
        give.args(["--pid", &std::process::id().to_string(), "--fsize=unlimited"]);
        assert!(give.status().unwrap().success());
    });
}

/// Writes until nothing fits any more, sees what that means, and then that there is room.
fn run_out_of_room(store: &Store, give_room: impl FnOnce()) {
    let (full, bucket) = (Error::Full(store.path().to_path_buf()), store.bucket(Bucket::Documents));
    bucket.put_now(b"document", b"1", b"kept").unwrap();
    let noise = vec![7; 8_000_000];
    // A batch is withdrawn, and its writer gets the error.
    let changes: [Change<'_>; 2] =
        [(b"document", b"1", None), (b"document", b"2", Some(&noise[..]))];
    assert_eq!(bucket.write_all(&changes), Err(full.clone()));
    let documents = |store: &Store| -> Vec<Vec<u8>> {
        let rows = store.bucket(Bucket::Documents).iter(b"document").unwrap();
        rows.map(|row| row.unwrap().0).collect()
    };
    assert_eq!(documents(store), [b"1"]);
    // What a search writes waits, and is there for this process.
    store.work_put(&root(), b"noise", &noise).unwrap();
    assert_eq!(store.flush(), Err(full.clone()));
    store.work_put(&root(), b"more", b"x").unwrap();
    assert_eq!(store.flush(), Err(full));
    assert_eq!(store.work_get(&root(), b"noise").unwrap(), Some(noise.clone()));
    assert_eq!(store.work_iter(&root()).unwrap().count(), 2);
    // An edit that fits is kept, whatever waits.
    bucket.put_now(b"document", b"3", b"small").unwrap();
    assert_eq!(documents(store), [b"1", b"3"]);
    give_room();
    store.flush().unwrap();
    bucket.write_all(&changes).unwrap();
    assert_eq!(documents(store), [b"2", b"3"]);
    let other = Store::open_read_only(store.path()).unwrap();
    assert_eq!(documents(&other), [b"2", b"3"]);
    assert_eq!(other.work_get(&root(), b"noise").unwrap(), Some(noise));
    assert_eq!(other.work_get(&root(), b"more").unwrap(), Some(b"x".to_vec()));
}

/// A small disk, which then grows. Mounting it takes a right that few users have.
fn full_disk_has_room() {
    let disk = folder("tmpfs");
    let mount = |options: &str| {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&disk).stderr(Stdio::null());
        mount.status().is_ok_and(|ended| ended.success())
    };
    if cfg!(not(target_os = "linux")) || !mount("size=3m") {
        println!("skipped: a disk of this size takes the right to mount one");
        return;
    }
    let path = disk.join("store.redb");
    let ended = std::panic::catch_unwind(|| {
        let store = Store::open(&path).unwrap();
        run_out_of_room(&store, || assert!(mount("remount,size=100m")));
        drop(store);
        Store::open(&path).unwrap().check_structure().unwrap();
        // A disk that cannot be written can still be read.
        assert!(mount("remount,ro"));
        let read = Store::open_read_only(&path).unwrap();
        assert_eq!(read.work_get(&root(), b"more").unwrap(), Some(b"x".to_vec()));
        assert!(read.check_structure().is_ok());
        let refused = Store::open(&path).map(drop);
        assert!(matches!(refused, Err(Error::NotWritable { .. })), "{refused:?}");
    });
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
    ended.unwrap();
}
