// The current document and node. Everything that reads or changes them goes through here.
//
// A position that came by link is `loose`: it is shown, but no document holds it until somebody edits
// it or asks for it.
import { batch, computed, signal } from "@preact/signals";
import { api } from "../api/client";
import type { Document, DocumentSummary, Edit, Edited, Node, NodeId } from "../api/types";
import { W } from "../words";
import { noteTexts } from "../words/server";
import { failed, inform } from "./notices";
import { hideLine, provisional } from "./overlay";

export const doc = signal<Document | null>(null);
export const node = signal<Node | null>(null);
export const documents = signal<DocumentSummary[] | null>(null);
/** Counts up when rows of the tree may have changed. */
export const treeVersion = signal(0);
/** The position of a link that no document holds yet. */
export const loose = signal<{ game: string; moves: string } | null>(null);
/** Where jumps came from, for Ctrl+B. */
export const jumps = signal<readonly NodeId[]>([]);

export const game = computed(() => doc.value?.game ?? null);
/** The document's id, null if there is none or it is loose. */
export const documentId = computed(() => (loose.value === null ? (doc.value?.id ?? null) : null));

/** Nodes of this revision that were fetched: stepping back and forth asks nothing. */
const cache = new Map<NodeId, Node>();
const CACHE_MAX = 500;
let going = 0;
/** Where we are about to be, while it is fetched: a refresh in between must not turn back. */
let heading: NodeId | null = null;

export const forgetNodes = (): void => cache.clear();

async function load(id: string, nodeId: NodeId): Promise<Node> {
  const known = cache.get(nodeId);
  if (known !== undefined) return known;
  const loaded = await api.node(id, nodeId);
  if (doc.value?.id === id) {
    if (cache.size >= CACHE_MAX) cache.clear();
    cache.set(nodeId, loaded);
  }
  return loaded;
}

/** Fetches what comes next, so that the next step is immediate. */
function prefetch(id: string, from: Node): void {
  const next = [from.children[0]?.id, from.parent];
  for (const nodeId of next) {
    if (nodeId !== null && nodeId !== undefined && !cache.has(nodeId)) {
      void load(id, nodeId).catch(() => undefined);
    }
  }
}

function show(next: Node): void {
  heading = null;
  batch(() => {
    if (node.value?.id !== next.id) {
      provisional.value = [];
      hideLine();
    }
    node.value = next;
  });
}

let atTimer: ReturnType<typeof setTimeout> | undefined;

/** The server remembers where the reader is, but not every step of a held key. */
function rememberAt(id: string, nodeId: NodeId): void {
  clearTimeout(atTimer);
  atTimer = setTimeout(() => void api.at(id, nodeId).catch(() => undefined), 400);
}

/** Goes to a node of the current document. Of several calls the last one counts. */
export async function goTo(nodeId: NodeId): Promise<void> {
  const id = documentId.value;
  if (id === null) return;
  going += 1;
  const mine = going;
  heading = nodeId;
  try {
    const next = await load(id, nodeId);
    if (mine !== going || documentId.value !== id) return;
    show(next);
    rememberAt(id, nodeId);
    prefetch(id, next);
  } catch (error) {
    if (mine === going) heading = null;
    failed(error);
  }
}

/** Goes to a node far away, and remembers where from (Ctrl+B). */
export async function jumpTo(nodeId: NodeId): Promise<void> {
  const from = node.value?.id;
  if (from !== undefined && from !== nodeId) jumps.value = [...jumps.value.slice(-99), from];
  await goTo(nodeId);
}

/** Back to where the last jump came from. */
export async function jumpBack(): Promise<void> {
  const from = jumps.value[jumps.value.length - 1];
  if (from === undefined) return;
  jumps.value = jumps.value.slice(0, -1);
  await goTo(from);
}

/** Opens a document where the reader was, or at a node. */
export async function openDocument(id: string, at?: NodeId): Promise<boolean> {
  going += 1;
  const mine = going;
  try {
    const next = await api.document(id);
    const first = await api.node(id, at ?? next.at).catch(() => api.node(id, 0));
    if (mine !== going) return false;
    adopt(next, first);
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

/** Shows a document that was just fetched or made. */
export function adopt(next: Document, first: Node): void {
  forgetNodes();
  cache.set(first.id, first);
  batch(() => {
    loose.value = null;
    if (doc.value?.id !== next.id) jumps.value = [];
    doc.value = next;
    node.value = null;
    show(first);
    treeVersion.value += 1;
  });
  prefetch(next.id, first);
}

let newest: Promise<void> = Promise.resolve();

/** Fetches document and node again after a change, here or elsewhere. */
export async function refresh(at?: NodeId): Promise<void> {
  const mine = fetchAgain(at);
  newest = mine;
  await mine;
  // Overtaken by another one: only that one has shown the change.
  if (newest !== mine) await newest;
}

async function fetchAgain(at?: NodeId): Promise<void> {
  const id = documentId.value;
  if (id === null) return;
  going += 1;
  const mine = going;
  try {
    forgetNodes();
    const target = at ?? heading ?? node.value?.id ?? 0;
    heading = target;
    const [next, there] = await Promise.all([
      api.document(id),
      // The node may be gone: then its nearest ancestor that is left.
      nearest(id, target, node.value?.path ?? []),
    ]);
    if (mine !== going || documentId.value !== id) return;
    cache.set(there.id, there);
    batch(() => {
      doc.value = next;
      show(there);
      treeVersion.value += 1;
    });
    rememberAt(id, there.id);
    prefetch(id, there);
  } catch (error) {
    if (mine === going) heading = null;
    failed(error);
  }
}

function nearest(id: string, target: NodeId, path: readonly NodeId[]): Promise<Node> {
  return api.node(id, target, path.slice(0, -1).reverse());
}

/** Makes a document of a loose position. Its id, or null if that failed. */
export async function ensureDocument(): Promise<string | null> {
  const position = loose.value;
  if (position === null) return documentId.value;
  try {
    const made = await api.create({ game: position.game, position: position.moves });
    adopt(made, await api.node(made.id, made.at));
    return made.id;
  } catch (error) {
    failed(error);
    return null;
  }
}

/** Edits go one after the other: a quick second one must see the first. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn<T>(job: () => Promise<T>): Promise<T> {
  const result = queue.then(job, job);
  queue = result.catch(() => undefined);
  return result;
}

/** When the edits that were asked for so far are done, and shown. */
export const afterEdits = (): Promise<unknown> => queue;

type Change = (id: string) => Promise<Edited>;

function change(make: Change, follow: boolean): Promise<Edited | null> {
  return inTurn(async () => {
    const id = await ensureDocument();
    if (id === null) return null;
    try {
      const edited = await make(id);
      if (edited.changed) await refresh(follow ? edited.node : undefined);
      else if (follow) await goTo(edited.node);
      // What a pasted text had, and the tree could not take as it was.
      if (edited.notes.length > 0) inform(noteTexts(W().server, edited).join(" "));
      return edited;
    } catch (error) {
      return failed(error);
    }
  });
}

/**
 * One edit of the document. `follow`: go to the node that it made or changed. The node of the edit
 * may be given as a function, for an edit that was made of a loose position.
 */
export function edit(what: Edit | (() => Edit), follow = false): Promise<Edited | null> {
  return change((id) => api.edit(id, typeof what === "function" ? what() : what), follow);
}

export const undo = (): Promise<Edited | null> => change(api.undo, true);
export const redo = (): Promise<Edited | null> => change(api.redo, true);

export async function loadDocuments(): Promise<void> {
  try {
    documents.value = await api.documents();
  } catch (error) {
    failed(error);
  }
}
