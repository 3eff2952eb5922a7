// Name and comment of the current position, saved automatically. After a change elsewhere the pane shows both texts,
// and the writer decides.
import { ahead, documentId, node } from "../state/document";
import { decideText, draftOf, drafts, type Field, flush, saving, textOf, write } from "../state/drafts";
import { W } from "../words";
import "./CommentPane.css";

/** Two texts of one field: the stored one, and the writer's own in the field below. */
function Conflict({ field }: { field: Field }) {
  const theirs = draftOf(field)?.theirs;
  if (theirs === undefined) return null;
  const words = W();
  const choices = [
    ["mine", words.keepMine],
    ["theirs", words.keepTheirs],
    ["both", words.keepBoth],
  ] as const;
  return (
    <section class="conflict" role="group" aria-label={words.textChanged(field)}>
      <p class="small">
        {words.textChanged(field)} {words.theirText}
      </p>
      <pre>{theirs === "" ? words.emptyText : theirs}</pre>
      <div class="buttons">
        {choices.map(([choice, label]) => (
          <button key={choice} type="button" onClick={() => decideText(field, choice)}>
            {label}
          </button>
        ))}
      </div>
    </section>
  );
}

export function CommentPane() {
  const here = node.value;
  if (here === null) return null;
  // A move that the server has not stored has no text of its own, and must not show that of the node before it.
  const isAhead = ahead.value.length > 0;
  const shown = (field: Field): string => (isAhead ? "" : textOf(field));
  const pending = drafts.value.size > 0;
  const state = saving.value ? W().saving : pending ? W().notSaved : W().saved;
  return (
    // Each node has fields of its own: the browser's undo must not carry text over.
    <div class="comment-pane" key={`${documentId.value}/${here.id}`}>
      {!isAhead && <Conflict field="name" />}
      <input
        class="node-name"
        value={shown("name")}
        readOnly={isAhead}
        placeholder={W().nodeName}
        aria-label={W().nodeName}
        onInput={(event) => void write("name", event.currentTarget.value)}
        onBlur={() => void flush()}
      />
      {!isAhead && <Conflict field="comment" />}
      <textarea
        value={shown("comment")}
        readOnly={isAhead}
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
