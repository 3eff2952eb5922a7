import { describe, expect, it } from "vitest";
import { makeFrame, wholeBoard } from "../src/board/frame";
import { squaresPath } from "../src/board/layers/areas";
import { spotText } from "../src/board/layers/stones";
import { Picture } from "../src/board/picture";
import type { Scene } from "../src/board/scene";
import { Painter, type Shape, svgElement } from "../src/board/shapes";
import { connect6 } from "./games";

const empty: Scene = {
  frame: makeFrame(connect6, wholeBoard(connect6), 0, "letters"),
  stones: [],
  last: [],
  winning: [],
  numbers: new Map(),
  candidates: [],
  labels: [],
  marks: [],
  arrows: [],
  dimmed: [],
  zone: { solid: [], hatched: [] },
  ghosts: [],
  threats: [],
  mustAnswer: [],
  hover: null,
  cursor: null,
};

const groups = (svg: SVGElement): string[] =>
  [...svg.querySelectorAll("#board-root > g")].map((g) => g.getAttribute("class") ?? "");

describe("picture", () => {
  it("the zone lies under grid and stones, in two patterns", () => {
    const svg = svgElement("svg");
    const picture = new Picture(svg);
    picture.draw({
      ...empty,
      zone: { solid: ["J10", "K10"], hatched: ["A1"] },
      stones: [{ square: "J10", color: "black" }],
    });
    const order = groups(svg);
    expect(order.indexOf("layer-zone")).toBeLessThan(order.indexOf("layer-stones"));
    expect(svg.querySelectorAll(".zone-solid, .zone-hatched").length).toBe(2);
  });
  it("an element that stays the same is not touched", () => {
    const svg = svgElement("svg");
    const picture = new Picture(svg);
    picture.draw({ ...empty, stones: [{ square: "J10", color: "black" }] });
    const stone = svg.querySelector(".stone");
    picture.draw({
      ...empty,
      stones: [
        { square: "J10", color: "black" },
        { square: "K11", color: "white" },
      ],
    });
    expect(svg.querySelector(".stone")).toBe(stone);
    expect(svg.querySelectorAll(".stone").length).toBe(2);
    picture.draw(empty);
    expect(svg.querySelectorAll(".stone").length).toBe(0);
  });
  it("few elements: a board with 60 stones and a zone has fewer than 130", () => {
    const picture = new Picture(svgElement("svg"));
    const stones = Array.from({ length: 60 }, (_, i) => ({
      square: `${String.fromCharCode(65 + (i % 19))}${1 + Math.floor(i / 19) * 3}`,
      color: i % 2 === 0 ? ("black" as const) : ("white" as const),
    }));
    picture.draw({ ...empty, stones, zone: { solid: ["A2", "B2"], hatched: ["C2"] } });
    expect(picture.size).toBeLessThan(130);
  });
  it("painting any shapes after any others leaves exactly them", () => {
    const painter = new Painter("test");
    const shapes = (keys: string): Shape[] =>
      [...keys].map((key) => ({
        key,
        tag: key < "f" ? "circle" : "text",
        at: { r: key, class: keys.length },
        text: key,
      }));
    for (const keys of ["abc", "bcd", "", "xyzab", "a", "abcfghi", "ihg"]) {
      painter.paint(shapes(keys));
      const drawn = [...painter.group.querySelectorAll("circle, text")];
      const texts = drawn.map((child) => child.textContent).sort();
      expect(texts).toEqual([...keys].sort());
      for (const child of drawn) expect(child.getAttribute("class")).toBe(String(keys.length));
    }
  });
  it("neighbouring squares become one rectangle", () => {
    expect(squaresPath(empty.frame, ["A1", "B1", "C1"]).match(/M/g)?.length).toBe(1);
    expect(squaresPath(empty.frame, ["A1", "C1", "A2"]).match(/M/g)?.length).toBe(3);
  });
});

describe("labels of moves that share a square", () => {
  it("letters stand beside each other, numbers never look like another number", () => {
    expect([
      spotText(["a"]),
      spotText(["a", "b"]),
      spotText(["1", "5"]),
      spotText(["1", "2", "3"]),
      spotText(["", "a"]),
    ]).toEqual(["a", "ab", "1,5", "1+", "a"]);
  });
});
