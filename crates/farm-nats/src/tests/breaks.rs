//! Manager, workers and server are killed and restarted: every job is answered, and no given answer
//! is lost.

use sixproof_farm::journal::{self, JournalRecord};

use super::*;

/// Number of kills.
const KILLS: u64 = 12;
const JOBS: u64 = 300;

#[test]
fn all_jobs_are_answered_after_many_kills_of_every_process() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = NatsServer::start(folder.path());
    let log = Log::default();
    let mut farm = Some(super::farm(&server, folder.path()));
    let mut workers =
        vec![TestWorker::start(&server, "a", 2, &log), TestWorker::start(&server, "b", 2, &log)];
    let jobs: Vec<Job> = (0..JOBS).map(|number| job("slow 20", number, Priority::Auto)).collect();
    let mut known: BTreeMap<JobId, Answered> = BTreeMap::new();
    let ask = |farm: &Farm, known: &BTreeMap<JobId, Answered>| {
        for job in jobs.iter().filter(|job| !known.contains_key(&job.id)) {
            farm.submit(job.clone());
        }
    };
    ask(farm.as_ref().unwrap(), &known);
    let mut kills = 0;
    let mut next_at = 20;
    let start = Instant::now();
    while known.len() < jobs.len() {
        assert!(start.elapsed() < NEVER, "{} answers after {kills} kills", known.len());
        if let Some(FarmEvent::Answer { job, answer, .. }) =
            farm.as_ref().unwrap().wait(Duration::from_millis(20))
        {
            assert!(matches!(answer, Answered::Good { .. }), "{answer:?}");
            known.insert(job, answer);
        }
        if known.len() < next_at || kills == KILLS {
            continue;
        }
        next_at += 20;
        kills += 1;
        match kills % 3 {
            0 => {
                server.kill();
                thread::sleep(Duration::from_millis(300));
                server.restart();
            }
            1 => {
                workers.remove(0).crash();
                workers.push(TestWorker::start(&server, &format!("worker {kills}"), 2, &log));
            }
            _ => {
                farm.take().unwrap().crash();
                let again = super::farm(&server, folder.path());
                let bytes = std::fs::read(folder.path().join("search.journal")).unwrap();
                let records = journal::read(&bytes).unwrap().records;
                for job in jobs.iter().filter(|job| known.contains_key(&job.id)) {
                    let is_its = |record: &JournalRecord| match record {
                        JournalRecord::Answered { key, .. } => *key == job.key,
                        _ => false,
                    };
                    assert!(records.iter().any(is_its), "an answer is on disk");
                }
                ask(&again, &known);
                farm = Some(again);
            }
        }
    }
    assert_eq!(kills, KILLS);
    for job in &jobs {
        assert_eq!(known[&job.id], good(job.key.clone()));
    }
}

#[test]
fn a_worker_waits_for_a_server_that_does_not_run_yet() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = NatsServer::start(folder.path());
    server.kill();
    let log = Log::default();
    let worker = TestWorker::start(&server, "early", 1, &log);
    until("it waits", || worker.has_event("Waiting"));
    server.restart();
    let farm = farm(&server, folder.path());
    farm.submit(job("tell", 1, Priority::Auto));
    answers(&farm, 1);
    worker.leave();
}
