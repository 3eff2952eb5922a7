// Areas: the zone in two layers under the stones (a solid tint and a hatched pattern: never colour alone), bands of
// threats, and dimmed squares.
import type { SquareName } from "../../api/types";
import { CELL, centre, type Frame } from "../frame";
import type { Layer } from "../scene";
import { type Shape, short } from "../shapes";

/** One path for any number of squares. Neighbours in a row become one rectangle. */
export function squaresPath(frame: Frame, names: readonly SquareName[]): string {
  const rows = new Map<number, number[]>();
  for (const name of names) {
    const at = centre(frame, name);
    if (at === null) continue;
    const row = rows.get(at[1]);
    if (row) row.push(at[0]);
    else rows.set(at[1], [at[0]]);
  }
  let path = "";
  for (const [y, xs] of rows) {
    xs.sort((a, b) => a - b);
    for (let i = 0; i < xs.length; ) {
      let j = i + 1;
      while (j < xs.length && (xs[j] ?? 0) - (xs[j - 1] ?? 0) <= CELL + 0.5) j++;
      const from = (xs[i] ?? 0) - CELL / 2;
      const width = (xs[j - 1] ?? 0) - from + CELL / 2;
      path += `M${short(from)} ${short(y - CELL / 2)}h${short(width)}v${CELL}h${short(-width)}z`;
      i = j;
    }
  }
  return path;
}

const area = (frame: Frame, key: string, names: readonly SquareName[]): Shape[] => {
  const d = names.length === 0 ? "" : squaresPath(frame, names);
  return d === "" ? [] : [{ key, tag: "path", at: { d, class: key } }];
};

export const zone: Layer = {
  name: "zone",
  deps: (scene) => [scene.frame, scene.zone],
  shapes: ({ frame, zone: { solid, hatched } }) => [
    ...area(frame, "zone-solid", solid),
    ...area(frame, "zone-hatched", hatched),
  ],
};

export const dim: Layer = {
  name: "dim",
  deps: (scene) => [scene.frame, scene.dimmed],
  shapes: ({ frame, dimmed }) => area(frame, "dimmed", dimmed),
};

/** Threats: a band from end to end, and a ring on each empty square. */
export const threats: Layer = {
  name: "threats",
  deps: (scene) => [scene.frame, scene.threats, scene.mustAnswer],
  shapes: ({ frame, threats: list, mustAnswer }) => {
    const shapes: Shape[] = [];
    list.forEach(({ color, squares, empties }, index) => {
      const ends = [squares[0], squares[squares.length - 1]].map((s) => (s ? centre(frame, s) : null));
      const [a, b] = ends;
      if (a && b) {
        const d = `M${short(a[0])} ${short(a[1])}L${short(b[0])} ${short(b[1])}`;
        shapes.push({ key: `e${index}`, tag: "path", at: { d, class: `band-edge band-${color}` } });
        shapes.push({ key: `b${index}`, tag: "path", at: { d, class: `band band-${color}` } });
      }
      empties.forEach((square, i) => {
        const at = centre(frame, square);
        if (!at) return;
        const ring = { cx: short(at[0]), cy: short(at[1]), r: CELL * 0.2, class: `empty empty-${color}` };
        shapes.push({ key: `o${index}.${i}`, tag: "circle", at: ring });
      });
    });
    mustAnswer.forEach((square) => {
      const at = centre(frame, square);
      if (!at) return;
      const r = CELL * 0.36;
      const d = `M${short(at[0])} ${short(at[1] - r)}l${short(r)} ${short(r)}l${short(-r)} ${short(r)}l${short(-r)} ${short(-r)}z`;
      shapes.push({ key: `m${square}`, tag: "path", at: { d, class: "must-answer" } });
    });
    return shapes;
  },
};
