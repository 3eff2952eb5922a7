// Names of keys: `Ctrl+Shift+Z`, `ArrowLeft`, `?`. Modifiers first, then the browser's name of the key; letters are
// lower case, and Shift is named only where it does not change the character.

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> & { code?: string };

/**
 * The character of a key. With Alt (on a Mac) or a keyboard for another script (Zhuyin) the browser reports another
 * character than the one printed on the key: then the place of the key counts.
 */
function character({ key, code, altKey }: Pressed): string {
  const place = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code ?? "");
  const isForeign = key === "Process" || key === "Dead" || (key.length === 1 && key > "~");
  if (place && (altKey || isForeign)) return (place[1] ?? place[2] ?? "").toLowerCase();
  return key;
}

/** The name of the key of an event. */
export function keyOf(event: Pressed): string {
  const key = character(event);
  const letter = /^[a-z]$/i.test(key);
  const printable = key.length === 1;
  const parts: string[] = [];
  if (event.ctrlKey || (event.metaKey && isMac())) parts.push("Ctrl");
  else if (event.metaKey) parts.push("Meta");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && (letter || !printable)) parts.push("Shift");
  parts.push(letter ? key.toLowerCase() : key === " " ? "Space" : key);
  return parts.join("+");
}

const SYMBOLS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  PageUp: "PgUp",
  PageDown: "PgDn",
  Escape: "Esc",
  Delete: "Del",
};

/** A key as the page shows it: `Ctrl+Z`, `←`. */
export function formatKey(key: string): string {
  return key
    .split("+")
    .map((part) => {
      if (part === "Ctrl" && isMac()) return "⌘";
      return SYMBOLS[part] ?? (part.length === 1 ? part.toUpperCase() : part);
    })
    .join("+");
}
