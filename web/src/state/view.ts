// How the reader likes to see things. Kept in localStorage: it belongs to the reader, not to the
// document.
import { effect, type Signal, signal } from "@preact/signals";
import { COORDINATES, type Coordinates } from "../game/squares";
import { kept, keptChoice, keptFlag } from "../kept";

export const THEMES = ["auto", "light", "dark", "contrast"] as const;
export const NUMBERS = ["none", "turn", "stone", "here", "last"] as const;
export const TOUCH = ["auto", "direct", "confirm"] as const;

export type Theme = (typeof THEMES)[number];
export type Numbers = (typeof NUMBERS)[number];
export type Touch = (typeof TOUCH)[number];

export const theme = keptChoice<Theme>("theme", "auto", THEMES);
export const coordinates = keptChoice<Coordinates>("coordinates", "letters", COORDINATES);
export const numbers = keptChoice<Numbers>("numbers", "none", NUMBERS);
export const touch = keptChoice<Touch>("touch", "auto", TOUCH);
/** 0 to 7: quarter turns, and from 4 on mirrored first. */
export const orientation = kept(
  "orientation",
  0,
  (v): v is number => typeof v === "number" && Number.isInteger(v) && v >= 0 && v < 8,
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
    document.documentElement.dataset.theme = shownTheme.value;
  });
}
