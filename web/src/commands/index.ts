// Commands: everything that can be done, once. The list feeds the keyboard, the `?` overlay and the
// command palette alike.
import { signal } from "@preact/signals";
import { formatKey, keyOf } from "./keys";

export type CommandGroup = "move" | "edit" | "board" | "tree" | "files" | "analysis" | "play" | "page";

export interface Command {
  id: string;
  group: CommandGroup;
  /** What it does, in the reader's language. */
  words: () => string;
  /** `ArrowLeft`, `Ctrl+Z`, `F5`, `?`, `n`: several are possible. Ctrl is Command on a Mac. */
  keys: string[];
  run: () => void;
  /** Whether it can be done now; always if not said. */
  when?: () => boolean;
  /** Also while a text field has the focus. */
  inFields?: boolean;
  /** Not in the palette (plain steps). */
  hidden?: boolean;
  /** Takes it back: for commands on a letter, which may turn out to begin a typed move (`c7`). */
  revert?: () => void;
}

export const commands = signal<readonly Command[]>([]);

/** Adds commands. A command with the same id is replaced. */
export function registerCommands(more: readonly Command[]): void {
  const ids = new Set(more.map((command) => command.id));
  commands.value = [...commands.value.filter((command) => !ids.has(command.id)), ...more];
}

export const isPossible = (command: Command): boolean => command.when === undefined || command.when();

export function runCommand(id: string): void {
  const command = commands.value.find((one) => one.id === id);
  if (command && isPossible(command)) command.run();
}

/** The first key of a command, for people: `Ctrl+Z`. */
export function keyHint(id: string): string {
  const key = commands.value.find((one) => one.id === id)?.keys[0];
  return key === undefined ? "" : formatKey(key);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** A letter may begin a typed move: the digit after it tells. */
const LETTER_MS = 1_500;
let letter: { key: string; at: number; command: Command | undefined } | null = null;

/** Who takes a typed move that was begun with a letter and a digit. */
let onTyped: (text: string) => void = () => undefined;
export function setTypedHandler(handler: (text: string) => void): void {
  onTyped = handler;
}

function beginsMove(key: string): boolean {
  const before = letter;
  letter = null;
  if (before === null || !/^\d$/.test(key) || Date.now() - before.at > LETTER_MS) return false;
  before.command?.revert?.();
  onTyped(before.key + key);
  return true;
}

/** Runs the command of a key. True if there was one. */
export function handleKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  const key = keyOf(event);
  const inField = isField(event.target);
  if (!inField && beginsMove(key)) {
    event.preventDefault();
    return true;
  }
  const command = commands.value.find(
    (one) => one.keys.includes(key) && (!inField || one.inFields === true) && isPossible(one),
  );
  if (!inField && /^[a-z]$/.test(key) && !event.repeat) letter = { key, at: Date.now(), command };
  if (command === undefined) {
    // Out of a field, back to the keys of the board.
    if (inField && key === "Escape") (event.target as HTMLElement).blur();
    return false;
  }
  event.preventDefault();
  command.run();
  return true;
}
