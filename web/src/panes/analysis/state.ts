// Live analysis. The reader starts it, and it follows the reader: a new position starts a new job and stops the old
// one. Its results are estimates.
import { computed, effect, signal } from "@preact/signals";
import type { Candidate, Job } from "../../api/types";
import { kept } from "../../kept";
import { documentId, node } from "../../state/document";
import { controlJob, isEnded, jobs, orderJob } from "../../state/jobs";
import { setOverlay } from "../../state/overlay";
import { watched } from "../../state/sync";

export const analysing = signal(false);
const isCount = (v: unknown): v is number => typeof v === "number" && Number.isInteger(v) && v >= 1 && v <= 10;
export const lineCount = kept("analysis.lines", 5, isCount);

const current = signal<{ job: number; document: string; node: number } | null>(null);

export const analysisJob = computed<Job | null>(() => {
  const now = current.value;
  return now === null ? null : (jobs.value.get(now.job) ?? null);
});

/** The compared moves: those of the running job, else of the last result of the node. */
export const candidates = computed<Candidate[]>(() => {
  const at = node.value;
  const job = analysisJob.value;
  if (at === null) return [];
  if (job !== null && job.node === at.id && job.document === documentId.value) {
    const live = job.result?.moves ?? job.progress?.moves ?? [];
    if (live.length > 0) return live;
  }
  const stored = [...at.results].reverse().find((result) => result.moves.length > 0);
  return stored?.moves ?? [];
});

function endCurrent(): void {
  const now = current.peek();
  current.value = null;
  if (now === null) return;
  const job = jobs.peek().get(now.job);
  if (job === undefined || !isEnded(job)) void controlJob(now.job, "cancel");
}

/** The time that a node must stay on the board, in milliseconds: a held arrow key passes many. */
const REST_MS = 180;

export function startAnalysis(): void {
  effect(() => {
    watched.value = current.value === null ? [] : [current.value.job];
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const on = analysing.value;
    const at = node.value;
    const id = documentId.value;
    const lines = lineCount.value;
    clearTimeout(timer);
    const now = current.peek();
    if (!on || at === null || id === null || at.position.winner !== null || at.position.isFull) {
      endCurrent();
      return;
    }
    if (now !== null && now.document === id && now.node === at.id && jobs.peek().get(now.job)?.lines === lines) return;
    timer = setTimeout(() => {
      endCurrent();
      void orderJob({ kind: "analyse", node: at.id, lines, priority: 5 }).then((job) => {
        if (job === null) analysing.value = false;
        else if (analysing.peek() && node.peek()?.id === at.id)
          current.value = { job: job.id, document: id, node: at.id };
        else void controlJob(job.id, "cancel");
      });
    }, REST_MS);
  });
  effect(() => {
    const at = node.value;
    const list = candidates.value;
    if (!analysing.value || at === null || list.length === 0) {
      setOverlay("analysis", null);
      return;
    }
    setOverlay("analysis", {
      candidates: list.map((candidate, i) => ({
        squares: candidate.squares,
        color: at.position.toMove,
        label: String(i + 1),
        outcome: candidate.score,
        best: i === 0,
      })),
    });
  });
}

export function toggleAnalysis(): void {
  analysing.value = !analysing.value;
}
