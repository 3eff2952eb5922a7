//! Jobs as a whole, with one made-up document. No test asserts a time: an expected event happens,
//! or the test fails after a minute.

mod fake;

use std::sync::Arc;
use std::time::Duration;

use super::documents::{JobBucket, MemoryBucket};
use super::wire::{
    ColorName, JobKind, JobLimits, JobOutcome, JobScope, JobState, ScoreName, StoredJob,
};
use super::*;
use crate::problem::ProblemKind;
use fake::{DOCUMENT, FakeDocuments, TestServer};

/// Black has a live three, and is to move.
const LIVE_THREE: &str = "J10 / A1 S19 / K11 L12 / A3 S17";
/// A search that takes longer than any test.
const LONG: &str = "J10 / I8 H9";

fn at_end(kind: JobKind, server: &TestServer) -> JobOrder {
    JobOrder::new(kind, DOCUMENT, server.documents.last())
}

fn limits(order: u32, nodes: u64) -> JobLimits {
    JobLimits { order: Some(order), nodes: Some(nodes), seconds: None }
}

#[test]
fn solve_finds_a_win_with_a_certificate_that_checks() {
    let server = TestServer::new(FakeDocuments::game("connect6", LIVE_THREE));
    let job = server.done(at_end(JobKind::Solve, &server));
    assert_eq!(job.state, JobState::Done, "{}", job.text);
    assert_eq!((job.limits.order, job.limits.nodes), (Some(2), Some(200_000)));
    let written = server.documents.written();
    let [(node, result, Some(certificate))] = &written[..] else { panic!("{written:?}") };
    assert_eq!((*node, result.outcome), (server.documents.last(), JobOutcome::Proved));
    assert_eq!(result.attacker, ColorName::Black);
    assert_eq!(result.certificate.as_deref(), Some(&*crate::proofs::hash(certificate)));
    assert!(sixproof_check::check_bytes(certificate).is_ok());
    assert_eq!(result.line[0].len(), 2, "a move of two stones");
    assert_eq!(job.result.as_ref(), Some(result));
    assert_eq!((job.done, job.total), (1, 1));

    // The other side has no win, and the result no certificate.
    let order = JobOrder { attacker: Some(ColorName::White), ..at_end(JobKind::Solve, &server) };
    let result = server.done(order).result.unwrap();
    assert_ne!(result.outcome, JobOutcome::Proved);
    assert_eq!(result.certificate, None);
}

#[test]
fn what_was_found_is_in_the_store_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = || Some(Arc::new(Store::open(folder.path().join("store.redb")).unwrap()));
    for text in ["verified", "verified, from the store"] {
        let documents = FakeDocuments::game("connect6", LIVE_THREE);
        let server = TestServer::with(documents, store(), Arc::new(MemoryBucket::default()));
        let job = server.done(at_end(JobKind::Prove, &server));
        assert!(job.text.ends_with(text), "{}", job.text);
        assert!(server.documents.written()[0].2.is_some());
    }
}

#[test]
fn a_check_reads_the_certificate_again() {
    let server = TestServer::new(FakeDocuments::game("connect6", LIVE_THREE));
    let refused = server.jobs.order(at_end(JobKind::Check, &server)).unwrap_err();
    assert!(refused.title.contains("no certificate"), "{refused:?}");
    server.done(at_end(JobKind::Solve, &server));
    let job = server.done(at_end(JobKind::Check, &server));
    assert_eq!(job.state, JobState::Done);
    assert!(job.text.contains("read the certificate again"), "{}", job.text);
    // A damaged certificate is refused, although the document has it.
    server.documents.spoil_certificates();
    let job = server.done(at_end(JobKind::Check, &server));
    assert_eq!(job.state, JobState::Failed);
    assert!(job.text.contains("the checker refuses"), "{}", job.text);
    let (_, result, certificate) = server.documents.written().pop().unwrap();
    assert_eq!((result.outcome, certificate), (JobOutcome::Unknown, None));
}

#[test]
fn a_proof_goes_on_after_a_pause() {
    let folder = tempfile::tempdir().unwrap();
    let store = Some(Arc::new(Store::open(folder.path().join("store.redb")).unwrap()));
    let documents = FakeDocuments::game("19,19,6,2,3", "I9 I11 J10");
    let server = TestServer::with(documents, store, Arc::new(MemoryBucket::default()));
    let order = JobOrder { attacker: Some(ColorName::Black), ..at_end(JobKind::Prove, &server) };
    let id = server.jobs.order(order).unwrap().id;
    server.wait(id, |job| job.state.is_ended() || job.progress.is_some());
    match server.jobs.pause(id) {
        Ok(paused) => {
            assert_eq!((paused.state, paused.worker), (JobState::Paused, None));
            assert!(paused.progress.is_some());
            assert!(server.documents.written().is_empty());
            server.jobs.resume(id).unwrap();
        }
        // A fast machine ends the job before the pause.
        Err(problem) => assert_eq!(problem.kind, Some(ProblemKind::JobEnded)),
    }
    let job = server.wait(id, |job| job.state.is_ended());
    assert_eq!(job.state, JobState::Done, "{}", job.text);
    assert_eq!(job.result.unwrap().outcome, JobOutcome::Proved);
    let written = server.documents.written();
    assert_eq!(written.len(), 1);
    assert!(sixproof_check::check_bytes(written[0].2.as_ref().unwrap()).is_ok());
}

#[test]
fn a_cancelled_job_writes_nothing_and_the_next_one_begins() {
    let server = TestServer::new(FakeDocuments::game("connect6", LONG));
    let long = server.jobs.order(at_end(JobKind::Prove, &server)).unwrap().id;
    let quick = JobOrder { limits: limits(1, 100), ..at_end(JobKind::Prove, &server) };
    let quick = server.jobs.order(quick).unwrap().id;
    server.wait(long, |job| job.progress.is_some());
    assert_eq!(server.jobs.get(quick).unwrap().state, JobState::Queued, "the lane is taken");
    assert_eq!(server.jobs.cancel(long).unwrap().state, JobState::Cancelled);
    server.wait(quick, |job| job.state == JobState::Done);
    assert!(server.documents.written().iter().all(|(_, result, _)| result.job == quick));
    let again = server.jobs.repeat(long).unwrap();
    assert!(again.id > quick && again.state != JobState::Cancelled);
    server.jobs.cancel(again.id).unwrap();
    server.jobs.forget(long).unwrap();
    assert!(server.jobs.get(long).is_err());
    assert!(server.events().contains(&JobEvent::Removed(vec![long])));
}

#[test]
fn a_game_does_not_wait_for_a_proof() {
    let server = TestServer::new(FakeDocuments::game("connect6", LONG));
    let long = server.jobs.order(at_end(JobKind::Prove, &server)).unwrap().id;
    let analysis = server.jobs.order(at_end(JobKind::Analyse, &server)).unwrap().id;
    server.wait(analysis, |job| job.progress.is_some());
    let order = JobOrder { style: Some("greedy".to_string()), ..at_end(JobKind::Play, &server) };
    assert_eq!(server.done(order).state, JobState::Done);
    assert!(!server.jobs.get(long).unwrap().state.is_ended());
    assert!(!server.jobs.get(analysis).unwrap().state.is_ended(), "it only gave way");
    server.wait(analysis, |job| job.state == JobState::Running);
}

#[test]
fn a_running_job_goes_on_after_a_restart() {
    let bucket: Arc<MemoryBucket> = Arc::default();
    let documents = || FakeDocuments::game("connect6", LONG);
    let server = TestServer::with(documents(), None, Arc::clone(&bucket));
    let first = server.jobs.order(at_end(JobKind::Solve, &server)).unwrap().id;
    server.wait(first, |job| job.state.is_ended());
    let id = server.jobs.order(at_end(JobKind::Prove, &server)).unwrap().id;
    server.wait(id, |job| job.state == JobState::Running);
    // A server that is killed leaves the job as it was; one that is shut down leaves it queued.
    let state = |bucket: &MemoryBucket| {
        let kept = bucket.all().unwrap().into_iter().find(|(other, _)| *other == id).unwrap();
        StoredJob::from_bytes(&kept.1).unwrap().job.state
    };
    assert_eq!(state(&bucket), JobState::Running);
    let killed = Arc::new(MemoryBucket::default());
    for (id, bytes) in bucket.all().unwrap() {
        killed.put(id, &bytes).unwrap();
    }
    server.jobs.shutdown();
    assert_eq!(state(&bucket), JobState::Queued);
    for bucket in [bucket, killed] {
        let server = TestServer::with(documents(), None, bucket);
        assert_eq!(server.jobs.get(first).unwrap().state, JobState::Done);
        server.wait(id, |job| job.state == JobState::Running);
        let next = server.jobs.order(at_end(JobKind::Solve, &server)).unwrap().id;
        assert!(next > id, "numbers are not used twice");
    }
}

#[test]
fn numbers_are_not_given_again_when_everything_is_forgotten() {
    let bucket: Arc<MemoryBucket> = Arc::default();
    let documents = || FakeDocuments::game("connect6", LIVE_THREE);
    let server = TestServer::with(documents(), None, Arc::clone(&bucket));
    let id = server.done(at_end(JobKind::Solve, &server)).id;
    server.jobs.forget(id).unwrap();
    drop(server);
    // A record that cannot be read is not a job, and its number is not given again either.
    bucket.put(40, b"from the future").unwrap();
    let server = TestServer::with(documents(), None, bucket);
    assert!(server.jobs.list().is_empty());
    assert_eq!(server.done(at_end(JobKind::Solve, &server)).id, 41);
}

#[test]
fn the_move_that_threw_a_proved_win_away_is_found() {
    // Black wins by force after A2, and not after B3.
    let server = TestServer::new(FakeDocuments::game("tic-tac-toe", "A1 / A2 / B3 / B2"));
    let order = JobOrder { scope: JobScope::Line, ..at_end(JobKind::Solve, &server) };
    let job = server.done(order);
    assert_eq!(job.state, JobState::Done, "{}", job.text);
    assert_eq!((job.done, job.total), (5, 5));
    assert!(job.text.contains("1 move threw a proved win away"), "{}", job.text);
    let written = server.documents.written();
    let thrown: Vec<_> =
        written.iter().filter(|(_, r, _)| r.outcome == JobOutcome::ThrownAway).collect();
    let [(3, result, None)] = thrown[..] else { panic!("{thrown:?}") };
    assert_eq!((result.attacker, &result.certificate), (ColorName::Black, &None));
    let text = &result.text;
    assert!(text.starts_with("before B3, Black had a proved win (order 1, certificate "), "{text}");
    assert!(text.ends_with("after it none was found within order <= 2, 200,000 nodes"), "{text}");
    let proved = written.iter().filter(|(_, r, _)| r.outcome == JobOutcome::Proved);
    assert_eq!(proved.map(|(node, ..)| *node).collect::<Vec<_>>(), [2]);
}

#[test]
fn a_win_that_is_kept_is_not_called_thrown_away() {
    let server =
        TestServer::new(FakeDocuments::game("tic-tac-toe", "A1 / A2 / C1 / B1 / C3 / B2 / C2"));
    let order = JobOrder { scope: JobScope::Document, ..at_end(JobKind::Solve, &server) };
    let job = server.done(order);
    assert_eq!(job.state, JobState::Done, "{}", job.text);
    let written = server.documents.written();
    assert!(written.iter().all(|(_, result, _)| result.outcome != JobOutcome::ThrownAway));
    let proved = written.iter().filter(|(_, r, _)| r.outcome == JobOutcome::Proved);
    assert_eq!(proved.map(|(node, ..)| *node).collect::<Vec<_>>(), [2, 3, 4, 5, 6]);
}

#[test]
fn a_verification_names_the_replies_that_are_left() {
    // White's own move, which leaves even a null move unanswered.
    let server = TestServer::new(FakeDocuments::game("connect6", LONG));
    let order = JobOrder { limits: limits(3, 20_000), ..at_end(JobKind::Verify, &server) };
    let job = server.done(order);
    let result = job.result.unwrap();
    assert_eq!((result.outcome, result.attacker), (JobOutcome::Unknown, ColorName::White));
    assert!(!result.unsolved.is_empty());
    assert!(!job.progress.unwrap().unsolved.is_empty(), "they are reported on the way");
    assert_eq!(server.documents.written()[0].0, server.documents.last());
}

#[test]
fn a_move_that_is_verified_is_added_to_the_tree() {
    let server = TestServer::new(FakeDocuments::game("connect6", LIVE_THREE));
    let won = server.done(JobOrder { node: 4, ..at_end(JobKind::Solve, &server) });
    let best = won.result.unwrap().line[0].clone();
    let order = JobOrder { node: 4, squares: Some(best), ..at_end(JobKind::Verify, &server) };
    let job = server.done(order);
    assert_eq!(job.result.unwrap().outcome, JobOutcome::Proved);
    let (node, _, certificate) = server.documents.written().pop().unwrap();
    assert!(certificate.is_some());
    let again = server.done(JobOrder::new(JobKind::Verify, DOCUMENT, node));
    assert_eq!(again.attacker, ColorName::Black);
    assert_eq!(again.result.unwrap().outcome, JobOutcome::Proved);
}

#[test]
fn the_engine_plays_legal_moves_with_reasons() {
    for (game, moves) in [("connect6", LONG), ("tic-tac-toe", "A1"), ("inf,6,2,1", "0,0")] {
        for style in ["sixproof", "greedy", "random"] {
            let server = TestServer::new(FakeDocuments::game(game, moves));
            let order = JobOrder {
                style: Some(style.to_string()),
                level: Some(3),
                limits: JobLimits { nodes: Some(500), ..JobLimits::default() },
                ..at_end(JobKind::Play, &server)
            };
            let (node, before) =
                (server.documents.last(), server.documents.position_at(server.documents.last()));
            let job = server.done(order);
            assert_eq!(job.state, JobState::Done, "{}", job.text);
            assert!(job.text.contains(" plays "), "{}", job.text);
            let after = server.documents.position_at(server.documents.last());
            assert_eq!(after.to_move(), !before.to_move(), "a whole move");
            let (at, result, _) = server.documents.written().pop().unwrap();
            assert_eq!((at, result.kind), (node, JobKind::Play));
            assert!(!result.moves[0].reason.is_empty());
        }
    }
}

#[test]
fn a_clock_is_kept() {
    let server = TestServer::new(FakeDocuments::game("connect6", LONG));
    let order = JobOrder { clock_seconds: Some(0.2), ..at_end(JobKind::Play, &server) };
    let job = server.done(order);
    assert_eq!((job.state, job.limits.seconds), (JobState::Done, None));
}

#[test]
fn an_analysis_grows_until_its_limit_and_knows_facts_from_values() {
    let server = TestServer::new(FakeDocuments::game("connect6", LONG));
    let order = JobOrder {
        limits: JobLimits { nodes: Some(10_000), ..JobLimits::default() },
        ..at_end(JobKind::Analyse, &server)
    };
    let job = server.done(order);
    let result = job.result.unwrap();
    assert_eq!((result.outcome, result.moves[0].score), (JobOutcome::Value, ScoreName::Value));
    let sizes: Vec<u64> = server.documents.written().iter().map(|(_, r, _)| r.nodes).collect();
    assert!(sizes.len() > 1 && sizes.is_sorted(), "{sizes:?}");

    let server = TestServer::new(FakeDocuments::game("connect6", LIVE_THREE));
    let job = server.done(at_end(JobKind::Analyse, &server));
    let result = job.result.unwrap();
    assert_eq!((result.outcome, result.moves[0].score), (JobOutcome::Proved, ScoreName::Win));
    let (_, _, certificate) = server.documents.written().pop().unwrap();
    assert!(sixproof_check::check_bytes(&certificate.unwrap()).is_ok());
}

#[test]
fn wrong_orders_are_refused_with_a_reason_and_help() {
    let server = TestServer::new(FakeDocuments::game("tic-tac-toe", "A1 / A2 / B1 / B2 / C1"));
    let order = |kind, node| JobOrder::new(kind, DOCUMENT, node);
    let squares = |name: &str| Some(vec![name.to_string()]);
    let limited = |order, nodes, seconds| JobLimits { order, nodes, seconds };
    let solve = || order(JobKind::Solve, 2);
    let verify = || order(JobKind::Verify, 2);
    for (wrong, status, title) in [
        (JobOrder::new(JobKind::Solve, "other", 0), 404, "no document `other`"),
        (order(JobKind::Solve, 77), 404, "no node 77"),
        (order(JobKind::Solve, 5), 409, "Black has won"),
        (order(JobKind::Play, 5), 409, "Black has won"),
        (order(JobKind::Check, 2), 409, "no certificate"),
        (order(JobKind::Verify, 0), 400, "no move of its own"),
        (JobOrder { priority: 11, ..solve() }, 400, "priority 11"),
        (JobOrder { limits: limited(Some(0), None, None), ..solve() }, 400, "order 0"),
        (JobOrder { limits: limited(Some(10), None, None), ..solve() }, 400, "order 10"),
        (JobOrder { limits: limited(None, Some(0), None), ..solve() }, 400, "0 nodes"),
        (JobOrder { limits: limited(None, None, Some(0.0)), ..solve() }, 400, "0 seconds"),
        (JobOrder { limits: limited(None, None, Some(f64::NAN)), ..solve() }, 400, "NaN seconds"),
        (JobOrder { clock_seconds: Some(-1.0), ..order(JobKind::Play, 2) }, 400, "-1 seconds"),
        (JobOrder { style: Some("loud".to_string()), ..solve() }, 400, "loud"),
        (JobOrder { level: Some(0), ..solve() }, 400, "no level 0"),
        (JobOrder { lines: Some(11), ..solve() }, 400, "11 moves"),
        (JobOrder { squares: squares("C3"), ..solve() }, 400, "no move to verify"),
        (JobOrder { scope: JobScope::Line, ..order(JobKind::Play, 2) }, 400, "one position"),
        (JobOrder { scope: JobScope::Line, ..order(JobKind::Analyse, 2) }, 400, "needs a limit"),
        (JobOrder { squares: squares("A1"), ..verify() }, 400, "A1: the square is taken"),
        (JobOrder { squares: squares("D4"), ..verify() }, 400, "off the board"),
        (JobOrder { squares: squares("?"), ..verify() }, 400, "not a square"),
        (JobOrder { squares: Some(Vec::new()), ..verify() }, 400, "too few"),
        (JobOrder { squares: squares("C1"), node: 4, ..verify() }, 400, "completes a line"),
        (
            JobOrder { squares: squares("C3"), attacker: Some(ColorName::White), ..verify() },
            400,
            "White cannot be the attacker",
        ),
    ] {
        let refused = server.jobs.order(wrong.clone()).expect_err(title);
        assert_eq!(refused.status, status, "{refused:?}");
        assert!(refused.title.contains(title), "{refused:?}");
        assert!(refused.help.is_some(), "{refused:?}");
    }
    assert!(server.jobs.list().is_empty());
}

#[test]
fn a_document_that_is_gone_ends_its_job_and_not_the_server() {
    let server = TestServer::new(FakeDocuments::game("connect6", LONG));
    let id = server.jobs.order(at_end(JobKind::Prove, &server)).unwrap().id;
    let waiting = server.jobs.order(at_end(JobKind::Prove, &server)).unwrap().id;
    server.documents.lose();
    server.jobs.cancel(id).unwrap();
    let job = server.wait(waiting, |job| job.state.is_ended());
    assert_eq!(job.state, JobState::Failed);
    assert!(job.text.contains("no document"), "{}", job.text);
}

/// The longest wait of a test.
const PATIENCE: Duration = Duration::from_secs(60);
