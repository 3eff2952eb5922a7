// All documents: open, create, delete. The deletion waits, so that undo needs no question.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { DocumentSummary, Names } from "../api/types";
import { chooseFile } from "../files/open";
import { doc, documentId, documents, loadDocuments, openDocument, unlist } from "../state/document";
import { failed, notify } from "../state/notices";
import { W } from "../words";
import "./DocumentsPane.css";

const UNDO_MS = 8_000;
const names = signal<Names | null>(null);
const titleOf = (one: DocumentSummary): string => W().server.title(one.title) || W().untitled;

/** Documents whose deletion waits, with what deletes them. */
const doomed = signal<ReadonlyMap<string, () => void>>(new Map());

function spare(id: string): void {
  const next = new Map(doomed.value);
  next.delete(id);
  doomed.value = next;
}

/** Deletes a document after the time for undo. */
export async function removeLater(one: DocumentSummary): Promise<void> {
  if (doomed.value.has(one.id)) return;
  const remove = (): void => {
    if (!doomed.value.has(one.id)) return;
    spare(one.id);
    unlist(one.id);
    api.remove(one.id).catch(failed);
  };
  doomed.value = new Map(doomed.value).set(one.id, remove);
  const action = {
    label: W().restore,
    run: () => {
      spare(one.id);
      void openDocument(one.id);
    },
  };
  notify({ kind: "info", text: W().deleted(titleOf(one)), action }, UNDO_MS);
  setTimeout(remove, UNDO_MS);
  if (one.id === documentId.value) {
    const next = documents.value?.find((other) => !doomed.value.has(other.id));
    if (next) await openDocument(next.id);
    else await create({ game: "connect6" });
  }
}

addEventListener("pagehide", () => {
  for (const id of doomed.value.keys()) {
    void fetch(`api/documents/${encodeURIComponent(id)}`, { method: "DELETE", keepalive: true });
  }
});

async function create(body: { game?: string; position?: string }): Promise<boolean> {
  try {
    const made = await api.create(body);
    await openDocument(made.id);
    void loadDocuments();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

export const createConnect6 = (): void => void create({ game: "connect6" });

function NewForm() {
  const [text, setText] = useState("");
  useEffect(() => {
    if (names.value === null) void api.names().then((all) => (names.value = all), failed);
  }, []);
  const known = names.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const wanted = text.trim() || "connect6";
    const isPosition = known?.positions.some((one) => one.name === wanted) ?? false;
    if (!(await create(isPosition ? { position: wanted } : { game: wanted }))) return;
    setText("");
    // The keys go to the board.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  return (
    <form class="new-form" onSubmit={(event) => void submit(event)}>
      <input
        list="games"
        value={text}
        placeholder={W().gameToType}
        aria-label={W().gameToType}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <datalist id="games">
        {known?.games.map((one) => (
          <option key={one.name} value={one.name}>
            {W().server.nameAbout(one)}
          </option>
        ))}
        {known?.positions.map((one) => (
          <option key={one.name} value={one.name}>
            {W().server.nameAbout(one)}
          </option>
        ))}
      </datalist>
      <button type="submit" class="primary">
        {W().newDocument}
      </button>
    </form>
  );
}

function ago(ms: number): string {
  const seconds = Math.round((ms - Date.now()) / 1000);
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ];
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(seconds > -5 ? 0 : seconds, "second");
}

export function DocumentsPane() {
  useEffect(() => void loadDocuments(), []);
  const list = documents.value?.filter((one) => !doomed.value.has(one.id));
  const words = W();
  return (
    <div class="documents-pane">
      <NewForm />
      <p class="open-hint">
        <button type="button" onClick={chooseFile}>
          {words.openFile}
        </button>{" "}
        <span class="muted">{words.openHint}</span>
      </p>
      {list?.length === 0 && <p class="empty">{words.noDocuments}</p>}
      <ul class="document-list">
        {list?.map((one) => (
          <li key={one.id} class={one.id === doc.value?.id ? "current" : ""}>
            <button type="button" class="plain document" onClick={() => void openDocument(one.id)}>
              <b>{titleOf(one)}</b>
              <span class="muted">
                {words.server.title(one.game.title)} · {words.nodes(one.nodes)} · {ago(one.changedMs)}
              </span>
            </button>
            <button
              type="button"
              class="plain remove"
              aria-label={`${words.deleteDocument}: ${titleOf(one)}`}
              title={words.deleteDocument}
              onClick={() => void removeLater(one)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
