//! The one judge: does this certificate prove this claim?
//!
//! The checker says whether the bytes prove *something*, and what. That is not enough: it must be
//! the claim in question, in the same game, with the same stones and the same side to move, as the
//! checker read it. Our own [`Reader`](crate::Reader) has no say in this.
//!
//! Everything in the system that calls a claim proved holds a [`Certified`] for it.

use std::fmt;
use std::io::{self, BufRead, Read};

use sixproof_check::{CheckWatch, Counts, Refusal, RootZone, Unread, Verified};
use sixproof_game::picture::ZoneLayers;

use crate::Claim;
use crate::checked::square;
use crate::claim::NoPosition;

/// A claim that holds: the checker has accepted a certificate of it.
#[derive(Clone, Debug)]
pub struct Certified {
    claim: Claim,
    verified: Verified,
}

/// The part of a [`Certified`] that is small enough to be remembered: the claim holds, and what the
/// checker counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    claim: Claim,
    counts: Counts,
}

impl Proved {
    /// What is proved, as the checker read it.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// What the checker counted in the certificate.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

/// Why a certificate does not count.
#[derive(Clone, Debug)]
pub enum Refused {
    /// The checker refuses it.
    Checker(Refusal),
    /// It proves another claim.
    OtherClaim,
    /// The checker accepts it, and its claim is no position that this library can hold.
    NoPosition(NoPosition),
}

/// Asks the checker to read a certificate of this very claim.
pub fn certify(claim: &Claim, certificate: &[u8]) -> Result<Certified, Refused> {
    certify_watched(claim, certificate, &mut ())
}

/// As [`certify`], watched: `watch` may stop the checker, which then refuses.
pub fn certify_watched(
    claim: &Claim,
    certificate: &[u8],
    watch: &mut dyn CheckWatch,
) -> Result<Certified, Refused> {
    let certified = certify_file(|| Ok(certificate), watch)?;
    if certified.claim == *claim { Ok(certified) } else { Err(Refused::OtherClaim) }
}

/// Asks the checker to read a certificate of any claim. `open` opens it, and opens it again where
/// the board is unbounded.
pub fn certify_file<R: BufRead>(
    open: impl FnMut() -> io::Result<R>,
    watch: &mut dyn CheckWatch,
) -> Result<Certified, Refused> {
    Certified::new(sixproof_check::check(open, watch))
}

/// As [`certify_file`], for a certificate that can be read only once.
pub fn certify_pipe<R: Read>(input: R, watch: &mut dyn CheckWatch) -> Result<Certified, Refused> {
    Certified::new(sixproof_check::check_pipe(input, watch))
}

impl Certified {
    fn new(verdict: Result<Verified, Refusal>) -> Result<Certified, Refused> {
        let verified = verdict.map_err(Refused::Checker)?;
        let claim = Claim::try_from(&verified.claim).map_err(Refused::NoPosition)?;
        Ok(Certified { claim, verified })
    }

    /// The proved claim, as the checker read it.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// The checker's counts of the certificate.
    pub fn counts(&self) -> Counts {
        self.verified.counts
    }

    /// The zone of the proof, in the checker's words.
    pub fn zone(&self) -> &RootZone {
        &self.verified.zone
    }

    /// The part to be remembered.
    pub fn proved(&self) -> Proved {
        Proved { claim: self.claim.clone(), counts: self.verified.counts }
    }

    /// The claim, the counts and the zone in the checker's words.
    pub fn verified(&self) -> &Verified {
        &self.verified
    }

    /// The zone as it is drawn.
    pub fn layers(&self) -> ZoneLayers {
        let RootZone { squares, segments } = &self.verified.zone;
        let segments =
            segments.iter().map(|segment| (segment.squares().map(square), segment.level));
        ZoneLayers::new(self.claim.position.game(), squares.iter().copied().map(square), segments)
    }
}

impl Refused {
    /// Whether the file cannot be read, so that nothing can be said about its claim.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, Refused::Checker(Refusal::Unreadable(_)))
    }

    /// Whether the watcher stopped the checker.
    pub fn is_stopped(&self) -> bool {
        let Refused::Checker(Refusal::Unreadable(unreadable)) = self else { return false };
        unreadable.what == Unread::Stopped
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Checker(Refusal::Rejected(rejection)) => f.write_str(&rejection.explain()),
            Refused::Checker(Refusal::Unreadable(unreadable)) => unreadable.fmt(f),
            Refused::OtherClaim => f.write_str("it proves another claim"),
            Refused::NoPosition(why) => write!(f, "its position cannot be held: {why}"),
        }
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(header: &str) -> Vec<u8> {
        format!("sixproof-certificate 1 game {header} W C1").into_bytes()
    }

    #[test]
    fn a_true_certificate_of_another_claim_does_not_count() {
        let asked = "3 3 3 1 1 attacker black black A1 B1 white A2 B2 to-move black 1";
        let certified = certify_pipe(&certificate(asked)[..], &mut ());
        let claim = certified.unwrap().claim().clone();
        let same = "3 3 3 1 1 attacker black black B1 A1 white B2 A2 to-move black 1";
        assert!(certify(&claim, &certificate(same)).is_ok());
        for other in [
            "3 3 3 1 1 attacker black black A1 B1 white A2 B3 to-move black 1",
            "3 3 3 1 1 attacker black black A1 B1 A3 white A2 B2 to-move black 1",
            "4 3 3 1 1 attacker black black A1 B1 white A2 B2 to-move black 1",
            "3 3 3 1 1 attacker white black A2 B2 white A1 B1 to-move white 1",
        ] {
            let other = certificate(other);
            assert!(certify_pipe(&other[..], &mut ()).is_ok());
            assert!(matches!(certify(&claim, &other), Err(Refused::OtherClaim)));
        }
        let bad = "3 3 3 1 1 attacker black black A1 B2 white A2 B1 to-move black 1";
        let refused = certify(&claim, &certificate(bad)).unwrap_err();
        assert!(matches!(refused, Refused::Checker(Refusal::Rejected(_))));
        assert!(!refused.is_unreadable() && !refused.is_stopped());
        assert!(certify(&claim, b"nonsense").unwrap_err().is_unreadable());
    }
}
