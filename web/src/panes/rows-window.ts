// A window on a long list of the server: the rows that are loaded, and those to fetch. Pure; all panes with long
// lists use it.

export interface Range {
  from: number;
  count: number;
}

/** The number of rows to fetch above the visible ones, and below them. */
export const OVERSCAN = 40;
const KEPT_MAX = 4_000;

/** The visible rows. */
export function visibleRange(scrollTop: number, height: number, rowHeight: number, total: number): Range {
  const from = Math.min(Math.max(0, Math.floor(scrollTop / rowHeight)), Math.max(0, total - 1));
  const end = Math.min(total, Math.ceil((scrollTop + height) / rowHeight) + 1);
  return { from, count: Math.max(0, end - from) };
}

export class RowsWindow<T> {
  total = 0;
  private rows = new Map<number, T>();

  row(index: number): T | undefined {
    return this.rows.get(index);
  }

  /** Replaces all rows in one step, so that nothing flickers. */
  replace(from: number, rows: readonly T[], total: number): void {
    this.rows = new Map();
    this.add(from, rows, total);
  }

  add(from: number, rows: readonly T[], total: number): void {
    if (this.rows.size + rows.length > KEPT_MAX) this.rows = new Map();
    this.total = total;
    for (const [i, row] of rows.entries()) this.rows.set(from + i, row);
  }

  /** The rows to fetch before these are visible; null if all are loaded. */
  missing({ from, count }: Range): Range | null {
    let first = -1;
    for (let i = from; i < from + count && i < this.total; i++) {
      if (!this.rows.has(i)) {
        first = i;
        break;
      }
    }
    if (first === -1) return null;
    const start = Math.max(0, from - OVERSCAN);
    const end = Math.min(this.total, from + count + OVERSCAN);
    return { from: start, count: end - start };
  }
}

/** The scroll position that makes a row visible; null if it is visible. */
export function scrollFor(row: number, scrollTop: number, height: number, rowHeight: number): number | null {
  const top = row * rowHeight;
  if (top >= scrollTop + rowHeight && top + 2 * rowHeight <= scrollTop + height) return null;
  if (height <= 0) return null;
  // A near row moves just into view, a far one into the middle.
  if (top >= scrollTop - 4 * rowHeight && top <= scrollTop + height + 4 * rowHeight) {
    return top < scrollTop + rowHeight ? Math.max(0, top - rowHeight) : Math.max(0, top + 2 * rowHeight - height);
  }
  return Math.max(0, top - height / 2);
}
