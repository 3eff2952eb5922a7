// Notes about the whole document: rules that differ, edits that could not be recovered. The first ones stay above
// the board, the pane Info has all.
import { computed } from "@preact/signals";
import type { Document, Note } from "../api/types";
import { doc } from "../state/document";
import { W } from "../words";
import { noteTexts } from "../words/server";
import "./DocumentNotes.css";

const SHOWN_MAX = 2;

/** The rules of the file, if the page shows the document as another game. */
function otherRules({ info, noted = [] }: Document): Note[] {
  const rules = info.find(({ key }) => key === "RU")?.value ?? "";
  if (!/renju/i.test(rules) || noted.some((note) => note.kind === "rules-differ")) return [];
  return [{ kind: "rules-differ", at: null, squares: [], color: null, keys: [], rules: "renju", more: 0 }];
}

export const documentNotes = computed((): string[] => {
  const here = doc.value;
  if (here === null) return [];
  const { notes = [], noted = [] } = here;
  return [
    ...otherRules(here).map((note) => W().server.note(note, W().rulesDiffer)),
    ...noteTexts(W().server, { notes, noted }),
  ];
});

export function DocumentNotes({ all = false }: { all?: boolean }) {
  const notes = documentNotes.value;
  if (notes.length === 0) return null;
  const shown = all ? notes : notes.slice(0, SHOWN_MAX);
  const more = notes.length - shown.length;
  return (
    <ul class={all ? "document-notes all" : "document-notes"} aria-label={W().documentNotes}>
      {shown.map((note, i) => (
        <li key={i}>
          <span aria-hidden="true">⚠</span> {note}
        </li>
      ))}
      {more > 0 && <li class="muted">{W().moreNotes(more)}</li>}
    </ul>
  );
}
