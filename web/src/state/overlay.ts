// What panes lay upon the board, and how they take its clicks. A pane puts an overlay under its own
// name and removes it when it is done; the board shows all of them together.
import { computed, signal } from "@preact/signals";
import type { Color, MarkKind, SquareName } from "../api/types";

/** A stone that is not there: previewed, provisional, or standing outside of a zone. */
export interface Ghost {
  square: SquareName;
  color: Color;
  /** A number or a letter on it. */
  text?: string;
  kind?: "preview" | "provisional" | "unstored" | "extra";
}

export interface Overlay {
  /** Stones shown instead of the node's (walking a proof). */
  position?: { black: SquareName[]; white: SquareName[]; last?: SquareName[] };
  /** Solid tint and hatched pattern, under the stones. */
  zone?: { solid: SquareName[]; hatched: SquareName[] };
  /** Squares that stay bright while all others dim. */
  bright?: SquareName[];
  ghosts?: Ghost[];
  /** Lines with their empty squares. */
  threats?: { color: Color; squares: SquareName[]; empties: SquareName[] }[];
  /** Squares that have to be answered on. */
  mustAnswer?: SquareName[];
  marks?: { square: SquareName; kind: MarkKind }[];
  labels?: { square: SquareName; text: string }[];
  arrows?: { from: SquareName; to: SquareName }[];
  /** The stored next moves are not shown: they would give the answer away. */
  hidesNext?: boolean;
  /** Moves to choose from, drawn as small stones: their squares, a label, who plays, what is known. */
  candidates?: Candidate[];
}

export interface Candidate {
  squares: SquareName[];
  color: Color;
  label: string;
  /** win: for the side that plays it. */
  outcome: "win" | "loss" | "value" | "none";
  /** The best of several: drawn stronger. */
  best?: boolean;
}

const byName = signal<ReadonlyMap<string, Overlay>>(new Map());

/** All overlays, in the order in which they came. */
export const overlays = computed(() => [...byName.value.values()]);

/** Puts an overlay under a name, or takes it away. An effect that does so must not come to depend on
 * what others put there. */
export function setOverlay(name: string, overlay: Overlay | null): void {
  if (overlay === null && !byName.peek().has(name)) return;
  const next = new Map(byName.peek());
  if (overlay === null) next.delete(name);
  else next.set(name, overlay);
  byName.value = next;
}

/** A line that is previewed: wheel and arrows step through it, `,` plays it. */
export interface Preview {
  /** Who wants it shown; so that only he takes it away. */
  from: string;
  line: SquareName[][];
  /** Who plays the first move. */
  first: Color;
  /** How many moves of the line are shown. */
  shown: number;
}

export const preview = signal<Preview | null>(null);

/** Shows a line, all of it unless `shown` says otherwise. */
export function showLine(from: string, first: Color, line: SquareName[][], shown = line.length): void {
  preview.value = line.length === 0 ? null : { from, first, line, shown };
}

/** Ends a preview, if it is (still) this one's. */
export function hideLine(from?: string): void {
  if (preview.peek() !== null && (from === undefined || preview.peek()?.from === from)) {
    preview.value = null;
  }
}

/** Takes the board's clicks instead of the usual: playing against the engine, walking a proof. */
export interface BoardMode {
  name: string;
  /** Stones that a move needs here, and whose they are. */
  stones: () => { count: number; color: Color };
  /** Whether a stone can be placed there. */
  isFree?: (square: SquareName) => boolean;
  /** A whole move was placed. */
  onMove: (squares: SquareName[]) => void;
  /** The provisional stones have changed (also to none). */
  onProvisional?: (squares: SquareName[]) => void;
  /** Right click, Backspace, Left: one step back; true if this mode has done it. */
  onBack?: () => boolean;
  onForward?: () => boolean;
  /** Esc, when nothing is provisional: leave the mode; true if done. */
  onEscape?: () => boolean;
  /** One line above the board. */
  banner?: () => string;
}

const modeStack = signal<readonly BoardMode[]>([]);
/** The mode on top, or null: clicks edit the document. */
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
/** One sentence about the hovered square; panes set it, the line below the board shows it. */
export const hint = signal<string | null>(null);
/** Stones placed, but not yet a whole move. */
export const provisional = signal<SquareName[]>([]);
