// Text that is being written: names and comments. A draft is saved soon after the last key, when the
// field is left, and when the page goes away; until the server has it, it is kept in localStorage, so a
// crash or a server that is away loses nothing.
import { signal } from "@preact/signals";
import { api, Failure } from "../api/client";
import type { NodeId } from "../api/types";
import { documentId, ensureDocument, forgetNodes, node, refresh } from "./document";
import { failed } from "./notices";

export type Field = "name" | "comment";

export interface Draft {
  document: string;
  node: NodeId;
  field: Field;
  text: string;
}

const KEY = "sixproof.drafts";
const DELAY_MS = 700;

const keyOf = (draft: Omit<Draft, "text">): string => `${draft.document}/${draft.node}/${draft.field}`;

function stored(): Map<string, Draft> {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]") as Draft[];
    return new Map(list.map((draft) => [keyOf(draft), draft]));
  } catch {
    return new Map();
  }
}

/** What is not on the server yet. */
export const drafts = signal<ReadonlyMap<string, Draft>>(stored());
export const saving = signal(false);

function put(next: ReadonlyMap<string, Draft>): void {
  drafts.value = next;
  try {
    localStorage.setItem(KEY, JSON.stringify([...next.values()]));
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}

/** The text of a field: the draft, or what the node has. */
export function textOf(field: Field): string {
  const [id, here] = [documentId.value, node.value];
  if (here === null) return "";
  const draft = id === null ? undefined : drafts.value.get(`${id}/${here.id}/${field}`);
  return draft?.text ?? here[field];
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** A key was pressed in a field of the current node. */
export async function write(field: Field, text: string): Promise<void> {
  const id = documentId.value ?? (await ensureDocument());
  const here = node.value;
  if (id === null || here === null) return;
  const draft: Draft = { document: id, node: here.id, field, text };
  put(new Map(drafts.value).set(keyOf(draft), draft));
  clearTimeout(timer);
  timer = setTimeout(() => void flush(), DELAY_MS);
}

/** Saves all drafts. With `keepalive` the requests outlive the page. */
export async function flush(keepalive = false): Promise<void> {
  clearTimeout(timer);
  if (drafts.value.size === 0 || (saving.value && !keepalive)) return;
  saving.value = true;
  let changed = false;
  for (const [key, draft] of drafts.value) {
    try {
      const { document, node: at, field, text } = draft;
      const edited = await api.edit(document, { edit: field, node: at, text }, { keepalive });
      changed ||= edited.changed && document === documentId.value;
    } catch (error) {
      if (error instanceof Failure && error.status === 0) {
        // Tried again when the server is back.
        timer = setTimeout(() => void flush(), 5_000);
        break;
      }
      failed(error); // The node is gone, or the text was refused: it cannot be saved.
    }
    // The node comes first, then the draft goes: the field never shows the old text in between.
    if (changed) {
      forgetNodes();
      await refresh();
    }
    // Unless more was typed meanwhile.
    if (drafts.value.get(key) === draft) {
      const rest = new Map(drafts.value);
      rest.delete(key);
      put(rest);
    }
  }
  saving.value = false;
  if (drafts.value.size > 0) timer = setTimeout(() => void flush(), DELAY_MS);
}

export function startDrafts(): void {
  addEventListener("pagehide", () => void flush(true));
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void flush(true);
  });
  void flush();
}
