// The board for screen readers and the keyboard: an ARIA grid. The document holds three rows, the cursor's and its
// neighbours; their attributes say where they are in the whole.
import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SquareName } from "../api/types";
import { isUnbounded, nameOf, squareOf } from "../game/squares";
import { actOn, commitIncomplete } from "../input/board";
import { provisional } from "../state/overlay";
import { shownSquare } from "../state/shown-names";
import { W } from "../words";
import { type Frame, placeOf, squareAtPlace } from "./frame";
import { openMoveField } from "./MoveField";
import { cursor, frame, panBy, scene } from "./shown";

/** The square of the cursor; the board remembers it while it has no focus. Null: the middle. */
const remembered = signal<SquareName | null>(null);
const focused = signal(false);

const contents = computed(() => {
  const map = new Map<SquareName, string>();
  const now = scene.value;
  if (now === null) return map;
  for (const { square, color } of now.stones) map.set(square, W().color(color));
  return map;
});

/** The spoken name of a square: `J10, Black, 3`, or `K11, empty, zone`. */
function spokenSquare(name: SquareName): string {
  const now = scene.value;
  const parts = [shownSquare(name), contents.value.get(name) ?? W().emptySquare];
  if (now !== null) {
    const number = now.numbers.get(name);
    if (number !== undefined) parts.push(number);
    const label = now.labels.find((one) => one.square === name);
    if (label) parts.push(label.text);
    const ghost = now.ghosts.find((one) => one.square === name);
    if (ghost) parts.push(`${W().color(ghost.color)} ${ghost.text ?? "?"}`);
    if (now.zone.solid.includes(name) || now.zone.hatched.includes(name)) parts.push(W().layerNames.zone);
  }
  return parts.join(", ");
}

/** Enters cursor mode. */
export function focusBoard(): void {
  document.querySelector<HTMLElement>(".aria-grid [tabindex='0']")?.focus();
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function AriaGrid() {
  const ref = useRef<HTMLDivElement>(null);
  const here = frame.value;
  useEffect(() => {
    if (focused.value) ref.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  });
  if (here === null) return null;
  const { cols, rows } = here.size;
  const square = remembered.value === null ? null : squareOf(remembered.value);
  const place = square === null ? null : placeOf(here, square);
  const { u, v } = place ?? { u: Math.floor((cols - 1) / 2), v: Math.floor((rows - 1) / 2) };
  const nameAt = (column: number, row: number, on: Frame = here): SquareName | null => {
    const there = squareAtPlace(on, column, row);
    return there === null ? null : nameOf(on.game, there);
  };
  const moveTo = (column: number, row: number): void => {
    const [nu, nv] = [Math.min(cols - 1, Math.max(0, column)), Math.min(rows - 1, Math.max(0, row))];
    // At the border of an unbounded board the window moves.
    if (isUnbounded(here.game)) panBy(column - nu, row - nv);
    remembered.value = nameAt(nu, nv, frame.value ?? here);
    cursor.value = remembered.value;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const square = nameAt(u, v);
    if (step !== undefined) {
      const by = event.shiftKey ? 5 : 1;
      moveTo(u + step[0] * by, v + step[1] * by);
    } else if (event.key === "Enter" || event.key === " ") {
      if (event.shiftKey && provisional.value.length > 0) commitIncomplete();
      else if (square !== null) actOn(square);
    } else if (event.key === "Home") moveTo(0, v);
    else if (event.key === "End") moveTo(cols - 1, v);
    else if (event.key === "Escape" && provisional.value.length === 0) {
      (event.target as HTMLElement).blur();
    } else if (/^[a-z]$/i.test(event.key)) openMoveField(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shownRows = [v - 1, v, v + 1].filter((row) => row >= 0 && row < rows);
  return (
    <div
      ref={ref}
      class="aria-grid"
      role="grid"
      aria-label={W().boardSpoken(cols, rows)}
      aria-rowcount={rows}
      aria-colcount={cols}
      onKeyDown={onKeyDown}
      onFocusIn={() => {
        focused.value = true;
        cursor.value = nameAt(u, v);
      }}
      onFocusOut={(event) => {
        if (ref.current?.contains(event.relatedTarget as globalThis.Node | null)) return;
        focused.value = false;
        cursor.value = null;
      }}
    >
      {shownRows.map((row) => (
        <div key={row} role="row" aria-rowindex={row + 1}>
          {Array.from({ length: cols }, (_, column) => {
            const name = nameAt(column, row);
            const isHere = column === u && row === v;
            return (
              <span
                key={column}
                role="gridcell"
                aria-colindex={column + 1}
                tabIndex={isHere ? 0 : -1}
                // A screen reader reads the cell that has the focus: the others need no label.
                aria-label={focused.value && name !== null ? spokenSquare(name) : (name ?? "")}
                onClick={() => {
                  if (name !== null) actOn(name);
                }}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
