// Walking through a certificate, as pure functions. The nodes of a certificate alternate: Attacker's move,
// Defender's replies, Attacker's answer to each. A reader thinks in pairs of a reply and its answer, so a place of
// the walk is an attack (or win) node: Right goes to the first reply, Left back, Up and Down to the other replies.
import type { ProofReply, SquareName } from "../../api/types";

/** The neighbours of a place. */
export interface Around {
  /** The attack nodes from the root to here, this one last. */
  steps: number[];
  /** Defender's replies at this point, this one included; empty at the root. */
  siblings: number[];
  /** The replies to the answer; empty if the proof ends here. */
  replies: number[];
}

export type WalkKey = "right" | "left" | "up" | "down" | "home" | "end";

/** The node that a key leads to, or null. */
export function walkTo(key: WalkKey, around: Around): number | null {
  const here = around.steps[around.steps.length - 1];
  if (here === undefined) return null;
  const index = around.siblings.indexOf(here);
  switch (key) {
    case "right":
      return around.replies[0] ?? null;
    case "left":
      return around.steps[around.steps.length - 2] ?? null;
    case "up":
      return index > 0 ? (around.siblings[index - 1] ?? null) : null;
    case "down":
      return index >= 0 ? (around.siblings[index + 1] ?? null) : null;
    case "home":
      return around.steps.length > 1 ? (around.steps[0] ?? null) : null;
    case "end":
      return around.siblings[around.siblings.length - 1] ?? null;
  }
}

/**
 * A reply of a certificate as a move that can be played: p stones. A macro holds all blocks at once: some of them
 * are a move that it covers. A null or semi-null move leaves stones open: they go outside the zone, as far away as
 * possible, where they change nothing.
 */
export function playable(
  reply: Pick<ProofReply, "squares">,
  stones: number,
  threats: SquareName[][],
  outside: SquareName[],
): SquareName[] | null {
  const chosen = reply.squares.length > stones ? someBlocks(reply.squares, stones, threats) : [...reply.squares];
  for (const square of outside) {
    if (chosen.length >= stones) break;
    if (!chosen.includes(square)) chosen.push(square);
  }
  return chosen.length === stones ? chosen : null;
}

/** Stones of a macro that block all threats, chosen greedily: the most threats first. */
function someBlocks(squares: SquareName[], stones: number, threats: SquareName[][]): SquareName[] {
  const chosen: SquareName[] = [];
  let open = threats;
  while (chosen.length < stones) {
    let best: SquareName | null = null;
    let most = -1;
    for (const square of squares) {
      if (chosen.includes(square)) continue;
      const blocked = open.filter((threat) => threat.includes(square)).length;
      if (blocked > most) {
        most = blocked;
        best = square;
      }
    }
    if (best === null) break;
    const square = best;
    chosen.push(square);
    open = open.filter((threat) => !threat.includes(square));
  }
  return chosen;
}
