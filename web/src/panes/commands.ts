// The commands of the panes. Where a proof is walked, its keys mean the walk: they come before those of the page.
import { type Command, commands } from "../commands";
import { ahead, node } from "../state/document";
import { play } from "../state/edits";
import { boardMode, preview, provisional } from "../state/overlay";
import { place, tried, walked } from "../state/proof";
import { W } from "../words";
import { showPane } from ".";
import { toggleAnalysis } from "./analysis/state";
import { copyJoin } from "./farm/state";
import { back, hint, played } from "./play/state";
import { putLine } from "./proof/put";
import { walkKey } from "./proof/walker";
import { showPuzzle, solvePuzzle } from "./puzzle/drive";
import { canSolve, canVerify, proveForm, review, solve, stop, stoppable, threatWin, verifyMove } from "./solve/actions";

const farmCommands: Command[] = [
  { id: "farm.join", group: "page", words: () => W().farm.copyJoin, keys: [], run: () => void copyJoin() },
];

/** Whether the proof continues where the document ends: then Right leads into it. */
const proofAhead = (): boolean =>
  place.value !== null &&
  walked.value === null &&
  isIdle() &&
  node.value?.children.length === 0 &&
  node.value.position.winner === null;

const isWalking = (): boolean => walked.value !== null && preview.value === null;
const isIdle = (): boolean =>
  provisional.value.length === 0 && ahead.value.length === 0 && preview.value === null && boardMode.value === null;

/** Attacker's next move in the proof, or the answer to the last stones. */
const attackAhead = (): string[] =>
  place.value?.attack ?? (place.value === null ? (tried.value?.answer.answer ?? []) : []);

const solveCommands: Command[] = [
  {
    id: "solve.solve",
    group: "analysis",
    words: () => W().solve.solve,
    keys: ["F5"],
    when: canSolve,
    run: () => {
      if (!solvePuzzle()) void solve();
    },
  },
  {
    id: "solve.threats",
    group: "analysis",
    words: () => W().solve.threatWin,
    keys: ["F4"],
    when: canSolve,
    run: () => void threatWin(),
  },
  {
    id: "solve.verify",
    group: "analysis",
    words: () => W().solve.verifyMove,
    keys: ["Shift+F5"],
    when: canVerify,
    run: () => void verifyMove(),
  },
  {
    id: "solve.prove",
    group: "analysis",
    words: () => W().solve.prove,
    keys: ["Ctrl+F5"],
    when: canSolve,
    run: () => {
      proveForm.value = true;
      showPane("solve");
    },
  },
  { id: "solve.review", group: "analysis", words: () => W().solve.review, keys: [], run: () => void review() },
  {
    id: "solve.below",
    group: "analysis",
    words: () => W().solve.solveBelow,
    keys: [],
    run: () => void review("subtree"),
  },
  { id: "solve.all", group: "analysis", words: () => W().solve.solveAll, keys: [], run: () => void review("document") },
  { id: "solve.stop", group: "analysis", words: () => W().solve.stop, keys: ["F6"], run: stop },
  // Esc stops the jobs after it has left everything else.
  {
    id: "solve.escape",
    group: "analysis",
    words: () => W().solve.stop,
    keys: ["Escape"],
    hidden: true,
    when: () => isIdle() && stoppable().length > 0,
    run: stop,
  },
  { id: "analysis.toggle", group: "analysis", words: () => W().analysis.toggle, keys: ["Space"], run: toggleAnalysis },
];

const proofCommands: Command[] = [
  {
    id: "proof.walk",
    group: "analysis",
    words: () => W().proof.startWalk,
    keys: ["ArrowRight"],
    hidden: true,
    when: proofAhead,
    run: () => walkKey("right"),
  },
  {
    id: "proof.up",
    group: "analysis",
    words: () => W().proof.walkUp,
    keys: ["ArrowUp"],
    hidden: true,
    when: isWalking,
    run: () => walkKey("up"),
  },
  {
    id: "proof.down",
    group: "analysis",
    words: () => W().proof.walkDown,
    keys: ["ArrowDown"],
    hidden: true,
    when: isWalking,
    run: () => walkKey("down"),
  },
  {
    id: "proof.home",
    group: "analysis",
    words: () => W().proof.walkBack,
    keys: ["Home"],
    hidden: true,
    when: isWalking,
    run: () => walkKey("home"),
  },
  {
    id: "proof.put",
    group: "analysis",
    words: () => W().proof.intoDocument,
    keys: [","],
    when: isWalking,
    run: () => void putLine(),
  },
  {
    id: "proof.play",
    group: "analysis",
    words: () => W().proof.playNext,
    keys: [","],
    when: () => isIdle() && walked.value === null && attackAhead().length > 0,
    run: () => void play(attackAhead()),
  },
  {
    id: "proof.show",
    group: "analysis",
    words: () => W().solve.showProof,
    keys: [],
    when: () => place.value !== null,
    run: () => showPane("proof"),
  },
];

const playCommands: Command[] = [
  { id: "play.start", group: "play", words: () => W().play.start, keys: [], run: () => showPane("play") },
  { id: "play.hint", group: "play", words: () => W().play.hint, keys: ["h"], when: canSolve, run: () => void hint() },
  {
    id: "play.back",
    group: "play",
    words: () => W().play.takeBack,
    keys: ["Ctrl+Backspace"],
    when: () => played.value !== null,
    run: back,
  },
  { id: "puzzle.show", group: "page", words: () => W().puzzle.show, keys: [], run: () => void showPuzzle() },
];

export function registerPaneCommands(): void {
  commands.value = [...proofCommands, ...solveCommands, ...playCommands, ...farmCommands, ...commands.value];
}
