//! Certificates at hand: checked when they come in, kept by their hash, and walked.
//!
//! Everything that is told about a proof comes from a certificate that the checker has verified,
//! and every zone is the checker's, too: the zone of a node is that of the certificate which is cut
//! out of the whole one at that node.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use sixproof_check::{Counts, Refusal, check_bytes};
use sixproof_game::{Color, Game, Position, Square};
use sixproof_prover::strategy::{Answer as Step, Kind, NodeId, Reply, Strategy, Zone};
use sixproof_prover::strategy::{Onward, ReplyKind as Reply_, RowKind, RowsQuery};
use sixproof_solve::checked;
use sixproof_solve::failure::Failure;
use sixproof_store::{Shelf, Store};

use super::library::keep::whole;
use super::problem::{Answer, Problem, ProblemKind};
use super::wire::{self, names};

/// So many certificates are held ready.
const OPEN_MAX: usize = 8;
/// Where certificates are on their shelf.
const OWNER: &[u8] = b"certificates";
/// The level of compression: quick.
const ZSTD_LEVEL: i32 = 3;
/// The largest certificate that is taken in.
pub(crate) const CERTIFICATE_BYTES_MAX: usize = 256 << 20;

/// The certificates that the editor knows.
pub(crate) struct Proofs {
    store: Arc<Store>,
    /// The last ones used, the latest first.
    open: Mutex<VecDeque<Arc<Proof>>>,
}

/// A certificate that was verified.
pub(crate) struct Proof {
    pub(crate) hash: String,
    pub(crate) strategy: Strategy,
    counts: Counts,
    bytes: usize,
    /// The zones that were asked for; none where the checker could not tell.
    zones: Mutex<BTreeMap<NodeId, Option<Arc<Zone>>>>,
}

/// The name of a certificate.
pub(crate) fn hash(certificate: &[u8]) -> String {
    blake3::hash(certificate).to_hex().to_string()
}

impl Proofs {
    pub(crate) fn new(store: Arc<Store>) -> Proofs {
        Proofs { store, open: Mutex::default() }
    }

    /// Takes a certificate in, if the checker verifies it. It is kept with the next flush.
    pub(crate) fn take(&self, certificate: &[u8]) -> Answer<Arc<Proof>> {
        let proof = Arc::new(Proof::new(certificate)?);
        let packed = zstd::bulk::compress(certificate, ZSTD_LEVEL)
            .map_err(|error| Problem::internal(format!("a certificate is not packed: {error}")))?;
        self.store.shelf(Shelf::Documents).put(OWNER, proof.hash.as_bytes(), &packed)?;
        self.hold(&proof);
        Ok(proof)
    }

    /// A certificate by its hash.
    pub(crate) fn get(&self, hash: &str) -> Answer<Arc<Proof>> {
        {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = open.iter().find(|proof| proof.hash == hash) {
                return Ok(Arc::clone(found));
            }
        }
        let proof = Arc::new(Proof::new(&self.certificate(hash)?)?);
        self.hold(&proof);
        Ok(proof)
    }

    /// The bytes of a certificate.
    pub(crate) fn certificate(&self, hash: &str) -> Answer<Vec<u8>> {
        let missing = || {
            let shown: String = hash.chars().take(64).collect();
            Problem::missing(format!("there is no certificate {shown}"))
                .help("search the position again")
        };
        let is_hash = hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        let kept = match is_hash {
            true => whole(self.store.shelf(Shelf::Documents).get(OWNER, hash.as_bytes())?)?,
            false => None,
        };
        zstd::bulk::decompress(&kept.ok_or_else(missing)?, CERTIFICATE_BYTES_MAX)
            .map_err(|error| Problem::internal(format!("a certificate is damaged: {error}")))
    }

    fn hold(&self, proof: &Arc<Proof>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|other| other.hash != proof.hash);
        open.push_front(Arc::clone(proof));
        open.truncate(OPEN_MAX);
    }
}

impl Proof {
    fn new(certificate: &[u8]) -> Answer<Proof> {
        let verified =
            check_bytes(certificate).map_err(|refusal| refused(certificate, &refusal))?;
        let strategy = Strategy::read(certificate)
            .map_err(|error| Problem::internal(format!("verified, but not understood: {error}")))?;
        Ok(Proof {
            hash: hash(certificate),
            strategy,
            counts: verified.counts,
            bytes: certificate.len(),
            zones: Mutex::default(),
        })
    }

    pub(crate) fn game(&self) -> Game {
        self.strategy.claim().position.game()
    }

    pub(crate) fn attacker(&self) -> Color {
        self.strategy.claim().attacker
    }

    /// Whether it is of this very position, and lets this side win.
    pub(crate) fn proves(&self, position: &Position, attacker: Color) -> bool {
        let claim = self.strategy.claim();
        claim.position == *position && claim.attacker == attacker
    }

    /// What the proof depends on at a node, as the checker says.
    pub(crate) fn zone(&self, node: NodeId) -> Option<Arc<Zone>> {
        let lock = || self.zones.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&node) {
            return known.clone();
        }
        let zone = self.checked_zone(node).map(Arc::new);
        lock().insert(node, zone.clone());
        zone
    }

    fn checked_zone(&self, node: NodeId) -> Option<Zone> {
        let cut = self.strategy.sub_certificate(node).ok()?;
        let zone = check_bytes(&cut.bytes).ok()?.zone;
        let squares = zone.squares.iter().map(checked::square);
        let segments =
            zone.segments.iter().map(|s| (s.ends.map(|end| checked::square(&end)), s.level));
        Some(cut.zone(squares, segments))
    }

    /// What becomes of stones of Defender at a node.
    pub(crate) fn step(&self, node: NodeId, extra: &[Square], squares: &[Square]) -> Answer<Step> {
        self.strategy
            .answer(node, extra, squares, &mut |node| self.zone(node))
            .map_err(|impossible| Problem::bad(impossible.to_string()))
    }

    /// Whether a node is there.
    pub(crate) fn ensure(&self, node: NodeId) -> Answer<()> {
        if self.strategy.has(node) {
            return Ok(());
        }
        Err(Problem::missing(format!("the certificate has no node {node}")))
    }

    // --- As the wire has it ---------------------------------------------------------------------

    pub(crate) fn wire(&self) -> wire::Proof {
        let claim = self.strategy.claim();
        let Counts { null_replies, semi_null_replies, full_replies, macro_replies, .. } =
            self.counts;
        wire::Proof {
            hash: self.hash.clone(),
            game: self.game().into(),
            attacker: self.attacker().into(),
            position: wire::Position::new(&claim.position, []),
            bytes: self.bytes,
            nodes: self.counts.nodes,
            depth: self.counts.depth,
            counts: wire::ProofCounts {
                wins: self.counts.wins,
                attacks: self.counts.attacks,
                defences: self.counts.defences,
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
        let mut solid: Vec<Square> = zone.squares().to_vec();
        let mut hatched = Vec::new();
        let mut segments = Vec::new();
        for (segment, level) in zone.segments() {
            // Segments of high levels are without number, and nobody draws them.
            if level > game.p() {
                continue;
            }
            let squares: Vec<Square> = segment.squares(game).collect();
            if level == 1 { &mut solid } else { &mut hatched }.extend(&squares);
            segments.push(wire::ZoneSegment {
                ends: segment.ends(game).map(|square| game.square_name(square)),
                level,
                squares: names(game, squares),
            });
        }
        solid.sort_unstable();
        solid.dedup();
        hatched.sort_unstable();
        hatched.dedup();
        hatched.retain(|square| solid.binary_search(square).is_err());
        wire::Zone {
            squares: names(game, zone.squares()),
            segments,
            solid: names(game, solid),
            hatched: names(game, hatched),
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
    pub(crate) fn wire_node(&self, node: NodeId, extra: &[Square]) -> Answer<wire::ProofNode> {
        self.ensure(node)?;
        let (game, strategy) = (self.game(), &self.strategy);
        let gone = || Problem::internal("the certificate's stones do not fit on the board");
        let place = strategy.place(node).ok_or_else(gone)?;
        let role = |turn: &sixproof_prover::strategy::Turn| match turn.by {
            sixproof_prover::board::Side::Attacker => wire::Role::Attacker,
            sixproof_prover::board::Side::Defender => wire::Role::Defender,
        };
        let is_defence = strategy.kind(node) == Kind::Defence;
        // Elsewhere nothing has to be blocked.
        let threats = is_defence.then(|| strategy.threats(node, &place.position));
        let threats = threats.unwrap_or_default().into_iter();
        Ok(wire::ProofNode {
            node,
            kind: match strategy.kind(node) {
                Kind::Attack => wire::ProofNodeKind::Attack,
                Kind::Win => wire::ProofNodeKind::Win,
                Kind::Defence => wire::ProofNodeKind::Defence,
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
            Kind::Win if squares.is_empty() => format!("{attacker} has won."),
            Kind::Win => format!("{attacker} completes {} in a row with {squares}.", game.k()),
            Kind::Attack => format!("{attacker} plays {squares}."),
            Kind::Defence => match strategy.replies(node).len() {
                0 => format!("{defender} cannot block all threats any more."),
                1 => format!("{defender} has one kind of reply, and it is answered."),
                count => format!("{defender} has {count} kinds of replies, and all are answered."),
            },
        }
    }

    /// What the proof says to stones of Defender.
    pub(crate) fn wire_answer(&self, query: &wire::AnswerQuery) -> Answer<wire::ProofAnswer> {
        self.ensure(query.node)?;
        let game = self.game();
        let extra = wire::squares(game, &query.extra)?;
        let squares = wire::squares(game, &query.squares)?;
        let step = self.step(query.node, &extra, &squares)?;
        Ok(self.told(query.node, &squares, step))
    }

    fn told(&self, node: NodeId, squares: &[Square], step: Step) -> wire::ProofAnswer {
        use wire::AnswerVerdict as V;
        let game = self.game();
        let attacker = self.attacker().title();
        let stones = game.square_names(squares);
        let mut told = wire::ProofAnswer {
            verdict: V::Unknown,
            reply: None,
            answer: Vec::new(),
            place: None,
            text: String::new(),
        };
        let mut goes_on = |onward: &Onward| {
            let reply = onward.reply.and_then(|index| self.strategy.reply(node, index));
            told.reply = reply.map(|reply| self.wire_reply(&reply));
            let answer = self.strategy.attack(onward.node);
            told.answer = names(game, answer);
            told.place =
                Some(wire::ProofPlace { node: onward.node, extra: names(game, &onward.extra) });
            game.square_names(answer)
        };
        (told.verdict, told.text) = match step {
            Step::Stands(onward) => {
                let answer = goes_on(&onward);
                let what = match squares.len() {
                    0 => "Nothing to answer".to_string(),
                    1 => format!("{stones} is outside of the zone"),
                    _ => format!("{stones} are outside of the zone"),
                };
                (V::Stands, format!("{what}: the proof stands. {attacker} plays {answer}."))
            }
            Step::Answered(onward) => {
                let answer = goes_on(&onward);
                (V::Answered, format!("{attacker} answers {stones} with {answer}."))
            }
            Step::TooLate { threat, completes } => {
                told.answer = names(game, &completes);
                let ends = threat.ends(game).map(|square| game.square_name(square)).join("-");
                let completes = game.square_names(&completes);
                let left = if stones.is_empty() { "A pass".to_string() } else { stones };
                let text = format!("{left} leaves {ends} open: {attacker} wins with {completes}.");
                (V::TooLate, text)
            }
            Step::Incomplete { missing, open, outside } => {
                let answer = outside.as_ref().map(goes_on);
                (V::Incomplete, self.so_far(&stones, missing, open.len(), answer))
            }
            Step::Inside { squares } => {
                let stones = game.square_names(&squares);
                (V::Inside, format!("{stones} is inside the zone, where {attacker} moves next."))
            }
            Step::Unknown => {
                (V::Unknown, "The proof is too large to tell its zone here.".to_string())
            }
            // Never with a certificate that was verified.
            Step::Uncovered => {
                (V::Unknown, "The certificate does not cover this: please report it.".to_string())
            }
        };
        told
    }

    /// What can be said of the first stones of a move.
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

fn reply_kind(kind: Reply_) -> wire::ReplyKind {
    match kind {
        Reply_::Null => wire::ReplyKind::Null,
        Reply_::SemiNull => wire::ReplyKind::SemiNull,
        Reply_::Full => wire::ReplyKind::Full,
        Reply_::Macro => wire::ReplyKind::Macro,
    }
}

/// Why a certificate is not taken.
fn refused(certificate: &[u8], refusal: &Refusal) -> Problem {
    match refusal {
        Refusal::Rejected(rejection) => {
            Problem::unreadable(&Failure::new(format!("rejected: {}", rejection.explain())))
                .kind(ProblemKind::CertificateRejected)
                .help("the certificate does not prove its claim")
        }
        Refusal::Unreadable(unreadable) => {
            Problem::unreadable(&Failure::new(unreadable.to_string()))
                .kind(ProblemKind::CertificateUnreadable)
                .help(format!("a certificate of {} bytes that cannot be read", certificate.len()))
        }
    }
}

/// Has the checker read a certificate: the number of its nodes, if it is verified.
pub(crate) fn check(certificate: &[u8]) -> Answer<u64> {
    let verified = check_bytes(certificate).map_err(|refusal| refused(certificate, &refusal))?;
    Ok(verified.counts.nodes)
}
