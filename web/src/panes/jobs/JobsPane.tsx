// All jobs of the server: what they do, their progress, and the buttons that control them.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Job } from "../../api/types";
import { documentId, jumpTo, openDocument } from "../../state/document";
import { controlJob, forgetJob, isEnded, jobs, setPriority } from "../../state/jobs";
import { W } from "../../words";
import { durationText, secondsText } from "../duration";
import { showPane } from "../index";
import { numberText } from "../search/rows";
import { searchJob } from "../search/state";
import "./JobsPane.css";

/** The order of jobs: running, waiting, ended; the newest first in each. */
const RANK: Record<Job["state"], number> = { running: 0, queued: 1, paused: 2, done: 3, failed: 3, cancelled: 3 };

const sorted = computed(() =>
  [...jobs.value.values()].sort(
    (a, b) => RANK[a.state] - RANK[b.state] || (isEnded(a) ? 0 : b.priority - a.priority) || b.id - a.id,
  ),
);

/** The time for all ages of the pane, which show seconds. */
const nowMs = signal(Date.now());

export async function goToJob(job: Job): Promise<void> {
  if (job.document === documentId.value) await jumpTo(job.node);
  else await openDocument(job.document, job.node);
}

const SIGN: Record<Job["state"], string> = {
  queued: "○",
  running: "▶",
  paused: "❚❚",
  done: "✓",
  failed: "✕",
  cancelled: "■",
};

/** The progress in numbers: a bar would mean nothing. */
export function Numbers({ job }: { job: Job }) {
  const words = W().jobs;
  const p = job.progress;
  const parts: string[] = [];
  if (job.total > 1) parts.push(words.progress(job.done, job.total));
  if (p !== null) {
    if (p.order > 0) parts.push(words.order(p.order));
    if (job.kind !== "analyse" && job.kind !== "play")
      parts.push(words.pnDn(numberText(p.proof), numberText(p.disproof)));
    parts.push(words.nodes(p.nodes));
    if (!isEnded(job)) parts.push(words.perSecond(p.nodesPerSecond));
    if (p.unsolved.length > 0) parts.push(words.unsolved(p.unsolved.length));
  }
  if (job.startedMs !== null) {
    const since = (job.endedMs ?? nowMs.value) - job.startedMs;
    // While the job runs, its own seconds are the most recent.
    const text = secondsText(isEnded(job) || p === null ? Math.max(0, since) / 1000 : p.seconds);
    parts.push(isEnded(job) ? words.took(`${text} s`) : `${text} s`);
  }
  return <span class="numbers">{parts.join(" · ")}</span>;
}

/** The result of an ended job in a sentence. */
export function endText(job: Job): string {
  const move = job.kind === "play" ? job.result?.line[0] : undefined;
  if (move !== undefined) return move.join(" ");
  if (job.result !== null) return W().solve.sentence(job.result);
  const { server, jobs: words } = W();
  if (job.tally !== null) return server.tally(job.kind, job.tally, job.text);
  if (job.state === "cancelled") return words.cancelled;
  if (job.state === "done") return words.doneBefore;
  const { text, detail } = server.problem({ status: 0, title: job.text, help: null, kind: job.problem });
  return detail === null ? text : `${text} ${detail}`;
}

function Handles({ job }: { job: Job }) {
  const words = W().jobs;
  const button = (label: string, sign: string, run: () => void, title = label) => (
    <button type="button" class="plain" aria-label={`${label}, ${words.spoken(job)}`} title={title} onClick={run}>
      {sign}
    </button>
  );
  return (
    <span class="handles">
      {!isEnded(job) && button(words.raise, "▲", () => void setPriority(job, job.priority + 1))}
      {!isEnded(job) && button(words.lower, "▼", () => void setPriority(job, job.priority - 1))}
      {(job.state === "running" || job.state === "queued") &&
        button(words.pause, "❚❚", () => void controlJob(job.id, "pause"))}
      {job.state === "paused" && button(words.resume, "▶", () => void controlJob(job.id, "resume"))}
      {!isEnded(job) && button(words.cancel, "■", () => void controlJob(job.id, "cancel"), words.cancelHint)}
      {isEnded(job) && button(words.repeat, "↻", () => void controlJob(job.id, "repeat"))}
      {isEnded(job) && button(words.forget, "×", () => void forgetJob(job.id))}
    </span>
  );
}

function JobView({ job }: { job: Job }) {
  const words = W().jobs;
  const scope = words.scopes[job.scope];
  const ended = isEnded(job);
  const showTree = (): void => {
    searchJob.value = job.id;
    showPane("search");
  };
  return (
    <li class={`job job-${job.state}`}>
      <div class="job-top">
        <span class="job-sign" aria-hidden="true">
          {SIGN[job.state]}
        </span>
        <strong>{words.kinds[job.kind]}</strong>
        <span>{[words.forSide(job.attacker), scope, job.squares?.join(" ") ?? ""].filter(Boolean).join(", ")}</span>
        <span class="muted">{words.states[job.state]}</span>
        {job.priority !== 0 && <span class="badge">{words.priority(job.priority)}</span>}
        <Handles job={job} />
      </div>
      <div class="job-facts small">
        <button type="button" class="inline-link" title={words.goTo} onClick={() => void goToJob(job)}>
          {W().server.title(job.documentTitle) || W().untitled}
        </button>
        {!ended &&
          job.state !== "queued" &&
          (job.kind === "solve" || job.kind === "prove" || job.kind === "verify") && (
            <button type="button" class="inline-link" onClick={showTree}>
              {words.tree}
            </button>
          )}
        <Numbers job={job} />
        {!ended && (
          <span class="muted">
            {job.worker === null || job.heartbeatMs === null
              ? words.age(durationText(nowMs.value - job.createdMs))
              : words.worker(W().server.worker(job.worker), durationText(nowMs.value - job.heartbeatMs))}
          </span>
        )}
      </div>
      {ended && <p class="small">{endText(job)}</p>}
    </li>
  );
}

export function JobsPane() {
  useEffect(() => {
    const timer = setInterval(() => {
      nowMs.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  const words = W().jobs;
  const list = sorted.value;
  if (list.length === 0) {
    return (
      <div class="pane-empty">
        <p>{words.none}</p>
        <p class="muted">{words.noneHint}</p>
      </div>
    );
  }
  const ended = list.filter(isEnded);
  return (
    <div class="jobs-pane">
      <ul class="jobs pane-list" aria-label={words.title}>
        {list.slice(0, 200).map((job) => (
          <JobView key={job.id} job={job} />
        ))}
      </ul>
      {ended.length > 1 && (
        <button type="button" class="plain" onClick={() => ended.forEach((job) => void forgetJob(job.id))}>
          {words.forgetEnded}
        </button>
      )}
    </div>
  );
}
