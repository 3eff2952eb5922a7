// A move has several stones: the first ones are provisional, the last one commits. Pure functions: what a click or a
// key does to the stones placed so far.
import type { SquareName } from "../api/types";

export interface Placing {
  /** The number of stones of a whole move. */
  count: number;
  isFree: (square: SquareName) => boolean;
}

export interface Placed {
  stones: SquareName[];
  /** Whether they are a whole move. */
  commit: boolean;
}

/** Places a stone, or takes a provisional one back. */
export function place(stones: readonly SquareName[], square: SquareName, rules: Placing): Placed {
  if (stones.includes(square)) {
    return { stones: stones.filter((stone) => stone !== square), commit: false };
  }
  if (rules.count <= 0 || !rules.isFree(square)) return { stones: [...stones], commit: false };
  const next = [...stones, square];
  return { stones: next, commit: next.length >= rules.count };
}

/** Takes back the last provisional stone. */
export const takeBack = (stones: readonly SquareName[]): SquareName[] => stones.slice(0, -1);

/** Places all stones of a typed move. Null if one of them cannot be placed. */
export function placeAll(squares: readonly SquareName[], rules: Placing): Placed | null {
  let placed: Placed = { stones: [], commit: false };
  for (const square of squares) {
    if (placed.commit || placed.stones.includes(square) || !rules.isFree(square)) return null;
    placed = place(placed.stones, square, rules);
  }
  return placed.stones.length === 0 ? null : placed;
}
