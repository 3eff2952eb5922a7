// Walking through a certificate. A certificate's nodes alternate: Attacker's move, Defender's
// replies, Attacker's answer to each. A reader thinks in steps of two: "if he plays this, I answer
// that". So a place on the walk is an attack (or win) node, and the keys go between these: Right
// into the first reply to the answer, Left back, Up and Down to the other replies. Pure.
import type { ProofReply, SquareName } from "../../api/types";

/** What is next to a place, as far as the keys need it. */
export interface Around {
  /** The attack nodes from the root to here, this one last. */
  steps: number[];
  /** The replies that Defender had instead, this one included; empty at the root. */
  siblings: number[];
  /** The replies to the answer; empty if the proof ends here. */
  replies: number[];
}

export type WalkKey = "right" | "left" | "up" | "down" | "home" | "end";

/** Where a key leads; null if nowhere. */
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

/** A reply of a certificate as a move that can be played: p stones. A macro holds all blocks at
 * once: some of them are a move that it covers. A null or semi-null move leaves stones open: they
 * go outside the zone, as far from it as possible, where they change nothing. */
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

/** Stones of a macro that block every threat if so few can; greedy: most threats first. */
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
