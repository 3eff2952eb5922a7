//! Jobs and their answers.

use super::*;

#[test]
fn every_job_is_answered_and_the_journal_remembers_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let workers = ["one", "two"].map(|name| TestWorker::start(&server, name, 2, &log));
    until("both are welcome", || farm.status().unwrap().workers.len() == 2);
    assert_eq!(farm.capacity(), 6, "one job for each core, and one prefetched by each worker");
    let win = job("win", 0, Priority::User);
    farm.submit(win.clone());
    for number in 1..100 {
        farm.submit(job("tell", number, Priority::Auto));
    }
    let (found, _) = answers(&farm, 100);
    assert_eq!(found[&win.id], good(format!("{CLAIM} {WIN}")));
    let seventh = job("tell", 7, Priority::Auto);
    assert_eq!(found[&seventh.id], good("tell 7"));
    assert!(log.count("begun") < 120, "few jobs are done twice: {}", log.count("begun"));
    assert_eq!(farm.recall(&seventh.key), Some((10, b"tell 7".to_vec())));
    assert_eq!(farm.recall(b"something else"), None);
    let status = farm.status().unwrap();
    assert_eq!((status.answered, status.running, status.queued_auto), (100, 0, 0));
    assert_eq!(status.nodes, 1_000);
    farm.settle();
    until("all is settled", || farm.wait(Duration::from_millis(50)) == Some(FarmEvent::Settled));
    farm.stop();
    let again = super::farm(&server, folder.path());
    assert_eq!(again.recorded_count(), 100);
    assert_eq!(again.recall(&seventh.key), Some((10, b"tell 7".to_vec())));
    for worker in workers {
        worker.leave();
    }
}

#[test]
fn a_withdrawn_job_is_stopped_at_its_worker() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let worker = TestWorker::start(&server, "one", 1, &log);
    let long = job("slow 600000", 1, Priority::Auto);
    farm.submit(long.clone());
    // Findings arrive while the job runs.
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < NEVER);
        if let Some(FarmEvent::Partial { job, found, .. }) = farm.wait(Duration::from_millis(50))
            && found == b"a start"
        {
            assert_eq!(job, long.id);
            break;
        }
    }
    farm.withdraw(long.id);
    until("it is stopped", || log.count("stopped") == 1);
    farm.submit(job("tell", 2, Priority::Auto));
    let (found, _) = answers(&farm, 1);
    assert!(!found.contains_key(&long.id));
    assert!(worker.has_event("Cancelled"));
}

#[test]
fn user_jobs_come_before_automatic_ones() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let _hand = TestWorker::start(&server, "one", 1, &log);
    // One that it does, and one that it prefetches.
    farm.submit(job("slow 1500", 0, Priority::Auto));
    farm.submit(job("slow 100", 0, Priority::Auto));
    until("the worker is busy", || farm.status().unwrap().running == 2);
    for number in 1..=5 {
        farm.submit(job("tell", number, Priority::Auto));
    }
    farm.submit(job("tell", 9, Priority::User));
    until("all are in their queues", || {
        let status = farm.status().unwrap();
        (status.queued_auto, status.queued_user) == (5, 1)
    });
    assert_eq!(log.count("ended"), 0, "the worker is still busy");
    answers(&farm, 8);
    assert_eq!(log.all("begun")[2], "tell 9");
}

#[test]
fn a_job_that_fails_everywhere_is_given_up_and_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let _hand = TestWorker::start(&server, "one", 2, &log);
    let jobs = ["fail", "crash", "tell"].map(|what| job(what, 1, Priority::Auto));
    jobs.iter().for_each(|job| farm.submit(job.clone()));
    let (found, _) = answers(&farm, 3);
    let why = |index: usize| match &found[&jobs[index].id] {
        Answered::GivenUp { why } => why.clone(),
        Answered::Good { .. } => panic!("it cannot be done"),
    };
    assert!(why(0).contains("it cannot be done"), "{}", why(0));
    assert!(why(1).contains("a crash of a test"), "{}", why(1));
    assert_eq!(found[&jobs[2].id], good("tell 1"));
}
