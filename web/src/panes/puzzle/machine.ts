// The first five minutes, as a pure state machine: a position with a winning move to find, the reader's move, the
// solver's verdict, and a proof to explore. `panes/puzzle/drive.ts` starts the jobs and walks that a state needs.
import type { NodeId, SquareName } from "../../api/types";

export type PuzzleState =
  /** Not shown: dismissed, or there is no puzzle. */
  | { step: "hidden" }
  /** "White to move wins. Can you see it?" */
  | { step: "asking" }
  /** The solver verifies the reader's move. */
  | { step: "judging"; node: NodeId; squares: SquareName[] }
  /** The move is not proved to win: the solver looks for the refutation. */
  | { step: "refuting"; node: NodeId; squares: SquareName[]; unsolved: SquareName[][] }
  /**
   * The refutation plays itself: `shown` moves of `line` are numbered ghosts. `wins`: the line is a proved win of
   * the other side, otherwise a defence against which no win was found.
   */
  | { step: "refuted"; squares: SquareName[]; line: SquareName[][]; shown: number; wins: boolean }
  /** F5: the solver shows it. */
  | { step: "solving" }
  /** No win found within the limits. */
  | { step: "unsolved" }
  /** The win is on the board. `node` has the proof, with Defender or Attacker to move. */
  | { step: "won"; node: NodeId; bySolver: boolean; tries: number }
  /** The reader tried a Defender move: outside the zone, or inside and answered. */
  | { step: "tried"; node: NodeId; outside: boolean; tries: number }
  /** What to do next. */
  | { step: "next"; tries: number };

export type PuzzleEvent =
  | { type: "ask" }
  | { type: "moved"; node: NodeId; squares: SquareName[] }
  | { type: "judged"; proved: boolean; unsolved: SquareName[][] }
  | { type: "refutation"; line: SquareName[][]; wins: boolean }
  | { type: "tick" }
  | { type: "solve" }
  | { type: "solved"; node: NodeId; proved: boolean }
  | { type: "tried"; node: NodeId; outside: boolean }
  | { type: "next" }
  | { type: "again" }
  | { type: "dismiss" };

/** The number of tries after which the page offers what to do next. */
const TRIES_ENOUGH = 3;

export function puzzleStep(state: PuzzleState, event: PuzzleEvent): PuzzleState {
  switch (event.type) {
    case "ask":
    case "again":
      return { step: "asking" };
    case "dismiss":
      return { step: "hidden" };
    case "solve":
      return canSolve(state) ? { step: "solving" } : state;
    case "moved":
      return state.step === "asking" || state.step === "refuted" || state.step === "unsolved"
        ? { step: "judging", node: event.node, squares: event.squares }
        : state;
    case "judged":
      if (state.step !== "judging") return state;
      return event.proved
        ? { step: "won", node: state.node, bySolver: false, tries: 0 }
        : { step: "refuting", node: state.node, squares: state.squares, unsolved: event.unsolved };
    case "refutation": {
      if (state.step !== "refuting") return state;
      // No win of the other side is proved: show the defence.
      const line = event.wins ? event.line : state.unsolved.slice(0, 1);
      return { step: "refuted", squares: state.squares, line, shown: 0, wins: event.wins };
    }
    case "tick":
      return state.step === "refuted" && state.shown < state.line.length ? { ...state, shown: state.shown + 1 } : state;
    case "solved":
      if (state.step !== "solving") return state;
      return event.proved ? { step: "won", node: event.node, bySolver: true, tries: 0 } : { step: "unsolved" };
    case "tried":
      if (state.step !== "won" && state.step !== "tried") return state;
      return { step: "tried", node: event.node, outside: event.outside, tries: state.tries + 1 };
    case "next":
      return state.step === "tried" || state.step === "won" ? { step: "next", tries: state.tries } : state;
  }
}

/** Whether F5 shows the win in this state. */
export function canSolve(state: PuzzleState): boolean {
  return (
    state.step === "asking" ||
    state.step === "refuted" ||
    state.step === "refuting" ||
    state.step === "judging" ||
    state.step === "unsolved"
  );
}

/** Whether to offer what to do next: on request, or after some tries. */
export function offersNext(state: PuzzleState): boolean {
  return state.step === "next" || (state.step === "tried" && state.tries >= TRIES_ENOUGH);
}
