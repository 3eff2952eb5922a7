// The edits that the server has not answered, in order. An edit belongs to the position that the reader saw: a node
// of the server, or the move before it in this list. The board shows moves at once; `chain` is what the reader sees
// after a node.
import { signal } from "@preact/signals";
import type { Color, Edited, NodeId, Position, SquareName } from "../api/types";

/** A move that the board shows before the server has it. */
export interface PendingMove {
  squares: readonly SquareName[];
  color: Color;
  /** The positions before and after it. */
  from: Position;
  to: Position;
}

export interface PendingEdit {
  /** The document, or the key of a loose position. */
  document: string;
  /** The node that it changes or continues, or the move that will make this node. */
  after: NodeId | PendingEdit;
  /** Null for an edit that is not a move and shows after the answer. */
  move: PendingMove | null;
  /** The node in the server's answer; null before the answer. */
  made: NodeId | null;
  send: (document: string, at: NodeId) => Promise<Edited>;
  /** Takes the answer, or null after a refusal. */
  end: (edited: Edited | null) => void;
  /** Whether to go to the node of the answer, unless the reader has gone elsewhere. */
  follow: boolean;
  /** The count of visits when the edit was made. */
  visit: number;
  /** Whether it has waited for an absent server. */
  waited: boolean;
}

export const pending = signal<readonly PendingEdit[]>([]);

/** The node of an edit; null until the move before it has its answer. */
export const baseOf = ({ after }: PendingEdit): NodeId | null => (typeof after === "number" ? after : after.made);

type Shown = PendingEdit & { move: PendingMove };

/** The moves that are shown after a node, in order. */
export function chain(document: string, at: NodeId): Shown[] {
  const moves: Shown[] = [];
  for (const edit of pending.value) {
    if (edit.move === null || edit.document !== document) continue;
    const last = moves[moves.length - 1];
    const isNext = last === undefined ? baseOf(edit) === at : edit.after === last;
    if (isNext) moves.push(edit as Shown);
  }
  return moves;
}

/** An edit and all that depend on it. */
export function withDependents(first: PendingEdit): PendingEdit[] {
  const found = new Set([first]);
  for (const edit of pending.value) if (typeof edit.after !== "number" && found.has(edit.after)) found.add(edit);
  return pending.value.filter((edit) => found.has(edit));
}

/** Forgets the answered edits: the node on the board shows them, or the reader is elsewhere. */
export function forgetAnswered(): void {
  if (pending.peek().some((edit) => edit.made !== null)) {
    pending.value = pending.peek().filter((edit) => edit.made === null);
  }
}

/** The node of the last move before the first unanswered one. */
export function answered(moves: readonly PendingEdit[]): NodeId | null {
  const open = moves.findIndex((move) => move.made === null);
  return moves[(open < 0 ? moves.length : open) - 1]?.made ?? null;
}

/** The key of a loose position, in place of a document. */
export const looseKey = (game: string, moves: string): string => `~${game}:${moves}`;
export const isLooseKey = (document: string): boolean => document.startsWith("~");

/** Moves the edits of a loose position to its new document. */
export function moveTo(key: string, document: string, at: NodeId): void {
  for (const edit of pending.peek()) {
    if (edit.document !== key) continue;
    edit.document = document;
    if (typeof edit.after === "number") edit.after = at;
  }
  pending.value = [...pending.peek()];
}
