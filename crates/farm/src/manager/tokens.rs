//! Tokens: with one a worker downloads the body of its job over HTTP, and uploads one certificate.
//!
//! A token contains its job and attempt, and a keyed hash proves that this manager made it. The
//! manager need not store the tokens of its assignments, so that they stay valid after a restart.

use super::Manager;
use crate::id::JobId;
use std::collections::BTreeSet;

/// Bytes of a token: 16 of the job, 4 of the attempt, 12 of the keyed hash.
const TOKEN_BYTES: usize = 32;

/// The permit of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// None: another manager made it, or its job is closed.
    Unknown,
    /// It was used for an upload that has succeeded or still runs.
    Used,
    /// It may be used for one upload.
    Open,
}

/// The token of an attempt at a job, of the manager with this secret.
pub fn token(secret: &[u8; 32], job: JobId, attempt: u32) -> [u8; TOKEN_BYTES] {
    let named = [&job.0[..], &attempt.to_le_bytes()].concat();
    let hash = blake3::keyed_hash(secret, &[b"token", &named[..]].concat());
    let mut token = *hash.as_bytes();
    token[..named.len()].copy_from_slice(&named);
    token
}

impl Manager {
    /// The permit of a token.
    pub fn permit(&mut self, token: &[u8; TOKEN_BYTES]) -> Permit {
        match self.attempt_of(token) {
            None => Permit::Unknown,
            Some((used, attempt)) if used.contains(&attempt) => Permit::Used,
            Some(_) => Permit::Open,
        }
    }

    /// As [`Manager::permit`]; an open token is used from now on.
    pub fn use_token(&mut self, token: &[u8; TOKEN_BYTES]) -> Permit {
        match self.attempt_of(token) {
            None => Permit::Unknown,
            Some((used, attempt)) => match used.insert(attempt) {
                true => Permit::Open,
                false => Permit::Used,
            },
        }
    }

    /// Makes a used token open again, after a failed upload.
    pub fn release_token(&mut self, token: &[u8; TOKEN_BYTES]) {
        if let Some((used, attempt)) = self.attempt_of(token) {
            used.remove(&attempt);
        }
    }

    /// The attempt of a token, and the attempts at its job whose tokens are used.
    fn attempt_of(&mut self, text: &[u8; TOKEN_BYTES]) -> Option<(&mut BTreeSet<u32>, u32)> {
        let (job, rest) = text.split_first_chunk()?;
        let (job, attempt) = (JobId(*job), u32::from_le_bytes(*rest.first_chunk()?));
        let ours = token(&self.settings.secret, job, attempt);
        // The comparison of blake3 takes constant time.
        if blake3::Hash::from_bytes(ours) != blake3::Hash::from_bytes(*text) {
            return None;
        }
        Some((self.used_tokens(job)?, attempt))
    }

    /// The attempts at an open job, or at an audit, whose tokens are used.
    fn used_tokens(&mut self, job: JobId) -> Option<&mut BTreeSet<u32>> {
        match self.open.contains_key(&job) {
            true => self.open.get_mut(&job).map(|open| &mut open.used),
            false => self.used_tokens_of_audit(job),
        }
    }
}
