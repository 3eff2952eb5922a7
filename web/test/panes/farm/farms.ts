// Farms to show: one that works, with a worker in every state.
import type { FarmAnswer, FarmView, ManagerView, WorkerView } from "../../../src/api/types";

export const worker = (name: string, more: Partial<WorkerView> = {}): WorkerView => ({
  id: `id-${name}`,
  name,
  cores: 2,
  state: "working",
  why: null,
  running: 2,
  done: 60,
  nodes: 100_000,
  nodes_per_second: 90_000,
  seen_seconds: 0.5,
  ...more,
});

export const manager = (more: Partial<ManagerView> = {}): ManagerView => ({
  id: "m1",
  title: "Black to win, Connect6, 5 stones",
  for_seconds: 12.5,
  queued: 3,
  running: 2,
  judging: 1,
  done: 1_120,
  oldest_seconds: 64.2,
  jobs_per_second: 12.5,
  nodes_per_second: 200_000,
  given_up: 0,
  worker_count: 1,
  core_count: 2,
  uncertified: 0,
  done_again: 0,
  workers: [worker("host-1")],
  ...more,
});

export const farm = (more: Partial<FarmView> = {}): FarmAnswer => ({
  farm: {
    url: "nats://farm.test:4222",
    connected: true,
    join: "sixproof worker nats://farm.test:4222",
    problem: null,
    warnings: [],
    managers: [manager()],
    ...more,
  },
});
