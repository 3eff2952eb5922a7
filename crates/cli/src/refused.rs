//! A certificate that was just found, before the checker. One that it refuses proves nothing, and
//! is kept for a bug report.

use std::path::{Path, PathBuf};

use sixproof_certificate::{Certified, Claim, Refused, certify};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;

/// What the checker says of a certificate that was just found.
pub(crate) fn certified(claim: &Claim, certificate: &[u8], path: &Path) -> Result<Certified> {
    certify(claim, certificate).map_err(|why| failure(&why, certificate, path))
}

/// The checker refuses what the prover found: nothing is claimed, and the certificate is kept
/// beside the place where it would have gone.
pub(crate) fn failure(why: &Refused, certificate: &[u8], path: &Path) -> Failure {
    let kept = refused_path(path);
    let kept = match files::write(&kept, certificate) {
        Ok(()) => format!("the refused certificate is {}", kept.display()),
        Err(_) => "the refused certificate could not be kept".to_string(),
    };
    Failure::new(format!("nothing is proved: the checker refuses what the prover found: {why}"))
        .help(format!("this is a bug in the prover, please report it with the command; {kept}"))
}

/// `proof.refused.cert` beside `proof.cert`.
fn refused_path(path: &Path) -> PathBuf {
    let plain = if path.extension().is_some_and(|e| e == "zst") {
        path.with_extension("")
    } else {
        path.to_path_buf()
    };
    plain.with_extension("refused.cert")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_certificate::certify_pipe;
    use sixproof_game::Position;

    const GOOD_CERT: &[u8] = include_bytes!("../../../suite/good/go-moku.cert");

    fn claim() -> Claim {
        certify_pipe(GOOD_CERT, &mut ()).unwrap().claim().clone()
    }

    #[test]
    fn what_the_checker_verifies_is_certified() {
        let path = Path::new("no-such-folder/proof.cert");
        assert!(certified(&claim(), GOOD_CERT, path).is_ok());
    }

    #[test]
    fn what_the_checker_refuses_is_kept_and_not_claimed() {
        let folder = tempfile::tempdir().unwrap();
        let claim = claim();
        let cut = &GOOD_CERT[..GOOD_CERT.len() / 2];
        let empty = Position::new(claim.position.game());
        let other = Claim { position: empty, ..claim.clone() };
        let opposite = Claim { attacker: !claim.attacker, ..claim.clone() };
        for (certificate, claim) in
            [(cut, &claim), (b"nonsense", &claim), (GOOD_CERT, &other), (GOOD_CERT, &opposite)]
        {
            let path = folder.path().join("proof.cert.zst");
            let failure = certified(claim, certificate, &path).unwrap_err();
            let text = failure.to_string();
            assert!(text.contains("nothing is proved"), "{text}");
            assert!(text.contains("bug in the prover"), "{text}");
            let kept = std::fs::read(folder.path().join("proof.refused.cert")).unwrap();
            assert_eq!(kept, certificate);
            assert!(!path.exists());
        }
    }
}
