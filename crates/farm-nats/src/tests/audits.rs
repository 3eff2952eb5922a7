//! Workers that lie where no certificate is needed, or sleep; and what an operator is told.

use sixproof_farm::WarningKind;
use sixproof_farm::journal::{self as records, Author, Record};

use super::*;

/// All reports until this one, and it.
fn reports(farm: &Farm, what: &str, is_last: impl Fn(&Report) -> bool) -> Vec<Report> {
    let (mut reports, start) = (Vec::new(), Instant::now());
    loop {
        assert!(start.elapsed() < NEVER, "never: {what}; {reports:?}");
        if let Some(report) = farm.wait(Duration::from_millis(50)) {
            let is_it = is_last(&report);
            reports.push(report);
            if is_it {
                return reports;
            }
        }
    }
}

fn is_answer(words: &'static str) -> impl Fn(&Report) -> bool {
    move |report| match report {
        Report::Answer { answer, .. } => *answer == good(words),
        _ => false,
    }
}

fn is_dropped(name: &str) -> impl Fn(&Report) -> bool {
    move |report| matches!(report, Report::Notice(Notice::Dropped { name: it, .. }) if it == name)
}

#[test]
fn a_worker_that_tells_lies_is_dropped_and_its_answers_are_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let (lies, log) = (Log::default(), Log::default());
    let liar = Hand::hired(&server, "liar", 1, SIGNATURE, Lies::Words, &lies);
    let first = job("tell", 1, Priority::Auto);
    farm.submit(first.clone());
    reports(&farm, "it is dropped", is_dropped("liar"));
    until("it hears of it", || liar.was_told("Dismissed"));
    // This machine has found the answer itself: the job is not done again.
    farm.submit(first.clone());
    reports(&farm, "the right answer is given", is_answer("tell 1"));
    // An honest worker gets the next job from queues that the other does not know.
    let _honest = Hand::start(&server, "honest", 1, &log);
    farm.submit(job("tell", 2, Priority::Auto));
    reports(&farm, "the next answer is given", is_answer("tell 2"));
    farm.settle();
    reports(&farm, "all is settled", |report| *report == Report::Settled);
    let basis = farm.status().unwrap().basis;
    assert!(basis.answers > 0 && basis.done_again == basis.answers, "{basis:?}");
    assert_eq!((basis.workers, basis.dropped), (1, 1));
    farm.stop();
    let journal = std::fs::read(folder.path().join("search.journal")).unwrap();
    let own = |record: &Record| matches!(record, Record::Answered { by: Author::Own, .. });
    assert!(records::read(&journal).unwrap().records.iter().any(own));
    let again = super::farm(&server, folder.path());
    assert_eq!(again.recall(&first.key), Some((10, b"tell 1".to_vec())));
}

#[test]
fn a_liar_that_audits_an_honest_worker_is_dropped_and_the_honest_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let log = Log::default();
    // All answers are done again, half of them by the other worker.
    let farm = Farm::start(Setup { audit: 10_000, ..setup(&server, folder.path()) }).unwrap();
    let _honest = Hand::start(&server, "honest", 1, &log);
    let mut number = 0;
    // The honest one is known before the other comes.
    for _ in 0..8 {
        number += 1;
        farm.submit(job("tell", number, Priority::Auto));
        answers(&farm, 1);
    }
    let lies = Log::default();
    let _liar = Hand::hired(&server, "liar", 1, SIGNATURE, Lies::Words, &lies);
    until("both are there", || farm.status().unwrap().workers.len() == 2);
    for _ in 0..8 {
        number += 1;
        farm.submit(job("slow 30", number, Priority::Auto));
        farm.submit(job("tell", number, Priority::Auto));
    }
    let seen = reports(&farm, "the liar is dropped", is_dropped("liar"));
    assert!(!seen.iter().any(is_dropped("honest")), "{seen:?}");
    let status = farm.status().unwrap();
    assert_eq!(status.dropped.len(), 1);
    assert!(status.dropped[0].why.contains("own machine"), "{:?}", status.dropped);
}

#[test]
fn a_worker_that_beats_and_never_answers_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let (slept, log) = (Log::default(), Log::default());
    let _sleeper = Hand::hired(&server, "sleeper", 1, SIGNATURE, Lies::Sleeps, &slept);
    let stuck = job("tell", 1, Priority::Auto);
    farm.submit(stuck.clone());
    until("it has begun", || slept.count("begun") == 1);
    let _honest = Hand::start(&server, "honest", 1, &log);
    let (found, _) = answers(&farm, 1);
    assert_eq!(found[&stuck.id], good("tell 1"));
}

#[test]
fn a_deleted_stream_is_made_again_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let farm = farm(&server, folder.path());
    let log = Log::default();
    let _hand = Hand::start(&server, "one", 1, &log);
    farm.submit(job("tell", 1, Priority::Auto));
    answers(&farm, 1);
    delete_streams(&server);
    farm.submit(job("tell", 2, Priority::Auto));
    let warns = |report: &Report| match report {
        Report::Notice(Notice::Warning(it)) => it.kind == WarningKind::StreamMissing,
        _ => false,
    };
    reports(&farm, "people are told", warns);
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
        Record::Answer { key: b"win 1".to_vec(), nodes: 1, record: win.clone() },
        Record::Answer { key: b"tell 1".to_vec(), nodes: 1, record: b"by whom?".to_vec() },
    ];
    let frames: Vec<u8> = older.iter().flat_map(Record::to_frame).collect();
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
    let hire: Hire = Arc::new(|| Box::new(Pretender { log: Log::default(), lies: Lies::Nothing }));
    let hand = Hand::working(worker::Setup { connection: connection("worker"), settings, hire });
    for number in 1..=8 {
        farm.submit(job("tell", number, Priority::Auto));
    }
    answers(&farm, 8);
    let kinds: Vec<WarningKind> =
        farm.status().unwrap().warnings.iter().map(|warning| warning.kind).collect();
    assert!(!kinds.contains(&WarningKind::OpenServer), "{kinds:?}");
    // What a worker must not do is not done.
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
    assert!(!hand.was_told("Open"), "{:?}", hand.told.lock().unwrap());
    hand.leave();
}

#[test]
fn a_worker_of_a_server_without_permissions_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start(folder.path());
    let hand = Hand::start(&server, "one", 1, &Log::default());
    until("it is told", || hand.was_told("Open"));
}
