// Opens files that are chosen, dropped or pasted. A file that cannot be read changes nothing, and a notice shows the
// line.
import { signal } from "@preact/signals";
import { api, Failure } from "../api/client";
import type { Opened } from "../api/types";
import { typedSquare, typedWords } from "../game/squares";
import { isFree } from "../input/board";
import { doc, game, loadDocuments, openDocument } from "../state/document";
import { edit } from "../state/edits";
import { failed, inform, notify } from "../state/notices";
import { confirm } from "../state/question";
import { coordinates } from "../state/view";
import { W } from "../words";
import { noteTexts } from "../words/server";
import { chooseGames, mayBeCollection } from "./collection";

/** Whether the reader drags something over the page. */
export const dragging = signal(false);
/** The subtree that the reader cut or copied last: pasting puts it below the current move. */
let copied = "";
export const rememberCopied = (text: string): void => {
  copied = text;
};

/** Opens one game of a file. If it has other rules, the reader decides whether to open it. */
async function openGame(bytes: BodyInit, name: string, number?: number): Promise<Opened | null> {
  const which = number === undefined ? {} : { number };
  try {
    return await api.open(bytes, name, which);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "other-rules") throw error;
    // The server names the rules in its sentence.
    const rules = /`([^`]+)`/.exec(error.message)?.[1] ?? "renju";
    const asked = { text: W().otherRules(rules), detail: error.message, yes: W().openAnyway(rules) };
    return (await confirm(asked)) ? api.open(bytes, name, { ...which, anyway: true }) : null;
  }
}

/** The numbers of the games that the reader chose; null if the file has one game. */
async function chosenGames(bytes: Blob, name: string): Promise<number[] | null> {
  if (!(await mayBeCollection(bytes))) return null;
  try {
    const games = await api.collection(bytes);
    return games.length < 2 ? null : await chooseGames(name, games);
  } catch {
    // Opening the file reports what is wrong with it.
    return null;
  }
}

/** Opens bytes as new documents: the only game, or the chosen ones. */
export async function openBytes(content: BlobPart, name: string): Promise<boolean> {
  const bytes = new Blob([content]);
  const numbers = (await chosenGames(bytes, name)) ?? [undefined];
  let first: Opened | null = null;
  try {
    for (const number of numbers) {
      const opened = await openGame(bytes, name, number);
      first ??= opened;
      // The page shows the first document while the others load.
      if (opened !== null && opened === first) await openDocument(opened.document.id);
    }
  } catch (error) {
    failed(error);
  }
  if (first === null) return false;
  void loadDocuments();
  const notes = noteTexts(W().server, first).slice(0, 3).join(" ");
  const text = W().opened(W().server.format(first.format));
  notify({ kind: "info", text, help: notes === "" ? null : notes });
  return true;
}

export async function openFiles(files: Iterable<File>): Promise<void> {
  for (const file of files) await openBytes(file, file.name);
}

/** Opens the browser's dialog for files. */
export function chooseFile(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ".sgf,.txt,.psq,.lib,.cert,.zst,.json,.rec";
  input.onchange = () => void openFiles(input.files ?? []);
  input.click();
}

/** Whether a text is a move or two for the board. */
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
  const done = await edit((at) => ({ edit: "paste", node: at, text }), true);
  if (done?.changed) inform(W().pasted);
}

/** Ctrl+V: a subtree of this page or a few moves go below the current move, anything else becomes a new document. */
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
