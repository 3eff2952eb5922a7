// The registry of the panes beside the board: two docks above each other, each with tabs.
import type { ComponentType } from "preact";
import { registerCommands } from "../commands";
import { kept } from "../kept";

export type Dock = "upper" | "lower";

export interface Pane {
  id: string;
  dock: Dock;
  /** The tab's text, in the reader's language. */
  words: () => string;
  view: ComponentType;
  /** A small number on the tab (running jobs); empty for no number. */
  badge?: () => string;
  /** Whether the tab exists; always if absent. */
  when?: () => boolean;
}

export const panes: Pane[] = [];

/** Adds a pane, before the page is drawn. */
export function registerPane(pane: Pane): void {
  if (panes.some((one) => one.id === pane.id)) return;
  panes.push(pane);
  registerCommands([
    {
      id: `pane-${pane.id}`,
      group: "page",
      words: pane.words,
      keys: [],
      run: () => showPane(pane.id),
      ...(pane.when ? { when: pane.when } : {}),
    },
  ]);
}

const isText = (value: unknown): value is string => typeof value === "string";
/** The open tab of each dock. */
export const active = {
  upper: kept("dock.upper", "tree", isText),
  lower: kept("dock.lower", "comment", isText),
};

/** Brings a pane to the front. */
export function showPane(id: string): void {
  const pane = panes.find((one) => one.id === id);
  if (pane !== undefined) active[pane.dock].value = id;
}
