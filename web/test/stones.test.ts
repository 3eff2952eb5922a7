import { describe, expect, it } from "vitest";
import { place, placeAll, takeBack } from "../src/input/stones";
import { nextLabel, paint, type Setup } from "../src/input/tools";

const rules = (count: number, taken: string[] = []) => ({
  count,
  isFree: (square: string) => !taken.includes(square),
});

describe("placing stones", () => {
  it("the last stone of a move commits, the ones before are provisional", () => {
    const first = place([], "J10", rules(2));
    expect(first).toEqual({ stones: ["J10"], commit: false });
    expect(place(first.stones, "K11", rules(2))).toEqual({ stones: ["J10", "K11"], commit: true });
  });
  it("Black's first move has q stones", () => {
    expect(place([], "J10", rules(1))).toEqual({ stones: ["J10"], commit: true });
  });
  it("a provisional stone is taken back by a second click, or from the end", () => {
    expect(place(["J10", "K11"], "J10", rules(3))).toEqual({ stones: ["K11"], commit: false });
    expect(takeBack(["J10", "K11"])).toEqual(["J10"]);
    expect(takeBack([])).toEqual([]);
  });
  it("a stone never goes onto another one, and never after the end", () => {
    expect(place([], "J10", rules(2, ["J10"]))).toEqual({ stones: [], commit: false });
    expect(place([], "J10", rules(0))).toEqual({ stones: [], commit: false });
  });
  it("a typed move is placed whole or not at all", () => {
    expect(placeAll(["J10", "K11"], rules(2))).toEqual({ stones: ["J10", "K11"], commit: true });
    expect(placeAll(["J10"], rules(2))).toEqual({ stones: ["J10"], commit: false });
    expect(placeAll(["J10", "J10"], rules(2))).toBeNull();
    expect(placeAll(["J10", "K11", "L12"], rules(2))).toBeNull();
    expect(placeAll(["J10", "K11"], rules(2, ["K11"]))).toBeNull();
    expect(placeAll([], rules(2))).toBeNull();
  });
});

describe("tools", () => {
  it("labels go on from A to Z, then small, then numbers, and fill gaps", () => {
    expect(nextLabel([])).toBe("A");
    expect(nextLabel(["A", "C"])).toBe("B");
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    expect(nextLabel(letters)).toBe("a");
    expect(nextLabel([...letters, ...letters.map((l) => l.toLowerCase())])).toBe("1");
  });
  it("set-up puts, exchanges and takes away stones", () => {
    const empty: Setup = { black: new Set(), white: new Set(), toMove: "black", left: 1, brush: "black" };
    const one = paint(empty, "J10");
    expect([...one.black]).toEqual(["J10"]);
    const white = paint(one, "J10", "white");
    expect([[...white.black], [...white.white]]).toEqual([[], ["J10"]]);
    expect(paint(white, "J10", "white").white.size).toBe(0);
    expect(paint(one, "J10", "erase").black.size).toBe(0);
  });
});
