// Values over the moves of the current line, as far as its nodes have them, always from Black's side. A click goes
// to the move. Proved positions lie at the edge and have a shape of their own.
import { signal, useSignalEffect } from "@preact/signals";
import { api } from "../../api/client";
import type { Node, NodeId } from "../../api/types";
import { documentId, goTo, node } from "../../state/document";
import { W } from "../../words";
import { height, scoreWord } from "./score";

interface Point {
  node: NodeId;
  turn: number;
  /** 1: Black wins, 0: White wins. */
  y: number;
  fact: boolean;
  word: string;
}

const points = signal<Point[]>([]);
/** The longest line that is fetched: a graph of more moves shows nothing at this size. */
const PATH_MAX = 300;

function pointOf(at: Node): Point | null {
  if (at.verdict !== null) {
    const y = at.verdict.winner === "black" ? 1 : 0;
    return { node: at.id, turn: at.turn, y, fact: true, word: W().solve.fact(at.verdict.winner) };
  }
  const best = [...at.results].reverse().find((result) => result.moves.length > 0)?.moves[0];
  if (best === undefined) return null;
  const black = at.position.toMove === "black";
  const y = black ? height(best) : 1 - height(best);
  const seen = black ? best : { ...best, value: -best.value };
  return { node: at.id, turn: at.turn, y, fact: false, word: W().analysis.score[scoreWord(seen)] };
}

async function load(id: string, at: Node): Promise<Point[]> {
  const path = at.path.slice(-PATH_MAX);
  const nodes = await Promise.all(path.map((nodeId) => (nodeId === at.id ? at : api.node(id, nodeId))));
  return nodes.map(pointOf).filter((point) => point !== null);
}

export function Graph() {
  useSignalEffect(() => {
    const id = documentId.value;
    const at = node.value;
    if (id === null || at === null) return;
    load(id, at).then(
      (found) => {
        if (node.peek() === at) points.value = found;
      },
      () => undefined,
    );
  });
  const list = points.value;
  if (list.length < 2) return null;
  const last = Math.max(1, ...list.map((point) => point.turn));
  const x = (turn: number): number => 4 + (292 * turn) / last;
  const y = (value: number): number => 4 + 52 * (1 - value);
  const here = node.value?.turn ?? 0;
  return (
    <svg class="graph" viewBox="0 0 300 60" role="group" aria-label={W().analysis.graph}>
      <line class="graph-middle" x1="0" x2="300" y1="30" y2="30" />
      <line class="graph-here" x1={x(here)} x2={x(here)} y1="0" y2="60" />
      <polyline class="graph-line" points={list.map((p) => `${x(p.turn)},${y(p.y)}`).join(" ")} />
      {list.map((p) => {
        const text = W().analysis.graphPoint(p.turn, p.word);
        const go = (): void => void goTo(p.node);
        return p.fact ? (
          <rect key={p.node} class="graph-fact" x={x(p.turn) - 3} y={y(p.y) - 3} width="6" height="6" onClick={go}>
            <title>{text}</title>
          </rect>
        ) : (
          <circle key={p.node} class="graph-point" cx={x(p.turn)} cy={y(p.y)} r="3" onClick={go}>
            <title>{text}</title>
          </circle>
        );
      })}
    </svg>
  );
}
