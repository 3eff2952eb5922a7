//! Files that are no store, stores that somebody else uses, and files that were damaged.

use crate::world;

use std::fs;
use std::path::Path;

use arbtest::arbtest;
use sixproof_store::{Entry, Error, Refutation, Store};

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
fn a_second_user_is_told_and_does_no_harm() {
    let path = folder("in-use").join("store.redb");
    let (_, certificate) = &samples()[0];
    let claim = claim_of(certificate);
    let store = Store::open(&path).unwrap();
    store.insert(&claim, certificate, meta()).unwrap();
    store.flush().unwrap();
    for refused in opened(&path) {
        let error = refused.unwrap_err();
        assert_eq!(error, Error::InUse(path.clone()));
        let expected = format!("the store {} is in use by another sixproof", path.display());
        assert_eq!(error.to_string(), expected);
        assert!(error.help().unwrap().contains("--store"));
    }
    assert!(store.lookup(&claim).unwrap().is_some());
    drop(store);
    assert!(Store::open(&path).unwrap().lookup(&claim).unwrap().is_some());
}

#[test]
fn who_comes_second_when_a_store_is_made_is_told_when_he_writes() {
    let path = folder("made-twice").join("store.redb");
    let (first, second) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    let claim = claim_of(&samples()[0].1);
    first.work_put(&claim, b"a", b"1").unwrap();
    first.flush().unwrap();
    second.work_put(&claim, b"a", b"2").unwrap();
    assert_eq!(second.flush(), Err(Error::InUse(path.clone())));
    assert_eq!(second.work_put(&claim, b"b", b"2"), Err(Error::InUse(path.clone())));
    drop((first, second));
    let store = Store::open(&path).unwrap();
    assert_eq!(store.work_get(&claim, b"a"), Ok(Some(b"1".to_vec())));
    assert_eq!(store.work_get(&claim, b"b"), Ok(None));
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
    // A database of somebody else.
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
fn a_folder_that_cannot_be_written_is_told_at_once() {
    // Nobody makes files in these, not even who may do everything else.
    for path in ["/proc/sixproof.redb", "/sys/sixproof/store.redb", "/dev/null/store.redb"] {
        let error = Store::open(path).map(drop).unwrap_err();
        let is_told = matches!(error, Error::NotWritable { .. } | Error::Io { .. });
        assert!(is_told, "{path}: {error:?}");
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
        if let Entry::Damaged(damage) = entry? {
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
    .budget_ms(6_000)
    .run();
    assert!(ends.iter().all(|&count| count > 3), "{ends:?}");
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
            Entry::Damaged(damage) => Some(damage),
            Entry::Proof(_) => None,
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
