// The first five minutes, as a state machine: a position with one move missing, the reader's
// answer, what the solver says to it, and the moment in which a proof can be touched. Pure: what
// has to be done outside (a job, a walk) is read off the state by `panes/puzzle/drive.ts`.
import type { NodeId, SquareName } from "../../api/types";

export type PuzzleState =
  /** Not shown: dismissed, or nothing to ask. */
  | { step: "hidden" }
  /** "White to move wins. Can you see it?" */
  | { step: "asking" }
  /** The reader's move is looked at: does it win? */
  | { step: "judging"; node: NodeId; squares: SquareName[] }
  /** It does not, as far as could be proved: what does the other side do? */
  | { step: "refuting"; node: NodeId; squares: SquareName[]; unsolved: SquareName[][] }
  /** The refutation plays itself: `shown` moves of `line` stand as numbered ghosts. `wins`: it is
   * a proved win of the other side; else only a defence that nothing was found against. */
  | { step: "refuted"; squares: SquareName[]; line: SquareName[][]; shown: number; wins: boolean }
  /** F5: the solver shows it. */
  | { step: "solving" }
  /** Solved without an answer within the limits: said, not hidden. */
  | { step: "unsolved" }
  /** The win draws itself. `node` has the proof, Defender to move or Attacker. */
  | { step: "won"; node: NodeId; bySolver: boolean; tries: number }
  /** A Defender move was tried: outside, or inside and answered. */
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

/** How many stones outside are enough to have seen the point. */
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
      // No win of the other side was proved: then show the defence that stands.
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

/** F5 shows the win from every state in which it is not shown yet. */
export function canSolve(state: PuzzleState): boolean {
  return (
    state.step === "asking" ||
    state.step === "refuted" ||
    state.step === "refuting" ||
    state.step === "judging" ||
    state.step === "unsolved"
  );
}

/** Whether to offer what to try next: at once when asked, by itself after some tries. */
export function offersNext(state: PuzzleState): boolean {
  return state.step === "next" || (state.step === "tried" && state.tries >= TRIES_ENOUGH);
}
