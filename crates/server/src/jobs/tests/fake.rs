//! One made-up document, and the jobs of a server on it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sixproof_game::{Color, Position, Square, moves};
use sixproof_store::Store;

use super::super::documents::{JobDocuments, JobNode, MemoryBucket};
use super::super::wire::{Job, JobId, JobOrder, JobResult, JobScope, NodeId};
use super::super::{JobEvent, Jobs, Resources};
use super::PATIENCE;
use crate::problem::{ApiResult, Problem};

pub(super) const DOCUMENT: &str = "d1";

/// A node, a result, and its certificate.
pub(super) type Written = (NodeId, JobResult, Option<Vec<u8>>);

/// A document whose every node has one move.
pub(super) struct FakeDocuments {
    nodes: Mutex<Vec<JobNode>>,
    written: Mutex<Vec<Written>>,
    is_lost: Mutex<bool>,
}

impl FakeDocuments {
    /// A document with one line of moves.
    pub(super) fn game(game: &str, text: &str) -> FakeDocuments {
        let record = moves::read(game.parse().unwrap(), text).unwrap();
        let start = Position::new(record.game);
        let documents = FakeDocuments {
            nodes: Mutex::new(vec![JobNode { position: start, parent: None, last: None }]),
            written: Mutex::default(),
            is_lost: Mutex::new(false),
        };
        for text in text.split(" / ") {
            let at = documents.last();
            let position = documents.position_at(at);
            let (squares, _) = moves::read_move(&position, text).unwrap();
            documents.play(DOCUMENT, at, &squares).unwrap();
        }
        documents
    }

    /// The node that was added last.
    pub(super) fn last(&self) -> NodeId {
        NodeId::try_from(self.nodes.lock().unwrap().len() - 1).unwrap()
    }

    pub(super) fn position_at(&self, node: NodeId) -> Position {
        self.nodes.lock().unwrap()[node as usize].position.clone()
    }

    pub(super) fn written(&self) -> Vec<Written> {
        self.written.lock().unwrap().clone()
    }

    /// Cuts every certificate short.
    pub(super) fn spoil_certificates(&self) {
        for (_, _, certificate) in self.written.lock().unwrap().iter_mut() {
            if let Some(bytes) = certificate {
                bytes.truncate(bytes.len() / 2);
            }
        }
    }

    /// From now on there is no document.
    pub(super) fn lose(&self) {
        *self.is_lost.lock().unwrap() = true;
    }

    fn find(&self, document: &str) -> ApiResult<()> {
        if document == DOCUMENT && !*self.is_lost.lock().unwrap() {
            return Ok(());
        }
        Err(Problem::missing(format!("there is no document `{document}`")).help("open one"))
    }
}

impl JobDocuments for FakeDocuments {
    fn title(&self, document: &str) -> ApiResult<String> {
        self.find(document).map(|()| "a game".to_string())
    }

    fn position(&self, document: &str, node: NodeId) -> ApiResult<JobNode> {
        self.find(document)?;
        let nodes = self.nodes.lock().unwrap();
        nodes.get(node as usize).cloned().ok_or_else(|| {
            Problem::missing(format!("there is no node {node}")).help("it may have been deleted")
        })
    }

    fn nodes_of(&self, document: &str, node: NodeId, scope: JobScope) -> ApiResult<Vec<NodeId>> {
        self.find(document)?;
        Ok(match scope {
            JobScope::Node => vec![node],
            JobScope::Line | JobScope::Document => (0..=self.last()).collect(),
            JobScope::Subtree => (node..=self.last()).collect(),
        })
    }

    fn write_result(
        &self,
        document: &str,
        node: NodeId,
        result: &JobResult,
        certificate: Option<&[u8]>,
    ) -> ApiResult<()> {
        self.find(document)?;
        let certificate = certificate.map(<[u8]>::to_vec);
        self.written.lock().unwrap().push((node, result.clone(), certificate));
        Ok(())
    }

    fn play(&self, document: &str, node: NodeId, squares: &[Square]) -> ApiResult<NodeId> {
        let JobNode { mut position, .. } = self.position(document, node)?;
        let color = position.to_move();
        for &square in squares {
            position.place(square).map_err(|illegal| Problem::bad(illegal.to_string()))?;
        }
        let last = Some((color, squares.to_vec()));
        self.nodes.lock().unwrap().push(JobNode { position, parent: Some(node), last });
        Ok(self.last())
    }

    fn certificate(&self, document: &str, node: NodeId) -> ApiResult<Option<(Color, Vec<u8>)>> {
        self.find(document)?;
        let written = self.written.lock().unwrap();
        let of_node = written.iter().filter(|(at, ..)| *at == node);
        let mut certified = of_node.filter_map(|(_, result, certificate)| {
            Some((result.attacker.into(), certificate.clone()?))
        });
        Ok(certified.next())
    }
}

/// Jobs on the document, and the messages that they publish.
pub(super) struct TestServer {
    pub(super) jobs: Jobs,
    pub(super) documents: Arc<FakeDocuments>,
    events: Arc<Mutex<Vec<JobEvent>>>,
}

impl TestServer {
    pub(super) fn new(documents: FakeDocuments) -> TestServer {
        TestServer::with(documents, None, Arc::new(MemoryBucket::default()))
    }

    pub(super) fn with(
        documents: FakeDocuments,
        store: Option<Arc<Store>>,
        bucket: Arc<MemoryBucket>,
    ) -> TestServer {
        let documents = Arc::new(documents);
        let events: Arc<Mutex<Vec<JobEvent>>> = Arc::default();
        let published = Arc::clone(&events);
        let ticks = std::sync::atomic::AtomicU64::new(1_000);
        let jobs = Jobs::new(Resources {
            documents: Arc::<FakeDocuments>::clone(&documents),
            store,
            bucket,
            publish: Arc::new(move |item| published.lock().unwrap().push(item)),
            threads: 1,
            clock: Arc::new(move || ticks.fetch_add(1, std::sync::atomic::Ordering::Relaxed)),
        });
        TestServer { jobs: jobs.unwrap(), documents, events }
    }

    /// Waits until a job is as wanted.
    pub(super) fn wait(&self, id: JobId, is_wanted: impl Fn(&Job) -> bool) -> Job {
        let start = Instant::now();
        loop {
            let job = self.jobs.get(id).unwrap();
            if is_wanted(&job) {
                return job;
            }
            assert!(start.elapsed() < PATIENCE, "{job:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Has a job done.
    pub(super) fn done(&self, order: JobOrder) -> Job {
        let id = self.jobs.order(order).unwrap().id;
        self.wait(id, |job| job.state.is_ended())
    }

    pub(super) fn events(&self) -> Vec<JobEvent> {
        self.events.lock().unwrap().clone()
    }
}
