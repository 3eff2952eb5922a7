//! What it costs to share a store. Nothing is asserted about times: the test prints them.

use std::path::Path;
use std::time::{Duration, Instant};

use sixproof_store::{Bucket, Store};

use crate::world::{claim_of, folder, samples};

/// Questions of each kind that are timed.
const ROUNDS: usize = 200;

/// The median and the longest time of what is done again and again.
fn timed(mut act: impl FnMut(usize)) -> String {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|round| {
            let start = Instant::now();
            act(round);
            start.elapsed()
        })
        .collect();
    times.sort();
    format!("median {:?}, longest {:?}", times[ROUNDS / 2], times[ROUNDS - 1])
}

fn edit(store: &Store, round: usize) {
    let number = round.to_be_bytes();
    store.bucket(Bucket::Documents).put_now(b"document", &number, &[7; 200]).unwrap();
}

fn measure(path: &Path, megabytes: usize) {
    let claim = claim_of(&samples()[0].1);
    let store = Store::open(path).unwrap();
    for number in 0..megabytes {
        let noise: Vec<u8> = (0..1 << 20).map(|i| (i * (number + 3)) as u8).collect();
        store.work_put(&claim, &number.to_be_bytes(), &noise).unwrap();
    }
    edit(&store, 0);
    println!("store of {} bytes", store.file_bytes().unwrap());
    println!("  an edit, alone: {}", timed(|round| edit(&store, round)));
    let other = Store::open(path).unwrap();
    let take_turns =
        |round: usize| edit(if round.is_multiple_of(2) { &store } else { &other }, round);
    println!("  an edit, each after one of the other user: {}", timed(take_turns));
    let key = |round: usize| (round % megabytes.max(1)).to_be_bytes();
    let found = timed(|round| drop(store.work_get(&claim, &key(round)).unwrap()));
    println!("  a lookup, alone: {found}");
    drop((store, other));
    println!("  to open and close: {}", timed(|_| drop(Store::open(path).unwrap())));
    println!(
        "  to open and close, reading only: {}",
        timed(|_| drop(Store::open_read_only(path).unwrap()))
    );
}

#[test]
#[ignore = "prints times, for docs/store.md"]
fn the_cost_of_sharing_is_printed() {
    let folder = folder("cost");
    for megabytes in [0, 100] {
        measure(&folder.join(format!("{megabytes}.redb")), megabytes);
    }
}
