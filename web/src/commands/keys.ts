// Names of keys. `Ctrl+Shift+Z`, `ArrowLeft`, `?`: modifiers first, then the browser's name of the
// key; a letter is small, and Shift is only named where it does not change the character.

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The name of the key of an event. */
export function keyOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const letter = /^[a-z]$/i.test(event.key);
  const printable = event.key.length === 1;
  const parts: string[] = [];
  if (event.ctrlKey || (event.metaKey && isMac())) parts.push("Ctrl");
  else if (event.metaKey) parts.push("Meta");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && (letter || !printable)) parts.push("Shift");
  parts.push(letter ? event.key.toLowerCase() : event.key === " " ? "Space" : event.key);
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

/** A key for people: `Ctrl+Z`, `←`. */
export function formatKey(key: string): string {
  return key
    .split("+")
    .map((part) => {
      if (part === "Ctrl" && isMac()) return "⌘";
      return SYMBOLS[part] ?? (part.length === 1 ? part.toUpperCase() : part);
    })
    .join("+");
}
