// A move in running text: a small stone that says whose it is, and its squares. The shape says it,
// too (filled and open), so that it does not depend on colours.
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

/** A line of moves of both sides by turns. */
export function Line({ first, line }: { first: Color; line: SquareName[][] }) {
  return (
    <span class="line-of-moves">
      {line.map((squares, i) => (
        <Move key={i} color={(i % 2 === 0) === (first === "black") ? "black" : "white"} squares={squares} />
      ))}
    </span>
  );
}
