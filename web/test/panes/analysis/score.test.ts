import { describe, expect, it } from "vitest";
import { height, scoreWord, valueText } from "../../../src/panes/analysis/score";

const value = (v: number) => ({ score: "value" as const, value: v });

describe("score", () => {
  it("words_are_symmetric_between_the_sides", () => {
    expect([-500, -200, -50, 0, 50, 200, 500].map((v) => scoreWord(value(v)))).toEqual([
      "muchWorse",
      "worse",
      "slightlyWorse",
      "even",
      "slightlyBetter",
      "better",
      "muchBetter",
    ]);
  });
  it("never_a_percentage_and_no_minus_zero", () => {
    expect(valueText(value(140))).toBe("+1.4");
    expect(valueText(value(-3))).toBe("0.0");
    expect(valueText({ score: "win", value: 0 })).toBe("");
  });
  it("a_higher_value_is_drawn_higher", () => {
    const hs = [-400, -10, 0, 10, 400].map((v) => height(value(v)));
    expect([...hs].sort((a, b) => a - b)).toEqual(hs);
    expect(height({ score: "win", value: 0 })).toBe(1);
  });
});
