// Steps through the tree or a previewed line. Steps run one after the other, so that a held key neither skips nor
// repeats a node.

import { api } from "../api/client";
import type { Node, NodeId } from "../api/types";
import { doc, documentId, goTo, jumpTo, node } from "../state/document";
import { afterEdits, play } from "../state/edits";
import { failed, speak } from "../state/notices";
import { boardMode, hideLine, preview } from "../state/overlay";
import { shownMove } from "../state/shown-names";
import { W } from "../words";

let chain: Promise<unknown> = Promise.resolve();
let waiting = 0;
/** The most steps that wait: a held key may be faster than the network, and further steps are dropped. */
const WAITING_MAX = 3;

function inTurn(step: () => Promise<void>): void {
  if (waiting >= WAITING_MAX) return;
  waiting += 1;
  // A step begins at what the reader sees: after the moves under way.
  chain = chain
    .then(afterEdits)
    .then(step)
    .catch(failed)
    .finally(() => {
      waiting -= 1;
    });
}

/** Speaks the current move. */
export function say(): void {
  const here = node.value;
  if (here === null) return;
  const color = here.stones[0]?.color;
  const parts: string[] = [];
  if (color !== undefined) {
    parts.push(W().moveSpoken(here.turn, color, shownMove(here.stones.map((s) => s.square))));
  } else parts.push(here.turn === 0 ? W().start : W().setupMove);
  if (here.verdict) parts.push(W().provedWin(here.verdict.winner));
  speak(parts.join(". "));
}

function go(target: (here: Node) => NodeId | null | undefined, jump = false): void {
  inTurn(async () => {
    const here = node.value;
    if (here === null) return;
    const id = target(here);
    if (id === null || id === undefined) return;
    await (jump ? jumpTo(id) : goTo(id));
    say();
  });
}

/** Steps in the previewed line. False without a preview. */
function stepPreview(by: number): boolean {
  const line = preview.value;
  if (line === null) return false;
  const shown = Math.min(line.line.length, Math.max(0, line.shown + by));
  preview.value = { ...line, shown };
  return true;
}

/** Plays the shown moves of a previewed line into the tree. */
export function playPreview(): void {
  const line = preview.value;
  if (line === null) return;
  hideLine();
  for (const squares of line.line.slice(0, Math.max(1, line.shown))) void play(squares);
}

export function stepBack(): void {
  if (stepPreview(-1) || boardMode.value?.onBack?.()) return;
  go((here) => here.parent);
}

export function stepForward(): void {
  if (stepPreview(1) || boardMode.value?.onForward?.()) return;
  // The child that the reader came from, or the main line.
  go((here) => lastChild.get(here.id) ?? here.children[0]?.id);
}

/** The child that was visited last, so that forward undoes back. */
const lastChild = new Map<NodeId, NodeId>();

export function rememberVisit(here: Node): void {
  for (let i = 0; i + 1 < here.path.length; i++) {
    const [parent, child] = [here.path[i], here.path[i + 1]];
    if (parent !== undefined && child !== undefined) lastChild.set(parent, child);
  }
}

export const forgetVisits = (): void => lastChild.clear();

/** Forward must not lead to a deleted child. */
export function checkVisits(here: Node): void {
  const next = lastChild.get(here.id);
  if (next !== undefined && !here.children.some((child) => child.id === next)) lastChild.delete(here.id);
}

export const toStart = (): void => go(() => 0);

/** Walks down as single steps would. */
export function toEnd(): void {
  inTurn(async () => {
    const id = documentId.value;
    let here = node.value;
    for (let i = 0; id !== null && here !== null && here.children.length > 0 && i < 5_000; i++) {
      const next: NodeId | undefined = lastChild.get(here.id) ?? here.children[0]?.id;
      if (next === undefined) break;
      here = await api.node(id, next);
    }
    if (here !== null && doc.value?.id === id) await goTo(here.id);
    say();
  });
}

/** The sibling before or after this move. */
export function toSibling(by: number): void {
  inTurn(async () => {
    const [id, here] = [documentId.value, node.value];
    if (id === null || here === null || here.parent === null || here.sibling.count < 2) return;
    const parent = await api.node(id, here.parent);
    const index = (here.sibling.index + by + here.sibling.count) % here.sibling.count;
    const next = parent.children[index];
    if (next) await goTo(next.id);
    say();
  });
}

/** To the nearest node with several next moves, up or down; else to the end. */
export function toBranch(direction: "up" | "down"): void {
  inTurn(async () => {
    const id = documentId.value;
    let here = node.value;
    for (let i = 0; id !== null && here !== null && i < 5_000; i++) {
      const next: NodeId | null | undefined =
        direction === "up" ? here.parent : (lastChild.get(here.id) ?? here.children[0]?.id);
      if (next === null || next === undefined) break;
      here = await api.node(id, next);
      if (here.children.length > 1) break;
    }
    if (here !== null && doc.value?.id === id) await goTo(here.id);
    say();
  });
}

/** The next node with the same position, in a cycle. */
export function toNextSame(): void {
  go((here) => {
    const same = here.links.filter((link) => link.kind === "same").map((link) => link.node);
    const all = [...same, here.id].sort((a, b) => a - b);
    return all.length < 2 ? null : all[(all.indexOf(here.id) + 1) % all.length];
  }, true);
}
