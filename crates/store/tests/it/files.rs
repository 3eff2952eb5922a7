//! Files that are no store, stores that others use, too, and files that were damaged.

use crate::world;

use std::fs;
use std::path::Path;

use arbtest::arbtest;
use sixproof_store::{Bucket, Error, ProofEntry, Refutation, Store};

use world::{claim_of, folder, meta, samples};

fn filled(path: &Path) {
    let store = Store::open(path).unwrap();
    for (_, certificate) in samples() {
        let claim = claim_of(&certificate);
        store.insert(&claim, &certificate, meta()).unwrap();
        let refutation = Refutation { order: 1, search_nodes: 5, version: String::new() };
        store.insert_refuted(&claim, &refutation).unwrap();
        for job in 0..20u8 {
            store.work_put(&claim, &[job], &[job; 100]).unwrap();
        }
    }
}

fn opened(path: &Path) -> [Result<(), Error>; 2] {
    [Store::open(path).map(drop), Store::open_read_only(path).map(drop)]
}

#[test]
fn each_user_finds_what_the_others_have_committed() {
    let path = folder("shared").join("store.redb");
    let samples = samples();
    let users: Vec<Store> = (0..3).map(|_| Store::open(&path).unwrap()).collect();
    let reader = || Store::open_read_only(&path);
    assert_eq!(reader().map(drop), Err(Error::Missing(path.clone())));
    let mut known = None;
    for (number, (name, certificate)) in samples.iter().enumerate() {
        let user = &users[number % users.len()];
        let claim = claim_of(certificate);
        user.insert(&claim, certificate, meta()).unwrap();
        user.flush().unwrap();
        let known = known.get_or_insert_with(|| reader().unwrap());
        let all = users.iter().chain([&*known]);
        assert!(all.into_iter().all(|user| user.lookup(&claim).unwrap().is_some()), "{name}");
        assert_eq!(known.iter_proofs().unwrap().count(), number + 1);
    }
    drop(users);
    let store = Store::open(&path).unwrap().check_structure().unwrap();
    assert_eq!(store.iter_proofs().unwrap().count(), samples.len());
}

#[test]
fn two_users_who_make_a_store_make_one() {
    let path = folder("made-twice").join("deep/store.redb");
    let claim = claim_of(&samples()[0].1);
    let (first, second) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    std::thread::scope(|scope| {
        for (store, job) in [(&first, b"a"), (&second, b"b")] {
            let claim = &claim;
            scope.spawn(move || {
                store.work_put(claim, job, job).unwrap();
                store.flush().unwrap();
            });
        }
    });
    for store in [&first, &second] {
        assert_eq!(store.work_iter(&claim).unwrap().count(), 2);
    }
    let names = fs::read_dir(path.parent().unwrap()).unwrap();
    assert_eq!(names.count(), 1, "nothing is left of how it was made");
}

#[test]
fn what_another_user_has_found_is_not_replaced_by_less() {
    let path = folder("less").join("store.redb");
    let long = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black
        black A1 A3 white B1 B3 to-move black 1 A C2 D 1 R A2 W B2 ";
    let short = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black
        black A1 A3 white B1 B3 to-move black 1 W A2 ";
    let claim = claim_of(long);
    let (first, second) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    let refutation = |order| Refutation { order, search_nodes: 1, version: String::new() };
    // The first has decided to write before the second writes more.
    first.insert(&claim, long, meta()).unwrap();
    first.insert_refuted(&claim, &refutation(1)).unwrap();
    second.insert(&claim, short, meta()).unwrap();
    second.insert_refuted(&claim, &refutation(2)).unwrap();
    second.flush().unwrap();
    first.flush().unwrap();
    for store in [&first, &second] {
        assert_eq!(store.lookup(&claim).unwrap().unwrap().certificate_nodes, 1);
        assert_eq!(store.refuted(&claim), Ok(Some(2)));
    }
    // What is removed makes room for more.
    assert_eq!(first.remove_proof(&claim), Ok(true));
    first.insert(&claim, long, meta()).unwrap();
    first.flush().unwrap();
    assert!(second.lookup(&claim).unwrap().unwrap().certificate_nodes > 1);
}

#[test]
fn a_file_that_is_never_released_is_reported_and_what_waits_goes_on_waiting() {
    let path = folder("in-use").join("store.redb");
    let claim = claim_of(&samples()[0].1);
    let store = Store::open(&path).unwrap();
    store.work_put(&claim, b"a", b"1").unwrap();
    store.flush().unwrap();
    let lock = fs::File::open(&path).unwrap();
    lock.lock().unwrap();
    let in_use = Error::InUse(path.clone());
    assert!(in_use.help().unwrap().contains("--store"));
    let said = format!("the store {} is in use by another sixproof", path.display());
    assert_eq!(in_use.to_string(), said);
    std::thread::scope(|scope| {
        let new = [
            scope.spawn(|| Store::open_read_only(&path).map(drop)),
            scope.spawn(|| Store::open(&path).map(drop)),
        ];
        let batch = scope.spawn(|| store.bucket(Bucket::Documents).put_now(b"d", b"1", b"x"));
        assert_eq!(batch.join().unwrap(), Err(in_use.clone()));
        for opened in new {
            assert_eq!(opened.join().unwrap(), Err(in_use.clone()));
        }
    });
    lock.unlock().unwrap();
    store.work_put(&claim, b"b", b"2").unwrap();
    store.flush().unwrap();
    let other = Store::open_read_only(&path).unwrap();
    assert_eq!(other.work_iter(&claim).unwrap().count(), 2);
    assert!(other.bucket(Bucket::Documents).owners().unwrap().is_empty(), "withdrawn");
}

#[test]
fn only_one_edits_the_documents() {
    let folder = folder("editors");
    let path = folder.join("store.redb");
    let (first, second) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    first.edit_documents().unwrap();
    first.edit_documents().unwrap();
    assert_eq!(second.edit_documents(), Err(Error::BeingEdited(path.clone())));
    first.bucket(Bucket::Documents).put_now(b"d", b"1", b"x").unwrap();
    let third = Store::open(folder.join("other.redb")).unwrap();
    third.merge_from(&second).unwrap();
    assert_eq!(second.merge_from(&third), Err(Error::BeingEdited(path)));
    drop(first);
    assert!(second.merge_from(&third).is_ok());
}

#[test]
fn what_is_no_store_is_left_alone() {
    let folder = folder("no-store");
    let path = folder.join("file");
    for bytes in [&b""[..], b"x", b"sixproof-certificate 1", &[0; 10_000], &[0xff; 5_000]] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(opened(&path), [0, 1].map(|_| Err(Error::NotAStore(path.clone()))));
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    assert_eq!(opened(&folder), [0, 1].map(|_| Err(Error::NotAStore(folder.clone()))));
    // A database of another program.
    let path = folder.join("other.redb");
    drop(redb::Database::create(&path).unwrap());
    assert_eq!(opened(&path), [0, 1].map(|_| Err(Error::NotAStore(path.clone()))));
}

#[test]
fn a_store_of_a_later_version_is_refused() {
    let path = folder("newer").join("store.redb");
    let database = redb::Database::create(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    let meta = redb::TableDefinition::<&str, u64>::new("sixproof");
    transaction.open_table(meta).unwrap().insert("schema", 2).unwrap();
    transaction.commit().unwrap();
    drop(database);
    let newer = Error::Newer { path: path.clone(), schema: 2 };
    assert!(newer.to_string().contains("a newer sixproof"), "{newer}");
    assert_eq!(opened(&path), [Err(newer.clone()), Err(newer)]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_cannot_be_written_is_reported_at_once() {
    // Not even the administrator can make files in these.
    for path in ["/proc/sixproof.redb", "/sys/sixproof/store.redb", "/dev/null/store.redb"] {
        let error = Store::open(path).map(drop).unwrap_err();
        let is_reported = matches!(error, Error::NotWritable { .. } | Error::Io { .. });
        assert!(is_reported, "{path}: {error:?}");
    }
}

/// Reads everything that a store holds, whatever it says.
fn read_all(path: &Path, read_only: bool) -> Result<u64, Error> {
    let store = if read_only { Store::open_read_only(path)? } else { Store::open(path)? };
    let mut found = 0;
    for (_, certificate) in samples() {
        let claim = claim_of(&certificate);
        found += u64::from(store.lookup(&claim)?.is_some());
        found += u64::from(store.refuted(&claim)?.is_some());
        found += u64::from(store.work_get(&claim, &[3])?.is_some());
        found += store.work_iter(&claim)?.filter(Result::is_ok).count() as u64;
    }
    store.stats()?;
    store.damaged_others()?;
    for entry in store.iter_proofs()? {
        if let ProofEntry::Damaged(damage) = entry? {
            assert!(!damage.what.is_empty());
        }
    }
    if !read_only {
        let claim = claim_of(&samples()[0].1);
        store.work_put(&claim, b"new", b"x")?;
        store.flush()?;
    }
    store.check_structure()?;
    Ok(found)
}

#[test]
fn no_damage_to_the_file_makes_the_store_panic() {
    let folder = folder("damage");
    let (good, bad) = (folder.join("good.redb"), folder.join("bad.redb"));
    filled(&good);
    let all = read_all(&good, true).unwrap();
    let bytes = fs::read(&good).unwrap();
    // Most of the file is empty: damage goes where something is.
    let written: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] != 0).collect();
    let mut ends = [0; 2];
    // Until all kinds were seen often enough, however slow the machine is.
    while ends.iter().any(|&count| count <= 3) {
        arbtest(|u| {
            let mut bytes = bytes.clone();
            if u.ratio(1, 6)? {
                bytes.truncate(u.choose_index(bytes.len())?);
            } else {
                let head = written.partition_point(|&i| i < 512);
                for _ in 0..u.int_in_range(1..=8)? {
                    let among = if u.ratio(1, 3)? { &written[..head] } else { &written[..] };
                    bytes[*u.choose(among)?] = u.arbitrary()?;
                }
            }
            fs::write(&bad, &bytes).unwrap();
            let found = read_all(&bad, u.arbitrary()?);
            assert!(found.as_ref().is_ok_and(|&found| found <= all) || found.is_err());
            ends[usize::from(found.is_ok())] += 1;
            Ok(())
        })
        .budget_ms(sixproof_oracle::effort(500, 2_000))
        .run();
    }
}

#[test]
fn a_damaged_record_is_reported_skipped_and_can_be_removed() {
    let path = folder("record").join("store.redb");
    filled(&path);
    // The records are changed from outside, in a file that is otherwise as it should be.
    let database = redb::Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    for name in ["proofs", "refutations", "work"] {
        let table = redb::TableDefinition::<(&[u8], &[u8]), &[u8]>::new(name);
        let mut table = transaction.open_table(table).unwrap();
        let first = redb::ReadableTable::first(&table).unwrap().unwrap();
        let (claim, job) = (first.0.value().0.to_vec(), first.0.value().1.to_vec());
        let mut value = first.1.value().to_vec();
        drop(first);
        *value.last_mut().unwrap() ^= 1;
        table.insert((&claim[..], &job[..]), &value[..]).unwrap();
        table.insert((&b"nonsense"[..], &job[..]), &value[..]).unwrap();
    }
    transaction.commit().unwrap();
    drop(database);
    let store = Store::open(&path).unwrap();
    let damaged = |store: &Store| {
        let proofs = store.iter_proofs().unwrap().filter_map(|entry| match entry.unwrap() {
            ProofEntry::Damaged(damage) => Some(damage),
            ProofEntry::Proof(_) => None,
        });
        let proofs: Vec<_> = proofs.collect();
        (proofs, store.damaged_others().unwrap())
    };
    let (proofs, others) = damaged(&store);
    assert_eq!((proofs.len(), others.len()), (2, 4));
    let claim = proofs.iter().find_map(|damage| damage.claim.clone()).unwrap();
    assert_eq!(store.lookup(&claim), Ok(None));
    assert_eq!(store.stats().unwrap().damaged, 6);
    let total = store.iter_proofs().unwrap().count();
    for damage in proofs.iter().chain(&others) {
        store.remove_damaged(damage).unwrap();
    }
    let (proofs, others) = damaged(&store);
    assert_eq!((proofs.len(), others.len()), (0, 0));
    assert_eq!(store.iter_proofs().unwrap().count(), total - 2);
}
