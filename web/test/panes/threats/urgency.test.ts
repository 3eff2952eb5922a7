import { describe, expect, it } from "vitest";
import { type Side, urgency } from "../../../src/panes/threats/state";

const side = (color: Side["color"], number: number | null, empties: string[][] = []): Side => ({
  color,
  number,
  threats: empties.map((e) => ({ squares: e, empties: e })),
  patterns: [],
  mustAnswer: [],
});
const white = { toMove: "white" as const, left: 2 };

describe("urgency", () => {
  it("who_can_complete_a_line_now_wins_before_anything_else", () => {
    expect(urgency([side("black", 3), side("white", 1, [["A1", "A2"]])], white)).toContain("White");
    expect(urgency([side("black", 3), side("white", 1, [["A1", "A2"]])], white)).toContain("completes");
  });
  it("more_threats_than_stones_are_lost_and_as_many_are_not", () => {
    expect(urgency([side("black", 3), side("white", 0)], white)).toContain("needs 3");
    expect(urgency([side("black", null), side("white", 0)], white)).not.toBe("");
    expect(urgency([side("black", 2), side("white", 0)], white)).toBe("");
  });
  it("a_stone_left_of_two_counts_as_one", () => {
    expect(urgency([side("black", 2), side("white", 0)], { toMove: "white", left: 1 })).toContain("has 1");
  });
});
