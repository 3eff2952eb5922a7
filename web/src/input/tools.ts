// Tools: what a click on the board does. The usual one places stones; others write labels, draw marks and arrows,
// dim squares, or set up a position.
import { signal } from "@preact/signals";
import type { Color, Edit, MarkKind, Node, SquareName } from "../api/types";
import { node, seen } from "../state/document";
import { edit, editNode } from "../state/edits";
import { W } from "../words";

export const MARKS: readonly MarkKind[] = ["triangle", "square", "circle", "cross"];
export const TOOLS = ["play", "label", ...MARKS, "arrow", "dim", "setup"] as const;
export type Tool = (typeof TOOLS)[number];

/** A tool by name. */
export function toolWords(tool: Tool): string {
  const words = W();
  const mark = MARKS.find((kind) => kind === tool);
  if (mark !== undefined) return words.toolMark(mark);
  const names = {
    play: words.toolPlay,
    label: words.toolLabel,
    arrow: words.toolArrow,
    dim: words.toolDim,
    setup: words.toolSetup,
  };
  return names[tool as keyof typeof names];
}

export const tool = signal<Tool>("play");
/** The square at which an arrow begins, until the reader chooses its end. */
export const arrowFrom = signal<SquareName | null>(null);

export type Brush = Color | "erase";

/** The position that the reader is setting up. */
export interface Setup {
  black: ReadonlySet<SquareName>;
  white: ReadonlySet<SquareName>;
  toMove: Color;
  left: number;
  brush: Brush;
}

export const setup = signal<Setup | null>(null);

/** The next free label: A … Z, a … z, then numbers. */
export function nextLabel(used: readonly string[]): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (const letter of letters) if (!used.includes(letter)) return letter;
  for (let n = 1; ; n++) if (!used.includes(String(n))) return String(n);
}

export function chooseTool(next: Tool): void {
  arrowFrom.value = null;
  const chosen = next === tool.value && next !== "play" ? "play" : next;
  tool.value = chosen;
  const position = seen.value?.position;
  if (chosen === "setup" && position !== undefined) {
    const { black, white, toMove, left } = position;
    setup.value = { black: new Set(black), white: new Set(white), toMove, left, brush: "black" };
  } else {
    setup.value = null;
  }
}

/** Puts a stone of the brush on a square, or takes it away. */
export function paint(state: Setup, square: SquareName, brush: Brush = state.brush): Setup {
  const black = new Set(state.black);
  const white = new Set(state.white);
  const mine = brush === "black" ? black : brush === "white" ? white : null;
  const had = mine?.has(square) ?? false;
  black.delete(square);
  white.delete(square);
  if (mine !== null && !had) mine.add(square);
  return { ...state, black, white };
}

/** Writes the set-up position into the document. */
export async function finishSetup(): Promise<void> {
  const state = setup.value;
  if (state === null) return;
  const { toMove, left } = state;
  const black = [...state.black];
  const white = [...state.white];
  const done = await edit((at) => ({ edit: "setup", node: at, black, white, toMove, left }), true);
  if (done !== null) chooseTool("play");
}

/**
 * An edit of the node that the reader sees. It is made when its turn comes, so that a quick second click sees the
 * first.
 */
const editHere = (make: (here: Node) => Edit): void => void editNode(make);

function toggleMark(square: SquareName, kind: MarkKind): void {
  editHere((here) => {
    const had = here.marks.some((mark) => mark.square === square && mark.kind === kind);
    return { edit: "mark", node: here.id, square, kind: had ? null : kind };
  });
}

function toggleLabel(square: SquareName): void {
  editHere((here) => {
    const had = here.labels.some((label) => label.square === square);
    const text = had ? "" : nextLabel(here.labels.map((label) => label.text));
    return { edit: "label", node: here.id, square, text };
  });
}

function toggleDim(square: SquareName): void {
  editHere((here) => {
    const squares = here.dimmed.includes(square)
      ? here.dimmed.filter((one) => one !== square)
      : [...here.dimmed, square];
    return { edit: "dim", node: here.id, squares };
  });
}

/** A click with a tool other than `play`. `erase`: the right button. */
export function useTool(square: SquareName, erase = false): void {
  if (node.value === null) return;
  switch (tool.value) {
    case "play":
      return;
    case "setup":
      if (setup.value) setup.value = paint(setup.value, square, erase ? "erase" : setup.value.brush);
      return;
    case "label":
      return toggleLabel(square);
    case "dim":
      return toggleDim(square);
    case "arrow": {
      const from = arrowFrom.value;
      if (from === null) {
        arrowFrom.value = square;
      } else {
        arrowFrom.value = null;
        if (from !== square) {
          void edit((at) => ({ edit: "arrow", node: at, from, to: square }));
        }
      }
      return;
    }
    default:
      return toggleMark(square, tool.value);
  }
}
