// Squares and their names. The server writes `J10` (no letter skipped, row 1 at the bottom) or `x,y` on an unbounded
// board; the reader may see and type other names (letters without I, numbers).
import type { Game, SquareName } from "../api/types";

/** How the reader writes columns. */
export const COORDINATES = ["letters", "without-i", "numbers", "off"] as const;
export type Coordinates = (typeof COORDINATES)[number];

export interface Square {
  x: number;
  y: number;
}

/** A … Z, AA …: no letter is skipped. */
export function columnName(x: number): string {
  const letter = (i: number): string => String.fromCharCode(65 + i);
  return x < 26 ? letter(x) : columnName(Math.floor(x / 26) - 1) + columnName(x % 26);
}

const WITHOUT_I = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** A … H, J … Z, AA …: the columns of Go players. */
export function columnNameWithoutI(x: number): string {
  const size = WITHOUT_I.length;
  const last = WITHOUT_I.charAt(x % size);
  return x < size ? last : columnNameWithoutI(Math.floor(x / size) - 1) + last;
}

export const isUnbounded = (game: Game): boolean => game.cols === 0;

export function contains(game: Game, { x, y }: Square): boolean {
  return isUnbounded(game) || (x >= 0 && y >= 0 && x < game.cols && y < game.rows);
}

/** The server's name of a square. */
export const nameOf = (game: Game, { x, y }: Square): SquareName =>
  isUnbounded(game) ? `${x},${y}` : `${columnName(x)}${y + 1}`;

const known = new Map<SquareName, Square | null>();
const KNOWN_MAX = 20_000;

function read(name: SquareName): Square | null {
  const pair = /^(-?\d{1,10}),(-?\d{1,10})$/.exec(name);
  if (pair) return { x: Number(pair[1]), y: Number(pair[2]) };
  const parts = /^([A-Za-z]{1,4})(\d{1,6})$/.exec(name);
  if (!parts) return null;
  let column = 0;
  for (const c of (parts[1] ?? "").toUpperCase()) column = column * 26 + c.charCodeAt(0) - 64;
  return { x: column - 1, y: Number(parts[2]) - 1 };
}

/** Reads a name of the server. Cached: the same few hundred names come again and again. */
export function squareOf(name: SquareName): Square | null {
  let square = known.get(name);
  if (square === undefined) {
    square = read(name);
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(name, square);
  }
  return square;
}

/** The label of a column or a row at the edge of the board. */
export function columnLabel(game: Game, kind: Coordinates, x: number): string {
  if (isUnbounded(game)) return String(x);
  if (kind === "numbers") return String(x + 1);
  return kind === "without-i" ? columnNameWithoutI(x) : columnName(x);
}

export const rowLabel = (game: Game, y: number): string => String(isUnbounded(game) ? y : y + 1);

/** A square as the page shows it. */
export function shownName(game: Game, kind: Coordinates, name: SquareName): string {
  if (isUnbounded(game) || kind === "letters" || kind === "off") return name;
  const square = squareOf(name);
  if (square === null) return name;
  const column = columnLabel(game, kind, square.x);
  return kind === "numbers" ? `${column},${square.y + 1}` : `${column}${square.y + 1}`;
}

/** Reads a square as the page shows it. Null if it is not a square of the board. */
export function typedSquare(game: Game, kind: Coordinates, text: string): SquareName | null {
  let square: Square | null = null;
  const pair = /^(-?\d{1,9}),(-?\d{1,9})$/.exec(text);
  if (pair) {
    const shift = isUnbounded(game) ? 0 : 1;
    square = { x: Number(pair[1]) - shift, y: Number(pair[2]) - shift };
  } else if (kind === "without-i" && !isUnbounded(game)) {
    const parts = /^([A-HJ-Z]{1,3})(\d{1,6})$/i.exec(text);
    if (parts) {
      let column = 0;
      for (const c of (parts[1] ?? "").toUpperCase()) column = column * 25 + WITHOUT_I.indexOf(c) + 1;
      square = { x: column - 1, y: Number(parts[2]) - 1 };
    }
  } else {
    square = read(text);
  }
  return square !== null && contains(game, square) ? nameOf(game, square) : null;
}

/** The words of a typed move: `j10 k11`, `J10K11`, `j10-k11`, `3,-4 5,6`. */
export function typedWords(text: string): string[] {
  return text.match(/-?\d+\s*,\s*-?\d+|[A-Za-z]+\s*\d+|[^\s;/]+/g)?.map((t) => t.replace(/\s/g, "")) ?? [];
}
