// Everything that the board shows, as plain data. The layers draw it.
import type { Color, MarkKind, SquareName } from "../api/types";
import type { Candidate, Ghost } from "../state/overlay";
import type { Frame } from "./frame";
import type { Shape } from "./shapes";

export interface Scene {
  frame: Frame;
  stones: readonly { square: SquareName; color: Color }[];
  /** Squares of the last move. */
  last: readonly SquareName[];
  winning: readonly SquareName[];
  /** The texts on stones. */
  numbers: ReadonlyMap<SquareName, string>;
  candidates: readonly Candidate[];
  labels: readonly { square: SquareName; text: string }[];
  marks: readonly { square: SquareName; kind: MarkKind }[];
  arrows: readonly { from: SquareName; to: SquareName }[];
  dimmed: readonly SquareName[];
  zone: { solid: readonly SquareName[]; hatched: readonly SquareName[] };
  ghosts: readonly Ghost[];
  threats: readonly { color: Color; squares: SquareName[]; empties: SquareName[] }[];
  mustAnswer: readonly SquareName[];
  hover: { square: SquareName; color: Color } | null;
  cursor: SquareName | null;
}

/** A layer of the picture: what it depends on, and its shapes. */
export interface Layer {
  name: string;
  /** The layer is drawn again when one of these changes. */
  deps: (scene: Scene) => readonly unknown[];
  shapes: (scene: Scene) => Shape[];
}
