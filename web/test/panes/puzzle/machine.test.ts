import { describe, expect, it } from "vitest";
import {
  canSolve,
  offersNext,
  type PuzzleEvent,
  type PuzzleState,
  puzzleStep,
} from "../../../src/panes/puzzle/machine";

const run = (events: PuzzleEvent[], from: PuzzleState = { step: "hidden" }): PuzzleState =>
  events.reduce(puzzleStep, from);
const wrong: PuzzleEvent[] = [
  { type: "ask" },
  { type: "moved", node: 5, squares: ["A1", "B1"] },
  { type: "judged", proved: false, unsolved: [["C3", "D3"]] },
];

describe("puzzle", () => {
  it("a_right_move_wins_without_the_solver", () => {
    const state = run([
      { type: "ask" },
      { type: "moved", node: 5, squares: ["J10", "K11"] },
      { type: "judged", proved: true, unsolved: [] },
    ]);
    expect(state).toEqual({ step: "won", node: 5, bySolver: false, tries: 0 });
  });

  it("a_wrong_move_is_refuted_by_a_line_that_plays_itself_to_its_end_and_no_further", () => {
    const line = [
      ["C3", "D3"],
      ["E1", "E2"],
      ["F6", "F7"],
    ];
    let state = run([...wrong, { type: "refutation", line, wins: true }]);
    for (const shown of [1, 2, 3, 3]) {
      state = puzzleStep(state, { type: "tick" });
      expect(state).toMatchObject({ step: "refuted", shown, wins: true });
    }
  });

  it("without_a_win_of_the_other_side_the_defence_that_stands_is_shown", () => {
    const state = run([...wrong, { type: "refutation", line: [], wins: false }]);
    expect(state).toMatchObject({ step: "refuted", line: [["C3", "D3"]], wins: false });
  });

  it("after_a_refutation_the_reader_may_try_again_or_ask_the_solver", () => {
    const refuted = run([...wrong, { type: "refutation", line: [["C3", "D3"]], wins: true }]);
    expect(puzzleStep(refuted, { type: "moved", node: 9, squares: ["K1", "K2"] }).step).toBe("judging");
    expect(run([{ type: "solve" }, { type: "solved", node: 0, proved: true }], refuted)).toMatchObject({
      step: "won",
      bySolver: true,
    });
  });

  it("late_answers_change_nothing", () => {
    const asking = run([{ type: "ask" }]);
    const late: PuzzleEvent[] = [
      { type: "judged", proved: true, unsolved: [] },
      { type: "refutation", line: [], wins: true },
      { type: "solved", node: 3, proved: true },
      { type: "tried", node: 3, outside: true },
      { type: "tick" },
    ];
    for (const event of late) expect(puzzleStep(asking, event)).toBe(asking);
    const solving = run([...wrong, { type: "solve" }]);
    expect(puzzleStep(solving, { type: "judged", proved: true, unsolved: [] })).toBe(solving);
  });

  it("some_tries_lead_to_what_comes_next_and_dismissing_works_everywhere", () => {
    let state: PuzzleState = { step: "won", node: 5, bySolver: true, tries: 0 };
    expect(canSolve(state)).toBe(false);
    for (let i = 0; i < 3; i += 1) {
      expect(offersNext(state)).toBe(false);
      state = puzzleStep(state, { type: "tried", node: 6 + i, outside: true });
    }
    expect(offersNext(state)).toBe(true);
    expect(puzzleStep(state, { type: "dismiss" })).toEqual({ step: "hidden" });
    expect(puzzleStep({ step: "hidden" }, { type: "again" })).toEqual({ step: "asking" });
  });
});
