//! What is kept and what is not: proofs, refutations, work, and what another store adds.

use crate::world;

use sixproof_certificate::Claim;
use sixproof_game::Symmetry;
use sixproof_store::{
    Error, Inserted, MergeDecision, MergeOffer, Merged, ProofEntry, ProofMeta, Refutation, Store,
};

use world::{claim_of, folder, meta, samples};

/// Two proofs of one claim, the second with fewer nodes.
const LONG: &[u8] = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black
    black A1 A3 white B1 B3 to-move black 1 A C2 D 1 R A2 W B2 ";
const SHORT: &[u8] = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black
    black A1 A3 white B1 B3 to-move black 1 W A2 ";

fn refutation(order: u32) -> Refutation {
    Refutation { order, search_nodes: 10, version: "0.1.0".to_string() }
}

#[test]
fn the_first_proof_stays_unless_another_has_fewer_nodes() {
    let store = Store::open(folder("first").join("store.redb")).unwrap();
    let claim = claim_of(LONG);
    let first = meta();
    let second = ProofMeta { search_nodes: 99, ..meta() };
    assert_eq!(store.insert(&claim, LONG, first), Ok(Inserted::New));
    assert_eq!(store.insert(&claim, LONG, second.clone()), Ok(Inserted::Known));
    assert_eq!(store.lookup(&claim).unwrap().unwrap().meta.search_nodes, 1_234);
    assert_eq!(store.insert(&claim, SHORT, second), Ok(Inserted::Shorter));
    assert_eq!(store.insert(&claim, LONG, meta()), Ok(Inserted::Known));
    let found = store.lookup(&claim).unwrap().unwrap();
    assert_eq!((found.certificate_nodes, found.meta.search_nodes), (1, 99));
    assert_eq!(store.remove_proof(&claim), Ok(true));
    assert_eq!(store.remove_proof(&claim), Ok(false));
    assert_eq!(store.lookup(&claim), Ok(None));
}

#[test]
fn what_is_no_certificate_of_the_claim_is_refused() {
    let store = Store::open(folder("refused").join("store.redb")).unwrap();
    let claim = claim_of(LONG);
    let other = Claim { attacker: !claim.attacker, ..claim.clone() };
    assert_eq!(store.insert(&other, LONG, meta()), Err(Error::OtherClaim));
    let turned = claim.moved(&Symmetry::all(claim.position.game())[1]).unwrap();
    assert_eq!(store.insert(&turned, LONG, meta()), Err(Error::OtherClaim));
    for bytes in [&b""[..], b"nonsense", &LONG[..LONG.len() - 7], &[LONG, b" W A1"].concat()] {
        let refused = store.insert(&claim, bytes, meta());
        assert!(matches!(refused, Err(Error::Certificate(_))), "{refused:?}");
    }
    assert_eq!(store.stats().unwrap().rows, []);
}

#[test]
fn the_highest_order_that_was_refuted_is_kept() {
    let store = Store::open(folder("orders").join("store.redb")).unwrap();
    let claim = claim_of(LONG);
    assert_eq!(store.refuted(&claim), Ok(None));
    for (order, is_news, kept) in [(2, true, 2), (1, false, 2), (2, false, 2), (3, true, 3)] {
        assert_eq!(store.insert_refuted(&claim, &refutation(order)), Ok(is_news));
        for symmetry in Symmetry::all(claim.position.game()) {
            assert_eq!(store.refuted(&claim.moved(&symmetry).unwrap()), Ok(Some(kept)));
        }
        store.flush().unwrap();
    }
    assert_eq!(store.refutation(&claim), Ok(Some(refutation(3))));
}

#[test]
fn work_belongs_to_its_claim_whether_committed_or_not() {
    let store = Store::open(folder("work").join("store.redb")).unwrap();
    let claims: Vec<Claim> = samples().iter().map(|(_, c)| claim_of(c)).collect();
    for (i, claim) in claims.iter().enumerate() {
        assert_eq!(store.work_get(claim, b""), Ok(None));
        for job in 0..20u8 {
            store.work_put(claim, &[job % 7, job], &[i as u8, job]).unwrap();
            if job == 10 {
                store.flush().unwrap();
            }
        }
        // The later result counts.
        store.work_put(claim, &[0, 0], b"again").unwrap();
        store.work_put(claim, &[0, 0], b"").unwrap();
    }
    for (i, claim) in claims.iter().enumerate() {
        assert_eq!(store.work_get(claim, &[3, 10]), Ok(Some(vec![i as u8, 10])));
        assert_eq!(store.work_get(claim, &[4, 18]), Ok(Some(vec![i as u8, 18])));
        assert_eq!(store.work_get(claim, &[0, 0]), Ok(Some(vec![])));
        assert_eq!(store.work_get(claim, &[0]), Ok(None));
        let all: Vec<_> = store.work_iter(claim).unwrap().map(Result::unwrap).collect();
        assert_eq!(all.len(), 20);
        assert!(all.is_sorted());
    }
    store.work_put(&claims[0], b"late", b"x").unwrap();
    assert_eq!(store.work_clear(&claims[0]), Ok(21));
    assert_eq!(store.work_clear(&claims[0]), Ok(0));
    assert_eq!(store.work_get(&claims[0], &[3, 10]), Ok(None));
    assert_eq!(store.work_iter(&claims[0]).unwrap().count(), 0);
    assert_eq!(store.work_iter(&claims[1]).unwrap().count(), 20);
}

#[test]
fn threads_share_a_store() {
    let store = Store::open(folder("threads").join("store.redb")).unwrap();
    let claim = claim_of(LONG);
    std::thread::scope(|scope| {
        for thread in 0..4u8 {
            let (store, claim) = (&store, &claim);
            scope.spawn(move || {
                for job in 0..50u8 {
                    store.work_put(claim, &[thread, job], &[job]).unwrap();
                    assert_eq!(store.work_get(claim, &[thread, job]), Ok(Some(vec![job])));
                    store.insert_refuted(claim, &refutation(job.into())).unwrap();
                    assert!(store.refuted(claim).unwrap().unwrap() >= job.into());
                    if job % 16 == 0 {
                        store.flush().unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(store.work_iter(&claim).unwrap().count(), 200);
    assert_eq!(store.refuted(&claim), Ok(Some(49)));
}

#[test]
fn a_merge_adds_what_is_news_and_leaves_the_other_store_alone() {
    let folder = folder("merge");
    let (here, there) = (folder.join("here.redb"), folder.join("there.redb"));
    let claim = claim_of(LONG);
    let other = claim_of(&samples()[0].1);
    let store = Store::open(&there).unwrap();
    store.insert(&claim, SHORT, meta()).unwrap();
    store.insert(&other, &samples()[0].1, meta()).unwrap();
    store.insert_refuted(&other, &refutation(2)).unwrap();
    store.work_put(&other, b"a", b"there").unwrap();
    store.work_put(&other, b"b", b"there").unwrap();
    drop(store);
    let before = std::fs::read(&there).unwrap();

    let store = Store::open(&here).unwrap();
    store.insert(&claim, LONG, meta()).unwrap();
    store.work_put(&other, b"a", b"here").unwrap();
    let source = Store::open_read_only(&there).unwrap();
    let nothing = store.merge_judged(&source, &mut |_| MergeDecision::Leave).unwrap();
    assert_eq!(nothing, Merged { left_out: 3, work: 1, ..Merged::default() });
    let proofs_only = |offer: MergeOffer<'_>| match offer {
        MergeOffer::Proof(..) => MergeDecision::Take,
        MergeOffer::Refutation(..) => MergeDecision::Leave,
    };
    let merged = store.merge_judged(&source, &mut { proofs_only }).unwrap();
    assert_eq!(merged, Merged { proofs: 1, shorter: 1, left_out: 1, ..Merged::default() });
    let merged = store.merge_from(&source).unwrap();
    assert_eq!(merged, Merged { known: 2, refutations: 1, ..Merged::default() });
    assert_eq!(store.lookup(&claim).unwrap().unwrap().certificate_nodes, 1);
    assert_eq!(store.refuted(&other), Ok(Some(2)));
    assert_eq!(store.work_get(&other, b"a"), Ok(Some(b"here".to_vec())));
    assert_eq!(store.work_get(&other, b"b"), Ok(Some(b"there".to_vec())));
    drop(source);
    assert_eq!(std::fs::read(&there).unwrap(), before);
}

#[test]
fn everything_is_counted_by_game_and_stones() {
    let store = Store::open(folder("stats").join("store.redb")).unwrap();
    let mut proofs = 0;
    for (_, certificate) in samples() {
        let claim = claim_of(&certificate);
        proofs += u64::from(store.insert(&claim, &certificate, meta()) == Ok(Inserted::New));
        store.work_put(&claim, b"job", b"result").unwrap();
    }
    store.flush().unwrap();
    let stats = store.stats().unwrap();
    assert_eq!(stats.rows.iter().map(|row| row.proofs).sum::<u64>(), proofs);
    assert_eq!(stats.rows.iter().map(|row| row.work).sum::<u64>(), proofs);
    assert!(stats.rows.is_sorted_by_key(|row| (row.game, row.stones)));
    assert_eq!((stats.damaged, stats.file_bytes > 0), (0, true));
    let listed = store.iter_proofs().unwrap().map(Result::unwrap);
    let sound = listed.filter(|entry| matches!(entry, ProofEntry::Proof(_))).count();
    assert_eq!(sound as u64, proofs);
}

#[test]
fn a_store_that_is_read_only_refuses_to_write() {
    let path = folder("read-only").join("store.redb");
    let claim = claim_of(SHORT);
    assert_eq!(Store::open_read_only(&path).unwrap_err(), Error::Missing(path.clone()));
    Store::open(&path).unwrap().insert(&claim, SHORT, meta()).unwrap();
    let store = Store::open_read_only(&path).unwrap();
    assert!(store.lookup(&claim).unwrap().is_some());
    assert_eq!(store.work_put(&claim, b"", b""), Err(Error::ReadOnly(path)));
}
