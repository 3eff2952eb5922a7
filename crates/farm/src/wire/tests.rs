//! Laws of the messages: reading inverts writing, and noise is refused.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::*;
use crate::status::{Basis, DroppedRow, Status, Warning, WarningKind, WorkerRow};

fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text: String = u.arbitrary()?;
    while text.len() > TEXT_BYTES_MAX {
        text.pop();
    }
    Ok(text)
}

fn body(u: &mut Unstructured<'_>) -> Result<Body> {
    Ok(if u.arbitrary()? {
        Body::Inline(u.arbitrary()?)
    } else {
        Body::Remote { hash: u.arbitrary()?, len: u.int_in_range(0..=REMOTE_BYTES_MAX)? }
    })
}

fn job(u: &mut Unstructured<'_>) -> Result<JobId> {
    Ok(JobId(u.arbitrary()?))
}

fn manager(u: &mut Unstructured<'_>) -> Result<ManagerId> {
    Ok(ManagerId(u.arbitrary()?))
}

fn worker(u: &mut Unstructured<'_>) -> Result<WorkerId> {
    Ok(WorkerId(u.arbitrary()?))
}

fn assignment(u: &mut Unstructured<'_>) -> Result<Assignment> {
    Ok(Assignment {
        manager: manager(u)?,
        job: job(u)?,
        attempt: u.arbitrary()?,
        body: body(u)?,
        url: text(u)?,
        token: u.arbitrary()?,
    })
}

fn to_worker(u: &mut Unstructured<'_>) -> Result<ToWorker> {
    let (manager, worker) = (manager(u)?, worker(u)?);
    Ok(match u.int_in_range(0..=5)? {
        0 => ToWorker::Here {
            manager,
            signature: text(u)?,
            version: text(u)?,
            lease_ms: u.arbitrary()?,
            epoch: u.arbitrary()?,
        },
        1 => {
            let (epoch, queue) = (u.arbitrary()?, QueueId(u.arbitrary()?));
            ToWorker::Welcome { manager, worker, epoch, queue }
        }
        2 => ToWorker::Refused { manager, worker, why: text(u)? },
        3 => ToWorker::Dismissed { manager, worker, why: text(u)? },
        4 => ToWorker::Cancel { manager, job: job(u)? },
        _ => ToWorker::Introduce { manager, worker },
    })
}

fn from_worker(u: &mut Unstructured<'_>) -> Result<FromWorker> {
    let worker = worker(u)?;
    Ok(match u.int_in_range(0..=5)? {
        0 => FromWorker::Hello {
            worker,
            name: text(u)?,
            version: text(u)?,
            signature: text(u)?,
            cores: u.int_in_range(0..=4_096)?,
        },
        1 => FromWorker::Beat {
            worker,
            running: u
                .arbitrary_iter::<([u8; 16], u64)>()?
                .map(|row| row.map(|(job, nodes)| (JobId(job), nodes)))
                .collect::<Result<_>>()?,
            elsewhere: u.arbitrary()?,
            done: u.arbitrary()?,
            nodes: u.arbitrary()?,
        },
        2 => FromWorker::Started { worker, job: job(u)?, attempt: u.arbitrary()? },
        3 => {
            let (job, nodes, found) = (job(u)?, u.arbitrary()?, u.arbitrary()?);
            FromWorker::Partial { worker, job, nodes, found }
        }
        4 => FromWorker::Returned { worker, job: job(u)?, attempt: u.arbitrary()? },
        _ => FromWorker::Bye { worker },
    })
}

fn result(u: &mut Unstructured<'_>) -> Result<WorkerResult> {
    Ok(WorkerResult {
        manager: manager(u)?,
        worker: worker(u)?,
        signature: text(u)?,
        job: job(u)?,
        attempt: u.arbitrary()?,
        body: u.arbitrary()?,
        nodes: u.arbitrary()?,
        outcome: match u.int_in_range(0..=2)? {
            0 => Outcome::Won(body(u)?),
            1 => Outcome::Uncertified(u.arbitrary()?),
            _ => Outcome::Failed(text(u)?),
        },
    })
}

fn status(u: &mut Unstructured<'_>) -> Result<Status> {
    let row = WorkerRow {
        worker: worker(u)?,
        name: text(u)?,
        version: text(u)?,
        cores: u.arbitrary()?,
        running: u.arbitrary()?,
        done: u.arbitrary()?,
        nodes: u.arbitrary()?,
        silent_ms: u.arbitrary()?,
        lost: u.arbitrary()?,
    };
    let kinds = [WarningKind::TooManyWorkers, WarningKind::OpenServer];
    let kind = *u.choose(&kinds)?;
    let warning = Warning { kind, text: text(u)?, count: u.arbitrary()? };
    Ok(Status {
        manager: manager(u)?,
        version: text(u)?,
        signature: text(u)?,
        up_ms: u.arbitrary()?,
        connected: u.arbitrary()?,
        worker_count: u.arbitrary()?,
        core_count: u.arbitrary()?,
        workers: vec![row; u.int_in_range(0..=3)?],
        dropped: vec![DroppedRow { name: text(u)?, why: text(u)? }; u.int_in_range(0..=3)?],
        queued_user: u.arbitrary()?,
        queued_auto: u.arbitrary()?,
        running: u.arbitrary()?,
        judging: u.arbitrary()?,
        answered: u.arbitrary()?,
        given_up: u.arbitrary()?,
        answered_last_minute: u.arbitrary()?,
        nodes_last_minute: u.arbitrary()?,
        nodes: u.arbitrary()?,
        oldest_ms: u.arbitrary()?,
        basis: Basis { answers: u.arbitrary()?, audit: u.arbitrary()?, ..Basis::default() },
        warnings: vec![warning; u.int_in_range(0..=3)?],
    })
}

/// The number of kinds of message that bytes can be read as.
fn readings(bytes: &[u8]) -> usize {
    let read = [
        Assignment::from_bytes(bytes).is_ok_and(|m| m.is_within_limits()),
        ToWorker::from_bytes(bytes).is_ok_and(|m| m.is_within_limits()),
        FromWorker::from_bytes(bytes).is_ok_and(|m| m.is_within_limits()),
        WorkerResult::from_bytes(bytes).is_ok_and(|m| m.is_within_limits()),
        StatusQuestion::from_bytes(bytes).is_ok_and(|m| m.is_within_limits()),
        Status::from_bytes(bytes).is_ok_and(|m| m.is_within_limits()),
    ];
    read.iter().filter(|is_read| **is_read).count()
}

fn message(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(match u.int_in_range(0..=5)? {
        0 => assignment(u)?.to_bytes(),
        1 => to_worker(u)?.to_bytes(),
        2 => from_worker(u)?.to_bytes(),
        3 => result(u)?.to_bytes(),
        4 => StatusQuestion.to_bytes(),
        _ => status(u)?.to_bytes(),
    })
}

#[test]
fn a_message_is_read_as_it_is_written() {
    arbtest(|u| {
        let message = assignment(u)?;
        assert_eq!(Assignment::from_bytes(&message.to_bytes()), Ok(message));
        let message = to_worker(u)?;
        assert_eq!(ToWorker::from_bytes(&message.to_bytes()), Ok(message));
        let message = from_worker(u)?;
        assert_eq!(FromWorker::from_bytes(&message.to_bytes()), Ok(message));
        let message = result(u)?;
        assert_eq!(WorkerResult::from_bytes(&message.to_bytes()), Ok(message));
        let message = status(u)?;
        assert_eq!(Status::from_bytes(&message.to_bytes()), Ok(message));
        Ok(())
    });
    let question = StatusQuestion.to_bytes();
    assert_eq!(StatusQuestion::from_bytes(&question), Ok(StatusQuestion));
}

#[test]
fn a_message_is_of_one_kind_and_neither_its_parts_nor_more_are_messages() {
    arbtest(|u| {
        let mut bytes = message(u)?;
        assert_eq!(readings(&bytes), 1);
        let shorter = u.choose_index(bytes.len())?;
        assert_eq!(readings(&bytes[..shorter]), 0, "cut to {shorter}");
        bytes.push(u.arbitrary()?);
        assert_eq!(readings(&bytes), 0, "longer");
        Ok(())
    });
}

#[test]
fn noise_never_panics() {
    arbtest(|u| {
        let mut bytes = message(u)?;
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.choose_index(bytes.len())?;
            bytes[at] = u.arbitrary()?;
        }
        assert!(readings(&bytes) <= 1);
        let noise: Vec<u8> = u.arbitrary()?;
        readings(&noise);
        readings(&[b"6P\x01\x00\x03", noise.as_slice()].concat());
        Ok(())
    });
}

#[test]
fn another_version_is_refused_with_both_versions() {
    let mut bytes = StatusQuestion.to_bytes();
    bytes[2..4].copy_from_slice(&7_u16.to_le_bytes());
    bytes.extend(b"whatever version 7 may have here");
    let error = StatusQuestion::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, WireError::Version { theirs: 7, ours: VERSION });
    let text = error.to_string();
    assert!(text.contains("version 7") && text.contains("version 2"), "{text}");
    assert_eq!(StatusQuestion::from_bytes(b"6Q\x02\x00\x05"), Err(WireError::NotAMessage));
    assert_eq!(StatusQuestion::from_bytes(b"6P\x02\x00\x04"), Err(WireError::Kind(4)));
}

#[test]
fn a_message_over_a_limit_is_refused() {
    let worker = WorkerId([0; 16]);
    let long = "x".repeat(TEXT_BYTES_MAX + 1);
    let too_many = vec![(JobId([0; 16]), 0); RUNNING_MAX + 1];
    let beat = FromWorker::Beat { worker, running: too_many, elsewhere: 0, done: 0, nodes: 0 };
    let [name, version, signature] = ["n", "v", "s"].map(String::from);
    let hello = FromWorker::Hello { worker, name: long, version, signature, cores: 1 };
    let hordes = FromWorker::Hello {
        worker,
        name,
        version: String::new(),
        signature: String::new(),
        cores: u16::MAX,
    };
    let job = JobId([0; 16]);
    let partial =
        FromWorker::Partial { worker, job, nodes: 0, found: vec![0; FOUND_BYTES_MAX + 1] };
    for message in [beat, hello, hordes, partial] {
        assert!(!message.is_within_limits());
        let mut bytes = FromWorker::Bye { worker }.to_bytes();
        bytes.truncate(5);
        let bytes = postcard::to_extend(&message, bytes).unwrap();
        assert!(matches!(FromWorker::from_bytes(&bytes), Err(WireError::TooLarge(_))));
    }
    let huge = [&StatusQuestion.to_bytes()[..], &vec![0; MESSAGE_BYTES_MAX]].concat();
    let error = StatusQuestion::from_bytes(&huge).unwrap_err();
    assert_eq!(error, WireError::TooLarge("the bytes of a message"));
}
