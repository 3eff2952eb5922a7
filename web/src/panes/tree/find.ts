// Finding nodes: a typed text becomes a query to the server, and F3 goes through the matches.
import { effect, signal } from "@preact/signals";
import { api } from "../../api/client";
import type { Found, Game } from "../../api/types";
import { type Coordinates, typedSquare } from "../../game/squares";
import { documentId, game, jumpTo, node } from "../../state/document";
import { failed, inform } from "../../state/notices";
import { coordinates } from "../../state/view";
import { W } from "../../words";

export const findText = signal("");
export const found = signal<Found | null>(null);
export const foundIndex = signal(-1);

type Query = Record<string, string | number>;

/** The query of a text: `#7` a turn, `J10` a square, `=black` a verdict, `==` this position, anything else text. */
export function findQuery(text: string, board: Game, kind: Coordinates, here: number): Query | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const turn = /^#(\d+)$/.exec(trimmed);
  if (turn) return { turn: Number(turn[1]) };
  if (trimmed === "==") return { position: here };
  const verdict = /^=(black|white|proved)$/i.exec(trimmed);
  if (verdict) return { verdict: (verdict[1] ?? "").toLowerCase() };
  const square = typedSquare(board, kind, trimmed);
  return square !== null ? { square } : { text: trimmed };
}

let asked = 0;

/** Sends the query; `goToFirst` goes to the first match. */
export async function find(goToFirst: boolean): Promise<void> {
  const [id, board] = [documentId.value, game.value];
  if (id === null || board === null) return;
  const query = findQuery(findText.value, board, coordinates.value, node.value?.id ?? 0);
  asked += 1;
  const mine = asked;
  foundIndex.value = -1;
  if (query === null) {
    found.value = null;
    return;
  }
  try {
    const answer = await api.find(id, query);
    if (mine !== asked) return;
    found.value = answer;
    if (goToFirst) await findNext(1);
  } catch (error) {
    failed(error);
  }
}

/** Goes to the next or the previous match, in a cycle. */
export async function findNext(by: number): Promise<void> {
  if (found.value === null && findText.value.trim() !== "") return find(true);
  const list = found.value?.nodes ?? [];
  if (list.length === 0) {
    if (findText.value.trim() !== "") inform(W().nothingFound);
    return;
  }
  const start = foundIndex.value === -1 && by < 0 ? 0 : foundIndex.value;
  foundIndex.value = (start + by + list.length) % list.length;
  const target = list[foundIndex.value];
  if (target) await jumpTo(target.node);
}

/** Opens the field for finding. */
export const findWanted = signal(0);

// Matches belong to one document.
effect(() => {
  documentId.value;
  found.value = null;
  foundIndex.value = -1;
});
