// Calls about jobs, playing, threats and the puzzle.
import { get, send } from "./client";
import type { Job, JobOrder, NodeId, Players, Puzzle, SearchTree, Threats } from "./types";

export const jobApi = {
  all: () => get<Job[]>("/jobs"),
  one: (id: number) => get<Job>(`/jobs/${id}`),
  order: (order: JobOrder) => send<Job>("POST", "/jobs", order),
  control: (id: number, verb: "pause" | "resume" | "cancel" | "repeat") => send<Job>("POST", `/jobs/${id}/${verb}`),
  priority: (id: number, priority: number) => send<Job>("PUT", `/jobs/${id}/priority`, { priority }),
  forget: (id: number) => send<null>("DELETE", `/jobs/${id}`),
  tree: (id: number) => get<SearchTree>(`/jobs/${id}/tree`),
  players: () => get<Players>("/players"),
  puzzle: () => get<Puzzle>("/puzzle"),
  threats: (document: string, node: NodeId) =>
    get<Threats>(`/documents/${encodeURIComponent(document)}/nodes/${node}/threats`),
};
