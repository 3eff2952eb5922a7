// All jobs of the server, kept up to date by live messages. The messages of one frame are applied together, so that
// fifty a second cost no more than one.
import { computed, signal } from "@preact/signals";
import { jobApi } from "../api/jobs";
import type { Job, JobOrder } from "../api/types";
import { batch } from "./batch";
import { documentId, ensureDocument } from "./document";
import { failed } from "./notices";
import { onLive } from "./sync";

export const jobs = signal<ReadonlyMap<number, Job>>(new Map());

export const isEnded = (job: Job): boolean =>
  job.state === "done" || job.state === "failed" || job.state === "cancelled";

/** The number of jobs that run or wait, for the tab. */
export const activeCount = computed(() => {
  let count = 0;
  for (const job of jobs.value.values()) if (!isEnded(job) && job.state !== "paused") count += 1;
  return count;
});

/** The jobs that run or wait in the current document. */
export const activeHere = computed(() =>
  [...jobs.value.values()].filter((job) => !isEnded(job) && job.document === documentId.value),
);

/** The callbacks for the end of a job. */
const waiting = new Map<number, ((job: Job) => void)[]>();

function reportEnd(job: Job): void {
  if (!isEnded(job)) return;
  const listeners = waiting.get(job.id);
  waiting.delete(job.id);
  for (const listener of listeners ?? []) listener(job);
}

const incoming = batch<number, Job>((changes) => {
  const next = new Map(jobs.value);
  for (const [id, job] of changes) next.set(id, job);
  jobs.value = next;
  for (const job of changes.values()) reportEnd(job);
});

function forgetAll(ids: number[]): void {
  const next = new Map(jobs.value);
  for (const id of ids) {
    incoming.drop(id);
    next.delete(id);
  }
  jobs.value = next;
}

export async function loadJobs(): Promise<void> {
  try {
    const all = await jobApi.all();
    jobs.value = new Map(all.map((job) => [job.id, job]));
    for (const job of all) reportEnd(job);
  } catch (error) {
    failed(error);
  }
}

export function startJobs(): void {
  onLive((message) => {
    if (message.event === "job") incoming.put(message.job.id, message.job);
    else if (message.event === "jobs-removed") forgetAll(message.jobs);
    // After a break messages may be missing: fetch all jobs.
    else if (message.event === "reset" || message.event === "hello") void loadJobs();
  });
}

/** Takes the job of an answer like one of a live message. */
function take(job: Job): Job {
  const known = jobs.value.get(job.id);
  // A live message may be newer than the answer.
  if (known !== undefined && isEnded(known) && !isEnded(job)) return known;
  jobs.value = new Map(jobs.value).set(job.id, job);
  reportEnd(job);
  return job;
}

/** Orders a job; a loose position becomes a document first. */
export async function orderJob(order: Omit<JobOrder, "document"> & { document?: string }): Promise<Job | null> {
  try {
    const document = order.document ?? (await ensureDocument());
    if (document === null) return null;
    return take(await jobApi.order({ ...order, document }));
  } catch (error) {
    return failed(error);
  }
}

export async function controlJob(id: number, verb: "pause" | "resume" | "cancel" | "repeat"): Promise<Job | null> {
  try {
    return take(await jobApi.control(id, verb));
  } catch (error) {
    return failed(error);
  }
}

export async function setPriority(job: Job, priority: number): Promise<void> {
  try {
    take(await jobApi.priority(job.id, Math.max(-10, Math.min(10, priority))));
  } catch (error) {
    failed(error);
  }
}

export async function forgetJob(id: number): Promise<void> {
  try {
    await jobApi.forget(id);
    forgetAll([id]);
  } catch (error) {
    failed(error);
  }
}

/** Resolves with the job when it has ended, whatever its result. */
export function whenEnded(id: number): Promise<Job> {
  const known = jobs.value.get(id);
  if (known !== undefined && isEnded(known)) return Promise.resolve(known);
  return new Promise((resolve) => {
    waiting.set(id, [...(waiting.get(id) ?? []), resolve]);
  });
}

/** Orders a job and waits for its end. */
export async function doJob(order: Omit<JobOrder, "document"> & { document?: string }): Promise<Job | null> {
  const job = await orderJob(order);
  return job === null ? null : whenEnded(job.id);
}
