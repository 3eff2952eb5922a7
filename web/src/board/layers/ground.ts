// The ground of the board: coordinates, lines, star points. Redrawn only when the frame changes.
import { columnLabel, isUnbounded, rowLabel } from "../../game/squares";
import { CELL, centreOf, type Frame, isStar, labelStep, squareAtPlace } from "../frame";
import { turnsOf } from "../orientation";
import type { Layer } from "../scene";
import { type Shape, short } from "../shapes";

function lines(frame: Frame): string {
  const { cols, rows } = frame.size;
  const left = frame.edge + frame.gutter;
  const top = frame.edge;
  // Lines of an unbounded board run on to the border; those of a bounded one end at the last line.
  const over = isUnbounded(frame.game) ? 0 : CELL / 2;
  let path = "";
  for (let u = 0; u < cols; u++) {
    const x = short(left + (u + 0.5) * CELL);
    path += `M${x} ${short(top + over)}V${short(top + rows * CELL - over)}`;
  }
  for (let v = 0; v < rows; v++) {
    const y = short(top + (v + 0.5) * CELL);
    path += `M${short(left + over)} ${y}H${short(left + cols * CELL - over)}`;
  }
  return path;
}

function stars(frame: Frame): string {
  const { low, high } = frame.window;
  let path = "";
  for (let x = low.x; x <= high.x; x++) {
    for (let y = low.y; y <= high.y; y++) {
      if (!isStar(frame.game, { x, y })) continue;
      const at = centreOf(frame, { x, y });
      if (at) path += `M${short(at[0] - 2.6)} ${short(at[1])}a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0`;
    }
  }
  return path;
}

function labels(frame: Frame): Shape[] {
  if (frame.coordinates === "off") return [];
  const swapped = turnsOf(frame.orientation) % 2 === 1;
  const { cols, rows } = frame.size;
  const name = (u: number, v: number, alongColumns: boolean): string => {
    const square = squareAtPlace(frame, u, v);
    if (square === null) return "";
    return alongColumns !== swapped
      ? columnLabel(frame.game, frame.coordinates, square.x)
      : rowLabel(frame.game, square.y);
  };
  const shapes: Shape[] = [];
  const left = frame.edge + frame.gutter;
  const y = short(frame.edge + rows * CELL + frame.gutter * 0.62);
  // On a large board every other line has a label, so that the labels can be larger.
  const step = labelStep(frame);
  const size = short(CELL * (isUnbounded(frame.game) ? 0.34 : 0.38) * (1 + 0.45 * (step - 1)));
  for (let u = 0; u < cols; u += step) {
    const x = short(left + (u + 0.5) * CELL);
    shapes.push({ key: `c${u}`, tag: "text", at: { x, y, "font-size": size }, text: name(u, 0, true) });
  }
  const x = short(frame.edge + frame.gutter * 0.42);
  for (let v = (rows - 1) % step; v < rows; v += step) {
    const at = { x, y: short(frame.edge + (v + 0.5) * CELL), "font-size": size };
    shapes.push({ key: `r${v}`, tag: "text", at, text: name(0, v, false) });
  }
  return shapes;
}

/** The wood lies under everything, the zone included. */
export const wood: Layer = {
  name: "wood",
  deps: (scene) => [scene.frame],
  shapes: ({ frame: { width, height } }) => {
    const at = { x: 0.5, y: 0.5, width: short(width - 1), height: short(height - 1), rx: 8 };
    return [{ key: "wood", tag: "rect", at: { ...at, class: "board-ground" } }];
  },
};

export const ground: Layer = {
  name: "ground",
  deps: (scene) => [scene.frame],
  shapes: ({ frame }) => [
    { key: "grid", tag: "path", at: { d: lines(frame), class: "grid" } },
    { key: "stars", tag: "path", at: { d: stars(frame), class: "stars" } },
  ],
};

export const coordinateLabels: Layer = {
  name: "coordinates",
  deps: (scene) => [scene.frame],
  shapes: ({ frame }) => labels(frame),
};
