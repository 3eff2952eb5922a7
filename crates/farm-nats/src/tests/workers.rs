//! Bad workers, and workers that join and leave.

use super::*;

#[test]
fn a_worker_of_another_build_is_refused_with_a_clear_message() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let other = TestWorker::with(&server, "old", 1, "7-00000000000000cd", Lies::Nothing, &log);
    farm.submit(job("tell", 1, Priority::Auto));
    until("it is refused", || other.has_event("Refused"));
    for signature in ["7-00000000000000ab", "7-00000000000000cd"] {
        assert!(other.has_event(signature), "{:?}", other.events.lock().unwrap());
    }
    let refused = |report| match report {
        Some(FarmEvent::Notice(Notice::Refused { name, .. })) => name == "old",
        _ => false,
    };
    until("the farm reports it", || refused(farm.wait(Duration::from_millis(50))));
    assert_eq!(log.count("begun"), 0);
    let _right = TestWorker::start(&server, "new", 1, &log);
    answers(&farm, 1);
}

#[test]
fn a_worker_leaves_even_without_its_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let worker = TestWorker::start(&server, "one", 2, &log);
    farm.submit(job("slow 600000", 1, Priority::Auto));
    farm.submit(job("slow 500", 2, Priority::Auto));
    until("both have begun", || log.count("begun") == 2);
    server.kill();
    until("a result cannot be sent", || log.count("ended") == 1);
    worker.leave();
    assert_eq!(log.count("stopped"), 1);
}

#[test]
fn a_lying_worker_is_dropped_and_its_job_is_done_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let (lies, log) = (Log::default(), Log::default());
    let liar = TestWorker::with(&server, "liar", 1, SIGNATURE, Lies::Certificates, &lies);
    let win = job("win", 1, Priority::Auto);
    farm.submit(win.clone());
    until("it is dropped", || liar.has_event("Dismissed"));
    // It may have prefetched the job again when it lied.
    let begun = lies.count("begun");
    assert!(begun <= 2, "it began {begun} jobs");
    let _honest = TestWorker::start(&server, "honest", 1, &log);
    let (found, notices) = answers(&farm, 1);
    assert_eq!(found[&win.id], good(format!("{CLAIM} {WIN}")));
    let dropped =
        |notice: &Notice| matches!(notice, Notice::Dropped { name, .. } if name == "liar");
    assert!(notices.iter().any(dropped), "{notices:?}");
    assert_eq!(lies.count("begun"), begun, "it gets no other job");
    let status = farm.status().unwrap();
    assert_eq!(status.dropped.len(), 1);
    assert!(status.dropped[0].why.contains("certificate"), "{:?}", status.dropped);
    // The journal remembers who it was.
    farm.stop();
    assert_eq!(super::farm(&server, folder.path()).status().unwrap().dropped.len(), 1);
}

#[test]
fn a_worker_that_leaves_returns_its_jobs_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let first = TestWorker::start(&server, "first", 1, &log);
    let slow = job("slow 1000", 1, Priority::Auto);
    farm.submit(slow.clone());
    until("it has begun", || log.count("begun") == 1);
    first.leave();
    assert_eq!((log.count("stopped"), log.count("ended")), (1, 0));
    let _second = TestWorker::start(&server, "second", 1, &log);
    let (found, notices) = answers(&farm, 1);
    assert_eq!(found[&slow.id], good("slow 1000 1"));
    let left = |notice: &Notice| matches!(notice, Notice::Left { name, .. } if name == "first");
    assert!(notices.iter().any(left), "{notices:?}");
}
