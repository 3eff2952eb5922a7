import { describe, expect, it } from "vitest";
import type { Game, Position } from "../src/api/types";
import { afterMove, isSame } from "../src/game/rules";
import { connect6, unbounded } from "./games";

const start = (game: Game): Position => ({
  black: [],
  white: [],
  toMove: "black",
  left: game.q,
  winner: null,
  isFull: false,
  winningSquares: [],
  played: [],
});

/** The position after moves such as `J10 / K11 L12`. */
const played = (game: Game, moves: string): Position =>
  moves.split(" / ").reduce((position, move) => afterMove(game, position, move.split(" ")), start(game));

const gomoku: Game = { ...connect6, name: "gomoku", cols: 15, rows: 15, k: 5, p: 1, q: 1 };

describe("the rules that the page knows", () => {
  it("q stones, then p stones each", () => {
    const one = played(connect6, "J10");
    expect([one.toMove, one.left, one.black]).toEqual(["white", 2, ["J10"]]);
    const two = played(connect6, "J10 / K11 L12");
    expect([two.toMove, two.left, two.white]).toEqual(["black", 2, ["K11", "L12"]]);
    expect(two.played.map((stone) => stone.turn)).toEqual([1, 2, 2]);
  });
  it("a move that is not complete leaves the turn, and its rest has the same number", () => {
    const first = played(connect6, "J10 / K11");
    expect([first.toMove, first.left]).toEqual(["white", 1]);
    const rest = afterMove(connect6, first, ["L12"]);
    expect([rest.toMove, rest.left, rest.played[2]?.turn]).toEqual(["black", 2, 2]);
  });
  it.each([
    "A1 / B1 / A2 / B2 / A3 / B3 / A4 / B4 / A5",
    "A1 / A9 / B2 / A8 / C3 / A7 / D4 / A6 / E5",
    "E1 / A9 / D2 / A8 / C3 / A7 / B4 / K6 / A5",
  ])("k in a row win: %s", (moves) => {
    const won = played(gomoku, moves);
    expect(won.winner).toBe("black");
    expect([...won.winningSquares].sort()).toEqual([...won.black].sort());
  });
  it("more than k in a row win, except under the exact rule", () => {
    const six = "A1 / K1 / B1 / K2 / C1 / K3 / E1 / K5 / F1 / K7 / D1";
    expect(played(gomoku, six).winner).toBe("black");
    expect(played({ ...gomoku, exact: true }, six).winner).toBeNull();
  });
  it("rows end at the edge of the board and at other stones", () => {
    expect(played(gomoku, "A1 / E1 / B1 / K2 / C1 / K3 / D1").winner).toBeNull();
    expect(played(gomoku, "O1 / K9 / A2 / K2 / B2 / K3 / C2 / K5 / D2").winner).toBeNull();
  });
  it("a full board is full, an unbounded one never", () => {
    const tiny: Game = { ...gomoku, cols: 2, rows: 1 };
    expect(played(tiny, "A1 / B1").isFull).toBe(true);
    expect(played(unbounded, "0,0 / 1,1 2,2").isFull).toBe(false);
    expect(played({ ...unbounded, k: 3 }, "0,0 / 5,5 6,6 / -1,-1 -2,-2").winner).toBe("black");
  });
  it("positions are the same whatever the order of their stones", () => {
    const [a, b] = [played(connect6, "J10 / K11 L12"), played(connect6, "J10 / L12 K11")];
    expect(isSame(a, b)).toBe(true);
    expect(isSame(a, played(connect6, "J10 / K11 L13"))).toBe(false);
    expect(isSame(a, { ...a, toMove: "white" })).toBe(false);
  });
});
