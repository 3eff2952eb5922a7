// The place in the address of the page: `#d=ID&n=NODE` is a node on this server, `#p=GAME:MOVES` a position that any
// server can show. Back and forward of the browser follow jumps.
import { effect } from "@preact/signals";
import { api } from "../api/client";
import type { Node, NodeId } from "../api/types";
import { doc, documentId, documents, goTo, jumps, loadDocuments, node, openDocument, showLoose } from "./document";
import { failed } from "./notices";

export type Place =
  | { kind: "node"; document: string; node: NodeId | null }
  | { kind: "position"; game: string; moves: string }
  | null;

/** Reads the part of an address after `#`. */
export function parsePlace(hash: string): Place {
  const text = hash.replace(/^#/, "");
  const position = /^p=([^:&]*):([^&]*)/.exec(text);
  if (position) {
    return {
      kind: "position",
      game: decodeURIComponent(position[1] ?? ""),
      moves: decodeURIComponent(position[2] ?? "").replace(/_/g, " "),
    };
  }
  const query = new URLSearchParams(text);
  const id = query.get("d");
  if (id === null || id === "") return null;
  const at = query.get("n");
  return { kind: "node", document: id, node: at !== null && /^\d+$/.test(at) ? Number(at) : null };
}

/** `_` separates the stones of a move and `/` the moves: nothing needs escaping. */
export const positionHash = (game: string, moves: readonly (readonly string[])[]): string =>
  `#p=${encodeURIComponent(game).replace(/%2C/g, ",")}:${moves.map((move) => move.join("_")).join("/")}`;

export const nodeHash = (id: string, at: NodeId): string => `#d=${encodeURIComponent(id)}&n=${at}`;

/** The moves to a node; null if stones were set up on the way. */
export function movesOf(here: Node): string[][] | null {
  const { played, black, white } = here.position;
  if (played.length !== black.length + white.length) return null;
  const moves: string[][] = [];
  let turn = -1;
  for (const stone of played) {
    if (stone.turn !== turn) moves.push([]);
    turn = stone.turn;
    moves[moves.length - 1]?.push(stone.square);
  }
  return moves;
}

/** Shows a position that no document holds. */
export async function openLoose(game: string, moves: string): Promise<void> {
  try {
    const answer = await api.position(game, moves);
    showLoose(answer.game, moves, answer.position);
  } catch (error) {
    failed(error);
    await openSomething();
  }
}

type Starter = () => Promise<boolean>;
const starters: Starter[] = [];

/** Adds a choice for an address without a place: the first starter that returns true decides. */
export function onStart(starter: Starter): void {
  starters.push(starter);
}

/** Opens the choice of a starter, or the newest document, or a new one. */
async function openSomething(): Promise<void> {
  for (const starter of starters) {
    try {
      if (await starter()) return;
    } catch (error) {
      failed(error);
    }
  }
  await loadDocuments();
  const newest = documents.value?.[0];
  if (newest) await openDocument(newest.id);
  else {
    try {
      await openDocument((await api.create({ game: "connect6" })).id);
    } catch (error) {
      failed(error);
    }
  }
}

/** Goes to the place in the address. */
export async function follow(): Promise<void> {
  const place = parsePlace(location.hash);
  if (place === null) return openSomething();
  if (place.kind === "position") return openLoose(place.game, place.moves);
  if (place.document === documentId.value && place.node !== null) return goTo(place.node);
  const done = await openDocument(place.document, place.node ?? undefined);
  if (!done && doc.value === null) await openSomething();
}

const REPLACE_MS = 150;

/** Follows the address, and keeps it up to date. */
export async function startPlace(): Promise<void> {
  await follow();
  addEventListener("popstate", () => void follow());
  let last = { id: documentId.value, jumps: jumps.value.length, hash: location.hash };
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const [id, here, jumped] = [documentId.value, node.value, jumps.value.length];
    if (id === null || here === null) return;
    const hash = nodeHash(id, here.id);
    if (hash === last.hash) return;
    // Steps replace the entry, jumps and other documents add one: Back returns from a jump.
    const isJump = id !== last.id || jumped > last.jumps;
    clearTimeout(timer);
    if (isJump) {
      // The entry before a jump keeps the last step, even if that was not written yet.
      if (last.hash !== "" && last.id === id) history.replaceState(null, "", last.hash);
      if (hash !== location.hash) history.pushState(null, "", hash);
    } else timer = setTimeout(() => history.replaceState(null, "", hash), REPLACE_MS);
    last = { id, jumps: jumped, hash };
  });
}
