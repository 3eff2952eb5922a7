// A move in running text: a small stone of its side, and its squares. Filled and open stones differ in shape, not
// only in colour.
import type { Color, SquareName } from "../api/types";
import { W } from "../words";
import "./Move.css";

export function Stone({ color }: { color: Color }) {
  return (
    <svg class={`chip-stone chip-${color}`} viewBox="0 0 12 12" role="img" aria-label={W().color(color)}>
      <circle cx="6" cy="6" r="5" />
    </svg>
  );
}

export function Move({ color, squares }: { color: Color; squares: SquareName[] }) {
  return (
    <span class="move">
      <Stone color={color} />
      {squares.join(" ")}
    </span>
  );
}

/** A line of moves of alternating sides. */
export function Line({ first, line }: { first: Color; line: SquareName[][] }) {
  return (
    <span class="line-of-moves">
      {line.map((squares, i) => (
        <Move key={i} color={(i % 2 === 0) === (first === "black") ? "black" : "white"} squares={squares} />
      ))}
    </span>
  );
}
