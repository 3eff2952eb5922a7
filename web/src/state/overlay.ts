// Overlays of panes on the board, and modes that take its clicks. A pane puts an overlay under its own name and
// removes it in the end; the board shows all of them together.
import { computed, signal } from "@preact/signals";
import type { Color, MarkKind, SquareName } from "../api/types";

/** A ghost: a previewed or provisional stone, one that is not stored, or one outside of a zone. */
export interface Ghost {
  square: SquareName;
  color: Color;
  /** A number or a letter on it. */
  text?: string;
  kind?: "preview" | "provisional" | "unstored" | "extra";
}

export interface Overlay {
  /** Stones that replace those of the node (walking a proof). */
  position?: { black: SquareName[]; white: SquareName[]; last?: SquareName[] };
  /** Solid tint and hatched pattern, under the stones. */
  zone?: { solid: SquareName[]; hatched: SquareName[] };
  /** Squares that stay bright while the others dim. */
  bright?: SquareName[];
  ghosts?: Ghost[];
  /** Lines with their empty squares. */
  threats?: { color: Color; squares: SquareName[]; empties: SquareName[] }[];
  /** Squares that have to be answered on. */
  mustAnswer?: SquareName[];
  marks?: { square: SquareName; kind: MarkKind }[];
  labels?: { square: SquareName; text: string }[];
  arrows?: { from: SquareName; to: SquareName }[];
  /** Whether to hide the stored next moves, which would give the answer away. */
  hidesNext?: boolean;
  /** Moves to choose from, drawn as small stones. */
  candidates?: Candidate[];
}

export interface Candidate {
  squares: SquareName[];
  color: Color;
  label: string;
  /** The outcome for the side that plays the move. */
  outcome: "win" | "loss" | "value" | "none";
  /** The best of several, drawn stronger. */
  best?: boolean;
}

const byName = signal<ReadonlyMap<string, Overlay>>(new Map());

/** All overlays, in the order in which they came. */
export const overlays = computed(() => [...byName.value.values()]);

/**
 * Puts an overlay under a name, or removes it. It reads without tracking: an effect that calls it must not depend on
 * the overlays of others.
 */
export function setOverlay(name: string, overlay: Overlay | null): void {
  if (overlay === null && !byName.peek().has(name)) return;
  const next = new Map(byName.peek());
  if (overlay === null) next.delete(name);
  else next.set(name, overlay);
  byName.value = next;
}

/** A previewed line: wheel and arrows step through it, `,` plays it. */
export interface Preview {
  /** The owner of the preview: only it ends the preview. */
  from: string;
  line: SquareName[][];
  /** The side of the first move. */
  first: Color;
  /** The number of moves that are shown. */
  shown: number;
}

export const preview = signal<Preview | null>(null);

/** Previews a line, all of it unless `shown` limits it. */
export function showLine(from: string, first: Color, line: SquareName[][], shown = line.length): void {
  preview.value = line.length === 0 ? null : { from, first, line, shown };
}

/** Ends the preview, if `from` owns it or is absent. */
export function hideLine(from?: string): void {
  if (preview.peek() !== null && (from === undefined || preview.peek()?.from === from)) {
    preview.value = null;
  }
}

/** A mode takes the clicks of the board: playing against the engine, walking a proof. */
export interface BoardMode {
  name: string;
  /** The number and the side of the stones of a move. */
  stones: () => { count: number; color: Color };
  /** Whether a stone can be placed there. */
  isFree?: (square: SquareName) => boolean;
  /** A whole move was placed. */
  onMove: (squares: SquareName[]) => void;
  /** The provisional stones changed, perhaps to none. */
  onProvisional?: (squares: SquareName[]) => void;
  /** Right click, Backspace, Left: goes back; true if the mode has done so. */
  onBack?: () => boolean;
  onForward?: () => boolean;
  /** Esc without provisional stones: leaves the mode; true if it has done so. */
  onEscape?: () => boolean;
  /** A line above the board. */
  banner?: () => string;
}

const modeStack = signal<readonly BoardMode[]>([]);
/** The top mode; null: clicks edit the document. */
export const boardMode = computed(() => modeStack.value[modeStack.value.length - 1] ?? null);

export function enterMode(mode: BoardMode): void {
  modeStack.value = [...modeStack.peek().filter((m) => m.name !== mode.name), mode];
}

export function leaveMode(name: string): void {
  if (modeStack.peek().some((m) => m.name === name)) {
    modeStack.value = modeStack.peek().filter((m) => m.name !== name);
  }
}

/** The square under the pointer or the cursor. */
export const hovered = signal<SquareName | null>(null);
/** A sentence about the hovered square: a pane sets it, the line below the board shows it. */
export const hint = signal<string | null>(null);
/** The placed stones of an incomplete move. */
export const provisional = signal<SquareName[]>([]);
