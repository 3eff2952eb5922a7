// Name and comment of the current position. Saved by itself.
import { documentId, node } from "../state/document";
import { drafts, flush, saving, textOf, write } from "../state/drafts";
import { W } from "../words";

export function CommentPane() {
  const here = node.value;
  if (here === null) return null;
  const pending = drafts.value.size > 0;
  const state = saving.value ? W().saving : pending ? W().notSaved : W().saved;
  return (
    // Another node gets other fields: the browser's own undo must not carry text over.
    <div class="comment-pane" key={`${documentId.value}/${here.id}`}>
      <input
        class="node-name"
        value={textOf("name")}
        placeholder={W().nodeName}
        aria-label={W().nodeName}
        onInput={(event) => void write("name", event.currentTarget.value)}
        onBlur={() => void flush()}
      />
      <textarea
        value={textOf("comment")}
        placeholder={W().commentHint}
        aria-label={W().commentHint}
        onInput={(event) => void write("comment", event.currentTarget.value)}
        onBlur={() => void flush()}
      />
      <span class="muted save-state" role="status">
        {pending || saving.value ? state : ""}
      </span>
    </div>
  );
}
