//! Documents as the page sees them.

use sixproof_document::{Child, FindQuery, Link, LinkKind, NodeId, RowsQuery};
use sixproof_game::picture::Mark;
use sixproof_game::{Color, Game, Reached, Record, Square};

use super::facts::{VerdictQuestion, Verdicts, keep_proved_wins};
use super::storage::Meta;
use super::{Library, OpenDocument, node_gone};
use crate::problem::{ApiResult, Problem};
use crate::wire::{self, names};

/// The most rows of one answer.
const ROWS_MAX: usize = 1_000;
/// The most links, and the most findings, of one answer.
const LINKS_MAX: usize = 50;
const FOUND_MAX: usize = 200;

pub(super) fn summary(id: &str, meta: &Meta) -> Option<wire::DocumentSummary> {
    let game: Game = meta.game.parse().ok()?;
    Some(wire::DocumentSummary {
        id: id.to_string(),
        title: meta.shown_title().to_string(),
        game: game.into(),
        nodes: meta.nodes,
        revision: meta.revision,
        created_ms: meta.created_ms,
        changed_ms: meta.changed_ms,
    })
}

pub(super) fn document(open: &OpenDocument) -> wire::Document {
    let document = &open.document;
    let fact =
        |(key, value): &(String, String)| wire::Fact { key: key.clone(), value: value.clone() };
    let (notes, noted) = open.losses.notes();
    wire::Document {
        summary: wire::DocumentSummary {
            id: open.id.clone(),
            title: open.meta.shown_title().to_string(),
            game: open.game().into(),
            nodes: document.len(),
            revision: open.revision(),
            created_ms: open.meta.created_ms,
            changed_ms: open.meta.changed_ms,
        },
        info: document.info().iter().map(fact).collect(),
        can_undo: document.undoes().is_some(),
        can_redo: document.redoes().is_some(),
        undoes: document.undoes().map(ToString::to_string),
        redoes: document.redoes().map(ToString::to_string),
        undo_deed: document.undoes().map(wire::Deed::from),
        redo_deed: document.redoes().map(wire::Deed::from),
        at: open.meta.at,
        notes,
        noted,
    }
}

impl Library {
    /// One node with all that the board shows of it.
    pub(crate) fn node(&self, id: &str, node: u32) -> ApiResult<wire::Node> {
        let (mut shown, question) = self.shown(id, node)?;
        let Verdicts { here, children, attack, learned } = self.answer(&question);
        shown.verdict = here;
        keep_proved_wins(&mut shown.results, &question.position, attack.as_ref());
        for (child, verdict) in shown.children.iter_mut().zip(children) {
            child.verdict = verdict;
        }
        if let Some(proof) = learned {
            self.with(id, |open| {
                let now = open.document.reach(NodeId(node));
                if now.is_some_and(|now| now.position == question.position) {
                    open.facts.learn(NodeId(node), proof, question.position);
                }
                Ok(())
            })?;
        }
        Ok(shown)
    }

    /// A node without its verdicts, and the question about these.
    fn shown(&self, id: &str, node: u32) -> ApiResult<(wire::Node, VerdictQuestion)> {
        self.with(id, |open| {
            let node = open.node(node)?;
            let (game, reached) = (open.game(), reached(open, node)?);
            let question = VerdictQuestion::of(open, node, &reached.position);
            let (children, links) = (children(open, node), links(open, node));
            let document = &open.document;
            let content = document.node(node).ok_or_else(node_gone)?;
            let sibling = document.sibling(node).ok_or_else(node_gone)?;
            let name = |square: Square| game.square_name(square);
            let stone = |&(color, square): &(Color, Square)| wire::Stone {
                square: name(square),
                color: color.into(),
            };
            let set_up = |&(square, color): &(Square, Option<Color>)| wire::SetUp {
                square: name(square),
                color: color.map(wire::Color::from),
            };
            let label = |(square, text): &(Square, String)| wire::Label {
                square: name(*square),
                text: text.clone(),
            };
            let mark = |&(square, kind): &(Square, Mark)| wire::Marked {
                square: name(square),
                kind: kind.into(),
            };
            let arrow =
                |&(from, to): &(Square, Square)| wire::Arrow { from: name(from), to: name(to) };
            let shown = wire::Node {
                id: node.0,
                parent: document.parent(node).map(|parent| parent.0),
                path: document.path(node).into_iter().map(|node| node.0).collect(),
                turn: document.turn(node),
                stones: content.stones.iter().map(stone).collect(),
                setup: content.setup.iter().map(set_up).collect(),
                name: content.name.clone(),
                comment: content.comment.clone(),
                labels: content.labels.iter().map(label).collect(),
                marks: content.marks.iter().map(mark).collect(),
                arrows: content.arrows.iter().map(arrow).collect(),
                dimmed: names(game, &content.dimmed),
                position: wire::Position::new(&reached.position, reached.played),
                children,
                sibling: wire::Sibling { index: sibling.index, count: sibling.count },
                results: open.facts.shown_results(document, node),
                verdict: None,
                links,
                moves: document.moves_text(node),
            };
            Ok((shown, question))
        })
    }

    /// The node if it exists, else the first of the others that exists; the node itself if none
    /// does.
    pub(crate) fn first_existing(&self, id: &str, node: u32, others: &[u32]) -> ApiResult<u32> {
        self.with(id, |open| {
            let mut all = std::iter::once(node).chain(others.iter().copied());
            Ok(all.find(|&node| open.document.contains(NodeId(node))).unwrap_or(node))
        })
    }

    /// What both sides threaten at a node.
    pub(crate) fn threats(&self, id: &str, node: u32) -> ApiResult<wire::Threats> {
        // Computed while the document is not locked: large boards take a while.
        let position = self.position_at(id, node)?.position;
        Ok(wire::Threats::new(&position))
    }

    /// The position of a node, and the moves that led to it.
    pub(crate) fn position_at(&self, id: &str, node: u32) -> ApiResult<Reached> {
        self.with(id, |open| {
            let node = open.node(node)?;
            reached(open, node)
        })
    }

    /// A window of the tree.
    pub(crate) fn rows(&self, id: &str, query: &wire::RowsQuery) -> ApiResult<wire::Rows> {
        self.with(id, |open| {
            let game = open.game();
            let rows = open.document.rows(&RowsQuery {
                from: query.from,
                count: query.count.min(ROWS_MAX),
                toggled: query.toggled.iter().map(|&node| NodeId(node)).collect(),
                at: query.at.map(NodeId),
            });
            let row = |row: sixproof_document::Row| wire::Row {
                node: row.node.0,
                indent: row.indent as usize,
                turn: row.turn,
                color: row.color.map(wire::Color::from),
                stones: names(game, row.stones),
                text: row.text,
                branches: row.branches,
                folded: row.folded,
                verdict: open.facts.verdict(row.node),
                linked: row.linked,
                thrown_away: open.facts.threw_away(&open.document, row.node),
            };
            Ok(wire::Rows {
                revision: open.revision_before + rows.revision,
                total: rows.total,
                at: rows.at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1),
                rows: rows.rows.into_iter().map(row).collect(),
            })
        })
    }

    /// The nodes that fit a query.
    pub(crate) fn find(&self, id: &str, query: &wire::FindQuery) -> ApiResult<wire::Found> {
        self.with(id, |open| {
            let game = open.game();
            let wanted = match query.verdict.as_deref() {
                None => None,
                Some("proved") => Some(None),
                Some("black") => Some(Some(Color::Black)),
                Some("white") => Some(Some(Color::White)),
                Some(other) => {
                    let shown: String = other.chars().take(40).collect();
                    return Err(Problem::bad(format!("`{shown}` is not a verdict"))
                        .help("write black, white or proved"));
                }
            };
            let square =
                query.square.as_deref().map(|name| wire::square(game, name)).transpose()?;
            let position = query.position.map(|node| open.node(node)).transpose()?;
            let text = query.text.clone().filter(|text| !text.is_empty());
            let asked = FindQuery { text, turn: query.turn, square, position };
            let facts = &open.facts;
            let fits = |node: NodeId| match (wanted, facts.proof_of(node)) {
                (None, _) | (Some(None), Some(_)) => true,
                (Some(Some(color)), Some(proof)) => proof.winner == color,
                (Some(_), None) => false,
            };
            let (nodes, more) = open.document.find(&asked, FOUND_MAX, fits);
            let document = &open.document;
            let found = |node: NodeId| {
                let content = document.node(node)?;
                let text = if content.name.is_empty() { &content.comment } else { &content.name };
                Some(wire::FoundNode {
                    node: node.0,
                    turn: document.turn(node),
                    moves: document.moves_text(node),
                    text: text.lines().next().unwrap_or_default().chars().take(120).collect(),
                })
            };
            Ok(wire::Found { nodes: nodes.into_iter().filter_map(found).collect(), more })
        })
    }

    /// The whole tree.
    pub(crate) fn record(&self, id: &str) -> ApiResult<Record> {
        self.with(id, |open| Ok(open.document.to_record()))
    }

    /// The tree below a node, itself included, to be pasted elsewhere.
    pub(crate) fn subtree(&self, id: &str, node: u32) -> ApiResult<Record> {
        self.with(id, |open| {
            let node = open.node(node)?;
            open.document.subtree_record(node).ok_or_else(node_gone)
        })
    }

    /// The line from the root to a node as a record, with the number of its last node.
    pub(crate) fn line_record(&self, id: &str, node: u32) -> ApiResult<Record> {
        self.with(id, |open| {
            let node = open.node(node)?;
            let mut record = Record::new(open.game());
            record.info = open.document.info().to_vec();
            let mut last = 0;
            for (depth, id) in open.document.path(node).into_iter().enumerate() {
                let Some(content) = open.document.node(id).cloned() else { continue };
                if depth == 0 {
                    record.set(0, content);
                } else {
                    last = record.add(last, content);
                }
            }
            Ok(record)
        })
    }

    /// The title of a document.
    pub(crate) fn title(&self, id: &str) -> ApiResult<String> {
        self.with(id, |open| Ok(open.meta.shown_title().to_string()))
    }
}

/// The next moves of a node, without their verdicts.
fn children(open: &mut OpenDocument, node: NodeId) -> Vec<wire::Child> {
    let game = open.game();
    let child = |child: Child| wire::Child {
        verdict: None,
        id: child.id.0,
        stones: names(game, child.stones),
        color: child.color.map(wire::Color::from),
        size: child.size,
        label: child.label,
    };
    open.document.child_list(node).into_iter().map(child).collect()
}

/// Other nodes with the position of a node.
fn links(open: &mut OpenDocument, node: NodeId) -> Vec<wire::Link> {
    let (links, _) = open.document.links(node, LINKS_MAX);
    let link = |link: Link| wire::Link {
        node: link.node.0,
        kind: match link.kind {
            LinkKind::Same => wire::LinkKind::Same,
            LinkKind::Symmetric => wire::LinkKind::Symmetric,
        },
        moves: open.document.moves_text(link.node),
    };
    links.into_iter().map(link).collect()
}

fn reached(open: &OpenDocument, node: NodeId) -> ApiResult<Reached> {
    open.document.reach(node).ok_or_else(node_gone)
}
