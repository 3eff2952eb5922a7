// The registry of commands. Keyboard, `?` overlay and command palette read the same list.
import { signal } from "@preact/signals";
import { formatKey, keyOf } from "./keys";

export type CommandGroup = "move" | "edit" | "board" | "tree" | "files" | "analysis" | "play" | "page";

export interface Command {
  id: string;
  group: CommandGroup;
  /** Its name in the reader's language. */
  words: () => string;
  /** Its keys: `ArrowLeft`, `Ctrl+Z`, `F5`, `?`, `n`. Ctrl is Command on a Mac. */
  keys: string[];
  run: () => void;
  /** Whether it is possible now; always if absent. */
  when?: () => boolean;
  /** It works in a text field, too. */
  inFields?: boolean;
  /** The palette leaves it out (plain steps). */
  hidden?: boolean;
  /** Undoes it: a command on a letter may turn out to begin a typed move (`c7`). */
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

/** The first key of a command as the page shows it: `Ctrl+Z`. */
export function keyHint(id: string): string {
  const key = commands.value.find((one) => one.id === id)?.keys[0];
  return key === undefined ? "" : formatKey(key);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The time in which a digit after a letter makes both the beginning of a typed move. */
const LETTER_MS = 1_500;
let letter: { key: string; at: number; command: Command | undefined } | null = null;

/** The handler of a typed move that began with a letter and a digit. */
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

/** Runs the command of a key. True if the key has one. */
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
    // Escape leaves the field, and the keys go to the board.
    if (inField && key === "Escape") (event.target as HTMLElement).blur();
    return false;
  }
  event.preventDefault();
  command.run();
  return true;
}
