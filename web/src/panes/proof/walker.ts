// Walks a certificate on the board, as `walk.ts` decides. A place is named by its steps, the attack nodes from the
// root; the board shows the position after Attacker's answer, with Defender to move.
import { proofApi } from "../../api/proofs";
import type { ProofNode, SquareName } from "../../api/types";
import { failed } from "../../state/notices";
import { hideLine } from "../../state/overlay";
import { documentSpot, place, type Spot, tried, walked } from "../../state/proof";
import { type Around, type WalkKey, walkTo } from "./walk";

export interface WalkedSpot extends Spot {
  steps: number[];
}

const isWalked = (spot: Spot | null): spot is WalkedSpot => spot !== null && "steps" in spot;

/** The steps of the walk, or of the document's place; empty outside of a walk. */
export async function currentSteps(): Promise<{ hash: string; steps: number[]; extra: SquareName[] } | null> {
  const walk = walked.value;
  if (isWalked(walk)) return { hash: walk.hash, steps: walk.steps, extra: walk.place.extra };
  const at = documentSpot.value;
  if (at === null) return null;
  const there = await proofApi.place(at.hash, at.place);
  return { hash: at.hash, steps: stepsTo(there), extra: at.place.extra };
}

/**
 * The attack nodes on the way to a node. A defence belongs to the attack before it; a root with Defender to move is
 * a step of its own.
 */
export function stepsTo(there: ProofNode): number[] {
  const path = there.kind === "defence" && there.path.length > 1 ? there.path.slice(0, -1) : there.path;
  const steps = path.filter((_, i) => (path.length - 1 - i) % 2 === 0);
  const root = path[0];
  if (root !== undefined && steps[0] !== root) steps.unshift(root);
  return steps;
}

/** The defence after an attack, which is the board of this step. Null after the last move. */
export async function defenceOf(hash: string, step: number): Promise<ProofNode | null> {
  const here = await proofApi.place(hash, { node: step, extra: [] });
  if (here.kind === "defence") return here;
  return here.next === null ? null : proofApi.place(hash, { node: here.next, extra: [] });
}

export async function aroundOf(hash: string, steps: number[]): Promise<Around> {
  const here = steps[steps.length - 1];
  const before = steps[steps.length - 2];
  const replies = here === undefined ? null : await defenceOf(hash, here);
  const above = before === undefined ? null : await defenceOf(hash, before);
  return {
    steps,
    siblings: above?.replies.map((reply) => reply.node) ?? [],
    replies: replies?.replies.map((reply) => reply.node) ?? [],
  };
}

/** Shows a step on the board, without changing any document. */
export async function walkToStep(hash: string, steps: number[], extra: SquareName[] = []): Promise<void> {
  const here = steps[steps.length - 1];
  if (here === undefined) return;
  try {
    const defence = await defenceOf(hash, here);
    const target: WalkedSpot = { hash, steps, place: { node: defence?.node ?? here, extra } };
    tried.value = null;
    // A previewed line belongs to the document.
    hideLine();
    walked.value = target;
  } catch (error) {
    failed(error);
  }
}

let walking: Promise<unknown> = Promise.resolve();

/** A key of the walk. Keys run one after the other. */
export function walkKey(key: WalkKey): void {
  walking = walking
    .then(async () => {
      const current = await currentSteps();
      if (current === null) return;
      const around = await aroundOf(current.hash, current.steps);
      const next = walkTo(key, around);
      // At an attack of the document the first step shows Attacker's own move.
      if (walked.value === null && key === "right" && place.value?.kind !== "defence") {
        await walkToStep(current.hash, current.steps, current.extra);
        return;
      }
      if (next === null) return;
      const index = current.steps.indexOf(next);
      const steps =
        index >= 0
          ? current.steps.slice(0, index + 1)
          : key === "right"
            ? [...current.steps, next]
            : [...current.steps.slice(0, -1), next];
      await walkToStep(current.hash, steps, current.extra);
    })
    .catch(failed);
}

export const endWalk = (): void => {
  tried.value = null;
  walked.value = null;
};
