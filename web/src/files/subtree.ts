// A subtree leaves the document: cut, copied or deleted.
import { api } from "../api/client";
import { doc, documentId, node } from "../state/document";
import { afterEdits, edit, undo } from "../state/edits";
import { failed, inform, notify } from "../state/notices";
import { W } from "../words";
import { copyText } from "./export";
import { rememberCopied } from "./open";

/** Copies the current move and all below as SGF. */
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
  // Only what was copied is deleted.
  if (await copySubtree(false)) await deleteSubtree();
}

/** Deletes without asking: the notice undoes it. */
export async function deleteSubtree(): Promise<void> {
  const done = await edit((at) => ({ edit: "delete", node: at }), true);
  if (done === null) return;
  const { id, revision } = { id: documentId.value, revision: done.revision };
  const run = (): void => {
    // Only this edit: after another one, or in another document, undo would take back that instead.
    if (documentId.value === id && doc.value?.revision === revision) void undo();
    else inform(W().nothingToUndo);
  };
  notify({ kind: "info", text: W().deletedMove, action: { label: W().undo, run } });
}
