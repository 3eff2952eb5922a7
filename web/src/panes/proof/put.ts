// Puts the walked line into the document as moves. It begins at the deepest node of the current line that lies on
// the walk; without one, it first opens the certificate as a document.
import { api } from "../../api/client";
import { proofApi } from "../../api/proofs";
import type { Game, NodeId, ProofNode, ProofReply, SquareName } from "../../api/types";
import { contains, isUnbounded, nameOf, squareOf } from "../../game/squares";
import { outsideSquares } from "../../game/zone";
import { adopt, documentId, ensureDocument, node, refresh } from "../../state/document";
import { failed, inform } from "../../state/notices";
import { proof } from "../../state/proof";
import { W } from "../../words";
import { playable } from "./walk";
import { currentSteps, defenceOf, endWalk, stepsTo } from "./walker";

/** The distance from the stones of an unbounded board at which stones are put outside. */
const FAR = 12;

/** All empty squares with their coordinates; on an unbounded board those around the stones. */
function emptySquares(game: Game, taken: ReadonlySet<SquareName>): { name: SquareName; x: number; y: number }[] {
  const stones = [...taken].map(squareOf).filter((s) => s !== null);
  const xs = stones.map((s) => s.x);
  const ys = stones.map((s) => s.y);
  const free = isUnbounded(game);
  const from = free ? { x: Math.min(0, ...xs) - FAR, y: Math.min(0, ...ys) - FAR } : { x: 0, y: 0 };
  const to = free
    ? { x: Math.max(0, ...xs) + FAR, y: Math.max(0, ...ys) + FAR }
    : { x: game.cols - 1, y: game.rows - 1 };
  const empty = [];
  for (let y = from.y; y <= to.y; y += 1) {
    for (let x = from.x; x <= to.x; x += 1) {
      const name = nameOf(game, { x, y });
      if (contains(game, { x, y }) && !taken.has(name)) empty.push({ name, x, y });
    }
  }
  return empty;
}

/** A reply as a move of this document, whose stones may differ from those of the proof. */
async function moveFor(
  hash: string,
  game: Game,
  defence: ProofNode,
  reply: ProofReply,
  at: NodeId,
): Promise<SquareName[] | null> {
  const id = documentId.value;
  if (id === null) return null;
  const [after, here] = await Promise.all([proofApi.place(hash, { node: reply.node, extra: [] }), api.node(id, at)]);
  const taken = new Set([...here.position.black, ...here.position.white]);
  const inner = new Set([...taken, ...after.position.black, ...after.position.white]);
  const near = [...inner].map(squareOf).filter((s) => s !== null);
  const outside = outsideSquares(emptySquares(game, inner), after.zone, near);
  const squares = reply.squares.filter((square) => !taken.has(square));
  return playable({ squares }, here.position.left, defence.threats, outside);
}

/** The node of the current line where the walk continues, and the first step after it. */
async function anchor(
  hash: string,
  steps: number[],
): Promise<{ node: NodeId; from: number; attackFirst: boolean } | null> {
  const current = node.value;
  const id = documentId.value;
  if (current === null || id === null) return null;
  for (const nodeId of [...current.path].reverse()) {
    const verdict = (await api.node(id, nodeId)).verdict;
    if (verdict === null || verdict.certificate !== hash || verdict.at === null) continue;
    const there = await proofApi.place(hash, { node: verdict.at.node, extra: [] });
    const mine = stepsTo(there);
    const last = mine[mine.length - 1];
    const index = last === undefined ? -1 : steps.indexOf(last);
    if (index >= 0) return { node: nodeId, from: index, attackFirst: there.kind !== "defence" };
  }
  return null;
}

async function play(id: string, at: NodeId, squares: SquareName[]): Promise<NodeId> {
  return (await api.edit(id, { edit: "move", node: at, squares })).node;
}

async function putSteps(
  hash: string,
  steps: number[],
  start: { node: NodeId; from: number; attackFirst: boolean },
): Promise<NodeId> {
  const id = documentId.value;
  const game = proof.value?.game;
  let at = start.node;
  if (id === null || game === undefined) return at;
  for (let i = start.from; i < steps.length; i += 1) {
    const step = steps[i] as number;
    if (i > start.from) {
      const defence = await defenceOf(hash, steps[i - 1] as number);
      const reply = defence?.replies.find((one) => one.node === step);
      const move = defence && reply ? await moveFor(hash, game, defence, reply, at) : null;
      if (move === null) {
        inform(W().proof.putStopped);
        return at;
      }
      at = await play(id, at, move);
    }
    if (i > start.from || start.attackFirst) {
      const here = await proofApi.place(hash, { node: step, extra: [] });
      if (here.attack !== null) at = await play(id, at, here.attack);
    }
  }
  return at;
}

export async function putLine(): Promise<void> {
  try {
    const current = await currentSteps();
    if (current === null || (await ensureDocument()) === null) return;
    let start = await anchor(current.hash, current.steps);
    if (start === null) {
      const bytes = await proofApi.certificate(current.hash);
      const { document } = await api.open(bytes, `${current.hash.slice(0, 12)}.cert`);
      adopt(document, await api.node(document.id, document.at));
      inform(W().proof.putOpened);
      const root = await proofApi.place(current.hash, { node: 0, extra: [] });
      start = { node: node.value?.id ?? 0, from: 0, attackFirst: root.kind !== "defence" };
    }
    const at = await putSteps(current.hash, current.steps, start);
    endWalk();
    await refresh(at);
  } catch (error) {
    failed(error);
  }
}
