//! A certificate against the claim that was asked about.
//!
//! The checker says what a certificate proves. That it proves *something* is not enough: it must
//! be the claim of the job, in the same game, with the same stones and the same side to move.

use std::fmt;

use sixproof_check::{Claim, Refusal, Square, Verified, check_bytes};

/// Why a certificate does not count.
#[derive(Debug)]
pub enum Fault {
    /// The checker refuses it.
    Refused(Refusal),
    /// It proves something else.
    OtherClaim,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Refused(Refusal::Rejected(rejection)) => {
                write!(f, "the certificate is bad: {rejection}")
            }
            Fault::Refused(Refusal::Unreadable(unreadable)) => {
                write!(f, "the certificate cannot be read: {unreadable}")
            }
            Fault::OtherClaim => f.write_str("the certificate proves another claim"),
        }
    }
}

impl std::error::Error for Fault {}

/// Checks a certificate of exactly this claim.
pub fn judge(claim: &Claim, certificate: &[u8]) -> Result<Verified, Fault> {
    let verified = check_bytes(certificate).map_err(Fault::Refused)?;
    if same_claim(claim, &verified.claim) { Ok(verified) } else { Err(Fault::OtherClaim) }
}

/// Whether two claims are the same; the order of the stones means nothing.
pub fn same_claim(a: &Claim, b: &Claim) -> bool {
    let of = |claim: &Claim| {
        let Claim { game, attacker, black, white, to_move, stones } = claim;
        (*game, *attacker, sorted(black), sorted(white), *to_move, *stones)
    };
    of(a) == of(b)
}

fn sorted(stones: &[Square]) -> Vec<(i32, i32)> {
    let mut sorted: Vec<(i32, i32)> = stones.iter().map(|square| (square.x, square.y)).collect();
    sorted.sort_unstable();
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(header: &str) -> Vec<u8> {
        format!("sixproof-certificate 1 game {header} W C1").into_bytes()
    }

    #[test]
    fn a_true_certificate_of_another_claim_does_not_count() {
        let asked = "3 3 3 1 1 attacker black black A1 B1 white A2 B2 to-move black 1";
        let claim = check_bytes(&certificate(asked)).unwrap().claim;
        let same = "3 3 3 1 1 attacker black black B1 A1 white B2 A2 to-move black 1";
        assert!(judge(&claim, &certificate(same)).is_ok());
        for other in [
            "3 3 3 1 1 attacker black black A1 B1 white A2 B3 to-move black 1",
            "3 3 3 1 1 attacker black black A1 B1 A3 white A2 B2 to-move black 1",
            "4 3 3 1 1 attacker black black A1 B1 white A2 B2 to-move black 1",
            "3 3 3 1 1 attacker white black A2 B2 white A1 B1 to-move white 1",
        ] {
            assert!(check_bytes(&certificate(other)).is_ok(), "{other}");
            assert!(matches!(judge(&claim, &certificate(other)), Err(Fault::OtherClaim)));
        }
        let bad = "3 3 3 1 1 attacker black black A1 B2 white A2 B1 to-move black 1";
        assert!(matches!(judge(&claim, &certificate(bad)), Err(Fault::Refused(_))));
    }
}
