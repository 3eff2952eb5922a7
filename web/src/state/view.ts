// View options of the reader, stored in localStorage and not in the document.
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
/** 0 to 7: quarter turns; from 4 on mirrored first. */
export const orientation = kept(
  "orientation",
  0,
  (v): v is number => typeof v === "number" && Number.isInteger(v) && v >= 0 && v < 8,
);

/** The layers of the board that the reader can hide. */
export const LAYERS = ["next", "zone", "threats", "marks", "last"] as const;
export type LayerName = (typeof LAYERS)[number];
export const layers: Record<LayerName, Signal<boolean>> = {
  next: keptFlag("layer.next", true),
  zone: keptFlag("layer.zone", true),
  threats: keptFlag("layer.threats", false),
  marks: keptFlag("layer.marks", true),
  last: keptFlag("layer.last", true),
};

/** Whether Z is held: only stones are shown. */
export const bare = signal(false);

/** Goes to the next value of a list, in a cycle. */
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

/** Sets the theme as an attribute of the root element for the style sheet. */
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
