// Questions to the solver about the position on the board. Each is a job: it shows its numbers, can be stopped, and
// stores its result at the node.
import { signal } from "@preact/signals";
import type { Color, Job, JobKind, JobLimits, JobScope, Result, SquareName } from "../../api/types";
import { keptFlag } from "../../kept";
import { ensureDocument, node } from "../../state/document";
import { afterEdits } from "../../state/edits";
import { activeHere, controlJob, orderJob, whenEnded } from "../../state/jobs";
import { inform, notify, speak } from "../../state/notices";
import { showLine } from "../../state/overlay";
import { W } from "../../words";
import { showPane } from "../index";
import { endText } from "../jobs/JobsPane";
import { searchJob } from "../search/state";

/** The order of a win by threats alone. */
const THREAT_ORDER = 2;

/** Whether the form for a proof is open. */
export const proveForm = signal(false);
/** Whether the board shows the line of a result as soon as the job ends. */
export const showsLines = keptFlag("solve.lines", true);

export interface Ask {
  kind: JobKind;
  scope?: JobScope;
  attacker?: Color;
  squares?: SquareName[];
  limits?: JobLimits;
}

/** Orders a job about the node on the board, and reports its end. */
export async function ask(what: Ask): Promise<Job | null> {
  // A loose position becomes a document first, and its node gets another number.
  if (!(await afterEdits()) || (await ensureDocument()) === null) return null;
  const at = node.value;
  if (at === null) return null;
  const job = await orderJob({ ...what, node: at.id });
  if (job === null) return null;
  const ended = await whenEnded(job.id);
  if (ended.state === "cancelled") return ended;
  report(ended);
  return ended;
}

function report(job: Job): void {
  const text = W().jobs.ended(W().jobs.kinds[job.kind], endText(job));
  const here = node.value?.id === job.node;
  if (job.state === "failed") {
    notify({ kind: "error", text });
    return;
  }
  // The board shows the result; a notice is for a reader who has gone elsewhere.
  if (here) speak(text);
  else inform(text);
}

/** The line of a result, numbered on the board. */
export function showResult(result: Result): void {
  const at = node.value;
  if (at !== null && result.line.length > 0) showLine("result", at.position.toMove, result.line);
}

async function askAndShow(what: Ask): Promise<void> {
  const at = node.value?.id;
  const job = await ask(what);
  const result = job?.result;
  if (!result || node.value?.id !== job?.node || at === undefined) return;
  if (result.outcome === "proved" && showsLines.value) showResult(result);
  if (result.outcome !== "proved") showPane("solve");
}

/**
 * Reports what is proved instead of asking for it. `attacker`: the chosen side, if any. False if nothing proved
 * answers the question; `isOpen`: a proved win of that side does not answer it.
 */
function isKnown(attacker: Color | undefined, isOpen = false): boolean {
  const at = node.value;
  if (at === null || at.verdict === null) return false;
  const { winner, certificate } = at.verdict;
  const isAgainst = winner !== (attacker ?? at.position.toMove);
  if (isOpen && !isAgainst) return false;
  const words = W().solve;
  if (isAgainst && (isOpen || attacker !== undefined)) {
    inform(words.knownAgainst(winner));
    return true;
  }
  inform(words.known(winner));
  const result = at.results.find((one) => one.outcome === "proved" && one.attacker === winner && one.line.length > 0);
  if (result !== undefined && showsLines.value) showResult(result);
  else if (certificate !== null) showPane("proof");
  return true;
}

export async function solve(attacker?: Color): Promise<void> {
  await afterEdits();
  if (!isKnown(attacker)) await askAndShow({ kind: "solve", ...(attacker ? { attacker } : {}) });
}

export async function threatWin(): Promise<void> {
  await afterEdits();
  if (isKnown(undefined, true)) return;
  showPane("threats");
  await askAndShow({ kind: "solve", limits: { order: THREAT_ORDER } });
}

/** Verifies the last move: does it win against every reply? */
export const verifyMove = (): Promise<void> => askAndShow({ kind: "verify" });

export async function prove(limits: JobLimits, attacker: Color): Promise<void> {
  proveForm.value = false;
  if (isKnown(attacker, true)) return;
  searchJob.value = null;
  showPane("search");
  await askAndShow({ kind: "prove", limits, attacker });
}

/** Solves many positions one after the other: the line through this node, all below it, or the whole document. */
export async function review(scope: JobScope = "line"): Promise<void> {
  showPane("jobs");
  await ask({ kind: "solve", scope });
}

/** The jobs of this document that the reader can stop here: all but the engine's own move. */
export const stoppable = (): Job[] => activeHere.value.filter((job) => job.kind !== "play");

export function stop(): void {
  const list = stoppable();
  if (list.length === 0) {
    inform(W().solve.nothingToStop);
    return;
  }
  for (const job of list) void controlJob(job.id, "cancel");
  inform(W().solve.stopped);
}

export const canVerify = (): boolean => {
  const at = node.value;
  return at !== null && at.parent !== null && at.stones.length > 0 && at.position.winner === null;
};
export const canSolve = (): boolean => {
  const at = node.value;
  return at !== null && at.position.winner === null && !at.position.isFull;
};
