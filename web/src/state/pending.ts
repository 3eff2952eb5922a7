// Edits that the server has not answered yet, in the order in which they were made. An edit belongs to the
// position that the reader saw when he made it: a node that the server has numbered, or the move before it
// in this list. Moves are shown at once; `chain` is what the reader sees beyond a node.
import { signal } from "@preact/signals";
import type { Color, Edited, NodeId, Position, SquareName } from "../api/types";

/** A move that is shown before the server has it. */
export interface PendingMove {
  squares: readonly SquareName[];
  color: Color;
  /** The positions before and after it. */
  from: Position;
  to: Position;
}

export interface PendingEdit {
  /** The document, or the name of a position that no document holds yet. */
  document: string;
  /** The node that it changes or follows, or the move that makes this node. */
  after: NodeId | PendingEdit;
  /** Null: an edit that is shown when the server has answered. */
  move: PendingMove | null;
  /** The node that the server's answer names; null before the answer. */
  made: NodeId | null;
  send: (document: string, at: NodeId) => Promise<Edited>;
  /** Hears the answer, or null if the edit was refused. */
  end: (edited: Edited | null) => void;
  /** Whether the reader is shown the node of the answer, unless he went elsewhere meanwhile. */
  follow: boolean;
  /** How often the reader had gone elsewhere when he made it. */
  visit: number;
  /** It has waited for a server that was away. */
  waited: boolean;
}

export const pending = signal<readonly PendingEdit[]>([]);

/** The node that an edit belongs to; null as long as the move before it has no answer. */
export const baseOf = ({ after }: PendingEdit): NodeId | null => (typeof after === "number" ? after : after.made);

type Shown = PendingEdit & { move: PendingMove };

/** The moves that are shown beyond a node, in order. */
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

/** An edit and all that were made after it, because of it. */
export function withDependents(first: PendingEdit): PendingEdit[] {
  const found = new Set([first]);
  for (const edit of pending.value) if (typeof edit.after !== "number" && found.has(edit.after)) found.add(edit);
  return pending.value.filter((edit) => found.has(edit));
}

/** Forgets what is answered: the node on the board shows it, or the reader is elsewhere. */
export function forgetAnswered(): void {
  if (pending.peek().some((edit) => edit.made !== null)) {
    pending.value = pending.peek().filter((edit) => edit.made === null);
  }
}

/** The node of the last of these moves that the server has answered before all others. */
export function answered(moves: readonly PendingEdit[]): NodeId | null {
  const open = moves.findIndex((move) => move.made === null);
  return moves[(open < 0 ? moves.length : open) - 1]?.made ?? null;
}

/** What stands for the document of a position that came by link. */
export const looseKey = (game: string, moves: string): string => `~${game}:${moves}`;
export const isLooseKey = (document: string): boolean => document.startsWith("~");

/** A loose position has become a document: its edits belong to that. */
export function moveTo(key: string, document: string, at: NodeId): void {
  for (const edit of pending.peek()) {
    if (edit.document !== key) continue;
    edit.document = document;
    if (typeof edit.after === "number") edit.after = at;
  }
  pending.value = [...pending.peek()];
}
