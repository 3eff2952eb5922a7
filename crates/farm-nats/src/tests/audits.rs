//! Workers that lie without a certificate, or sleep; and the warnings for the operator.

use sixproof_farm::WarningKind;
use sixproof_farm::journal::{self as records, Author, JournalRecord};

use super::*;

/// All events up to and including this one.
fn events(farm: &Farm, what: &str, is_last: impl Fn(&FarmEvent) -> bool) -> Vec<FarmEvent> {
    let (mut events, start) = (Vec::new(), Instant::now());
    loop {
        assert!(start.elapsed() < NEVER, "never: {what}; {events:?}");
        if let Some(event) = farm.wait(Duration::from_millis(50)) {
            let is_it = is_last(&event);
            events.push(event);
            if is_it {
                return events;
            }
        }
    }
}

fn is_answer(words: &'static str) -> impl Fn(&FarmEvent) -> bool {
    move |report| match report {
        FarmEvent::Answer { answer, .. } => *answer == good(words),
        _ => false,
    }
}

fn is_dropped(name: &str) -> impl Fn(&FarmEvent) -> bool {
    move |report| match report {
        FarmEvent::Notice(Notice::Dropped { name: dropped, .. }) => dropped == name,
        _ => false,
    }
}

#[test]
fn a_lying_worker_is_dropped_and_its_answers_are_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let (lies, log) = (Log::default(), Log::default());
    let liar = TestWorker::with(&server, "liar", 1, SIGNATURE, Lies::Uncertified, &lies);
    let first = job("tell", 1, Priority::Auto);
    farm.submit(first.clone());
    events(&farm, "it is dropped", is_dropped("liar"));
    until("it is dismissed", || liar.has_event("Dismissed"));
    // This machine has found the right answer: no worker does the job again.
    farm.submit(first.clone());
    events(&farm, "the right answer is given", is_answer("tell 1"));
    // An honest worker gets the next job from queues that the liar does not know.
    let _honest = TestWorker::start(&server, "honest", 1, &log);
    farm.submit(job("tell", 2, Priority::Auto));
    events(&farm, "the next answer is given", is_answer("tell 2"));
    farm.settle();
    events(&farm, "all is settled", |report| *report == FarmEvent::Settled);
    let basis = farm.status().unwrap().basis;
    assert!(basis.answers > 0 && basis.done_again == basis.answers, "{basis:?}");
    assert_eq!((basis.workers, basis.dropped), (1, 1));
    farm.stop();
    let journal = std::fs::read(folder.path().join("search.journal")).unwrap();
    let own =
        |record: &JournalRecord| matches!(record, JournalRecord::Answered { by: Author::Own, .. });
    assert!(records::read(&journal).unwrap().records.iter().any(own));
    let again = super::farm(&server, folder.path());
    assert_eq!(again.recall(&first.key), Some((10, b"tell 1".to_vec())));
}

#[test]
fn a_liar_that_audits_an_honest_worker_is_dropped_and_the_honest_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let log = Log::default();
    // All answers are audited, half of them by the other worker.
    let farm = Farm::start(Setup { audit: 10_000, ..setup(&server, folder.path()) }).unwrap();
    let _honest = TestWorker::start(&server, "honest", 1, &log);
    let mut number = 0;
    // The honest worker has answered before the liar joins.
    for _ in 0..8 {
        number += 1;
        farm.submit(job("tell", number, Priority::Auto));
        answers(&farm, 1);
    }
    let lies = Log::default();
    let _liar = TestWorker::with(&server, "liar", 1, SIGNATURE, Lies::Uncertified, &lies);
    until("both are there", || farm.status().unwrap().workers.len() == 2);
    for _ in 0..8 {
        number += 1;
        farm.submit(job("slow 30", number, Priority::Auto));
        farm.submit(job("tell", number, Priority::Auto));
    }
    let seen = events(&farm, "the liar is dropped", is_dropped("liar"));
    assert!(!seen.iter().any(is_dropped("honest")), "{seen:?}");
    let status = farm.status().unwrap();
    assert_eq!(status.dropped.len(), 1);
    assert!(status.dropped[0].why.contains("own machine"), "{:?}", status.dropped);
}

#[test]
fn a_worker_that_beats_and_never_answers_delays_no_job() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let (slept, log) = (Log::default(), Log::default());
    let _sleeper = TestWorker::with(&server, "sleeper", 1, SIGNATURE, Lies::Sleeps, &slept);
    let stuck = job("tell", 1, Priority::Auto);
    farm.submit(stuck.clone());
    until("it has begun", || slept.count("begun") == 1);
    let _honest = TestWorker::start(&server, "honest", 1, &log);
    let (found, _) = answers(&farm, 1);
    assert_eq!(found[&stuck.id], good("tell 1"));
}

#[test]
fn a_deleted_stream_is_created_again_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let _hand = TestWorker::start(&server, "one", 1, &log);
    farm.submit(job("tell", 1, Priority::Auto));
    answers(&farm, 1);
    delete_streams(&server);
    farm.submit(job("tell", 2, Priority::Auto));
    let warns = |report: &FarmEvent| match report {
        FarmEvent::Notice(Notice::Warning(it)) => it.kind == WarningKind::StreamMissing,
        _ => false,
    };
    events(&farm, "the farm warns", warns);
    let kinds = || farm.status().unwrap().warnings.into_iter().map(|it| it.kind);
    assert!(kinds().any(|kind| kind == WarningKind::StreamMissing));
    assert!(kinds().any(|kind| kind == WarningKind::OpenServer));
    until("the job is answered", || farm.recall(&job("tell", 2, Priority::Auto).key).is_some());
}

fn delete_streams(server: &NatsServer) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        for stream in ["SIXPROOF_JOBS", "SIXPROOF_RESULTS"] {
            let call = format!("$JS.API.STREAM.DELETE.{stream}");
            client.request(call, "".into()).await.unwrap();
        }
    });
}

#[test]
fn answers_of_an_older_journal_count_if_they_are_proofs() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let win = format!("{CLAIM} {WIN}").into_bytes();
    let older = [
        JournalRecord::Answer { key: b"win 1".to_vec(), nodes: 1, record: win.clone() },
        JournalRecord::Answer { key: b"tell 1".to_vec(), nodes: 1, record: b"by whom?".to_vec() },
    ];
    let frames: Vec<u8> = older.iter().flat_map(JournalRecord::to_frame).collect();
    std::fs::write(folder.path().join("search.journal"), [records::HEADER, &frames].concat())
        .unwrap();
    let farm = farm(&server, folder.path());
    assert_eq!(farm.recall(b"win 1"), Some((1, win)));
    assert_eq!(farm.recall(b"tell 1"), None);
}

/// The settings that docs/protocol.md recommends, with passwords.
fn page_settings(folder: &Path) -> String {
    let page = include_str!("../../../../docs/protocol.md");
    let block = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let store = format!("{:?}", folder.join("js"));
    block.replace("\"/var/lib/nats\"", &store).replace("$2a$11$...", "hush")
}

#[test]
fn the_permissions_of_the_page_are_enough_for_a_worker_and_for_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::with(folder.path(), &page_settings(folder.path()));
    std::fs::write(folder.path().join("password"), "hush").unwrap();
    let connection = |user: &str| {
        let (user, password_file) = (Some(user.to_string()), Some(folder.path().join("password")));
        let access = Access { user, password_file, ..Access::default() };
        Connection::new(Some(&server.url()), &access).unwrap()
    };
    let farm =
        Farm::start(Setup { connection: connection("search"), ..setup(&server, folder.path()) })
            .unwrap();
    let mut settings = Settings::new(WorkerId([5; 16]), "one", "1", SIGNATURE, 1);
    settings.wait_ms = 200;
    let handlers: HandlerFactory =
        Arc::new(|| Box::new(FakeHandler { log: Log::default(), lies: Lies::Nothing }));
    let worker =
        TestWorker::of(worker::Setup { connection: connection("worker"), settings, handlers });
    for number in 1..=8 {
        farm.submit(job("tell", number, Priority::Auto));
    }
    answers(&farm, 8);
    let kinds: Vec<WarningKind> =
        farm.status().unwrap().warnings.iter().map(|warning| warning.kind).collect();
    assert!(!kinds.contains(&WarningKind::OpenServer), "{kinds:?}");
    // Other requests of a worker are refused.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = async_nats::ConnectOptions::new()
            .user_and_password("worker".to_string(), "hush".to_string())
            .request_timeout(Some(Duration::from_millis(500)));
        let client = options.connect(server.url()).await.unwrap();
        for call in ["STREAM.DELETE.SIXPROOF_JOBS", "STREAM.NAMES", "CONSUMER.NAMES.SIXPROOF_JOBS"]
        {
            let asked = client.request(format!("$JS.API.{call}"), "".into()).await;
            assert!(asked.is_err(), "{call}: {asked:?}");
        }
    });
    farm.submit(job("tell", 9, Priority::Auto));
    answers(&farm, 1);
    assert!(!worker.has_event("Open"), "{:?}", worker.events.lock().unwrap());
    worker.leave();
}

#[test]
fn a_worker_warns_of_a_server_without_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let worker = TestWorker::start(&server, "one", 1, &Log::default());
    until("it warns", || worker.has_event("Open"));
}
