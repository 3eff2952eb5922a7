// Sends edits to the server one after the other, each for the node that the reader saw (`pending.ts`). The page
// shows a move at once, and further stones follow it however long the server takes. If the server refuses a move,
// the moves after it are dropped, too, and a notice lists them. While the server is away, moves wait; they are sent
// when it is back, if their position still exists. Other edits fail at once.
import { batch, computed, signal } from "@preact/signals";
import { api, Failure } from "../api/client";
import type { Edit, Edited, NodeId, SquareName } from "../api/types";
import { afterMove, isSame } from "../game/rules";
import { W } from "../words";
import { noteTexts } from "../words/server";
import {
  ahead,
  documentId,
  documentKey,
  forgetAt,
  game,
  keepDocument,
  load,
  node,
  refresh,
  seen,
  showNode,
  visitCount,
} from "./document";
import { failed, inform, notify, problemWords } from "./notices";
import { hideLine, provisional } from "./overlay";
import { answered, baseOf, isLooseKey, type PendingEdit, pending, withDependents } from "./pending";
import { shownMove } from "./shown-names";

/** The time in milliseconds after which an answer is late. */
const LATE_MS = 1_500;
/** The time in milliseconds between two tries to reach an absent server. */
const RETRY_MS = 5_000;
/** Whether the status means that the server, or a proxy before it, cannot answer now. */
const isAwayStatus = (status: number): boolean => status === 0 || (status >= 502 && status <= 504);

/** Whether the last edit found no server. */
export const isAway = signal(false);
/** Whether the edit under way takes long. */
const isSlow = signal(false);
export const isLate = computed(() => isAway.value || isSlow.value);

/** The moves that wait, of all documents. */
export const waiting = computed(() => pending.value.filter((edit) => edit.move !== null && edit.made === null));

let sending: Promise<void> | null = null;
let showing: Promise<void> | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Resolves when all edits so far are answered and shown. False: some wait for an absent server. */
export async function afterEdits(): Promise<boolean> {
  while (sending !== null || showing !== null) await (sending ?? showing);
  return pending.peek().every((edit) => edit.made !== null);
}

function remove(edits: readonly PendingEdit[]): void {
  pending.value = pending.peek().filter((edit) => !edits.includes(edit));
  for (const edit of edits) edit.end(null);
}

/** Drops an edit and all that depend on it; a notice lists the moves. */
function drop(first: PendingEdit, error: unknown): void {
  const all = withDependents(first);
  const moves = all.flatMap((edit) => (edit.move === null ? [] : [shownMove(edit.move.squares)]));
  batch(() => {
    // Stones placed after a dropped move have no position any more.
    if (ahead.peek().some((edit) => all.includes(edit))) provisional.value = [];
    remove(all);
  });
  if (moves.length === 0) {
    failed(error);
    return;
  }
  const said = error instanceof Failure ? problemWords(error) : { text: String(error), help: null, detail: null };
  const why = [said.text, said.help].filter((text) => text).join(" ");
  notify({ kind: "error", text: W().notPlayed(moves.join(" / ")), help: why, detail: said.detail });
}

/** Lets moves wait for the server and refuses all other edits. */
function wait(): void {
  const refused = pending.peek().filter((edit) => edit.move === null && edit.made === null);
  if (refused.length > 0) {
    remove(refused);
    notify({ kind: "error", text: W().notDone });
  }
  for (const edit of waiting.peek()) edit.waited = true;
  isAway.value = waiting.peek().length > 0;
  retryLater();
}

function retryLater(): void {
  clearTimeout(retry);
  if (waiting.peek().length > 0 || answered(ahead.peek()) !== null) retry = setTimeout(resumeEdits, RETRY_MS);
}

/** Sends the waiting edits: the server may be back. */
export function resumeEdits(): void {
  clearTimeout(retry);
  isAway.value = false;
  if (waiting.peek().length > 0) pump();
  else if (answered(ahead.peek()) !== null) void catchUp(refresh());
}

/** Drops the waiting moves. */
export function discardWaiting(): void {
  clearTimeout(retry);
  const moves = waiting.peek().map((edit) => shownMove(edit.move?.squares ?? []));
  batch(() => {
    provisional.value = [];
    remove(waiting.peek());
  });
  isAway.value = false;
  inform(W().discarded(moves.join(" / ")));
}

function catchUp(shown: Promise<void>): Promise<void> {
  const mine = shown.finally(() => {
    if (showing !== mine) return;
    showing = null;
    // Fetch later what is stored and could not be fetched.
    if (answered(ahead.peek()) !== null) retryLater();
  });
  showing = mine;
  return mine;
}

/** Shows the result of an edit, if the reader has not gone elsewhere. */
function showAnswer(edit: PendingEdit, edited: Edited): Promise<void> {
  if (edit.document !== documentId.value) return Promise.resolve();
  const follows = edit.follow && edit.visit === visitCount() && ahead.value.length === 0;
  const target = answered(ahead.value) ?? (follows ? edited.node : undefined);
  if (edited.changed) return catchUp(refresh(target));
  return target === undefined ? Promise.resolve() : catchUp(showNode(target));
}

/** The document of an edit; null if the reader left a loose position before it became a document. */
async function documentOf(edit: PendingEdit): Promise<string | null> {
  if (!isLooseKey(edit.document)) return edit.document;
  return edit.document === documentKey.value ? keepDocument() : null;
}

/** Whether the position of a move still exists after the server was away. */
async function isThere({ move, waited }: PendingEdit, document: string, at: NodeId): Promise<boolean> {
  return !waited || move === null || isSame((await api.node(document, at)).position, move.from);
}

/** Sends one edit. It stays in the list if the server is away. */
async function take(edit: PendingEdit): Promise<void> {
  const late = setTimeout(() => (isSlow.value = true), LATE_MS);
  try {
    const document = await documentOf(edit);
    const at = baseOf(edit);
    if (document === null || at === null || !(await isThere(edit, document, at))) {
      return drop(edit, W().positionGone);
    }
    forgetAt();
    const edited = await edit.send(document, at);
    edit.made = edited.node;
    const isShown = ahead.peek().some((one) => one === edit);
    pending.value = pending.peek().filter((one) => one !== edit || isShown);
    // Notes about a pasted text that the tree could not take as it was.
    if (edited.notes.length > 0) inform(noteTexts(W().server, edited).join(" "));
    void showAnswer(edit, edited).then(() => edit.end(edited));
  } catch (error) {
    if (error instanceof Failure && isAwayStatus(error.status)) wait();
    else drop(edit, error);
  } finally {
    clearTimeout(late);
    isSlow.value = false;
  }
}

const nextEdit = (): PendingEdit | undefined =>
  isAway.peek() ? undefined : pending.peek().find((edit) => edit.made === null);

function pump(): void {
  if (sending !== null || nextEdit() === undefined) return;
  const run = async (): Promise<void> => {
    for (let next = nextEdit(); next !== undefined; next = nextEdit()) await take(next);
  };
  sending = run().finally(() => {
    sending = null;
    pump();
  });
}

type Sent = Pick<PendingEdit, "after" | "move" | "send" | "follow">;

function add(edit: Sent): Promise<Edited | null> {
  if (edit.move === null && isAway.value) {
    notify({ kind: "error", text: W().notDone });
    return Promise.resolve(null);
  }
  return new Promise((end) => {
    const made: PendingEdit = {
      ...edit,
      document: documentKey.value,
      made: null,
      end,
      visit: visitCount(),
      waited: false,
    };
    pending.value = [...pending.value, made];
    pump();
  });
}

/** The node or move that an edit of the visible position belongs to. */
const here = (): NodeId | PendingEdit => ahead.value[ahead.value.length - 1] ?? node.value?.id ?? 0;

/**
 * Sends one edit. `follow`: go to the node that it made or changed. A function makes an edit of the visible
 * position: it gets the number of its node when the server has answered.
 */
export function edit(what: Edit | ((at: NodeId) => Edit | Promise<Edit>), follow = false): Promise<Edited | null> {
  if (typeof what !== "function") {
    const after = "node" in what ? what.node : 0;
    return add({ after, move: null, follow, send: (document) => api.edit(document, what) });
  }
  const send = async (document: string, at: NodeId): Promise<Edited> => api.edit(document, await what(at));
  return add({ after: here(), move: null, follow, send });
}

/** Sends an edit that depends on the content of the node. */
export const editNode = (make: (at: Awaited<ReturnType<typeof load>>) => Edit): Promise<Edited | null> => {
  const send = async (document: string, at: NodeId): Promise<Edited> =>
    api.edit(document, make(await load(document, at)));
  return add({ after: here(), move: null, follow: false, send });
};

/** Plays a move in the visible position. The board shows it at once. */
export function play(squares: readonly SquareName[]): Promise<Edited | null> {
  const [board, from] = [game.value, seen.value?.position];
  if (board === null || from === undefined) return Promise.resolve(null);
  const move = { squares, color: from.toMove, from, to: afterMove(board, from, squares) };
  const send = (document: string, at: NodeId): Promise<Edited> =>
    api.edit(document, { edit: "move", node: at, squares: [...squares] });
  let done: Promise<Edited | null> = Promise.resolve(null);
  batch(() => {
    provisional.value = [];
    hideLine();
    done = add({ after: here(), move, follow: true, send });
  });
  return done;
}

// Both belong to the visible position: if a move before them is refused, they are dropped with it.
export const undo = (): Promise<Edited | null> => add({ after: here(), move: null, follow: true, send: api.undo });
export const redo = (): Promise<Edited | null> => add({ after: here(), move: null, follow: true, send: api.redo });

/** The browser asks before it leaves a page with waiting moves, which would be lost. */
export function startEdits(): void {
  addEventListener("beforeunload", (event) => {
    if (waiting.peek().length > 0) event.preventDefault();
  });
}
