// The scene that the board shows, computed from the state of the page. Each part is a signal of its own, so that a
// layer is redrawn only when its part changes.
import { computed, effect, signal } from "@preact/signals";
import type { Color, SquareName } from "../api/types";
import { opponent } from "../game/rules";
import { isUnbounded, nameOf, type Square, squareOf } from "../game/squares";
import { isFree, placing, shownPosition } from "../input/board";
import { arrowFrom, setup, tool } from "../input/tools";
import { ahead, doc, game, node, seen } from "../state/document";
import { isLate } from "../state/edits";
import {
  overlays as all,
  boardMode,
  type Candidate,
  type Ghost,
  hovered,
  type Overlay,
  preview,
  provisional,
} from "../state/overlay";
import { bare, coordinates, layers, numbers, orientation } from "../state/view";
import { makeFrame, sizeOf, type Window, wholeBoard, windowAround } from "./frame";
import { fromScreen } from "./orientation";
import type { Scene } from "./scene";

const NOTHING: readonly never[] = [];

/** The overlays of panes. They belong to the node, so they are hidden while later moves wait for a late server. */
const overlays = computed((): readonly Overlay[] => (ahead.value.length > 0 && isLate.value ? NOTHING : all.value));
/** The squares of moves that wait for a late server: the board marks them as not stored. */
const unstored = computed(() => {
  const shown = isLate.value && boardMode.value === null ? ahead.value : NOTHING;
  return shown.flatMap(({ move }) => move.squares.map((square) => ({ square, color: move.color })));
});

/** The cursor of the keyboard or of a finger; null without a cursor. */
export const cursor = signal<SquareName | null>(null);
/** Whether the hovered square belongs to the mouse: under a finger there is no ghost. */
export const hoverStone = signal(true);
/** The turn after which `here` begins to number moves. */
export const numbersFrom = signal(0);

// --- Where: the frame -------------------------------------------------------------------------------

/** The shift of an unbounded board, in squares. */
export const pan = signal({ x: 0, y: 0 });
/** The window so far, and its document: it grows with the game, and another document begins with a new one. */
let grown: { id: string | undefined; window: Window } | null = null;
const anew = signal(0);

const stones = computed(() => {
  const position = setup.value ?? shownPosition.value;
  if (position === null) return NOTHING;
  const open = new Set(unstored.value.map(({ square }) => square));
  const list: { square: SquareName; color: Color }[] = [];
  for (const square of position.black) if (!open.has(square)) list.push({ square, color: "black" });
  for (const square of position.white) if (!open.has(square)) list.push({ square, color: "white" });
  return list;
});

const last = computed((): readonly SquareName[] => {
  if (!layers.last.value || bare.value || setup.value !== null) return NOTHING;
  for (const overlay of [...overlays.value].reverse()) {
    if (overlay.position) return overlay.position.last ?? NOTHING;
  }
  return seen.value?.stones.map((stone) => stone.square) ?? NOTHING;
});

const window = computed((): Window | null => {
  const here = game.value;
  if (here === null) return null;
  if (!isUnbounded(here)) return wholeBoard(here);
  const seen = [...stones.value, ...provisional.value.map((square) => ({ square }))];
  const squares = seen.map((s) => squareOf(s.square)).filter((s): s is Square => s !== null);
  const anchor = last.value[0] === undefined ? null : squareOf(last.value[0]);
  anew.value; // `panHome` asks for a new window.
  const id = doc.value?.id;
  const result = windowAround(squares, anchor, grown?.id === id ? (grown?.window ?? null) : null);
  grown = { id, window: result };
  return result;
});

let viewedId: string | undefined;
effect(() => {
  const id = doc.value?.id;
  if (id === viewedId) return;
  viewedId = id;
  pan.value = { x: 0, y: 0 };
  numbersFrom.value = 0;
});

/** Moves an unbounded board by squares of the screen. */
export function panBy(du: number, dv: number): void {
  const here = frame.peek();
  if (here === null || !isUnbounded(here.game) || (du === 0 && dv === 0)) return;
  const size = sizeOf(here.window);
  const from = fromScreen({ u: 0, v: 0 }, size, here.orientation);
  const to = fromScreen({ u: du, v: dv }, size, here.orientation);
  pan.value = { x: pan.value.x + to.u - from.u, y: pan.value.y - (to.v - from.v) };
}

export function panHome(): void {
  grown = null;
  anew.value += 1;
  pan.value = { x: 0, y: 0 };
}

export const frame = computed(() => {
  const [here, area] = [game.value, window.value];
  if (here === null || area === null) return null;
  const { x, y } = isUnbounded(here) ? pan.value : { x: 0, y: 0 };
  const low = { x: area.low.x + x, y: area.low.y + y };
  const high = { x: area.high.x + x, y: area.high.y + y };
  return makeFrame(here, { low, high }, orientation.value, coordinates.value);
});

// --- What: the parts of the scene -------------------------------------------------------------------

const numberTexts = computed((): ReadonlyMap<SquareName, string> => {
  const texts = new Map<SquareName, string>();
  const here = seen.value;
  const replaced = overlays.value.some((overlay) => overlay.position) || setup.value !== null;
  if (here === null || bare.value || numbers.value === "none" || replaced) return texts;
  here.position.played.forEach(({ square, turn }, index) => {
    if (numbers.value === "turn") texts.set(square, String(turn));
    else if (numbers.value === "stone") texts.set(square, String(index + 1));
    else if (numbers.value === "here" && turn > numbersFrom.value) {
      texts.set(square, String(turn - numbersFrom.value));
    }
  });
  if (numbers.value === "last") for (const { square } of here.stones) texts.set(square, String(here.turn));
  return texts;
});

const usual = computed(() => !bare.value && setup.value === null);

/** The square under the pointer if a stored next move has it: other squares change nothing. */
const overNext = computed(() => {
  const square = hovered.value;
  const isNext =
    square !== null && ahead.value.length === 0 && node.value?.children.some((child) => child.stones.includes(square));
  return isNext ? square : null;
});

/** The stored next moves under the pointer. */
export const hoveredNext = computed(() => {
  const square = overNext.value;
  return square === null ? [] : (node.value?.children ?? []).filter((child) => child.stones.includes(square));
});

/** The stored next moves as candidates; with a provisional stone, those that contain it. */
const candidates = computed((): readonly Candidate[] => {
  const here = node.value;
  if (here === null || !usual.value || preview.value !== null || ahead.value.length > 0) return NOTHING;
  const offered = overlays.value.flatMap((overlay) => overlay.candidates ?? []);
  const busy = boardMode.value !== null || overlays.value.some((overlay) => overlay.position || overlay.hidesNext);
  if (busy || !layers.next.value || tool.value !== "play") return offered;
  const placed = provisional.value;
  const over = overNext.value;
  const stored = here.children
    .filter((child) => child.stones.length > 0 && placed.every((s) => child.stones.includes(s)))
    .map((child): Candidate => {
      const color = child.color ?? here.position.toMove;
      const winner = child.verdict?.winner;
      const outcome = winner === undefined ? "none" : winner === color ? "win" : "loss";
      const squares = child.stones.filter((square) => !placed.includes(square));
      // The stones of the move under the pointer stand out.
      const best = over !== null && child.stones.includes(over);
      return { squares, color, label: child.label, outcome, best };
    });
  return [...offered, ...stored];
});

const ghostStones = computed((): readonly Ghost[] => {
  if (bare.value) return NOTHING;
  const list = overlays.value.flatMap((overlay) => overlay.ghosts ?? []);
  const line = preview.value;
  if (line !== null) {
    line.line.slice(0, line.shown).forEach((move, index) => {
      const color = index % 2 === 0 ? line.first : opponent(line.first);
      for (const square of move) list.push({ square, color, text: String(index + 1), kind: "preview" });
    });
  }
  const { color } = placing.value;
  for (const stone of unstored.value) list.push({ ...stone, kind: "unstored" });
  for (const square of provisional.value) list.push({ square, color, kind: "provisional" });
  // A ghost never covers a stone: its move is played there, or the board shows another position.
  const taken = new Set(stones.value.map(({ square }) => square));
  return list.filter(({ square }) => !taken.has(square));
});

const zone = computed(() => {
  const shown = usual.value && layers.zone.value;
  const zones = shown ? overlays.value.flatMap((overlay) => overlay.zone ?? []) : [];
  const solid = zones.flatMap((one) => one.solid);
  const inSolid = new Set(solid);
  const hatched = zones.flatMap((one) => one.hatched).filter((square) => !inSolid.has(square));
  return { solid, hatched };
});

const notes = computed(() => {
  const here = node.value;
  const own =
    usual.value &&
    layers.marks.value &&
    ahead.value.length === 0 &&
    !overlays.value.some((overlay) => overlay.position);
  const laid = usual.value ? overlays.value : [];
  return {
    labels: [...(own ? (here?.labels ?? []) : []), ...laid.flatMap((overlay) => overlay.labels ?? [])],
    marks: [...(own ? (here?.marks ?? []) : []), ...laid.flatMap((overlay) => overlay.marks ?? [])],
    arrows: [...(own ? (here?.arrows ?? []) : []), ...laid.flatMap((overlay) => overlay.arrows ?? [])],
  };
});

const dimmed = computed((): readonly SquareName[] => {
  if (!usual.value) return NOTHING;
  const own = layers.marks.value ? (node.value?.dimmed ?? []) : [];
  const bright = overlays.value.flatMap((overlay) => (overlay.bright ? [overlay.bright] : []));
  const here = frame.value;
  if (bright.length === 0 || here === null || !layers.zone.value) return own;
  const stay = new Set(bright.flat());
  const { low } = here.window;
  const { cols, rows } = sizeOf(here.window);
  const dark: SquareName[] = [];
  for (let x = low.x; x < low.x + cols; x++) {
    for (let y = low.y; y < low.y + rows; y++) {
      const name = nameOf(here.game, { x, y });
      if (!stay.has(name)) dark.push(name);
    }
  }
  return dark;
});

const threats = computed(() => (usual.value ? overlays.value.flatMap((o) => o.threats ?? []) : []));
const mustAnswer = computed(() => (usual.value ? overlays.value.flatMap((o) => o.mustAnswer ?? []) : []));
const winning = computed(() =>
  !usual.value || overlays.value.some((o) => o.position) ? NOTHING : (seen.value?.position.winningSquares ?? NOTHING),
);

const hover = computed(() => {
  const square = cursor.value ?? (hoverStone.value ? hovered.value : null);
  if (square === null || !usual.value) return null;
  if (tool.value !== "play" && boardMode.value === null) return null;
  const { count, color } = placing.value;
  if (count === 0 || provisional.value.includes(square) || !isFree(square)) return null;
  return { square, color };
});

/** The whole scene; null while there is no document. */
export const scene = computed((): Scene | null => {
  const here = frame.value;
  if (here === null) return null;
  return {
    frame: here,
    stones: stones.value,
    last: last.value,
    winning: winning.value,
    numbers: numberTexts.value,
    candidates: candidates.value,
    ...notes.value,
    dimmed: dimmed.value,
    zone: zone.value,
    ghosts: ghostStones.value,
    threats: threats.value,
    mustAnswer: mustAnswer.value,
    hover: hover.value,
    cursor: arrowFrom.value ?? cursor.value,
  };
});
