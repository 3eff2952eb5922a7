// Commands on a subtree: cut, copy, delete; and playing out a previewed line.
import { api } from "../api/client";
import { copyText } from "../files/export";
import { rememberCopied } from "../files/open";
import { doc, documentId, edit, node, undo } from "../state/document";
import { failed, inform, notify } from "../state/notices";
import { hideLine, preview } from "../state/overlay";
import { W } from "../words";

/** Copies the current move and all below as SGF. */
export async function copySubtree(say = true): Promise<boolean> {
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
  const here = node.value;
  if (here === null || here.parent === null) return;
  const done = await edit({ edit: "delete", node: here.id }, true);
  if (done === null) return;
  const { id, revision } = { id: documentId.value, revision: done.revision };
  const run = (): void => {
    // Only this edit: after another one, or in another document, undo would take back that instead.
    if (documentId.value === id && doc.value?.revision === revision) void undo();
    else inform(W().nothingToUndo);
  };
  notify({ kind: "info", text: W().deletedMove, action: { label: W().undo, run } });
}

/** Plays the shown moves of a previewed line into the tree. */
export async function playPreview(): Promise<void> {
  const line = preview.value;
  if (line === null) return;
  hideLine();
  for (const squares of line.line.slice(0, Math.max(1, line.shown))) {
    const done = await edit(() => ({ edit: "move", node: node.value?.id ?? 0, squares }), true);
    if (done === null) return;
  }
}
