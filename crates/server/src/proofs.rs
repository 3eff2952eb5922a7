//! The certificates of the editor: checked when they come in, stored by their hash, and walked.
//!
//! Everything that the editor says about a proof comes from a certificate that the checker has
//! verified. Every zone is the checker's, too: the zone of a node is that of the certificate which
//! is cut out of the whole one at that node.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sixproof_certificate::strategy::{self, Continuation, NodeId, NodeKind, Onward};
use sixproof_certificate::strategy::{Reply, RowKind, RowsQuery, Strategy};
use sixproof_certificate::{Certified, Claim, Proved, Zone, certify_file};
use sixproof_check::Counts;
use sixproof_game::picture::ZoneLayers;
use sixproof_game::{Color, Game, Square};
use sixproof_solve::failure::Failure;
use sixproof_store::packing::{self, Unpacked};
use sixproof_store::{Bucket, Store};

use super::library::storage::whole;
use super::problem::{ApiResult, Problem, ProblemKind};
use super::wire::{self, names};

/// The most certificates that are held in memory, and their bytes in all; the latest one always is.
const HELD_MAX: usize = 64;
const HELD_BYTES_MAX: usize = 64 << 20;
/// The most certificates whose verification by the checker is remembered.
const VERIFIED_MAX: usize = 4_096;
/// The owner of certificates in the bucket of documents.
const OWNER: &[u8] = b"certificates";
/// The level of compression: quick.
const ZSTD_LEVEL: i32 = 3;
/// The largest certificate that the editor accepts, in bytes.
pub(crate) const CERTIFICATE_BYTES_MAX: usize = 256 << 20;

/// The certificates of the editor. One that the checker has verified in this process is not checked
/// again: its hash identifies its bytes.
pub(crate) struct Proofs {
    store: Arc<Store>,
    held: Mutex<HeldProofs>,
}

#[derive(Default)]
struct HeldProofs {
    /// The last ones used, the latest first.
    proofs: VecDeque<Arc<CheckedProof>>,
    /// Certificates that are being read: all requests for one of them wait for the same answer.
    reading: BTreeMap<String, Arc<OnceLock<ApiResult<Arc<CheckedProof>>>>>,
    /// The verified claims by the hashes of their certificates, the latest first.
    verified: VecDeque<(String, Proved)>,
}

/// A certificate that the checker has verified, ready to be walked.
pub(crate) struct CheckedProof {
    pub(crate) hash: String,
    pub(crate) strategy: Strategy,
    proved: Proved,
    bytes: usize,
    /// The zones computed so far; `None` where the checker could not compute one.
    zones: Mutex<BTreeMap<NodeId, Option<Arc<Zone>>>>,
}

/// The name of a certificate: the BLAKE3 hash of its bytes.
pub(crate) fn hash(certificate: &[u8]) -> String {
    blake3::hash(certificate).to_hex().to_string()
}

impl Proofs {
    pub(crate) fn new(store: Arc<Store>) -> Proofs {
        Proofs { store, held: Mutex::default() }
    }

    /// Accepts a certificate if the checker verifies it. It is on disk after the next flush.
    pub(crate) fn take(&self, certificate: &[u8]) -> ApiResult<Arc<CheckedProof>> {
        let hash = hash(certificate);
        if let Some(held) = self.lock().find(&hash) {
            return Ok(held);
        }
        let proof = self.read(&hash, || Ok(Cow::Borrowed(certificate)))?;
        let packed = packing::pack(certificate, ZSTD_LEVEL)
            .map_err(|error| Problem::unreadable(&Failure::io("the certificate", &error)))?;
        self.store.bucket(Bucket::Documents).put(OWNER, hash.as_bytes(), &packed)?;
        Ok(proof)
    }

    /// A certificate by its hash.
    pub(crate) fn get(&self, hash: &str) -> ApiResult<Arc<CheckedProof>> {
        self.read(hash, || Ok(Cow::Owned(self.certificate(hash)?)))
    }

    /// The proof of this hash. Requests at the same time read it once.
    fn read<'a>(
        &self,
        hash: &str,
        certificate: impl FnOnce() -> ApiResult<Cow<'a, [u8]>>,
    ) -> ApiResult<Arc<CheckedProof>> {
        let reading = {
            let mut held = self.lock();
            if let Some(proof) = held.find(hash) {
                return Ok(proof);
            }
            Arc::clone(held.reading.entry(hash.to_string()).or_default())
        };
        let read = || {
            let certificate = certificate()?;
            let verified = self.lock().verified.iter().find(|(of, _)| of == hash).cloned();
            CheckedProof::new(hash, &certificate, verified.map(|(_, proved)| proved)).map(Arc::new)
        };
        let proof = reading.get_or_init(read).clone();
        let mut held = self.lock();
        held.reading.remove(hash);
        if let Ok(proof) = &proof {
            held.hold(proof);
        }
        proof
    }

    /// The claim that a certificate proves, and the checker's counts.
    pub(crate) fn proved(&self, hash: &str) -> ApiResult<Proved> {
        let known = self.lock().verified.iter().find(|(of, _)| of == hash).cloned();
        match known {
            Some((_, proved)) => Ok(proved),
            None => Ok(self.get(hash)?.proved.clone()),
        }
    }

    /// The bytes of a certificate.
    pub(crate) fn certificate(&self, hash: &str) -> ApiResult<Vec<u8>> {
        Unpacked::whole(&self.packed(hash)?[..], CERTIFICATE_BYTES_MAX)
            .map_err(|error| Problem::internal(format!("a certificate is damaged: {error}")))
    }

    /// A certificate as it is stored.
    fn packed(&self, hash: &str) -> ApiResult<Vec<u8>> {
        let missing = || {
            let shown: String = hash.chars().take(64).collect();
            Problem::missing(format!("there is no certificate {shown}"))
                .help("search the position again")
        };
        let is_hash = hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        let kept = match is_hash {
            true => whole(self.store.bucket(Bucket::Documents).get(OWNER, hash.as_bytes())?)?,
            false => None,
        };
        kept.ok_or_else(missing)
    }

    /// For tests: a certificate that is not held, and that another thread is reading.
    #[cfg(test)]
    pub(crate) fn being_read(&self, hash: &str) -> Arc<OnceLock<ApiResult<Arc<CheckedProof>>>> {
        let mut held = self.lock();
        held.proofs.retain(|proof| proof.hash != hash);
        Arc::clone(held.reading.entry(hash.to_string()).or_default())
    }

    fn lock(&self) -> MutexGuard<'_, HeldProofs> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldProofs {
    /// A proof that is held; it becomes the one used last.
    fn find(&mut self, hash: &str) -> Option<Arc<CheckedProof>> {
        let at = self.proofs.iter().position(|proof| proof.hash == hash)?;
        let proof = self.proofs.remove(at)?;
        self.proofs.push_front(Arc::clone(&proof));
        Some(proof)
    }

    /// Holds a proof, and remembers that it is verified.
    fn hold(&mut self, proof: &Arc<CheckedProof>) {
        self.proofs.retain(|other| other.hash != proof.hash);
        self.proofs.push_front(Arc::clone(proof));
        let mut bytes = 0;
        let fits = |proof: &&Arc<CheckedProof>| {
            bytes += proof.bytes;
            bytes <= HELD_BYTES_MAX
        };
        let count = self.proofs.iter().take(HELD_MAX).take_while(fits).count();
        self.proofs.truncate(count.max(1));
        self.verified.retain(|(hash, _)| *hash != proof.hash);
        self.verified.push_front((proof.hash.clone(), proof.proved.clone()));
        self.verified.truncate(VERIFIED_MAX);
    }
}

impl CheckedProof {
    /// Reads a certificate of this hash; the checker has to verify it, unless it has done so.
    fn new(hash: &str, certificate: &[u8], verified: Option<Proved>) -> ApiResult<CheckedProof> {
        if self::hash(certificate) != hash {
            return Err(Problem::internal(format!("the certificate {hash} is damaged"))
                .help("`sixproof store verify` shows what is wrong with the store"));
        }
        let proved = match verified {
            Some(proved) => proved,
            None => certified(certificate)?.proved(),
        };
        let strategy = Strategy::read(certificate).map_err(|error| {
            Problem::internal(format!(
                "the checker accepts the certificate, and the server cannot read it: {error}"
            ))
        })?;
        if strategy.claim() != proved.claim() {
            return Err(Problem::internal("the checker and the page read different claims"));
        }
        let (hash, bytes) = (hash.to_string(), certificate.len());
        Ok(CheckedProof { hash, strategy, proved, bytes, zones: Mutex::default() })
    }

    pub(crate) fn game(&self) -> Game {
        self.proved.claim().position.game()
    }

    pub(crate) fn attacker(&self) -> Color {
        self.proved.claim().attacker
    }

    /// Whether this very claim is proved.
    pub(crate) fn proves(&self, claim: &Claim) -> bool {
        self.proved.claim() == claim
    }

    /// The checker's zone of a node: what the proof depends on there.
    pub(crate) fn zone(&self, node: NodeId) -> Option<Arc<Zone>> {
        let lock = || self.zones.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&node) {
            return known.clone();
        }
        let zone = self.strategy.zone(node).map(Arc::new);
        lock().insert(node, zone.clone());
        zone
    }

    /// The answer of the proof to stones of Defender at a node.
    pub(crate) fn step(
        &self,
        node: NodeId,
        extra: &[Square],
        squares: &[Square],
    ) -> ApiResult<Continuation> {
        self.strategy
            .answer(node, extra, squares, &mut |node| self.zone(node))
            .map_err(|impossible| Problem::bad(impossible.to_string()))
    }

    /// Refuses a number that no node has.
    pub(crate) fn ensure(&self, node: NodeId) -> ApiResult<()> {
        if self.strategy.has(node) {
            return Ok(());
        }
        Err(Problem::missing(format!("the certificate has no node {node}")))
    }

    // --- The types of the API -------------------------------------------------------------------

    pub(crate) fn wire(&self) -> wire::Proof {
        let claim = self.proved.claim();
        let counts = self.proved.counts();
        let Counts { null_replies, semi_null_replies, full_replies, macro_replies, .. } = counts;
        wire::Proof {
            hash: self.hash.clone(),
            game: self.game().into(),
            attacker: self.attacker().into(),
            position: wire::Position::new(&claim.position, []),
            bytes: self.bytes,
            nodes: counts.nodes,
            depth: counts.depth,
            counts: wire::ProofCounts {
                wins: counts.wins,
                attacks: counts.attacks,
                defences: counts.defences,
                null_replies,
                semi_null_replies,
                full_replies,
                macro_replies,
            },
        }
    }

    pub(crate) fn wire_zone(&self, node: NodeId) -> wire::Zone {
        let Some(zone) = self.zone(node) else { return wire::Zone::default() };
        let game = self.game();
        // There are very many segments of high levels, and they are not drawn.
        let segments = zone.segments().filter(|&(_, level)| level <= game.p());
        let segments = segments.map(|(segment, level)| wire::ZoneSegment {
            ends: segment.ends(game).map(|square| game.square_name(square)),
            level,
            squares: names(game, segment.squares(game)),
        });
        let ZoneLayers { solid, hatched } = zone.layers();
        wire::Zone {
            squares: names(game, zone.squares()),
            segments: segments.collect(),
            solid: names(game, &solid),
            hatched: names(game, &hatched),
        }
    }

    pub(crate) fn wire_reply(&self, reply: &Reply<'_>) -> wire::ProofReply {
        let game = self.game();
        wire::ProofReply {
            node: reply.node,
            squares: names(game, reply.squares),
            kind: reply_kind(reply.kind),
            slack: reply.slack,
            answer: names(game, self.strategy.attack(reply.node)),
            size: self.strategy.size(reply.node),
        }
    }

    pub(crate) fn wire_rows(&self, query: &wire::ProofRowsQuery) -> wire::ProofRows {
        let game = self.game();
        let rows = self.strategy.rows(RowsQuery {
            from: query.from,
            count: query.count,
            opened: &query.opened,
            at: query.at.filter(|&node| self.strategy.has(node)),
        });
        wire::ProofRows {
            total: rows.total,
            at: rows.at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1),
            rows: rows
                .rows
                .into_iter()
                .map(|row| wire::ProofRow {
                    node: row.node,
                    indent: row.indent,
                    reply: (row.kind != RowKind::Root).then(|| names(game, row.reply)),
                    answer: names(game, row.answer),
                    kind: match row.kind {
                        RowKind::Root => wire::ReplyKind::Root,
                        RowKind::Reply(kind) => reply_kind(kind),
                    },
                    replies: row.replies,
                    folded: row.folded,
                    size: row.size,
                    depth: row.depth,
                })
                .collect(),
        }
    }

    /// The board at a place of the proof.
    pub(crate) fn wire_node(&self, node: NodeId, extra: &[Square]) -> ApiResult<wire::ProofNode> {
        self.ensure(node)?;
        let (game, strategy) = (self.game(), &self.strategy);
        let gone = || Problem::internal("the certificate's stones do not fit on the board");
        let place = strategy.place(node).ok_or_else(gone)?;
        let role = |turn: &sixproof_certificate::strategy::Turn| match turn.by {
            sixproof_certificate::Side::Attacker => wire::Role::Attacker,
            sixproof_certificate::Side::Defender => wire::Role::Defender,
        };
        let is_defence = strategy.kind(node) == NodeKind::Defence;
        // Only at a defence does a threat have to be blocked.
        let threats = is_defence.then(|| strategy.threats(node, &place.position));
        let threats = threats.unwrap_or_default().into_iter();
        Ok(wire::ProofNode {
            node,
            kind: match strategy.kind(node) {
                NodeKind::Attack => wire::ProofNodeKind::Attack,
                NodeKind::Win => wire::ProofNodeKind::Win,
                NodeKind::Defence => wire::ProofNodeKind::Defence,
            },
            parent: strategy.parent(node),
            line: place
                .line
                .iter()
                .map(|turn| wire::ProofMove { by: role(turn), squares: names(game, &turn.squares) })
                .collect(),
            position: wire::Position::new(&place.position, []),
            extra: names(game, extra),
            zone: self.wire_zone(node),
            attack: (!is_defence).then(|| names(game, strategy.attack(node))),
            next: strategy.defence(node),
            best: wire::line(game, &strategy.best_line(node)),
            threats: threats.map(|(_, empties)| names(game, empties)).collect(),
            replies: strategy.replies(node).map(|reply| self.wire_reply(&reply)).collect(),
            text: self.sentence(node),
            path: place.path,
        })
    }

    fn sentence(&self, node: NodeId) -> String {
        let (game, strategy) = (self.game(), &self.strategy);
        let (attacker, defender) = (self.attacker().title(), (!self.attacker()).title());
        let squares = game.square_names(strategy.attack(node));
        match strategy.kind(node) {
            NodeKind::Win if squares.is_empty() => format!("{attacker} has won."),
            NodeKind::Win => format!("{attacker} completes {} in a row with {squares}.", game.k()),
            NodeKind::Attack => format!("{attacker} plays {squares}."),
            NodeKind::Defence => match strategy.replies(node).len() {
                0 => format!("{defender} cannot block all threats any more."),
                1 => format!("{defender} has one kind of reply, and it is answered."),
                count => format!("{defender} has {count} kinds of replies, and all are answered."),
            },
        }
    }

    /// The answer of the proof to stones of Defender, with its place and a sentence.
    pub(crate) fn wire_answer(&self, query: &wire::AnswerQuery) -> ApiResult<wire::ProofAnswer> {
        self.ensure(query.node)?;
        let game = self.game();
        let extra = wire::squares(game, &query.extra)?;
        let squares = wire::squares(game, &query.squares)?;
        let step = self.step(query.node, &extra, &squares)?;
        Ok(self.answer(query.node, &squares, step))
    }

    fn answer(&self, node: NodeId, squares: &[Square], step: Continuation) -> wire::ProofAnswer {
        use wire::AnswerVerdict as V;
        let game = self.game();
        let attacker = self.attacker().title();
        let stones = game.square_names(squares);
        let mut wire = wire::ProofAnswer {
            verdict: V::Unknown,
            reply: None,
            answer: Vec::new(),
            place: None,
            text: String::new(),
        };
        let mut goes_on = |onward: &Onward| {
            let reply = onward.reply.and_then(|index| self.strategy.reply(node, index));
            wire.reply = reply.map(|reply| self.wire_reply(&reply));
            let answer = self.strategy.attack(onward.node);
            wire.answer = names(game, answer);
            wire.place =
                Some(wire::ProofPlace { node: onward.node, extra: names(game, &onward.extra) });
            game.square_names(answer)
        };
        (wire.verdict, wire.text) = match step {
            Continuation::Stands(onward) => {
                let answer = goes_on(&onward);
                let what = match squares.len() {
                    0 => "Nothing to answer".to_string(),
                    1 => format!("{stones} is outside of the zone"),
                    _ => format!("{stones} are outside of the zone"),
                };
                (V::Stands, format!("{what}: the proof stands. {attacker} plays {answer}."))
            }
            Continuation::Answered(onward) => {
                let answer = goes_on(&onward);
                (V::Answered, format!("{attacker} answers {stones} with {answer}."))
            }
            Continuation::TooLate { threat, completes } => {
                wire.answer = names(game, &completes);
                let ends = threat.ends(game).map(|square| game.square_name(square)).join("-");
                let completes = game.square_names(&completes);
                let left = if stones.is_empty() { "A pass".to_string() } else { stones };
                let text = format!("{left} leaves {ends} open: {attacker} wins with {completes}.");
                (V::TooLate, text)
            }
            Continuation::Incomplete { missing, open, outside } => {
                let answer = outside.as_ref().map(goes_on);
                (V::Incomplete, self.so_far(&stones, missing, open.len(), answer))
            }
            Continuation::Inside { squares } => {
                let stones = game.square_names(&squares);
                (V::Inside, format!("{stones} is inside the zone, where {attacker} moves next."))
            }
            Continuation::Unknown => {
                (V::Unknown, "The proof is too large to compute its zone here.".to_string())
            }
            // This does not happen with a verified certificate.
            Continuation::Uncovered => {
                (V::Unknown, "The certificate does not cover this: please report it.".to_string())
            }
        };
        wire
    }

    /// The sentence about the first stones of a move.
    fn so_far(&self, stones: &str, missing: u32, open: usize, answer: Option<String>) -> String {
        let (attacker, defender) = (self.attacker().title(), (!self.attacker()).title());
        let more = match missing {
            1 => "one more stone".to_string(),
            _ => format!("{missing} more stones"),
        };
        match (answer, open) {
            (Some(answer), _) => format!(
                "{attacker} answers {stones} with {answer}, wherever else {defender} plays outside \
                 of the zone."
            ),
            (None, 0) => format!("The answer depends on {more} of {defender}."),
            (None, 1) => format!("{stones}: one threat is still open; {defender} has {more}."),
            (None, _) => {
                format!("{stones}: {open} threats are still open; {defender} has {more}.")
            }
        }
    }
}

fn reply_kind(kind: strategy::ReplyKind) -> wire::ReplyKind {
    match kind {
        strategy::ReplyKind::Null => wire::ReplyKind::Null,
        strategy::ReplyKind::SemiNull => wire::ReplyKind::SemiNull,
        strategy::ReplyKind::Full => wire::ReplyKind::Full,
        strategy::ReplyKind::Macro => wire::ReplyKind::Macro,
    }
}

/// Certifies a file of any claim, or says why the checker refuses it.
pub(crate) fn certified(certificate: &[u8]) -> ApiResult<Certified> {
    certify_file(|| Ok(certificate), &mut ()).map_err(|refused| match refused.is_unreadable() {
        true => Problem::unreadable(&Failure::new(refused.to_string()))
            .kind(ProblemKind::CertificateUnreadable)
            .help(format!("a certificate of {} bytes that cannot be read", certificate.len())),
        false => Problem::unreadable(&Failure::new(format!("rejected: {refused}")))
            .kind(ProblemKind::CertificateRejected)
            .help("the certificate does not prove its claim"),
    })
}

#[cfg(test)]
mod tests;
