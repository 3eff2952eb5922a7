// Clicks and keys on the board: one module for mouse, touch, keyboard and typed moves.
import { computed, signal } from "@preact/signals";
import type { Color, Position, SquareName } from "../api/types";
import { shownName, typedSquare, typedWords } from "../game/squares";
import { game, seen } from "../state/document";
import { play } from "../state/edits";
import { speak } from "../state/notices";
import { boardMode, overlays, preview, provisional } from "../state/overlay";
import { coordinates } from "../state/view";
import { W } from "../words";
import { say, stepBack } from "./steps";
import { type Placing, place, placeAll, takeBack } from "./stones";
import { arrowFrom, chooseTool, tool, useTool } from "./tools";

/** The position that clicks refer to: that of an overlay, or the one after the last move. */
export const shownPosition = computed(() => {
  for (const overlay of [...overlays.value].reverse()) if (overlay.position) return overlay.position;
  return seen.value?.position ?? null;
});

const occupied = computed(() => {
  const position = shownPosition.value;
  return new Set(position === null ? [] : [...position.black, ...position.white]);
});

/** The number of stones that the side to move places now; fewer on an almost full board. */
function stonesHere(position: Position): number {
  if (position.winner !== null || position.isFull) return 0;
  const { cols = 0, rows = 0 } = game.value ?? {};
  const free = cols === 0 ? Infinity : cols * rows - position.black.length - position.white.length;
  return Math.min(position.left, free);
}

/** The stones that a click places: how many, and of which side. */
export const placing = computed((): { count: number; color: Color } => {
  const mode = boardMode.value;
  if (mode !== null) return mode.stones();
  const position = seen.value?.position;
  if (!position) return { count: 0, color: "black" };
  return { count: stonesHere(position), color: position.toMove };
});

function rules(): Placing {
  const mode = boardMode.value;
  return {
    count: placing.value.count,
    isFree: (square) => !occupied.value.has(square) && (mode?.isFree?.(square) ?? true),
  };
}

export const isFree = (square: SquareName): boolean => rules().isFree(square);

function setProvisional(stones: SquareName[]): void {
  provisional.value = stones;
  boardMode.value?.onProvisional?.(stones);
}

function commit(stones: SquareName[]): void {
  const mode = boardMode.value;
  if (mode !== null) {
    provisional.value = [];
    mode.onMove(stones);
    return;
  }
  void play(stones).then((done) => {
    if (done !== null) say();
  });
}

/** A click (tap, Enter) on a square. */
export function actOn(square: SquareName): void {
  if (boardMode.value === null && tool.value !== "play") return useTool(square);
  if (preview.value !== null) preview.value = null;
  const { stones, commit: whole } = place(provisional.value, square, rules());
  if (whole) commit(stones);
  else {
    setProvisional(stones);
    const left = placing.value.count - stones.length;
    if (stones.includes(square)) speak(`${shown(square)}. ${W().stonesToGo(left)}`);
  }
}

/** Right click: takes back a stone, erases with a tool, or goes one move back. */
export function actBack(square: SquareName | null): void {
  if (takeBackStone()) return;
  if (boardMode.value === null && tool.value === "setup" && square !== null) return useTool(square, true);
  if (arrowFrom.value !== null) arrowFrom.value = null;
  else stepBack();
}

/** Takes back a provisional stone. False without one. */
export function takeBackStone(): boolean {
  if (provisional.value.length === 0) return false;
  setProvisional(takeBack(provisional.value));
  return true;
}

/** Enter with provisional stones: an incomplete move. */
export function commitIncomplete(): void {
  if (boardMode.value === null && provisional.value.length > 0) commit(provisional.value);
}

/** Esc leaves the innermost of: a provisional stone, a preview, an arrow, a tool, a mode. */
export function leave(): boolean {
  if (takeBackStone()) return true;
  if (preview.value !== null) {
    preview.value = null;
    return true;
  }
  if (arrowFrom.value !== null) {
    arrowFrom.value = null;
    return true;
  }
  if (tool.value !== "play") {
    chooseTool("play");
    return true;
  }
  return boardMode.value?.onEscape?.() ?? false;
}

const shown = (square: SquareName): string =>
  game.value === null ? square : shownName(game.value, coordinates.value, square);

// --- Typed moves ------------------------------------------------------------------------------------

/** The text in the field for typed moves; null while the field is closed. */
export const typed = signal<string | null>(null);

/** Plays a typed move. Returns the word that is not a free square, or null. */
export function playTyped(text: string): string | null {
  const here = game.value;
  const words = typedWords(text);
  if (here === null || words.length === 0) return null;
  const squares: SquareName[] = [];
  for (const word of words) {
    const square = typedSquare(here, coordinates.value, word);
    if (square === null || !isFree(square)) return word;
    squares.push(square);
  }
  const whole = placeAll(squares, rules());
  if (whole === null) return words[words.length - 1] ?? text;
  if (whole.commit) commit(whole.stones);
  else setProvisional(whole.stones);
  return null;
}
