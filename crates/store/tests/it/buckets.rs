//! Shelves: bytes of the editor, by owner and key.

use crate::world;

use std::collections::BTreeMap;
use std::fs;

use arbtest::arbtest;
use sixproof_store::{Bucket, BucketRecord, BucketStats, Merged, RecordKind, Store};

use world::{claim_of, folder, meta, samples};

type Model = BTreeMap<(Vec<u8>, Vec<u8>), Vec<u8>>;

fn contents(store: &Store, bucket: Bucket) -> Model {
    let bucket = store.bucket(bucket);
    let mut model = Model::new();
    for owner in bucket.owners().unwrap() {
        let rows: Vec<_> = bucket.iter(&owner).unwrap().map(Result::unwrap).collect();
        assert!(!rows.is_empty() && rows.is_sorted_by_key(|row| row.0.clone()));
        for (key, kept) in rows {
            model.insert((owner.clone(), key), kept.whole().unwrap());
        }
    }
    model
}

#[test]
fn a_shelf_is_a_map_that_survives_the_end_of_the_program() {
    let path = folder("bucket-map").join("store.redb");
    let mut model = Model::new();
    arbtest(|u| {
        let store = Store::open(&path).unwrap();
        let bucket = store.bucket(Bucket::Documents);
        for _ in 0..u.int_in_range(0..=8)? {
            // Owners that begin alike, empty ones, and ones with zeros.
            let owner = u.choose(&[&b""[..], b"a", b"a\0", b"a\0\0", b"ab", b"b"])?.to_vec();
            let key: Vec<u8> = vec![u.int_in_range(0..=2)?; u.int_in_range(0..=2)?];
            let row = (owner.clone(), key.clone());
            match u.int_in_range(0..=9)? {
                0..=4 => {
                    let bytes = u.bytes(u.len().min(9))?.to_vec();
                    bucket.put(&owner, &key, &bytes).unwrap();
                    model.insert(row, bytes);
                }
                5 => {
                    bucket.put_now(&owner, &key, b"now").unwrap();
                    model.insert(row, b"now".to_vec());
                }
                6 => {
                    let other: &[u8] = b"other";
                    let changes =
                        [(&owner[..], &key[..], None), (&owner[..], other, Some(&key[..]))];
                    bucket.write_all(&changes).unwrap();
                    model.remove(&row);
                    model.insert((owner.clone(), other.to_vec()), key.clone());
                }
                7 => {
                    assert_eq!(bucket.remove(&owner, &key).unwrap(), model.remove(&row).is_some());
                }
                8 => {
                    let count = model.len();
                    model.retain(|(of, _), _| *of != owner);
                    assert_eq!(bucket.clear(&owner).unwrap(), (count - model.len()) as u64);
                }
                _ => store.flush().unwrap(),
            }
            let row = (owner, key);
            let got = bucket.get(&row.0, &row.1).unwrap().map(|kept| kept.whole().unwrap());
            assert_eq!(got.as_ref(), model.get(&row));
        }
        if u.arbitrary()? {
            assert_eq!(contents(&store, Bucket::Documents), model);
            assert!(contents(&store, Bucket::Jobs).is_empty());
        }
        Ok(())
    });
}

#[test]
fn a_damaged_record_is_reported_and_can_be_dropped() {
    let path = folder("bucket-damage").join("store.redb");
    {
        let store = Store::open(&path).unwrap();
        store.bucket(Bucket::Documents).put(b"d", b"1", b"precious words").unwrap();
        store.bucket(Bucket::Documents).put(b"d", b"2", b"other words").unwrap();
    }
    let mut bytes = fs::read(&path).unwrap();
    let places: Vec<usize> =
        (0..bytes.len() - 14).filter(|&i| &bytes[i..i + 14] == b"precious words").collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place] = b'P';
    }
    fs::write(&path, bytes).unwrap();
    let store = Store::open(&path).unwrap();
    let bucket = store.bucket(Bucket::Documents);
    let Some(BucketRecord::Damaged(damage)) = bucket.get(b"d", b"1").unwrap() else {
        panic!("the damage is not reported");
    };
    assert_eq!(
        (damage.kind(), damage.bucket_key()),
        (RecordKind::Document, Some((&b"d"[..], &b"1"[..])))
    );
    let rows: Vec<_> = bucket.iter(b"d").unwrap().map(|row| row.unwrap().1.whole()).collect();
    assert_eq!(rows, [None, Some(b"other words".to_vec())]);
    let stats = store.stats().unwrap();
    assert_eq!((stats.damaged, stats.documents.records), (1, 1));
    let damaged = store.damaged_others().unwrap();
    assert_eq!(damaged.len(), 1);
    store.remove_damaged(&damaged[0]).unwrap();
    assert!(bucket.get(b"d", b"1").unwrap().is_none());
    assert_eq!(store.stats().unwrap().damaged, 0);
}

#[test]
fn a_merge_takes_documents_as_a_whole_and_keeps_the_present_ones() {
    let folder = folder("bucket-merge");
    let here = Store::open(folder.join("here.redb")).unwrap();
    let there = Store::open(folder.join("there.redb")).unwrap();
    let put = |store: &Store, bucket, owner: &[u8], key: &[u8], bytes: &[u8]| {
        store.bucket(bucket).put(owner, key, bytes).unwrap();
    };
    put(&here, Bucket::Documents, b"both", b"1", b"ours");
    put(&there, Bucket::Documents, b"both", b"1", b"theirs");
    put(&there, Bucket::Documents, b"both", b"2", b"theirs");
    put(&there, Bucket::Documents, b"new", b"1", b"x");
    put(&there, Bucket::Documents, b"new", b"2", b"yy");
    put(&there, Bucket::Jobs, b"job", b"", b"z");
    let merged = here.merge_from(&there).unwrap();
    assert_eq!(merged, Merged { documents: 1, jobs: 1, kept: 1, ..Merged::default() });
    let stats = here.stats().unwrap();
    assert_eq!(stats.documents, BucketStats { owners: 2, records: 3, bytes: 7 });
    assert_eq!(stats.jobs, BucketStats { owners: 1, records: 1, bytes: 1 });
    assert_eq!((stats.rows.len(), stats.damaged), (0, 0));
    let ours = here.bucket(Bucket::Documents).get(b"both", b"1").unwrap().unwrap();
    assert_eq!(ours.whole(), Some(b"ours".to_vec()));
}

#[test]
fn a_store_without_shelves_has_empty_ones() {
    let path = folder("bucket-old").join("store.redb");
    let (_, certificate) = &samples()[0];
    let claim = claim_of(certificate);
    Store::open(&path).unwrap().insert(&claim, certificate, meta()).unwrap();
    let store = Store::open_read_only(&path).unwrap();
    for bucket in Bucket::ALL {
        assert_eq!(store.bucket(bucket).owners(), Ok(vec![]));
        assert!(store.bucket(bucket).get(b"a", b"").unwrap().is_none());
        assert!(store.bucket(bucket).put(b"a", b"", b"").is_err());
    }
    drop(store);
    let store = Store::open(&path).unwrap();
    store.bucket(Bucket::Jobs).put_now(b"a", b"", b"").unwrap();
    assert!(store.lookup(&claim).unwrap().is_some());
}
