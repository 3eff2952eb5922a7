// Labels, marks and arrows of the document, the pointer and the cursor.
import type { MarkKind } from "../../api/types";
import { CELL, centre } from "../frame";
import type { Layer } from "../scene";
import { type Shape, short } from "../shapes";

function markPath(kind: MarkKind, x: number, y: number): string {
  const r = CELL * 0.27;
  const [cx, cy, d] = [short(x), short(y), short(r)];
  switch (kind) {
    case "triangle": {
      const [w, h] = [short(r * 0.95), short(r * 1.6)];
      return `M${cx} ${short(cy - r * 1.05)}l${w} ${h}h${-2 * w}z`;
    }
    case "square": {
      const h = short(r * 0.85);
      return `M${short(cx - h)} ${short(cy - h)}h${2 * h}v${2 * h}h${-2 * h}z`;
    }
    case "circle":
      return `M${short(cx - d)} ${cy}a${d} ${d} 0 1 0 ${2 * d} 0a${d} ${d} 0 1 0 ${-2 * d} 0`;
    case "cross": {
      const h = short(r * 0.8);
      return `M${short(cx - h)} ${short(cy - h)}l${2 * h} ${2 * h}m0 ${-2 * h}l${-2 * h} ${2 * h}`;
    }
  }
}

function arrowPath([x0, y0]: [number, number], [x1, y1]: [number, number]): string {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length === 0) return "";
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [tx, ty] = [x1 - ux * CELL * 0.2, y1 - uy * CELL * 0.2];
  const head = CELL * 0.36;
  const wing = (side: number): string => {
    const wx = tx - ux * head + side * uy * head * 0.55;
    const wy = ty - uy * head - side * ux * head * 0.55;
    return `M${short(tx)} ${short(ty)}L${short(wx)} ${short(wy)}`;
  };
  const start = `${short(x0 + ux * CELL * 0.2)} ${short(y0 + uy * CELL * 0.2)}`;
  return `M${start}L${short(tx)} ${short(ty)}${wing(1)}${wing(-1)}`;
}

export const notes: Layer = {
  name: "notes",
  deps: (scene) => [scene.frame, scene.labels, scene.marks, scene.arrows, scene.stones],
  shapes: ({ frame, labels, marks, arrows, stones }) => {
    const shapes: Shape[] = [];
    if (labels.length + marks.length + arrows.length === 0) return shapes;
    const colors = new Map(stones.map(({ square, color }) => [square, color]));
    const on = (square: string): string => colors.get(square) ?? "none";
    marks.forEach(({ square, kind }, i) => {
      const at = centre(frame, square);
      if (!at) return;
      const d = markPath(kind, at[0], at[1]);
      shapes.push({ key: `m${i}`, tag: "path", at: { d, class: `mark on-${on(square)}` } });
    });
    labels.forEach(({ square, text }, i) => {
      const at = centre(frame, square);
      if (!at) return;
      const [x, y] = [short(at[0]), short(at[1])];
      if (on(square) === "none") {
        const patch = { cx: x, cy: y, r: short(CELL * 0.33), class: "label-patch" };
        shapes.push({ key: `p${i}`, tag: "circle", at: patch });
      }
      const size = short(CELL * (text.length <= 1 ? 0.52 : text.length === 2 ? 0.44 : 0.32));
      const ink = { x, y, "font-size": size, class: `label on-${on(square)}` };
      shapes.push({ key: `l${i}`, tag: "text", at: ink, text: text.slice(0, 4) });
    });
    arrows.forEach(({ from, to }, i) => {
      const [a, b] = [centre(frame, from), centre(frame, to)];
      if (a && b) shapes.push({ key: `a${i}`, tag: "path", at: { d: arrowPath(a, b), class: "arrow" } });
    });
    return shapes;
  },
};

export const pointer: Layer = {
  name: "pointer",
  deps: (scene) => [scene.frame, scene.hover?.square, scene.hover?.color, scene.cursor],
  shapes: ({ frame, hover, cursor }) => {
    const shapes: Shape[] = [];
    const over = hover && centre(frame, hover.square);
    if (hover && over) {
      const [cx, cy] = [short(over[0]), short(over[1])];
      const at = { cx, cy, r: short(CELL * 0.42), class: `hover ${hover.color}` };
      shapes.push({ key: "hover", tag: "circle", at });
    }
    const here = cursor === null ? null : centre(frame, cursor);
    if (here) {
      const h = CELL * 0.47;
      const q = CELL * 0.2;
      const corner = (sx: number, sy: number): string =>
        `M${short(here[0] + sx * h)} ${short(here[1] + sy * (h - q))}v${short(sy * q)}h${short(-sx * q)}`;
      const d = corner(-1, -1) + corner(1, -1) + corner(1, 1) + corner(-1, 1);
      shapes.push({ key: "cursor", tag: "path", at: { d, class: "cursor" } });
    }
    return shapes;
  },
};
