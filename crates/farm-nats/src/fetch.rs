//! The worker's side of large bodies: it downloads jobs from the manager and uploads certificates
//! to it, over HTTP with the token of the assignment. It verifies every download by its hash.

use std::io::Read as _;
use std::thread;
use std::time::{Duration, Instant};

use sixproof_farm::hex;
use sixproof_farm::wire::{Assignment, Body, REMOTE_BYTES_MAX};

use super::nats;

/// Largest number of attempts at a transfer: the manager may be restarting.
const ATTEMPTS_MAX: usize = 12;
/// How long a connection, and a whole transfer, may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const TRANSFER_TIMEOUT: Duration = Duration::from_secs(600);

/// Interval of the checks for a stop between two attempts.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The blake3 hash of bytes.
pub(crate) fn hash(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// The body of a job; the download ends once the job `is_stopped`.
pub(crate) fn body(
    assignment: &Assignment,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Vec<u8>, String> {
    match &assignment.body {
        Body::Inline(bytes) => Ok(bytes.clone()),
        Body::Remote { hash: name, len } => {
            if *len > REMOTE_BYTES_MAX {
                return Err(format!("the job is too large: {len} bytes"));
            }
            let url = address(assignment, "bodies", name)?;
            let bytes = retry(is_stopped, || {
                let request = agent().get(&url).header("Authorization", bearer(assignment));
                let answer = request.call().map_err(|error| Fault::of(&error))?;
                let mut bytes = Vec::new();
                let mut reader = answer.into_body().into_reader().take(len.saturating_add(1));
                reader.read_to_end(&mut bytes).map_err(|error| Fault::passing(&error))?;
                Ok(bytes)
            })
            .map_err(|why| format!("cannot download the job from its manager: {why}"))?;
            if bytes.len() as u64 != *len || hash(&bytes) != *name {
                return Err("the downloaded job has another hash".to_string());
            }
            Ok(bytes)
        }
    }
}

/// Uploads a certificate to the manager.
pub(crate) fn upload(
    assignment: &Assignment,
    bytes: &[u8],
    is_stopped: &dyn Fn() -> bool,
) -> Result<Body, String> {
    let name = hash(bytes);
    let url = address(assignment, "certificates", &name)?;
    retry(is_stopped, || {
        let request = agent().put(&url).header("Authorization", bearer(assignment));
        request.send(bytes).map(|_| ()).map_err(|error| Fault::of(&error))
    })
    .map_err(|why| format!("cannot upload the certificate to its manager: {why}"))?;
    Ok(Body::Remote { hash: name, len: bytes.len() as u64 })
}

fn address(assignment: &Assignment, folder: &str, name: &[u8; 32]) -> Result<String, String> {
    if assignment.url.is_empty() {
        return Err("the manager has no HTTP server for large bodies".to_string());
    }
    if !assignment.url.starts_with("http://") {
        return Err(format!("the manager's address is not http://: {}", assignment.url));
    }
    Ok(format!("{}/{folder}/{}", assignment.url, hex(name)))
}

fn bearer(assignment: &Assignment) -> String {
    format!("Bearer {}", hex(&assignment.token))
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_global(Some(TRANSFER_TIMEOUT))
        // A redirect would send the token elsewhere.
        .max_redirects(0)
        .proxy(None)
        .build();
    config.new_agent()
}

/// A failed attempt; whether another one may succeed.
struct Fault {
    why: String,
    may_pass: bool,
}

impl Fault {
    fn passing(error: &dyn std::fmt::Display) -> Fault {
        Fault { why: error.to_string(), may_pass: true }
    }

    fn of(error: &ureq::Error) -> Fault {
        match error {
            ureq::Error::StatusCode(status) => {
                let why = match status {
                    401 | 403 => "the manager does not know the token".to_string(),
                    404 => "the manager does not have it".to_string(),
                    413 => "it is too large".to_string(),
                    status => format!("the manager answers {status}"),
                };
                // A restarted manager receives its jobs one after the other.
                Fault { why, may_pass: matches!(status, 403 | 500..) }
            }
            error => Fault::passing(error),
        }
    }
}

/// Repeats an attempt until it succeeds, fails for good, or has no attempts left.
fn retry<T>(
    is_stopped: &dyn Fn() -> bool,
    mut attempt: impl FnMut() -> Result<T, Fault>,
) -> Result<T, String> {
    for number in 1.. {
        match attempt() {
            Ok(value) => return Ok(value),
            Err(fault) if !fault.may_pass || number == ATTEMPTS_MAX => return Err(fault.why),
            Err(_) => {
                let until = Instant::now() + nats::delay(number + 1);
                while Instant::now() < until {
                    if is_stopped() {
                        return Err("the job was stopped".to_string());
                    }
                    thread::sleep(POLL_INTERVAL);
                }
            }
        }
    }
    unreachable!("the attempts are counted")
}
