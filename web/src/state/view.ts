// How the reader likes to see things. Kept in localStorage: it belongs to the reader, not to the
// document.
import { effect, signal, type Signal } from "@preact/signals";

const PREFIX = "sixproof.";

/** A signal that survives a reload. Another type in the storage than expected is ignored. */
export function kept<T>(key: string, initial: T, isValid: (value: unknown) => value is T): Signal<T> {
  let start = initial;
  try {
    const text = localStorage.getItem(PREFIX + key);
    const value: unknown = text === null ? undefined : JSON.parse(text);
    if (isValid(value)) start = value;
  } catch {
    // No storage (private window) or nonsense in it: the initial value will do.
  }
  const result = signal(start);
  let first = true;
  effect(() => {
    const text = JSON.stringify(result.value);
    if (first) {
      first = false;
      return;
    }
    try {
      localStorage.setItem(PREFIX + key, text);
    } catch {
      // Full or forbidden: the choice lasts as long as the page.
    }
  });
  return result;
}

/** One of a list of words. */
export const keptChoice = <T extends string>(key: string, initial: T, all: readonly T[]): Signal<T> =>
  kept(key, initial, (value): value is T => all.includes(value as T));

/** Yes or no. */
export const keptFlag = (key: string, initial: boolean): Signal<boolean> =>
  kept(key, initial, (value): value is boolean => typeof value === "boolean");

export const THEMES = ["auto", "light", "dark", "contrast"] as const;
export const COORDINATES = ["letters", "without-i", "numbers", "off"] as const;
export const NUMBERS = ["none", "turn", "stone", "here", "last"] as const;
export const TOUCH = ["auto", "direct", "confirm"] as const;

export type Theme = (typeof THEMES)[number];
export type Coordinates = (typeof COORDINATES)[number];
export type Numbers = (typeof NUMBERS)[number];
export type Touch = (typeof TOUCH)[number];

export const theme = keptChoice<Theme>("theme", "auto", THEMES);
export const coordinates = keptChoice<Coordinates>("coordinates", "letters", COORDINATES);
export const numbers = keptChoice<Numbers>("numbers", "none", NUMBERS);
export const touch = keptChoice<Touch>("touch", "auto", TOUCH);
/** 0 to 7: quarter turns, and from 4 on mirrored first. */
export const orientation = kept("orientation", 0, (v): v is number =>
  typeof v === "number" && Number.isInteger(v) && v >= 0 && v < 8,
);

/** Layers of the board that can be switched off. */
export const LAYERS = ["next", "zone", "threats", "marks", "last"] as const;
export type LayerName = (typeof LAYERS)[number];
export const layers: Record<LayerName, Signal<boolean>> = {
  next: keptFlag("layer.next", true),
  zone: keptFlag("layer.zone", true),
  threats: keptFlag("layer.threats", false),
  marks: keptFlag("layer.marks", true),
  last: keptFlag("layer.last", true),
};

/** While Z is held: only stones. */
export const bare = signal(false);

/** The next of a list, around the corner. */
export function cycle<T>(choice: Signal<T>, all: readonly T[]): void {
  choice.value = all[(all.indexOf(choice.value) + 1) % all.length] as T;
}

/** What `auto` means on this device. */
function systemTheme(): Exclude<Theme, "auto"> {
  if (matchMedia("(prefers-contrast: more)").matches) return "contrast";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** The theme in use. */
export const shownTheme = signal<Exclude<Theme, "auto">>("light");

/** The theme is an attribute of the root element; the style sheet does the rest. */
export function applyTheme(): void {
  const system = signal(systemTheme());
  for (const query of ["(prefers-contrast: more)", "(prefers-color-scheme: dark)"]) {
    matchMedia(query).addEventListener("change", () => {
      system.value = systemTheme();
    });
  }
  effect(() => {
    shownTheme.value = theme.value === "auto" ? system.value : theme.value;
    document.documentElement.dataset["theme"] = shownTheme.value;
  });
}
