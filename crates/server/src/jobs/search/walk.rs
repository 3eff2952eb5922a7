//! Searches of one position or of many: a line, a subtree, a document. Each result is written at
//! once. A search of many positions also finds moves that threw a proved win away.

use std::collections::BTreeMap;

use sixproof_certificate::Claim;
use sixproof_game::Color;
use sixproof_solve::words::nodes_text;

use super::super::documents::JobNode;
use super::super::queue::JobConclusion;
use super::super::runner::{JobRun, Work};
use super::super::wire::{JobKind, JobOutcome, JobResult, JobScope, NodeId, Tally};
use super::{Search, SearchOutcome};
use crate::proofs::hash;

/// The digits of a certificate's name in a sentence.
const NAME_DIGITS: usize = 12;

/// Solves or proves the positions of the job.
pub(in super::super) fn seek_all(run: &JobRun<'_>) -> Work<JobConclusion> {
    let (document, node) = (&run.job.document, run.job.node);
    if run.job.scope == JobScope::Node {
        if run.seen.contains(&node) {
            let text = "done before the server was started again".to_string();
            return Ok(JobConclusion { text, ..JobConclusion::default() });
        }
        let reached = run.documents().position(document, node)?;
        let attacker = Color::from(run.job.attacker);
        let claim = Claim::new(&reached.position, attacker);
        let found = Search::new(run, &claim, None).answer()?;
        let result = found.result(run, reached.position.game());
        run.write(node, &result, found.certificate.as_deref())?;
        run.mark_written(node);
        return Ok(JobConclusion::found(found.text, result));
    }
    let mut search = BatchSearch { run, proved: BTreeMap::new(), tally: Tally::default() };
    run.visit_nodes(|node| {
        search.visit(node)?;
        search.tally.positions += 1;
        Ok(())
    })?;
    Ok(JobConclusion::counted(summary(search.tally), search.tally))
}

/// A win of the side to move that was proved at a node.
#[derive(Clone)]
struct ProvedWin {
    order: Option<u32>,
    name: String,
}

/// The search of many positions.
struct BatchSearch<'r, 'a> {
    run: &'r JobRun<'a>,
    /// The wins found so far by node and side (true: Black); `None` where the search found none.
    proved: BTreeMap<(NodeId, bool), Option<ProvedWin>>,
    tally: Tally,
}

impl BatchSearch<'_, '_> {
    fn visit(&mut self, node: NodeId) -> Work<()> {
        let run = self.run;
        let reached = run.documents().position(&run.job.document, node)?;
        let position = &reached.position;
        if position.winner().is_none() && !position.is_full() {
            let sides = match (run.order.attacker, run.job.kind) {
                (Some(side), _) => vec![Color::from(side)],
                (None, JobKind::Solve) => vec![position.to_move(), !position.to_move()],
                (None, _) => vec![position.to_move()],
            };
            let mut first: Option<SearchOutcome> = None;
            for side in sides {
                let found = self.seek(node, &reached, side)?;
                if found.is_proved() {
                    first = Some(found);
                    break;
                }
                first.get_or_insert(found);
            }
            if let Some(found) = first {
                let result = found.result(run, position.game());
                run.write(node, &result, found.certificate.as_deref())?;
                self.tally.wins += u32::from(found.is_proved());
            }
        }
        if run.job.kind == JobKind::Solve
            && let Some(result) = self.thrown_away(node, &reached)?
        {
            run.write(node, &result, None)?;
            self.tally.thrown_away += 1;
        }
        Ok(())
    }

    fn seek(&mut self, node: NodeId, reached: &JobNode, side: Color) -> Work<SearchOutcome> {
        let claim = Claim::new(&reached.position, side);
        let found = Search::new(self.run, &claim, None).answer()?;
        let certificate = found.certificate.as_deref();
        let won = certificate.map(|bytes| ProvedWin { order: found.order, name: hash(bytes) });
        self.proved.insert((node, side == Color::Black), won);
        Ok(found)
    }

    /// The win of a side at a node, if it is proved.
    fn won(&mut self, node: NodeId, reached: &JobNode, side: Color) -> Work<Option<ProvedWin>> {
        let key = (node, side == Color::Black);
        if !self.proved.contains_key(&key) {
            self.run.ensure_running()?;
            let found = self.seek(node, reached, side)?;
            if found.is_proved() {
                // The page calls a win thrown away only beside the proof of it.
                let result = found.result(self.run, reached.position.game());
                self.run.write(node, &result, found.certificate.as_deref())?;
            }
        }
        Ok(self.proved.get(&key).cloned().flatten())
    }

    /// The report that a win of the mover was proved before the move of a node, and was not found
    /// after it within the same limits. The position after it may still be won.
    fn thrown_away(&mut self, node: NodeId, reached: &JobNode) -> Work<Option<JobResult>> {
        let run = self.run;
        let (Some((mover, squares)), Some(parent)) = (&reached.last, reached.parent) else {
            return Ok(None);
        };
        let mover = *mover;
        let position = &reached.position;
        if run.order.attacker.is_some_and(|side| Color::from(side) != mover)
            || position.winner() == Some(mover)
        {
            return Ok(None);
        }
        let before = run.documents().position(&run.job.document, parent)?;
        if before.position.winner().is_some() || before.position.to_move() != mover {
            return Ok(None);
        }
        let Some(ProvedWin { order, name }) = self.won(parent, &before, mover)? else {
            return Ok(None);
        };
        if self.won(node, reached, mover)?.is_some() {
            return Ok(None);
        }
        let game = position.game();
        let (side, limits) = (mover.title(), run.limits());
        let order = order.map(|order| format!("order {order}, ")).unwrap_or_default();
        let mut within = Vec::new();
        within.extend(limits.order.map(|order| format!("order <= {order}")));
        within.extend(limits.nodes.map(nodes_text));
        within.extend(limits.seconds.map(|seconds| format!("{seconds} seconds")));
        let what = match &squares[..] {
            [] => "the pass".to_string(),
            squares => game.square_names(squares),
        };
        let text = format!(
            "before {what}, {side} had a proved win ({order}certificate {}); after it none was \
             found within {}",
            name.get(..NAME_DIGITS).unwrap_or(&name),
            within.join(", "),
        );
        let result = run.result(JobOutcome::ThrownAway, text);
        Ok(Some(JobResult { attacker: mover.into(), ..result }))
    }
}

/// The counts of many positions, in a sentence.
fn summary(tally: Tally) -> String {
    let count = |number: u32, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    };
    let wins = count(tally.wins, "position is won", "positions are won");
    match tally.thrown_away {
        0 => format!("{wins}, by proof"),
        thrown => {
            let moves = count(thrown, "move threw", "moves threw");
            format!("{wins}, by proof; {moves} a proved win away")
        }
    }
}
