import { describe, expect, it } from "vitest";
import { CELL, centre, isStar, makeFrame, sizeOf, squareAt, wholeBoard, windowAround } from "../src/board/frame";
import { fromScreen, mirrored, toScreen, turned, turnedSize } from "../src/board/orientation";
import { nameOf, squareOf } from "../src/game/squares";
import { big, connect6, unbounded } from "./games";

describe("orientation", () => {
  const size = { cols: 5, rows: 3 };
  it("the screen can be undone, for all eight", () => {
    for (let o = 0; o < 8; o++) {
      const seen = new Set<string>();
      const shown = turnedSize(size, o);
      for (let u = 0; u < size.cols; u++) {
        for (let v = 0; v < size.rows; v++) {
          const place = toScreen({ u, v }, size, o);
          expect(place.u >= 0 && place.u < shown.cols && place.v >= 0 && place.v < shown.rows).toBe(true);
          expect(fromScreen(place, size, o)).toEqual({ u, v });
          seen.add(`${place.u},${place.v}`);
        }
      }
      expect(seen.size).toBe(15);
    }
  });
  it("the eight orientations are eight", () => {
    const corner = (o: number) => JSON.stringify([0, 1].map((u) => toScreen({ u, v: 0 }, { cols: 3, rows: 3 }, o)));
    expect(new Set([0, 1, 2, 3, 4, 5, 6, 7].map(corner)).size).toBe(8);
  });
  it("four turns, or two mirrors, are none; a mirror exchanges left and right of the screen", () => {
    for (let o = 0; o < 8; o++) {
      expect(turned(turned(turned(turned(o))))).toBe(o);
      expect(mirrored(mirrored(o))).toBe(o);
      const shown = turnedSize(size, o);
      const before = toScreen({ u: 1, v: 2 }, size, o);
      const after = toScreen({ u: 1, v: 2 }, size, mirrored(o));
      expect(after).toEqual({ u: shown.cols - 1 - before.u, v: before.v });
      const once = toScreen({ u: 1, v: 2 }, size, turned(o));
      expect(once).toEqual({ u: shown.rows - 1 - before.v, v: before.u });
    }
  });
});

describe("frame", () => {
  it("the square at the centre of a square is that square, however the board is turned", () => {
    for (const game of [connect6, big]) {
      for (let o = 0; o < 8; o++) {
        const frame = makeFrame(game, wholeBoard(game), o, "letters");
        for (const name of ["A1", "J10", "S19", "C17"]) {
          const at = centre(frame, name);
          expect(at && squareAt(frame, at[0], at[1])).toBe(name);
          expect(at && squareAt(frame, at[0] + CELL * 0.45, at[1] - CELL * 0.45)).toBe(name);
        }
      }
    }
  });
  it("outside of the lines there is no square", () => {
    const frame = makeFrame(connect6, wholeBoard(connect6), 0, "letters");
    expect(squareAt(frame, 1, 1)).toBeNull();
    expect(squareAt(frame, frame.width - 1, frame.height - 1)).toBeNull();
  });
  it("an unbounded window holds all stones, and holds still while they fit", () => {
    const first = windowAround([{ x: 0, y: 0 }], null, null);
    expect(sizeOf(first)).toEqual({ cols: 15, rows: 15 });
    expect(windowAround([{ x: 2, y: -1 }], null, first)).toEqual(first);
    const far = windowAround(
      [
        { x: 0, y: 0 },
        { x: 20, y: 3 },
      ],
      null,
      first,
    );
    expect(far.high.x).toBe(23);
    expect(far.low).toEqual(first.low);
  });
  it("a window is never larger than 59, and shows the last move", () => {
    const squares = [
      { x: 0, y: 0 },
      { x: 500, y: -500 },
    ];
    const window = windowAround(squares, squares[1] ?? null, null);
    const size = sizeOf(window);
    expect(Math.max(size.cols, size.rows)).toBeLessThanOrEqual(59);
    expect(window.low.x <= 500 && window.high.x >= 500).toBe(true);
    expect(window.low.y <= -500 && window.high.y >= -500).toBe(true);
  });
  it("star points are where the pictures of the program have them", () => {
    const stars = (cols: number, rows: number): string => {
      const game = { ...connect6, cols, rows };
      const names: string[] = [];
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < cols; x++) if (isStar(game, { x, y })) names.push(nameOf(game, { x, y }));
      }
      return names.join(" ");
    };
    expect(stars(19, 19)).toBe("D4 J4 P4 D10 J10 P10 D16 J16 P16");
    expect(stars(15, 15)).toBe("D4 L4 H8 D12 L12");
    expect(stars(9, 9)).toBe("C3 G3 E5 C7 G7");
    expect(isStar(unbounded, { x: 0, y: 0 })).toBe(true);
    expect(squareOf("A1")).toEqual({ x: 0, y: 0 });
  });
});
