// How long the board takes to draw, in the browser. `npm run bench` prints it.
import "../src/style/index.css";
import type { Color, Game } from "../src/api/types";
import { makeFrame, wholeBoard } from "../src/board/frame";
import { Picture } from "../src/board/picture";
import type { Scene } from "../src/board/scene";
import { nameOf } from "../src/game/squares";

const gameOf = (size: number): Game => ({
  name: "bench",
  title: "bench",
  cols: size,
  rows: size,
  k: 6,
  p: 2,
  q: 1,
  exact: false,
});

/** A scene with a share of the squares taken, numbers on all stones, and a zone. */
function sceneOf(size: number, stoneCount: number, shift: number): Scene {
  const game = gameOf(size);
  const all = Array.from({ length: size * size }, (_, i) => {
    // A fixed scatter over the board.
    const j = (i * 7919 + 13) % (size * size);
    return nameOf(game, { x: j % size, y: Math.floor(j / size) });
  });
  const stones = all.slice(shift, shift + stoneCount).map((square, i) => ({
    square,
    color: (i % 2 === 0 ? "black" : "white") as Color,
  }));
  const solid = all.slice(stoneCount + shift, stoneCount + shift + size * 2);
  const hatched = all.slice(stoneCount + shift + size * 2, stoneCount + shift + size * 4);
  return {
    frame: frames.get(size) ?? makeFrame(game, wholeBoard(game), 0, "letters"),
    stones,
    last: stones.slice(-2).map((s) => s.square),
    winning: [],
    numbers: new Map(stones.map((s, i) => [s.square, String(i + 1)])),
    candidates: [],
    labels: [],
    marks: [],
    arrows: [],
    dimmed: [],
    zone: { solid, hatched },
    ghosts: [],
    threats: [],
    mustAnswer: [],
    hover: null,
    cursor: null,
  };
}

const frames = new Map([19, 59].map((n) => [n, makeFrame(gameOf(n), wholeBoard(gameOf(n)), 0, "letters")]));
const svg = document.getElementById("board") as unknown as SVGSVGElement;

const middle = (times: number[]): string => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms`;
};

/** Each round draws another scene, and makes the browser lay it out. */
function measure(name: string, size: number, scenes: Scene[]): string {
  svg.replaceChildren();
  const picture = new Picture(svg);
  const [script, all]: [number[], number[]] = [[], []];
  for (let round = 0; round < 200; round++) {
    const scene = scenes[round % scenes.length] as Scene;
    const start = performance.now();
    picture.draw(scene);
    const drawn = performance.now();
    svg.getBoundingClientRect();
    if (round >= scenes.length) {
      script.push(drawn - start);
      all.push(performance.now() - start);
    }
  }
  return `${size} x ${size}, ${name}: ${middle(script)} (with layout ${middle(all)}), ${picture.size} elements`;
}

const step = (size: number, count: number): Scene[] => [0, 2, 4, 6, 8].map((more) => sceneOf(size, count + more, 0));
const other = (size: number, count: number): Scene[] => [0, 11, 23].map((shift) => sceneOf(size, count, shift));
const hover = (size: number, count: number): Scene[] => {
  const base = sceneOf(size, count, 0);
  return ["A1", "B2", "C3"].map((square) => ({ ...base, hover: { square, color: "black" as const } }));
};

const lines = [
  measure("one move more of 60 stones", 19, step(19, 60)),
  measure("another position of 120 stones", 19, other(19, 120)),
  measure("pointer moves", 19, hover(19, 60)),
  measure("one move more of 200 stones", 59, step(59, 200)),
  measure("another position of 600 stones", 59, other(59, 600)),
  measure("pointer moves over 3,000 stones", 59, hover(59, 3000)),
];
document.title = "done";
(window as unknown as { lines: string[] }).lines = lines;
