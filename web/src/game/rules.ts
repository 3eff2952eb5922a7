// The rules that the page needs before the server answers: the position after a move.
import type { Color, Game, Position, SquareName } from "../api/types";
import { nameOf, squareOf } from "./squares";

export const opponent = (color: Color): Color => (color === "black" ? "white" : "black");

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** The longest row through a square that wins; empty if none does. */
function winningRow(game: Game, own: ReadonlySet<SquareName>, through: SquareName): SquareName[] {
  const start = squareOf(through);
  if (start === null) return [];
  for (const [dx, dy] of DIRECTIONS) {
    const row: SquareName[] = [through];
    for (const sign of [1, -1]) {
      for (let i = 1; ; i++) {
        const name = nameOf(game, { x: start.x + sign * i * dx, y: start.y + sign * i * dy });
        if (!own.has(name)) break;
        row.push(name);
      }
    }
    if (game.exact ? row.length === game.k : row.length >= game.k) return row;
  }
  return [];
}

/** The position after a move of the side to move: all its stones, or fewer. */
export function afterMove(game: Game, from: Position, squares: readonly SquareName[]): Position {
  const color = from.toMove;
  const own = new Set([...(color === "black" ? from.black : from.white), ...squares]);
  const black = color === "black" ? [...own] : from.black;
  const white = color === "white" ? [...own] : from.white;
  const winningSquares = squares.map((square) => winningRow(game, own, square)).find((row) => row.length > 0) ?? [];
  const winner = winningSquares.length > 0 ? color : null;
  const isWhole = winner !== null || squares.length >= from.left;
  const last = from.played[from.played.length - 1];
  // The rest of a move continues the number of its first stones.
  const goesOn = last !== undefined && last.color === color;
  const turn = (last?.turn ?? 0) + (goesOn ? 0 : 1);
  return {
    black,
    white,
    toMove: isWhole ? opponent(color) : color,
    left: isWhole ? game.p : from.left - squares.length,
    winner,
    isFull: game.cols > 0 && black.length + white.length >= game.cols * game.rows,
    winningSquares,
    played: [...from.played, ...squares.map((square) => ({ square, color, turn }))],
  };
}

/** Whether two positions have the same stones and the same side to move. */
export function isSame(a: Position, b: Position): boolean {
  const text = ({ black, white, toMove, left }: Position): string =>
    JSON.stringify([[...black].sort(), [...white].sort(), toMove, left]);
  return text(a) === text(b);
}
