import { describe, expect, it } from "vitest";
import {
  COORDINATES,
  columnName,
  columnNameWithoutI,
  nameOf,
  shownName,
  squareOf,
  typedSquare,
  typedWords,
} from "../src/game/squares";
import { big, connect6, unbounded } from "./games";

describe("names of squares", () => {
  it("columns skip no letter, and go on after Z", () => {
    expect([0, 8, 9, 25, 26, 58].map(columnName)).toEqual(["A", "I", "J", "Z", "AA", "BG"]);
  });
  it("Go players' columns skip I", () => {
    expect([0, 7, 8, 24, 25].map(columnNameWithoutI)).toEqual(["A", "H", "J", "Z", "AA"]);
  });
  it("every name of a board names its square", () => {
    for (const game of [connect6, big]) {
      for (let x = 0; x < game.cols; x++) {
        for (let y = 0; y < game.rows; y++) {
          const square = squareOf(nameOf(game, { x, y }));
          if (square?.x !== x || square.y !== y) expect(square).toEqual({ x, y });
        }
      }
    }
    expect(squareOf(nameOf(unbounded, { x: -3, y: 12 }))).toEqual({ x: -3, y: 12 });
  });
  it("what is shown can be typed, with all coordinates", () => {
    for (const kind of COORDINATES) {
      for (const game of [connect6, big]) {
        for (let x = 0; x < game.cols; x += 1) {
          const name = nameOf(game, { x, y: x });
          expect(typedSquare(game, kind, shownName(game, kind, name))).toBe(name);
          expect(typedSquare(game, kind, shownName(game, kind, name).toLowerCase())).toBe(name);
        }
      }
      expect(typedSquare(unbounded, kind, "-3,4")).toBe("-3,4");
    }
  });
  it("what is off the board is no square", () => {
    for (const text of ["T1", "A20", "A0", "J", "10", "", "J10x", "0,1", "20,3"]) {
      expect(typedSquare(connect6, "letters", text)).toBeNull();
    }
    expect(typedSquare(connect6, "without-i", "I5")).toBeNull();
  });
  it("a typed move may be glued, spaced or separated", () => {
    for (const text of ["j10 k11", "j10k11", " j10 / k11 ", "j10;k11", "J 10 K 11"]) {
      expect(typedWords(text).map((word) => word.toUpperCase())).toEqual(["J10", "K11"]);
    }
    expect(typedWords("-3, 4 5,-6")).toEqual(["-3,4", "5,-6"]);
  });
});
