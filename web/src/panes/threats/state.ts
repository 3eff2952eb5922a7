// The threats on the board, fetched while the pane or the layer shows them.
import { computed, effect, signal } from "@preact/signals";
import { jobApi } from "../../api/jobs";
import type { Position, Threats } from "../../api/types";
import { documentId, node } from "../../state/document";
import { setOverlay } from "../../state/overlay";
import { layers } from "../../state/view";
import { W } from "../../words";
import { active } from "../index";

export type Side = Threats["sides"][number];

export const threats = signal<{ node: number; threats: Threats } | null>(null);

const wanted = computed(
  () => layers.threats.value || active.lower.value === "threats" || active.upper.value === "threats",
);

export function startThreats(): void {
  effect(() => {
    const at = node.value;
    const id = documentId.value;
    if (!wanted.value || at === null || id === null) {
      threats.value = null;
      return;
    }
    jobApi.threats(id, at.id).then(
      (found) => {
        if (node.peek()?.id === at.id) threats.value = { node: at.id, threats: found };
      },
      // The board does without threats.
      () => undefined,
    );
  });
  effect(() => {
    const found = threats.value;
    const at = node.value;
    if (!layers.threats.value || found === null || found.node !== at?.id) {
      setOverlay("threats", null);
      return;
    }
    const sides = found.threats.sides;
    setOverlay("threats", {
      threats: sides.flatMap((side) => side.threats.map((threat) => ({ color: side.color, ...threat }))),
      mustAnswer: sides.flatMap((side) => (side.color === at.position.toMove ? [] : side.mustAnswer)),
    });
  });
}

/** A sentence about the side that must act now, or nothing. */
export function urgency(sides: Side[], position: Pick<Position, "toMove" | "left">): string {
  const words = W().threats;
  const mover = sides.find((side) => side.color === position.toMove);
  const waiting = sides.find((side) => side.color !== position.toMove);
  if (mover?.threats.some((threat) => threat.empties.length <= position.left)) {
    return words.winsNow(position.toMove);
  }
  if (waiting === undefined || waiting.number === 0) return "";
  if (waiting.number === null || waiting.number > position.left) {
    const needed = waiting.number === null ? words.moreThanCan : String(waiting.number);
    return words.lost(position.toMove, needed, position.left);
  }
  return "";
}
