//! Jobs and certificates that are too large for a message travel over HTTP.

use sixproof_farm::hex;
use sixproof_farm::manager::token;

use crate::fetch::hash;

use super::*;

/// More bytes than fit into a message.
const LARGE: usize = 3 << 20;

#[test]
fn a_certificate_over_a_mebibyte_goes_over_http() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let _hand = TestWorker::start(&server, "one", 1, &log);
    let large = job(&format!("large {LARGE}"), 1, Priority::Auto);
    farm.submit(large.clone());
    let (found, _) = answers(&farm, 1);
    let Answered::Good { record } = &found[&large.id] else { panic!("{found:?}") };
    assert!(record.len() > LARGE);
    let left = || std::fs::read_dir(folder.path().join("search.journal.bodies")).unwrap().count();
    until("it is kept in the journal only", || left() == 0);
}

#[test]
fn a_large_certificate_finds_its_manager_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let log = Log::default();
    let first = farm(&server, folder.path());
    let url = first.url().to_string();
    let _hand = TestWorker::start(&server, "one", 1, &log);
    let late = job(&format!("late {LARGE}"), 1, Priority::Auto);
    first.submit(late.clone());
    until("it has begun", || log.count("begun") == 1);
    first.crash();
    let second = farm(&server, folder.path());
    assert_eq!(second.url(), url);
    second.submit(late.clone());
    let (found, notices) = answers(&second, 1);
    let Answered::Good { record } = &found[&late.id] else { panic!("{found:?}") };
    assert!(record.len() > LARGE);
    let failed = |notice: &Notice| matches!(notice, Notice::Republished { .. });
    assert!(!notices.iter().any(failed), "the first certificate was taken: {notices:?}");
}

#[test]
fn a_token_is_valid_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let open = job("slow 600000", 1, Priority::Auto);
    let first = farm(&server, folder.path());
    first.submit(open.clone());
    first.withdraw(open.id);
    first.submit(open.clone());
    let token = token_of(&open, 2, folder.path());
    until("the second attempt is published", || put(first.url(), Some(&token), b"b", b"a") == 422);
    first.crash();
    let second = farm(&server, folder.path());
    assert_eq!(put(second.url(), Some(&token), b"a", b"a"), 403, "its job is not submitted");
    second.submit(open);
    until("its job is submitted", || put(second.url(), Some(&token), b"b", b"a") == 422);
    assert_eq!(put(second.url(), Some(&token), b"a", b"a"), 204);
}

#[test]
fn a_job_over_a_mebibyte_goes_over_http() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let _hand = TestWorker::start(&server, "one", 1, &log);
    let mut large = job("tell", 1, Priority::Auto);
    let text = format!("tell 1{}", " ".repeat(LARGE));
    large.body = Body::Inline(text.into_bytes());
    farm.submit(large.clone());
    let (found, _) = answers(&farm, 1);
    assert_eq!(found[&large.id], good("tell 1"));
}

#[test]
fn nothing_is_taken_without_the_token_of_an_open_job() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let put = |token: Option<&str>, name: &[u8], bytes: &[u8]| put(farm.url(), token, name, bytes);
    assert_eq!(put(None, b"a", b"a"), 401);
    assert_eq!(put(Some("no token"), b"a", b"a"), 401);
    assert_eq!(put(Some(&"0".repeat(64)), b"a", b"a"), 403);
    // The token of an open job, as its assignment has it.
    let open = job("slow 600000", 1, Priority::Auto);
    farm.submit(open.clone());
    let token = token_of(&open, 1, folder.path());
    until("it is published", || put(Some(&token), b"b", b"a") != 403);
    assert_eq!(put(Some(&token), b"b", b"a"), 422, "it is not what it is named after");
    assert_eq!(put(Some(&token), b"a", b"a"), 204, "what failed did not use the token up");
    assert_eq!(put(Some(&token), b"b", b"b"), 403, "a token is for one certificate");
    assert_eq!(put(Some(&token), b"a", b"a"), 204, "which may arrive twice");
    farm.withdraw(open.id);
    until("it is closed", || farm.status().unwrap().queued_auto == 0);
    assert_eq!(put(Some(&token), b"a", b"a"), 403);
}

/// Uploads bytes to a manager, under the hash of `name`; returns the status of the answer.
fn put(url: &str, token: Option<&str>, name: &[u8], bytes: &[u8]) -> u16 {
    let mut request = ureq::put(&format!("{url}/certificates/{}", hex(&hash(name))));
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    match request.send(bytes) {
        Ok(answer) => answer.status().as_u16(),
        Err(ureq::Error::StatusCode(status)) => status,
        Err(error) => panic!("{error}"),
    }
}

/// The token of an attempt at a job, as its assignment has it.
fn token_of(job: &Job, attempt: u32, folder: &Path) -> String {
    let secret = std::fs::read(folder.join("search.journal.secret")).unwrap();
    hex(&token(&secret.try_into().unwrap(), job.id, attempt))
}
