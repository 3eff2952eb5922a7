//! Certificates at hand: what is checked again, what is held, and how zones are drawn.

use std::collections::BTreeSet;

use sixproof_game::picture::{Picture, TerminalStyle};

use super::*;

#[test]
fn what_the_checker_has_verified_is_not_checked_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path().join("store.redb")).unwrap());
    let proofs = Proofs::new(Arc::clone(&store));
    let certificate = include_bytes!("../../../../suite/good/go-moku.cert");
    let proof = proofs.take(certificate).unwrap();
    assert!(Arc::ptr_eq(&proof, &proofs.take(certificate).unwrap()));
    assert!(Arc::ptr_eq(&proof, &proofs.get(&proof.hash).unwrap()));
    // A proof that is no longer held is read again and compared with the remembered claim: the
    // claim of another certificate is refused.
    let another = include_bytes!("../../../../suite/good/connect6-quiet.cert");
    let another = proofs.take(another).unwrap().proved.clone();
    let remember = |proved: &Proved| {
        let mut held = proofs.lock();
        held.proofs.clear();
        held.verified.retain(|(of, _)| *of != proof.hash);
        held.verified.push_front((proof.hash.clone(), proved.clone()));
    };
    remember(&another);
    assert!(proofs.get(&proof.hash).is_err());
    remember(&proof.proved);
    assert_eq!(proofs.get(&proof.hash).unwrap().proved, proof.proved);
    // Other bytes under its name are refused.
    proofs.lock().proofs.clear();
    let other = packing::pack(b"another", ZSTD_LEVEL).unwrap();
    store.bucket(Bucket::Documents).put(OWNER, proof.hash.as_bytes(), &other).unwrap();
    assert!(proofs.get(&proof.hash).is_err());
    // Half of a certificate has another hash: it is checked, and refused.
    let cut = &certificate[..certificate.len() / 2];
    assert_eq!(proofs.take(cut).err().map(|problem| problem.status), Some(422));
    drop((proofs, store));
}

#[test]
fn the_certificates_that_are_held_have_a_limit() {
    let mut held = HeldProofs::default();
    let certificate = include_bytes!("../../../../suite/good/go-moku.cert");
    for number in 0..2 * HELD_MAX {
        let mut proof = CheckedProof::new(&hash(certificate), certificate, None).unwrap();
        proof.hash = number.to_string();
        held.hold(&Arc::new(proof));
    }
    assert_eq!((held.proofs.len(), held.verified.len()), (HELD_MAX, 2 * HELD_MAX));
    let mut large = CheckedProof::new(&hash(certificate), certificate, None).unwrap();
    large.bytes = HELD_BYTES_MAX + 1;
    held.hold(&Arc::new(large));
    assert_eq!(held.proofs.len(), 1, "the latest one, however large");
}

/// The number of squares in the area of the SVG picture with this fill.
fn squares_filled(svg: &str, fill: &str) -> usize {
    let area = svg.split("<path d=\"").find(|path| path.contains(fill)).unwrap_or_default();
    let runs = area.split('"').next().unwrap_or_default().split_inclusive('z');
    let width = |run: &str| run.split_once('h')?.1.split_once('v')?.0.parse::<usize>().ok();
    // A square is 30 pixels wide.
    runs.filter_map(width).map(|width| width / 30).sum()
}

#[test]
fn a_zone_has_the_same_layers_on_terminal_svg_and_page_for_every_p() {
    let few = "black C4 D4 white A1 to-move white 1";
    let some = "black D4 E4 D5 E5 white A1 to-move white 2";
    let wide = "black B2 C2 D2 E2 B3 C3 D3 E3 B4 C4 D4 E4 white J10 to-move white 2";
    let many = "black B2 C2 D2 B3 C3 D3 B4 C4 D4 white J10 to-move white";
    for (levels, hatched, header) in [
        (vec![1, 2], vec![], format!("7 7 3 1 1 attacker black {few}")),
        (vec![1, 2], vec![2], format!("7 7 4 2 1 attacker black {some}")),
        (vec![3, 4], vec![], format!("11 11 6 2 1 attacker black {wide}")),
        (vec![2, 3], vec![2, 3], format!("11 11 6 3 1 attacker black {many} 3")),
        (vec![1, 2], vec![2], format!("11 11 6 4 1 attacker black {many} 4")),
    ] {
        let certificate = format!("sixproof-certificate 1 game {header} D 0").into_bytes();
        let certified = certified(&certificate).unwrap();
        let zone = certified.zone();
        let name = |square| certified.verified().claim.game.square_name(square);
        let seen: BTreeSet<u32> = zone.segments.iter().map(|segment| segment.level).collect();
        assert_eq!(seen, BTreeSet::from_iter(levels), "{header}");
        // The layers as docs/certificate.md says, from the checker's own words.
        let of = |wanted: &[u32]| -> BTreeSet<String> {
            let segments = zone.segments.iter().filter(|s| wanted.contains(&s.level));
            segments.flat_map(|s| s.squares()).map(name).collect()
        };
        let mut solid = of(&[1]);
        solid.extend(zone.squares.iter().copied().map(name));
        let hatched: BTreeSet<String> = of(&hatched).difference(&solid).cloned().collect();

        let proof = CheckedProof::new(&hash(&certificate), &certificate, None).unwrap();
        let page = proof.wire_zone(sixproof_certificate::strategy::ROOT);
        let layers = [page.solid, page.hatched].map(BTreeSet::from_iter);
        assert_eq!(layers, [solid.clone(), hatched.clone()], "{header}");

        let position = &certified.claim().position;
        let picture = Picture::new(position).zone(certified.layers());
        let svg = picture.svg();
        let filled = [squares_filled(&svg, "fill-opacity"), squares_filled(&svg, "url(#hatch")];
        assert_eq!(filled, [solid.len(), hatched.len()], "{header}");
        let terminal = picture.terminal(TerminalStyle::default());
        let board = terminal.split("Zone:").next().unwrap();
        let empty = |squares: &BTreeSet<String>| {
            let square = |name: &String| proof.game().parse_square(name).unwrap();
            squares.iter().filter(|name| position.at(square(name)).is_none()).count()
        };
        let shown = ['▒', '░'].map(|sign| board.matches(sign).count());
        assert_eq!(shown, [empty(&solid), empty(&hatched)], "{header}\n{terminal}");
    }
}
