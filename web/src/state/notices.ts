// Notices: short messages at the edge of the page. They never block, and never take the focus.
import { signal } from "@preact/signals";
import { Failure } from "../api/client";
import { W } from "../words";
import type { ProblemWords } from "../words/server";

export interface Notice {
  id: number;
  kind: "info" | "error";
  text: string;
  /** What to do about it. */
  help?: string | null;
  /** The server's own sentence, which is English. */
  detail?: string | null;
  /** The line of the input with a caret below: shown in a fixed-width font. */
  where?: string | null;
  /** A button, such as Undo. */
  action?: { label: string; run: () => void };
}

export const notices = signal<Notice[]>([]);
/** The text of the live region: moves, values, answers. */
export const spoken = signal("");

let lastId = 0;
const INFO_MS = 6_000;

export const dismiss = (id: number): void => {
  notices.value = notices.value.filter((notice) => notice.id !== id);
};

/** Shows a notice. Errors and notices with a button stay longer; at most four are shown. */
export function notify(notice: Omit<Notice, "id">, ms?: number): number {
  lastId += 1;
  const id = lastId;
  notices.value = [...notices.value.slice(-3), { ...notice, id }];
  speak(notice.text);
  const life = ms ?? (notice.kind === "error" || notice.action ? 3 * INFO_MS : INFO_MS);
  setTimeout(() => dismiss(id), life);
  return id;
}

export const inform = (text: string): number => notify({ kind: "info", text });

/** A failure in the reader's language. */
export function problemWords({ status, message, help, kind }: Failure): ProblemWords {
  if (status === 0) return { text: W().unreachable, help: null, detail: null };
  return W().server.problem({ status, title: message, help, kind });
}

/** Shows a failure. Returns null, so that `catch(failed)` is a value. */
export function failed(error: unknown): null {
  if (error instanceof DOMException && error.name === "AbortError") return null;
  if (error instanceof Failure) {
    const said = problemWords(error);
    const same = notices.value.some((notice) => notice.text === said.text && notice.where === error.where);
    if (!same) notify({ kind: "error", ...said, where: error.where });
    return null;
  }
  notify({ kind: "error", text: error instanceof Error ? error.message : String(error) });
  return null;
}

/** Speaks to a screen reader, also the same text twice. */
export function speak(text: string): void {
  spoken.value = spoken.peek() === text ? `${text}\u00a0` : text;
}
