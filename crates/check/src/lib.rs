//! stub: the API that tests may rely on.

/// What was verified.
#[derive(Debug)]
pub struct Verified {}

/// Why a file was not verified.
#[derive(Debug)]
pub enum Refusal {
    /// A certificate that proves nothing: exit code 1.
    Rejected(Rejection),
    /// Not a certificate: exit code 2.
    Unreadable(Unreadable),
}

/// Stub.
#[derive(Debug)]
pub struct Rejection {}

/// Stub.
#[derive(Debug)]
pub struct Unreadable {}

/// Checks a whole certificate held in memory.
pub fn check_bytes(_bytes: &[u8]) -> Result<Verified, Refusal> {
    Err(Refusal::Unreadable(Unreadable {}))
}
