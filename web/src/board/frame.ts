// The part of the board that is shown, and the positions of its squares in the picture. A cell is CELL units wide.
import type { Game, SquareName } from "../api/types";
import type { Coordinates } from "../game/squares";
import { isUnbounded, nameOf, type Square, squareOf } from "../game/squares";
import { fromScreen, type Place, type Size, toScreen, turnedSize } from "./orientation";

export const CELL = 32;
/** Limits of the side of the window on an unbounded board. */
const WINDOW_MAX = 59;
const WINDOW_MIN = 15;
const MARGIN = 3;

/** Corners, both included. */
export interface Window {
  low: Square;
  high: Square;
}

export const sizeOf = ({ low, high }: Window): Size => ({
  cols: high.x - low.x + 1,
  rows: high.y - low.y + 1,
});

/** The whole of a bounded board. */
export const wholeBoard = (game: Game): Window => ({
  low: { x: 0, y: 0 },
  high: { x: game.cols - 1, y: game.rows - 1 },
});

function axis(low: number, high: number, anchor: number): [number, number] {
  const missing = Math.max(0, WINDOW_MIN - 2 * MARGIN - (high - low + 1));
  let start = low - MARGIN - Math.floor(missing / 2);
  let end = high + MARGIN + Math.ceil(missing / 2);
  if (end - start + 1 > WINDOW_MAX) {
    start = Math.min(Math.max(anchor - Math.floor(WINDOW_MAX / 2), start), end - WINDOW_MAX + 1);
    end = start + WINDOW_MAX - 1;
  }
  return [start, end];
}

/**
 * The window of an unbounded board: all squares with a margin, at most WINDOW_MAX around the anchor. It keeps the
 * previous window inside if possible, so that the board does not jump while the reader steps through a game.
 */
export function windowAround(squares: readonly Square[], anchor: Square | null, before: Window | null): Window {
  const shown = squares.length === 0 ? [{ x: 0, y: 0 }] : squares;
  const xs = shown.map((s) => s.x);
  const ys = shown.map((s) => s.y);
  if (before !== null) {
    xs.push(before.low.x + MARGIN, before.high.x - MARGIN);
    ys.push(before.low.y + MARGIN, before.high.y - MARGIN);
  }
  const [x0, x1] = axis(Math.min(...xs), Math.max(...xs), anchor?.x ?? xs[0] ?? 0);
  const [y0, y1] = axis(Math.min(...ys), Math.max(...ys), anchor?.y ?? ys[0] ?? 0);
  return { low: { x: x0, y: y0 }, high: { x: x1, y: y1 } };
}

export interface Frame {
  game: Game;
  window: Window;
  orientation: number;
  coordinates: Coordinates;
  /** Columns and rows on the screen. */
  size: Size;
  /** Space for coordinates on the left and below, and around everything. */
  edge: number;
  gutter: number;
  width: number;
  height: number;
}

/** The distance of labelled lines. */
export function labelStep({ size }: Pick<Frame, "size">): number {
  const most = Math.max(size.cols, size.rows);
  return most > 40 ? 3 : most > 26 ? 2 : 1;
}

export function makeFrame(game: Game, window: Window, orientation: number, coordinates: Coordinates): Frame {
  const size = turnedSize(sizeOf(window), orientation);
  const step = labelStep({ size });
  const gutter = coordinates === "off" ? 0 : CELL * (isUnbounded(game) ? 0.95 : 0.75) * (1 + 0.4 * (step - 1));
  const edge = CELL * 0.22;
  return {
    game,
    window,
    orientation,
    coordinates,
    size,
    edge,
    gutter,
    width: size.cols * CELL + gutter + 2 * edge,
    height: size.rows * CELL + gutter + 2 * edge,
  };
}

/** The centre of a square in the picture, null if it is not shown. */
export function centre(frame: Frame, name: SquareName): [number, number] | null {
  const square = squareOf(name);
  return square === null ? null : centreOf(frame, square);
}

export function centreOf(frame: Frame, square: Square): [number, number] | null {
  const place = placeOf(frame, square);
  if (place === null) return null;
  return [frame.edge + frame.gutter + (place.u + 0.5) * CELL, frame.edge + (place.v + 0.5) * CELL];
}

/** The place of a square on the screen, null if it is not shown. */
export function placeOf(frame: Frame, { x, y }: Square): Place | null {
  const { low, high } = frame.window;
  if (x < low.x || y < low.y || x > high.x || y > high.y) return null;
  return toScreen({ u: x - low.x, v: high.y - y }, sizeOf(frame.window), frame.orientation);
}

/** The square at a place on the screen (u from the left, v from the top). */
export function squareAtPlace(frame: Frame, u: number, v: number): Square | null {
  if (u < 0 || v < 0 || u >= frame.size.cols || v >= frame.size.rows) return null;
  const place = fromScreen({ u, v }, sizeOf(frame.window), frame.orientation);
  return { x: frame.window.low.x + place.u, y: frame.window.high.y - place.v };
}

/** The square at a point of the picture. */
export function squareAt(frame: Frame, px: number, py: number): SquareName | null {
  const u = Math.floor((px - frame.edge - frame.gutter) / CELL);
  const v = Math.floor((py - frame.edge) / CELL);
  const square = squareAtPlace(frame, u, v);
  return square === null ? null : nameOf(frame.game, square);
}

/** Whether the line `i` of `n` has star points; the same rule as in the pictures of the program. */
function isStarOfAxis(i: number, n: number): boolean {
  const edge = n < 12 ? 2 : 3;
  const inner = n - 1 - 2 * edge;
  const even = n < 17 ? undefined : [6, 5, 7, 8, 9, 10, 11, 12, 13].find((s) => inner % s === 0);
  const step = even ?? inner;
  return i >= edge && i < n - edge && (i - edge) % step === 0;
}

export function isStar(game: Game, { x, y }: Square): boolean {
  if (isUnbounded(game)) return x === 0 && y === 0;
  const { cols, rows } = game;
  if (cols < 9 || rows < 9) return false;
  const isCentre = cols % 2 === 1 && rows % 2 === 1 && x === (cols - 1) / 2 && y === (rows - 1) / 2;
  return isCentre || (isStarOfAxis(x, cols) && isStarOfAxis(y, rows));
}
