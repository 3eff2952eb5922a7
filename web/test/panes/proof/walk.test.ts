import { describe, expect, it } from "vitest";
import type { Zone } from "../../../src/api/types";
import { outsideSquares, whyInZone } from "../../../src/game/zone";
import { type Around, playable, walkTo } from "../../../src/panes/proof/walk";

const around: Around = { steps: [1, 3, 9], siblings: [3 + 2, 9, 15], replies: [11, 13] };
const zone: Zone = {
  squares: ["J10"],
  segments: [
    { ends: ["A1", "F1"], level: 2, squares: ["A1", "B1", "C1", "D1", "E1", "F1"] },
    { ends: ["C1", "C6"], level: 1, squares: ["C1", "C2", "C3", "C4", "C5", "C6"] },
  ],
  solid: ["J10", "C1", "C2", "C3", "C4", "C5", "C6"],
  hatched: ["A1", "B1", "D1", "E1", "F1"],
};

describe("walk", () => {
  it("keys_lead_into_replies_back_and_to_the_other_replies", () => {
    expect(walkTo("right", around)).toBe(11);
    expect(walkTo("left", around)).toBe(3);
    expect(walkTo("up", around)).toBe(5);
    expect(walkTo("down", around)).toBe(15);
    expect(walkTo("home", around)).toBe(1);
  });

  it("at_the_ends_a_key_leads_nowhere", () => {
    const root: Around = { steps: [1], siblings: [], replies: [] };
    for (const key of ["right", "left", "up", "down", "home"] as const) expect(walkTo(key, root)).toBeNull();
    expect(walkTo("down", { ...around, steps: [1, 3, 15] })).toBeNull();
  });

  it("left_undoes_right", () => {
    const next = walkTo("right", around) as number;
    expect(walkTo("left", { steps: [...around.steps, next], siblings: around.replies, replies: [] })).toBe(9);
  });

  it("a_macro_becomes_a_move_that_blocks_all_threats_if_one_can", () => {
    const threats = [
      ["A1", "B1"],
      ["C1", "D1"],
      ["C1", "E1"],
    ];
    expect(playable({ squares: ["A1", "B1", "C1", "D1", "E1"] }, 2, threats, [])?.sort()).toEqual(["A1", "C1"]);
  });

  it("missing_stones_of_a_null_move_go_outside", () => {
    expect(playable({ squares: [] }, 2, [], ["S19", "A19", "S1"])).toEqual(["S19", "A19"]);
    expect(playable({ squares: ["K10"] }, 2, [], ["S19"])).toEqual(["K10", "S19"]);
    expect(playable({ squares: [] }, 2, [], ["S19"])).toBeNull();
  });

  it("a_square_in_two_segments_is_explained_by_the_one_that_matters_most", () => {
    expect(whyInZone(zone, "J10")).toEqual({ kind: "square" });
    expect(whyInZone(zone, "C1")).toMatchObject({ kind: "segment", level: 1, count: 2 });
    expect(whyInZone(zone, "B1")).toMatchObject({ kind: "segment", level: 2 });
    expect(whyInZone(zone, "S19")).toEqual({ kind: "outside" });
  });

  it("outside_is_never_inside_and_far_comes_first", () => {
    const empty = ["J10", "B1", "S19", "K11"].map((name, i) => ({
      name,
      x: [9, 1, 18, 10][i] ?? 0,
      y: [9, 0, 18, 10][i] ?? 0,
    }));
    expect(outsideSquares(empty, zone, [{ x: 9, y: 9 }])).toEqual(["S19", "K11"]);
  });
});
