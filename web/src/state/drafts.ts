// Drafts of names and comments. A draft is saved soon after the last key, when its field loses the focus, and when
// the page closes. Until the server has it, it stays in localStorage, so a crash or an absent server loses nothing.
// If the text has changed elsewhere, the server refuses the draft and the writer decides between the two texts.
import { computed, signal } from "@preact/signals";
import { api, Failure } from "../api/client";
import type { NodeId } from "../api/types";
import { W } from "../words";
import { documentId, ensureDocument, forgetNodes, jumpTo, node, openDocument, refresh } from "./document";
import { failed, notify, problemWords, speak } from "./notices";

export type Field = "name" | "comment";

export interface Draft {
  document: string;
  node: NodeId;
  field: Field;
  text: string;
  /** The text that the writer saw at the beginning; absent in drafts of earlier versions. */
  was?: string;
  /** The text that was stored elsewhere meanwhile: the writer has to decide. */
  theirs?: string;
}

const KEY = "sixproof.drafts";
const DELAY_MS = 700;
const RETRY_MS = 5_000;

const keyOf = (draft: Pick<Draft, "document" | "node" | "field">): string =>
  `${draft.document}/${draft.node}/${draft.field}`;

function stored(): Map<string, Draft> {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]") as Draft[];
    return new Map(list.map((draft) => [keyOf(draft), draft]));
  } catch {
    return new Map();
  }
}

/** The drafts that the server does not have yet. */
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

const putOne = (draft: Draft): void => put(new Map(drafts.value).set(keyOf(draft), draft));

function removeOne(key: string): void {
  const rest = new Map(drafts.value);
  rest.delete(key);
  put(rest);
}

/** The draft of a field of the current node. */
export function draftOf(field: Field): Draft | undefined {
  const [id, here] = [documentId.value, node.value];
  return id === null || here === null ? undefined : drafts.value.get(keyOf({ document: id, node: here.id, field }));
}

/** Whether the writer has to decide about a text of the current node. */
export const hasConflict = computed(() =>
  [draftOf("name"), draftOf("comment")].some((draft) => draft?.theirs !== undefined),
);

/** The text of a field: its draft, or the stored one. */
export const textOf = (field: Field): string => draftOf(field)?.text ?? node.value?.[field] ?? "";

let timer: ReturnType<typeof setTimeout> | undefined;

function saveIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void flush(), ms);
}

/** Stores a draft after a key in a field of the current node. */
export async function write(field: Field, text: string): Promise<void> {
  const id = documentId.value ?? (await ensureDocument());
  const here = node.value;
  if (id === null || here === null) return;
  putOne({ was: here[field], ...draftOf(field), document: id, node: here.id, field, text });
  saveIn(DELAY_MS);
}

/** Resolves two texts: keeps one of them, or joins both to be edited further. */
export function decideText(field: Field, choice: "theirs" | "mine" | "both"): void {
  const draft = draftOf(field);
  if (draft?.theirs === undefined) return;
  const { theirs, ...mine } = draft;
  if (choice === "theirs") {
    removeOne(keyOf(draft));
    void refresh();
    return;
  }
  const both = [theirs, mine.text].filter((text) => text !== "").join(field === "name" ? " / " : "\n");
  putOne({ ...mine, was: theirs, text: choice === "both" ? both : mine.text });
  if (choice === "mine") void flush();
  else saveIn(DELAY_MS);
}

/** Handles a refused draft. True if the draft can go. */
function refused(draft: Draft, error: unknown): boolean {
  if (error instanceof Failure && error.kind === "text-changed" && error.present !== null) {
    const theirs = error.present;
    // The same text: it was saved, and the answer was lost.
    if (theirs === draft.text) return true;
    putOne({ ...(drafts.value.get(keyOf(draft)) ?? draft), theirs });
    const text = W().textChanged(draft.field);
    // The pane shows both texts of the node on the board; a notice leads to another node.
    if (draft.document === documentId.value && draft.node === node.value?.id) speak(text);
    else {
      const run = (): void => {
        if (draft.document === documentId.value) void jumpTo(draft.node);
        else void openDocument(draft.document, draft.node);
      };
      notify({ kind: "error", text, action: { label: W().goThere, run } });
    }
    return false;
  }
  // The node is gone, or the server refuses the text: a notice shows it once more.
  if (error instanceof Failure) notify({ kind: "error", ...problemWords(error), where: draft.text });
  else failed(error);
  return true;
}

/** Saves all drafts. With `keepalive` the requests outlive the page. */
export async function flush(keepalive = false): Promise<void> {
  clearTimeout(timer);
  const isOpen = ({ theirs }: Draft): boolean => theirs === undefined;
  if (![...drafts.value.values()].some(isOpen) || (saving.value && !keepalive)) return;
  saving.value = true;
  let changed = false;
  let later = DELAY_MS;
  for (const [key, draft] of [...drafts.value].filter(([, one]) => isOpen(one))) {
    const { document, node: at, field, text, was } = draft;
    try {
      const what = { edit: field, node: at, text, ...(was === undefined ? {} : { was }) };
      const edited = await api.edit(document, what, { keepalive });
      changed ||= edited.changed && document === documentId.value;
    } catch (error) {
      if (error instanceof Failure && error.status === 0) {
        // Try again when the server is back.
        later = RETRY_MS;
        break;
      }
      if (!refused(draft, error)) continue;
    }
    // Fetch the node before the draft goes: the field never shows the old text in between.
    if (changed) {
      forgetNodes();
      await refresh();
    }
    // Keep what was typed after this text.
    const now = drafts.value.get(key);
    if (now === draft) removeOne(key);
    else if (now !== undefined) putOne({ ...now, was: text });
  }
  saving.value = false;
  if ([...drafts.value.values()].some(isOpen)) saveIn(later);
}

export function startDrafts(): void {
  addEventListener("pagehide", () => void flush(true));
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void flush(true);
  });
  void flush();
}
