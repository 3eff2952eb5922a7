// Stones, the texts on them, ghosts and next moves.
import type { Color, SquareName } from "../../api/types";
import type { Candidate } from "../../state/overlay";
import { CELL, centre } from "../frame";
import type { Layer, Scene } from "../scene";
import { type Shape, short } from "../shapes";

const RADIUS = short(CELL * 0.465);
const GHOST = short(CELL * 0.42);
const SMALL = short(CELL * 0.25);

const sizeOfText = (text: string, base: number): number =>
  short(CELL * (text.length <= 1 ? base : text.length === 2 ? base * 0.88 : base * 0.7));

export const stones: Layer = {
  name: "stones",
  deps: (scene) => [scene.frame, scene.stones],
  shapes: ({ frame, stones: list }) => {
    const shapes: Shape[] = [];
    for (const { square, color } of list) {
      const at = centre(frame, square);
      if (at === null) continue;
      const circle = { cx: short(at[0]), cy: short(at[1]), r: RADIUS, class: `stone ${color}` };
      shapes.push({ key: square, tag: "circle", at: circle });
    }
    return shapes;
  },
};

/** The last move: a ring on each of its stones, or its number in colour. Winning stones: a dot. */
export const onStones: Layer = {
  name: "on-stones",
  deps: (scene) => [scene.frame, scene.stones, scene.last, scene.numbers, scene.winning],
  shapes: (scene) => {
    const { frame } = scene;
    const shapes: Shape[] = [];
    const last = new Set(scene.last);
    const winning = new Set(scene.winning);
    if (scene.numbers.size === 0 && last.size === 0 && winning.size === 0) return shapes;
    for (const { square, color } of scene.stones) {
      const text = scene.numbers.get(square);
      const isLast = last.has(square);
      const isWinning = winning.has(square);
      if (text === undefined && !isLast && !isWinning) continue;
      const at = centre(frame, square);
      if (at === null) continue;
      const [cx, cy] = [short(at[0]), short(at[1])];
      if (isWinning) {
        shapes.push({ key: `w${square}`, tag: "circle", at: { cx, cy, r: RADIUS, class: "winning" } });
      }
      if (isLast) {
        const r = short(CELL * (text === undefined ? 0.2 : 0.4));
        shapes.push({ key: `l${square}`, tag: "circle", at: { cx, cy, r, class: `last ${color}` } });
      }
      if (text !== undefined) {
        const at = { x: cx, y: cy, "font-size": sizeOfText(text, 0.5), class: `ink ${color}` };
        shapes.push({ key: `n${square}`, tag: "text", at, text });
      }
    }
    return shapes;
  },
};

/** Ghosts: stones of a previewed line with numbers, provisional stones, stones outside of a zone. */
export const ghosts: Layer = {
  name: "ghosts",
  deps: (scene) => [scene.frame, scene.ghosts],
  shapes: ({ frame, ghosts: list }) => {
    const shapes: Shape[] = [];
    list.forEach(({ square, color, text, kind = "preview" }, index) => {
      const at = centre(frame, square);
      if (at === null) return;
      const [cx, cy] = [short(at[0]), short(at[1])];
      const key = `${index}.${square}`;
      shapes.push({ key, tag: "circle", at: { cx, cy, r: GHOST, class: `ghost ${kind} ${color}` } });
      if (text) {
        const ink = { x: cx, y: cy, "font-size": sizeOfText(text, 0.5), class: `ghost-ink ${color}` };
        shapes.push({ key: `t${key}`, tag: "text", at: ink, text });
      }
    });
    return shapes;
  },
};

/** Shapes by outcome: a diamond wins, a square loses, a circle is not decided. Never colour alone. */
function outline(outcome: Candidate["outcome"], x: number, y: number, r: number): string {
  const [cx, cy, d] = [short(x), short(y), short(r)];
  if (outcome === "win") {
    const h = short(r * 1.25);
    return `M${cx} ${short(cy - h)}l${h} ${h}l${-h} ${h}l${-h} ${-h}z`;
  }
  if (outcome === "loss") {
    const h = short(r * 0.92);
    return `M${short(cx - h)} ${short(cy - h)}h${2 * h}v${2 * h}h${-2 * h}z`;
  }
  return `M${short(cx - d)} ${cy}a${d} ${d} 0 1 0 ${2 * d} 0a${d} ${d} 0 1 0 ${-2 * d} 0`;
}

const RANK = { win: 0, value: 1, none: 2, loss: 3 } as const;

interface Spot {
  candidate: Candidate;
  texts: string[];
}

/** One small stone per square, for its best move; further moves add their label. */
function spots(list: readonly Candidate[]): Map<SquareName, Spot> {
  const result = new Map<SquareName, Spot>();
  for (const candidate of list) {
    for (const square of candidate.squares) {
      const old = result.get(square);
      if (old === undefined) {
        result.set(square, { candidate, texts: [candidate.label] });
        continue;
      }
      old.texts.push(candidate.label);
      if (RANK[candidate.outcome] < RANK[old.candidate.outcome]) old.candidate = candidate;
    }
  }
  return result;
}

/** `a`, `ab` or `1,5`, and `a+` where more than two moves share a square. */
export const spotText = (texts: readonly string[]): string => {
  const all = texts.filter((text) => text !== "");
  if (all.length > 2) return `${all[0] ?? ""}+`;
  // Two numbers side by side would read as one number.
  return all.join(all.some((text) => /\d/.test(text)) ? "," : "");
};

export const nextMoves: Layer = {
  name: "next",
  deps: (scene: Scene) => [scene.frame, scene.candidates],
  shapes: ({ frame, candidates }) => {
    const shapes: Shape[] = [];
    for (const [square, { candidate, texts }] of spots(candidates)) {
      const at = centre(frame, square);
      if (at === null) continue;
      const color: Color = candidate.color;
      const best = candidate.best ? " best" : "";
      const d = outline(candidate.outcome, at[0], at[1], candidate.best ? SMALL * 1.2 : SMALL);
      const kind = `next ${color} ${candidate.outcome}${best}`;
      shapes.push({ key: square, tag: "path", at: { d, class: kind } });
      const text = spotText(texts);
      if (text !== "") {
        const size = sizeOfText(text, 0.36);
        const ink = { x: short(at[0]), y: short(at[1]), "font-size": size, class: `next-ink ${color}` };
        shapes.push({ key: `t${square}`, tag: "text", at: ink, text });
      }
    }
    return shapes;
  },
};
