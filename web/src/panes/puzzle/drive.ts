// Drives the state machine of the first five minutes with jobs, the board and the proof. A late answer meets another
// state and changes nothing.
import { effect, signal } from "@preact/signals";
import { api } from "../../api/client";
import { jobApi } from "../../api/jobs";
import type { Node, Puzzle } from "../../api/types";
import { opponent } from "../../game/rules";
import { keptFlag } from "../../kept";
import { documentId, goTo, node, openDocument } from "../../state/document";
import { edit } from "../../state/edits";
import { controlJob, orderJob, whenEnded } from "../../state/jobs";
import { speak } from "../../state/notices";
import { hideLine, setOverlay, showLine } from "../../state/overlay";
import { onStart } from "../../state/place";
import { tried } from "../../state/proof";
import { W } from "../../words";
import { canSolve, type PuzzleEvent, type PuzzleState, puzzleStep } from "./machine";

export const puzzle = signal<Puzzle | null>(null);
export const state = signal<PuzzleState>({ step: "hidden" });
/** Whether the reader has closed the puzzle; the menu opens it again. */
export const puzzleClosed = keptFlag("puzzle.closed", false);
/** Seconds since the job started: there is never a spinner without a number. */
export const waited = signal(0);

const VERIFY_SECONDS = 20;
const SOLVE_SECONDS = 30;
/** The longest verification of a right move, in milliseconds. */
const LOOK_MS = 1_000;
/** The time between two moves of a line that plays itself, in milliseconds. */
const TICK_MS = 750;

/** Jobs that the puzzle waits for. */
const running = new Set<number>();
let timers: ReturnType<typeof setInterval>[] = [];

function clearTimers(): void {
  for (const timer of timers) clearInterval(timer);
  timers = [];
}

function every(ms: number, run: () => void): void {
  timers.push(setInterval(run, ms));
}

function send(event: PuzzleEvent): void {
  const before = state.peek();
  const after = puzzleStep(before, event);
  if (after === before) return;
  state.value = after;
  if (after.step !== before.step) enter(after);
  else if (after.step === "refuted") showRefutation(after);
}

function startCounting(): void {
  waited.value = 0;
  every(1000, () => {
    waited.value += 1;
  });
}

function stopJobs(): void {
  for (const job of running) void controlJob(job, "cancel");
  running.clear();
}

/** What a state does when it is entered. */
function enter(now: PuzzleState): void {
  clearTimers();
  if (now.step !== "refuted") hideLine("puzzle");
  switch (now.step) {
    case "judging":
      startCounting();
      void judge(now.node);
      break;
    case "refuting":
      startCounting();
      void refute(now.node);
      break;
    case "refuted":
      every(TICK_MS, () => send({ type: "tick" }));
      break;
    case "solving":
      startCounting();
      stopJobs();
      void solve();
      break;
    case "hidden":
      stopJobs();
      break;
    case "won":
      speak(W().puzzle.won(puzzle.peek()?.attacker ?? "white"));
      break;
    case "asking":
    case "unsolved":
    case "tried":
    case "next":
      break;
  }
}

function showRefutation(now: Extract<PuzzleState, { step: "refuted" }>): void {
  const attacker = puzzle.peek()?.attacker;
  if (attacker === undefined || now.shown === 0) return;
  showLine("puzzle", opponent(attacker), now.line, now.shown);
}

async function work(kind: "verify" | "solve", at: number, attacker: Puzzle["attacker"], seconds: number) {
  const asked = puzzle.peek();
  if (asked === null) return null;
  const ordered = await orderJob({
    kind,
    document: asked.document,
    node: at,
    attacker,
    limits: { seconds },
    priority: 8,
  });
  if (ordered === null) return null;
  running.add(ordered.id);
  const ended = await whenEnded(ordered.id);
  running.delete(ordered.id);
  return ended.result;
}

async function judge(at: number): Promise<void> {
  const asked = puzzle.peek();
  if (asked === null) return;
  const known = node.peek()?.id === at ? node.peek()?.verdict : null;
  if (known?.winner === asked.attacker) {
    send({ type: "judged", proved: true, unsolved: [] });
    return;
  }
  if (!known) void lookForLoss(at, asked);
  const result = known ? null : await work("verify", at, asked.attacker, VERIFY_SECONDS);
  send({ type: "judged", proved: result?.outcome === "proved", unsolved: result?.unsolved ?? [] });
}

const isJudging = (at: number): boolean => {
  const now = state.peek();
  return now.step === "judging" && now.node === at;
};

/**
 * A wrong move mostly lets the other side win at once. A search finds that win in a moment, while the verification
 * would run to its limit.
 */
async function lookForLoss(at: number, asked: Puzzle): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  if (!isJudging(at)) return;
  const found = await work("solve", at, opponent(asked.attacker), SOLVE_SECONDS);
  if (found?.outcome !== "proved" || !isJudging(at)) return;
  stopJobs();
  send({ type: "judged", proved: false, unsolved: [] });
}

async function refute(at: number): Promise<void> {
  const asked = puzzle.peek();
  if (asked === null) return;
  const found = await work("solve", at, opponent(asked.attacker), SOLVE_SECONDS);
  send({ type: "refutation", line: found?.line ?? [], wins: found?.outcome === "proved" });
}

/** Plays the line of the win stone by stone, then its first move; the zone glows. */
async function solve(): Promise<void> {
  const asked = puzzle.peek();
  if (asked === null) return;
  await show(asked);
  const known = node.peek()?.results.find((one) => one.outcome === "proved" && one.attacker === asked.attacker);
  const result = known ?? (await work("solve", asked.node, asked.attacker, SOLVE_SECONDS));
  const line = result?.outcome === "proved" ? result.line : [];
  const first = line[0];
  if (first === undefined) {
    send({ type: "solved", node: asked.node, proved: false });
    return;
  }
  for (let shown = 1; shown <= line.length; shown += 1) {
    if (state.peek().step !== "solving") return;
    showLine("puzzle", asked.attacker, line, shown);
    await new Promise((resolve) => setTimeout(resolve, shown <= 6 ? TICK_MS : TICK_MS / 3));
  }
  hideLine("puzzle");
  if (state.peek().step !== "solving") return;
  const made = await edit({ edit: "move", node: asked.node, squares: first }, true);
  send({ type: "solved", node: made?.node ?? asked.node, proved: made !== null });
}

async function show(asked: Puzzle): Promise<void> {
  if (documentId.peek() !== asked.document) await openDocument(asked.document, asked.node);
  else if (node.peek()?.id !== asked.node) await goTo(asked.node);
}

/** Whether the board shows the puzzle's document: elsewhere the puzzle stays silent. */
export const isHere = (): boolean => puzzle.value !== null && documentId.value === puzzle.value.document;

/** Whether the answer is still to be found, and the board shows the question. */
export const isAskingHere = (): boolean => isHere() && canSolve(state.value) && node.value?.id === puzzle.value?.node;

const isWholeMove = (at: Node, by: Puzzle["attacker"]): boolean =>
  at.stones[0]?.color === by && (at.position.toMove !== by || at.position.winner !== null);

function watch(): void {
  // Stored moves of earlier tries must not give the answer away.
  effect(() => setOverlay("puzzle", isAskingHere() ? { hidesNext: true } : null));
  let seen: number | null = null;
  effect(() => {
    const at = node.value;
    const asked = puzzle.value;
    if (at === null || asked === null || documentId.value !== asked.document) return;
    // Only arriving at a node is a move: a new result draws the same node again.
    if (at.id === seen) return;
    seen = at.id;
    if (at.parent !== asked.node || !isWholeMove(at, asked.attacker)) return;
    const squares = at.stones.map((stone) => stone.square);
    queueMicrotask(() => send({ type: "moved", node: at.id, squares }));
  });
  effect(() => {
    const last = tried.value;
    const at = node.value;
    if (last === null || last.partly || at === null) return;
    queueMicrotask(() => send({ type: "tried", node: at.id, outside: last.outside }));
  });
}

async function load(): Promise<Puzzle | null> {
  if (puzzle.peek() === null) {
    // A server without a puzzle is not a failure.
    puzzle.value = await jobApi.puzzle().catch(() => null);
  }
  return puzzle.peek();
}

/** Shows the puzzle, from the menu or at the first visit. True if there is one. */
export async function showPuzzle(): Promise<boolean> {
  const asked = await load();
  if (asked === null) return false;
  puzzleClosed.value = false;
  await show(asked);
  send({ type: "again" });
  return isHere();
}

/** Whether the puzzle is solved: then the store has its answer. */
async function isSolved(): Promise<boolean> {
  const asked = await load();
  return asked !== null && (await api.node(asked.document, asked.node)).verdict?.winner === asked.attacker;
}

/** Begins the puzzle with the page, unless the reader has solved or closed it or opens something else. */
export function startPuzzle(): void {
  watch();
  onStart(async () => !puzzleClosed.peek() && !(await isSolved()) && (await showPuzzle()));
}

export function closePuzzle(): void {
  puzzleClosed.value = true;
  send({ type: "dismiss" });
}

/** Hides the puzzle when something else begins; the next visit shows it again. */
export const restPuzzle = (): void => send({ type: "dismiss" });

export async function tryAgain(): Promise<void> {
  const asked = puzzle.peek();
  if (asked !== null) await show(asked);
  send({ type: "ask" });
}

/** Goes back to Defender's turn, for another try. */
export async function tryAnother(): Promise<void> {
  const at = node.peek();
  if (at?.parent !== null && at !== null) await goTo(at.parent);
}

export const next = (): void => send({ type: "next" });

/** F5: shows the win while the puzzle asks. False if the puzzle is not shown. */
export function solvePuzzle(): boolean {
  if (!isHere() || !canSolve(state.peek())) return false;
  const at = node.peek();
  const asked = puzzle.peek();
  if (at === null || asked === null || (at.id !== asked.node && at.parent !== asked.node)) return false;
  send({ type: "solve" });
  return true;
}
