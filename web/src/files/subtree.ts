// A subtree leaves the document: cut, copied or deleted.
import { api } from "../api/client";
import { doc, documentId, node } from "../state/document";
import { afterEdits, edit, undo } from "../state/edits";
import { failed, inform, notify } from "../state/notices";
import { W } from "../words";
import { copyText } from "./export";
import { rememberCopied } from "./open";

/** Copies the current move and the moves below it as SGF. */
export async function copySubtree(say = true): Promise<boolean> {
  if (!(await afterEdits())) return false;
  const [id, here] = [documentId.value, node.value];
  if (id === null || here === null) return false;
  try {
    const text = await api.subtree(id, here.id);
    rememberCopied(text);
    const done = await copyText(text);
    if (done && say) inform(W().copied);
    return done;
  } catch (error) {
    failed(error);
    return false;
  }
}

export async function cutSubtree(): Promise<void> {
  // Deletes only a subtree that is on the clipboard.
  if (await copySubtree(false)) await deleteSubtree();
}

/** Deletes without a question: the notice has a button for undo. */
export async function deleteSubtree(): Promise<void> {
  const done = await edit((at) => ({ edit: "delete", node: at }), true);
  if (done === null) return;
  const { id, revision } = { id: documentId.value, revision: done.revision };
  const run = (): void => {
    // Undo may take back this edit only, not a later one or one of another document.
    if (documentId.value === id && doc.value?.revision === revision) void undo();
    else inform(W().nothingToUndo);
  };
  notify({ kind: "info", text: W().deletedMove, action: { label: W().undo, run } });
}
