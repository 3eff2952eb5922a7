// The current document and node. Only this module writes these signals: all others read them, and call its
// functions to go elsewhere. `edits.ts` changes the document itself.
//
// A position that came by link is `loose`: the page shows it, but no document holds it until the reader edits
// it or keeps it.
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { api } from "../api/client";
import type { Document, DocumentSummary, Game, Node, NodeId, Position } from "../api/types";
import { isSame } from "../game/rules";
import { failed } from "./notices";
import { hideLine, provisional } from "./overlay";
import { answered, chain, forgetAnswered, looseKey, moveTo } from "./pending";

/** The position of a link: the game and the moves in the link. */
interface Loose {
  game: string;
  moves: string;
}

const own = {
  doc: signal<Document | null>(null),
  node: signal<Node | null>(null),
  documents: signal<readonly DocumentSummary[] | null>(null),
  treeVersion: signal(0),
  loose: signal<Loose | null>(null),
  jumps: signal<readonly NodeId[]>([]),
};

export const doc: ReadonlySignal<Document | null> = own.doc;
export const node: ReadonlySignal<Node | null> = own.node;
export const documents: ReadonlySignal<readonly DocumentSummary[] | null> = own.documents;
/** Increases when rows of the tree may have changed. */
export const treeVersion: ReadonlySignal<number> = own.treeVersion;
/** The position of a link that no document holds yet. */
export const loose: ReadonlySignal<Loose | null> = own.loose;
/** The nodes that jumps came from, for Ctrl+B. */
export const jumps: ReadonlySignal<readonly NodeId[]> = own.jumps;

export const game = computed(() => doc.value?.game ?? null);
/** The document's id, null without a document, or if it is loose. */
export const documentId = computed(() => (loose.value === null ? (doc.value?.id ?? null) : null));

/** The key of the document or of the loose position. */
export const documentKey = computed(() =>
  loose.value === null ? (doc.value?.id ?? "") : looseKey(loose.value.game, loose.value.moves),
);

/** The moves after the node that are shown and not stored yet. */
export const ahead = computed(() => (node.value === null ? [] : chain(documentKey.value, node.value.id)));

/** What the reader sees: position and move of the node, or of the last move after it. */
export const seen = computed(() => {
  const here = node.value;
  if (here === null) return null;
  const last = ahead.value[ahead.value.length - 1]?.move;
  if (last === undefined) return { position: here.position, stones: here.stones, turn: here.turn };
  const { played } = last.to;
  const stones = last.squares.map((square) => ({ square, color: last.color }));
  return { position: last.to, stones, turn: played[played.length - 1]?.turn ?? here.turn };
});

/** The nodes of this revision that are loaded: steps back and forth need no request. */
const cache = new Map<NodeId, Node>();
const CACHE_MAX = 500;
let generation = 0;
let going = 0;
/** The number of times that the reader went elsewhere: a later answer must not go back. */
let visits = 0;
export const visitCount = (): number => visits;
/** The node that is being loaded: a refresh in between must not go back. */
let heading: NodeId | null = null;

export function forgetNodes(): void {
  generation += 1;
  cache.clear();
}

/** A node of a document, as it is now; `or`: the nodes to take instead if it is gone. */
export async function load(id: string, nodeId: NodeId, or: readonly NodeId[] = []): Promise<Node> {
  const known = doc.value?.id === id ? cache.get(nodeId) : undefined;
  if (known !== undefined) return known;
  const asked = generation;
  const loaded = await api.node(id, nodeId, or);
  // An answer from before the last change is not cached.
  if (doc.value?.id === id && generation === asked) {
    if (cache.size >= CACHE_MAX) cache.clear();
    cache.set(loaded.id, loaded);
  }
  return loaded;
}

/** Loads the neighbours, so that the next step is immediate. */
function prefetch(id: string, from: Node): void {
  const next = [from.children[0]?.id, from.parent];
  for (const nodeId of next) {
    if (nodeId !== null && nodeId !== undefined && !cache.has(nodeId)) {
      // The node may be gone by then; the root is always there.
      void load(id, nodeId, [0]).catch(() => undefined);
    }
  }
}

function show(next: Node): void {
  heading = null;
  batch(() => {
    const before = seen.value?.position;
    const isKnown = node.value?.id === next.id || ahead.value.some((move) => move.made === next.id);
    own.node.value = next;
    forgetAnswered();
    // The node of a move that the board shows already changes nothing: the reader's stones stay.
    const after = seen.value?.position;
    if (isKnown && before !== undefined && after !== undefined && isSame(before, after)) return;
    provisional.value = [];
    hideLine();
  });
}

let atTimer: ReturnType<typeof setTimeout> | undefined;

/** Stores the reader's node on the server, but not every step of a held key. */
function rememberAt(id: string, nodeId: NodeId): void {
  clearTimeout(atTimer);
  atTimer = setTimeout(() => void api.at(id, nodeId).catch(() => undefined), 400);
}

/** An edit may take the node away: the node that it shows is stored later. */
export const forgetAt = (): void => clearTimeout(atTimer);

/** Goes to a node of the current document. Of several calls the last one counts. */
export function goTo(nodeId: NodeId): Promise<void> {
  visits += 1;
  return showNode(nodeId);
}

/** Shows a node after an edit, which does not count as a visit. */
export async function showNode(nodeId: NodeId): Promise<void> {
  const id = documentId.value;
  if (id === null) return;
  going += 1;
  const mine = going;
  heading = nodeId;
  try {
    const next = await load(id, nodeId);
    if (mine !== going || documentId.value !== id) return;
    show(next);
    rememberAt(id, next.id);
    prefetch(id, next);
  } catch (error) {
    if (mine === going) heading = null;
    failed(error);
  }
}

/** Goes to a distant node and stores the way back (Ctrl+B). */
export async function jumpTo(nodeId: NodeId): Promise<void> {
  const from = node.value?.id;
  if (from !== undefined && from !== nodeId) own.jumps.value = [...jumps.value.slice(-99), from];
  await goTo(nodeId);
}

/** Back to where the last jump came from. */
export async function jumpBack(): Promise<void> {
  const from = jumps.value[jumps.value.length - 1];
  if (from === undefined) return;
  own.jumps.value = jumps.value.slice(0, -1);
  await goTo(from);
}

/** Opens a document at the node of the last visit, or at a given node. */
export async function openDocument(id: string, at?: NodeId): Promise<boolean> {
  visits += 1;
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

/** Shows the position of a link, which no document holds. */
export function showLoose(board: Game, moves: string, position: Position): void {
  const turn = position.played[position.played.length - 1]?.turn ?? 0;
  batch(() => {
    own.loose.value = { game: board.name, moves };
    own.doc.value = {
      id: "",
      title: "",
      game: board,
      nodes: 1,
      revision: 0,
      createdMs: 0,
      changedMs: 0,
      info: [],
      notes: [],
      noted: [],
      canUndo: false,
      canRedo: false,
      undoes: null,
      redoes: null,
      undoDeed: null,
      redoDeed: null,
      at: 0,
    };
    own.node.value = {
      id: 0,
      parent: null,
      path: [0],
      turn,
      stones: position.played.filter((stone) => stone.turn === turn),
      setup: [],
      name: "",
      comment: "",
      labels: [],
      marks: [],
      arrows: [],
      dimmed: [],
      position,
      children: [],
      sibling: { index: 0, count: 1 },
      results: [],
      verdict: null,
      links: [],
      moves: "",
    };
  });
}

/** Shows a document that was just fetched or made. */
export function adopt(next: Document, first: Node): void {
  forgetNodes();
  cache.set(first.id, first);
  batch(() => {
    own.loose.value = null;
    if (doc.value?.id !== next.id) own.jumps.value = [];
    own.doc.value = next;
    own.node.value = null;
    show(first);
    own.treeVersion.value += 1;
  });
  prefetch(next.id, first);
}

let newest: Promise<void> = Promise.resolve();

/** Fetches document and node again after a change, here or elsewhere. */
export async function refresh(at?: NodeId): Promise<void> {
  const mine = fetchAgain(at);
  newest = mine;
  await mine;
  // A newer refresh has overtaken this one: only that one shows the change.
  if (newest !== mine) await newest;
}

async function fetchAgain(at?: NodeId): Promise<void> {
  const id = documentId.value;
  if (id === null) return;
  going += 1;
  const mine = going;
  try {
    forgetNodes();
    const target = answered(ahead.value) ?? at ?? heading ?? node.value?.id ?? 0;
    heading = target;
    const [next, there] = await Promise.all([
      api.document(id),
      // If the node is gone, its nearest ancestor.
      nearest(id, target, node.value?.path ?? []),
    ]);
    if (mine !== going || documentId.value !== id) return;
    cache.set(there.id, there);
    batch(() => {
      own.doc.value = next;
      show(there);
      own.treeVersion.value += 1;
    });
    rememberAt(id, there.id);
    prefetch(id, there);
  } catch (error) {
    if (mine === going) heading = null;
    failed(error);
  }
}

function nearest(id: string, target: NodeId, path: readonly NodeId[]): Promise<Node> {
  return api.node(id, target, path.filter((one) => one !== target).reverse());
}

let keeping: Promise<string> | null = null;

/** Makes a document of a loose position, and throws if that fails. */
export function keepDocument(): Promise<string | null> {
  const position = loose.value;
  if (position === null) return Promise.resolve(documentId.value);
  keeping ??= keep(position).finally(() => {
    keeping = null;
  });
  return keeping;
}

async function keep({ game: name, moves }: { game: string; moves: string }): Promise<string> {
  const key = documentKey.value;
  const made = await api.create({ game: name, position: moves });
  const first = await api.node(made.id, made.at);
  batch(() => {
    moveTo(key, made.id, made.at);
    if (documentKey.value !== key) return;
    const placed = provisional.value;
    adopt(made, first);
    provisional.value = placed;
  });
  return made.id;
}

/** Makes a document of a loose position. Its id, or null if that failed. */
export const ensureDocument = (): Promise<string | null> => keepDocument().catch(failed);

/** Rows of the tree may have changed. */
export function treeChanged(): void {
  own.treeVersion.value += 1;
}

/** Takes a deleted document off the list. */
export function unlist(id: string): void {
  own.documents.value = own.documents.value?.filter((one) => one.id !== id) ?? null;
}

export async function loadDocuments(): Promise<void> {
  try {
    own.documents.value = await api.documents();
  } catch (error) {
    failed(error);
  }
}
