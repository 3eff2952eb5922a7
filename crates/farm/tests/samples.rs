//! The bytes of version 2: a sample of every message, and a journal, as files of the suite.
//!
//! Other programs read and write these bytes, so they must not change without a new version. The
//! fuzzers start from the same files. `UPDATE_EXPECT=1` rewrites them.

use std::fs;
use std::path::Path;

use sixproof_farm::journal::{self, Author, Contents, HEADER, JournalRecord};
use sixproof_farm::wire::{
    Assignment, Body, FromWorker, Outcome, StatusQuestion, ToWorker, WorkerResult,
};
use sixproof_farm::{
    Basis, DroppedRow, JobId, ManagerId, QueueId, Status, Warning, WarningKind, WorkerId, WorkerRow,
};

const MANAGER: ManagerId = ManagerId(*b"a manager's name");
const WORKER: WorkerId = WorkerId(*b"one worker's id.");
const JOB: JobId = JobId(*b"the id of a job.");

fn assert_file(name: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/farm").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, bytes).unwrap();
    }
    let file = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(file, bytes, "{name}: the bytes of this version have changed");
}

fn text(text: &str) -> String {
    text.to_string()
}

#[test]
fn the_bytes_of_messages_are_those_of_the_suite() {
    let (manager, worker, job, attempt) = (MANAGER, WORKER, JOB, 2);
    let url = text("http://10.0.0.1:6116");
    let inline = Body::Inline(b"solve".to_vec());
    let remote = Body::Remote { hash: [7; 32], len: 1 << 20 };
    for (name, body) in [("inline", &inline), ("remote", &remote)] {
        let (body, url) = (body.clone(), url.clone());
        let message = Assignment { manager, job, attempt, body, url, token: [9; 32] };
        let bytes = message.to_bytes();
        assert_file(&format!("message-assignment-{name}"), &bytes);
        assert_eq!(Assignment::from_bytes(&bytes), Ok(message));
    }
    let (signature, version) = (text("4242"), text("0.1.0"));
    let why = text("the signatures differ");
    for (name, message) in [
        (
            "here",
            ToWorker::Here {
                manager,
                signature: signature.clone(),
                version: version.clone(),
                lease_ms: 45_000,
                epoch: 3,
            },
        ),
        ("welcome", ToWorker::Welcome { manager, worker, epoch: 3, queue: QueueId([6; 16]) }),
        ("refused", ToWorker::Refused { manager, worker, why: why.clone() }),
        ("dismissed", ToWorker::Dismissed { manager, worker, why: why.clone() }),
        ("cancel", ToWorker::Cancel { manager, job }),
        ("introduce", ToWorker::Introduce { manager, worker }),
    ] {
        let bytes = message.to_bytes();
        assert_file(&format!("message-{name}"), &bytes);
        assert_eq!(ToWorker::from_bytes(&bytes), Ok(message));
    }
    let hello = FromWorker::Hello {
        worker,
        name: text("host"),
        version: version.clone(),
        signature: signature.clone(),
        cores: 8,
    };
    let running = vec![(JOB, 1_000)];
    for (name, message) in [
        ("hello", hello),
        ("beat", FromWorker::Beat { worker, running, elsewhere: 1, done: 5, nodes: 300_000 }),
        ("started", FromWorker::Started { worker, job, attempt }),
        ("partial", FromWorker::Partial { worker, job, nodes: 500, found: b"F6 G6".to_vec() }),
        ("returned", FromWorker::Returned { worker, job, attempt }),
        ("bye", FromWorker::Bye { worker }),
    ] {
        let bytes = message.to_bytes();
        assert_file(&format!("message-{name}"), &bytes);
        assert_eq!(FromWorker::from_bytes(&bytes), Ok(message));
    }
    for (name, outcome) in [
        ("won", Outcome::Won(Body::Inline(b"sixproof-certificate 1 ...".to_vec()))),
        ("uncertified", Outcome::Uncertified(b"unknown".to_vec())),
        ("failed", Outcome::Failed(text("out of memory"))),
    ] {
        let signature = signature.clone();
        let (body, nodes) = ([5; 32], 1_234);
        let message =
            WorkerResult { manager, worker, signature, job, attempt, body, nodes, outcome };
        let bytes = message.to_bytes();
        assert_file(&format!("message-result-{name}"), &bytes);
        assert_eq!(WorkerResult::from_bytes(&bytes), Ok(message));
    }
    assert_file("message-question", &StatusQuestion.to_bytes());
    let row = WorkerRow {
        worker,
        name: text("host"),
        version: version.clone(),
        cores: 8,
        running: 2,
        done: 5,
        nodes: 300_000,
        silent_ms: 700,
        lost: false,
    };
    let status = Status {
        manager,
        version,
        signature,
        up_ms: 60_000,
        connected: true,
        worker_count: 1,
        core_count: 8,
        workers: vec![row],
        dropped: vec![DroppedRow { name: text("liar"), why }],
        queued_user: 1,
        queued_auto: 2,
        running: 3,
        judging: 4,
        answered: 5,
        given_up: 6,
        answered_last_minute: 7,
        nodes_last_minute: 8,
        nodes: 9,
        oldest_ms: 10,
        basis: Basis { answers: 11, workers: 2, done_again: 3, dropped: 1, audit: 200 },
        warnings: vec![Warning {
            kind: WarningKind::StreamMissing,
            text: text("a stream was missing"),
            count: 1,
        }],
    };
    let bytes = status.to_bytes();
    assert_file("message-status", &bytes);
    assert_eq!(Status::from_bytes(&bytes), Ok(status));
}

#[test]
fn the_bytes_of_a_journal_are_those_of_the_suite() {
    let records = vec![
        JournalRecord::Answer { key: b"key".to_vec(), nodes: 300, record: b"certificate".to_vec() },
        JournalRecord::Dropped {
            worker: WORKER,
            name: text("liar"),
            why: text("a bad certificate"),
        },
        JournalRecord::Answer { key: b"another".to_vec(), nodes: 1, record: Vec::new() },
        JournalRecord::Answered {
            key: b"a third".to_vec(),
            nodes: 2,
            record: b"unknown".to_vec(),
            by: Author::Worker(WORKER),
            certified: false,
            body: [5; 32],
        },
        JournalRecord::Audited { job: JOB, by: Author::Own },
    ];
    let frames: Vec<u8> = records.iter().flat_map(JournalRecord::to_frame).collect();
    let bytes = [HEADER, &frames].concat();
    assert_file("journal", &bytes);
    assert_eq!(journal::read(&bytes), Ok(Contents { good_len: bytes.len(), records }));
}
