// Decides what to fetch again after a live message.
import { effect, signal } from "@preact/signals";
import { connect, type Live, type LiveState } from "../api/live";
import type { Status } from "../api/types";
import { W } from "../words";
import { doc, documentId, forgetNodes, loadDocuments, refresh, treeChanged } from "./document";
import { afterEdits } from "./edits";
import { inform } from "./notices";

export const liveState = signal<LiveState>("connecting");

/** The live analyses that this page shows. */
export const watched = signal<readonly number[]>([]);

type Listener = (message: Live) => void;
const listeners = new Set<Listener>();

/** Panes listen here for `job`, `jobs-removed`, `result` and `reset`. Returns how to stop. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Many messages in a short time cause one call. */
function debounced(run: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      run();
    }, ms);
  };
}

/** The newest revision of a live message. The page knows its own edits by their answers. */
let heard = 0;
const catchUp = debounced(() => {
  void afterEdits().then(() => {
    if (heard > (doc.value?.revision ?? 0)) void refresh();
  });
}, 40);
const refreshSoon = debounced(() => void refresh(), 40);
const listSoon = debounced(() => void loadDocuments(), 300);
const rowsSoon = debounced(treeChanged, 150);

export function decide(message: Live): void {
  switch (message.event) {
    case "reset":
      refreshSoon();
      listSoon();
      break;
    case "document":
      listSoon();
      if (message.document !== documentId.value) break;
      if (message.removed) inform(W().documentGone);
      else {
        heard = message.revision;
        catchUp();
      }
      break;
    case "result":
      if (message.document !== documentId.value) break;
      forgetNodes();
      // A verdict is inherited upwards and downwards: the node on the board may change, too.
      refreshSoon();
      rowsSoon();
      break;
    case "job":
    case "jobs-removed":
    case "hello":
    case "ping":
      break;
  }
  for (const listener of listeners) listener(message);
}

export function startLive(status: Status | null): void {
  const from = status ? { sequence: status.sequence, epoch: status.epoch } : undefined;
  const connection = connect({
    ...(from ? { from } : {}),
    onMessage: decide,
    onState: (state) => {
      liveState.value = state;
    },
  });
  effect(() => connection.watch(watched.value));
}
