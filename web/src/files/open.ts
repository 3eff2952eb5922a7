// Files come in: chosen, dropped or pasted. What cannot be read is told with its line; nothing changes.
import { signal } from "@preact/signals";
import { api } from "../api/client";
import { typedSquare, typedWords } from "../board/squares";
import { isFree } from "../input/board";
import { doc, edit, game, loadDocuments, node, openDocument } from "../state/document";
import { failed, inform, notify } from "../state/notices";
import { coordinates } from "../state/view";
import { W } from "../words";
import { noteTexts } from "../words/server";

/** While something is dragged over the page. */
export const dragging = signal(false);
/** The subtree that was cut or copied last: pasting it goes below the current move. */
let copied = "";
export const rememberCopied = (text: string): void => {
  copied = text;
};

/** Opens bytes as a new document. */
export async function openBytes(bytes: BodyInit, name: string): Promise<boolean> {
  try {
    const opened = await api.open(bytes, name);
    await openDocument(opened.document.id);
    void loadDocuments();
    const notes = noteTexts(W().server, opened).slice(0, 3).join(" ");
    const text = W().opened(W().server.format(opened.format));
    notify({ kind: "info", text, help: notes === "" ? null : notes });
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

export async function openFiles(files: Iterable<File>): Promise<void> {
  for (const file of files) await openBytes(file, file.name);
}

/** The browser's own way to choose a file. */
export function chooseFile(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ".sgf,.txt,.psq,.lib,.cert,.zst,.json,.rec";
  input.onchange = () => void openFiles(input.files ?? []);
  input.click();
}

/** Whether a text is just a move or two for the board at hand. */
function isShortLine(text: string): boolean {
  const here = game.value;
  if (here === null || text.length > 200 || /\d\s*[.)]/.test(text)) return false;
  const words = typedWords(text);
  return (
    words.length > 0 &&
    words.every((word) => {
      const square = typedSquare(here, coordinates.value, word);
      return square !== null && isFree(square);
    })
  );
}

/** Puts a tree or moves below the current move. */
export async function pasteBelow(text: string): Promise<void> {
  const done = await edit(() => ({ edit: "paste", node: node.value?.id ?? 0, text }), true);
  if (done?.changed) inform(W().pasted);
}

/** Ctrl+V: our own subtree or a few moves go below the current move, all else is a new document. */
export async function pasteText(text: string, below: boolean): Promise<void> {
  if (text.trim() === "") return;
  if (doc.value !== null && (below || text === copied || isShortLine(text))) await pasteBelow(text);
  else await openBytes(text, "");
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

export function startFiles(): void {
  let withShift = false;
  addEventListener("keydown", (event) => {
    withShift = event.shiftKey;
  });
  addEventListener("paste", (event) => {
    if (isField(event.target)) return;
    const files = event.clipboardData?.files;
    if (files && files.length > 0) void openFiles(files);
    else void pasteText(event.clipboardData?.getData("text/plain") ?? "", withShift);
    event.preventDefault();
  });
  let depth = 0;
  const enter = (by: number): void => {
    depth = Math.max(0, depth + by);
    dragging.value = depth > 0;
  };
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    enter(1);
  });
  addEventListener("dragleave", () => enter(-1));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    dragging.value = false;
    const files = event.dataTransfer?.files;
    if (files && files.length > 0) void openFiles(files);
    else void pasteText(event.dataTransfer?.getData("text/plain") ?? "", false);
  });
}
