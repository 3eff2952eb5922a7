//! A proof is found again from every symmetric position, and the checker accepts what is found.

use crate::world;

use std::collections::BTreeSet;

use sixproof_certificate::{Claim, moved};
use sixproof_check::check_bytes;
use sixproof_game::{Position, Symmetry};
use sixproof_store::{Inserted, Store};

use world::{claim_of, folder, meta, samples};

/// The symmetric claims of a claim, itself first; on an unbounded board moved about, too.
fn symmetric(claim: &Claim) -> Vec<Claim> {
    let game = claim.position.game();
    let shifts: &[(i64, i64)] =
        if game.is_unbounded() { &[(0, 0), (7, -3), (-1_000_000, 123_456_789)] } else { &[(0, 0)] };
    Symmetry::all(game)
        .into_iter()
        .flat_map(|symmetry| shifts.iter().map(move |&(x, y)| symmetry.then_shift(x, y)))
        .map(|symmetry| claim.moved(&symmetry).unwrap())
        .collect()
}

#[test]
fn a_lookup_from_every_orientation_gives_a_certificate_that_the_checker_accepts() {
    let folder = folder("symmetric");
    let store = Store::open(folder.join("store.redb")).unwrap();
    let (mut games, mut partial) = (BTreeSet::new(), 0);
    for (name, certificate) in samples() {
        let claim = claim_of(&certificate);
        let position = &claim.position;
        games.insert((
            position.game().is_unbounded(),
            position.game().cols() == position.game().rows(),
        ));
        partial += u32::from(position.left() < position.game().p());
        let nodes = check_bytes(&certificate).unwrap().counts.nodes;
        for moved in symmetric(&claim) {
            assert_eq!(store.lookup(&moved), Ok(None), "{name}");
        }
        assert_eq!(store.insert(&claim, &certificate, meta()), Ok(Inserted::New), "{name}");
        for moved in symmetric(&claim) {
            let found = store.lookup(&moved).unwrap().expect(&name);
            assert_eq!(claim_of(&found.certificate), moved, "{name}");
            let checked = check_bytes(&found.certificate).expect(&name);
            assert_eq!(checked.counts.nodes, nodes, "{name}");
            // What is found is as good as what was kept: nothing new.
            let again = store.insert(&moved, &found.certificate, meta());
            assert_eq!(again, Ok(Inserted::Known), "{name}");
            let other = Claim { attacker: !moved.attacker, ..moved };
            assert_eq!(store.lookup(&other), Ok(None), "{name}");
        }
    }
    let kinds = BTreeSet::from([(false, false), (false, true), (true, true)]);
    assert_eq!(games, kinds, "square, oblong and unbounded boards");
    assert!(partial > 0, "a move that is under way");
}

#[test]
fn what_is_found_after_closing_is_what_was_kept() {
    let folder = folder("closing");
    let path = folder.join("deep/in/store.redb");
    let store = Store::open(&path).unwrap();
    assert!(!path.exists(), "nothing was written yet");
    for (_, certificate) in samples() {
        store.insert(&claim_of(&certificate), &certificate, meta()).unwrap();
    }
    let before: Vec<_> =
        samples().iter().map(|(_, c)| store.lookup(&claim_of(c)).unwrap().unwrap()).collect();
    drop(store);
    let store = Store::open(&path).unwrap();
    let after: Vec<_> =
        samples().iter().map(|(_, c)| store.lookup(&claim_of(c)).unwrap().unwrap()).collect();
    assert_eq!(before, after);
    assert_eq!(after[0].meta, meta());
}

#[test]
fn a_certificate_in_the_orientation_it_came_in_is_the_same_text() {
    let (_, certificate) = samples().into_iter().find(|(name, _)| name == "go-moku.cert").unwrap();
    let claim = claim_of(&certificate);
    for symmetry in Symmetry::all(claim.position.game()) {
        let there = moved(&certificate, &symmetry).unwrap().certificate;
        let back = moved(&there, &symmetry.inverse()).unwrap().certificate;
        assert_eq!(back, without_comments(&certificate));
    }
}

/// The certificate as the writer writes it.
fn without_comments(certificate: &[u8]) -> Vec<u8> {
    moved(certificate, &Symmetry::IDENTITY).unwrap().certificate
}

#[test]
fn the_canonical_orientation_is_one_for_all() {
    for (name, certificate) in samples() {
        let claim = claim_of(&certificate);
        let (canonical, _) = Store::orient(&claim).unwrap();
        let number = Store::claim_number(&claim);
        for moved in symmetric(&claim) {
            let (position, back) = Store::orient(&moved).unwrap();
            assert_eq!(position, canonical, "{name}");
            assert_eq!(back.position(&position).unwrap(), moved.position, "{name}");
            assert_eq!(Store::claim_number(&moved), number, "{name}");
        }
    }
}

#[test]
fn the_parts_of_a_claim_all_matter() {
    let store = Store::open(folder("parts").join("store.redb")).unwrap();
    let (_, certificate) = samples().into_iter().find(|(name, _)| name == "connect6.cert").unwrap();
    let claim = claim_of(&certificate);
    store.insert(&claim, &certificate, meta()).unwrap();
    let position = &claim.position;
    let [black, white] = [sixproof_game::Color::Black, sixproof_game::Color::White]
        .map(|color| position.squares_of(color).collect::<Vec<_>>());
    let set_up = |game, black: &[_], white: &[_], to_move, left| {
        let position = Position::set_up(game, black, white, to_move, left).unwrap();
        store.lookup(&Claim { position, attacker: claim.attacker }).unwrap().is_some()
    };
    let (game, to_move, left) = (position.game(), position.to_move(), position.left());
    assert!(set_up(game, &black, &white, to_move, left));
    assert!(!set_up(game, &black, &white, !to_move, left));
    assert!(!set_up(game, &black, &white, to_move, 3 - left));
    assert!(!set_up(game, &black[1..], &white, to_move, left));
    assert!(!set_up(game.resized(20, 20).unwrap(), &black, &white, to_move, left));
}
