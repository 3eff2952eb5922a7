import { describe, expect, it } from "vitest";
import type { Node } from "../src/api/types";
import { movesOf, nodeHash, parsePlace, positionHash } from "../src/state/place";

const node = (played: Node["position"]["played"], extraBlack: string[] = []): Node =>
  ({
    position: {
      played,
      black: [...played.filter((s) => s.color === "black").map((s) => s.square), ...extraBlack],
      white: played.filter((s) => s.color === "white").map((s) => s.square),
    },
  }) as unknown as Node;

describe("links", () => {
  it("a link to a node says the node", () => {
    expect(parsePlace(nodeHash("a b/c", 17))).toEqual({ kind: "node", document: "a b/c", node: 17 });
    expect(parsePlace("#d=x")).toEqual({ kind: "node", document: "x", node: null });
    expect(parsePlace("#d=x&n=-3")).toEqual({ kind: "node", document: "x", node: null });
  });
  it("a link to a position says game and moves", () => {
    const hash = positionHash("15,15,5,1,1", [["H8"], ["I9"]]);
    expect(hash).toBe("#p=15,15,5,1,1:H8/I9");
    expect(parsePlace(hash)).toEqual({ kind: "position", game: "15,15,5,1,1", moves: "H8/I9" });
    expect(parsePlace(positionHash("connect6", [["J10"], ["K11", "L12"]]))).toEqual({
      kind: "position",
      game: "connect6",
      moves: "J10/K11 L12",
    });
  });
  it("anything else is no place", () => {
    for (const hash of ["", "#", "#x=1", "#d="]) expect(parsePlace(hash)).toBeNull();
  });
  it("stones are grouped into moves; set-up stones are no moves", () => {
    const played: Node["position"]["played"] = [
      { square: "J10", color: "black", turn: 1 },
      { square: "K11", color: "white", turn: 2 },
      { square: "L12", color: "white", turn: 2 },
    ];
    expect(movesOf(node(played))).toEqual([["J10"], ["K11", "L12"]]);
    expect(movesOf(node(played, ["A1"]))).toBeNull();
    expect(movesOf(node([]))).toEqual([]);
  });
});
