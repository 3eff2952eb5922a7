// The search in the pane, and its tree. While the pane is visible it fetches the tree after changes of the job, at
// most twice a second.
import { computed, effect, signal } from "@preact/signals";
import { jobApi } from "../../api/jobs";
import type { Job, SearchTree } from "../../api/types";
import { atMostEvery } from "../../state/batch";
import { isEnded, jobs } from "../../state/jobs";

const hasTree = (job: Job): boolean => job.kind === "solve" || job.kind === "prove" || job.kind === "verify";

/** The job that the reader chose; null: the newest running one. */
export const searchJob = signal<number | null>(null);

export const searches = computed(() =>
  [...jobs.value.values()].filter((job) => hasTree(job) && job.startedMs !== null).sort((a, b) => b.id - a.id),
);

export const shownJob = computed<Job | null>(() => {
  const chosen = searchJob.value === null ? undefined : jobs.value.get(searchJob.value);
  if (chosen !== undefined) return chosen;
  return searches.value.find((job) => job.state === "running") ?? null;
});

export const tree = signal<{ job: number; tree: SearchTree } | null>(null);

/** Keeps the tree up to date until the returned function stops it. */
export function watchTree(): () => void {
  let wanted: number | null = null;
  const fetchTree = atMostEvery(500, () => {
    const id = wanted;
    if (id === null) return;
    jobApi.tree(id).then(
      (fresh) => {
        const old = tree.peek();
        if (wanted !== id || (old?.job === id && old.tree.version === fresh.version)) return;
        tree.value = { job: id, tree: fresh };
      },
      // A job may have no tree (it has not started, or ended long ago): the last tree stays.
      () => undefined,
    );
  });
  return effect(() => {
    const job = shownJob.value;
    wanted = job?.id ?? null;
    if (job === null) return;
    // The tree of an ended search is fetched once.
    if (!isEnded(job) || tree.peek()?.job !== job.id || job.endedMs !== null) fetchTree();
  });
}
