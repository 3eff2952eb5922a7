// A long list: the server has the rows, and the document holds the visible ones.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { failed } from "../state/notices";
import { OVERSCAN, type Range, RowsWindow, scrollFor, visibleRange } from "./rows-window";
import "./VirtualRows.css";

export interface Fetched<T> {
  total: number;
  /** The row to scroll to, -1 for no row. */
  at: number;
  rows: T[];
}

interface Props<T> {
  label: string;
  rowHeight: number;
  /** A change fetches all rows again. */
  version: string;
  /** A change scrolls to the row `at`. */
  follow: string;
  fetch: (from: number, count: number) => Promise<Fetched<T>>;
  row: (row: T, index: number) => ComponentChildren;
  role?: "tree" | "list";
}

export function VirtualRows<T>(props: Props<T>) {
  const { rowHeight, version, follow, fetch } = props;
  const box = useRef<HTMLDivElement>(null);
  const rows = useRef(new RowsWindow<T>()).current;
  const latest = useRef({ version, fetch });
  latest.current = { version, fetch };
  const followed = useRef<string | null>(null);
  const busy = useRef(false);
  const [, setRound] = useState(0);
  const redraw = (): void => setRound((n) => n + 1);

  const seen = (): Range => {
    const element = box.current;
    const height = element?.clientHeight ?? 0;
    return visibleRange(element?.scrollTop ?? 0, height, rowHeight, Math.max(1, rows.total));
  };

  /** Fetches what is missing, one request at a time; the last scroll position counts. */
  const fill = async (): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    try {
      for (let missing = rows.missing(seen()); missing; missing = rows.missing(seen())) {
        const asked = latest.current.version;
        const answer = await latest.current.fetch(missing.from, missing.count);
        if (asked !== latest.current.version) break;
        if (answer.rows.length === 0) break;
        rows.add(missing.from, answer.rows, answer.total);
        redraw();
      }
    } catch (error) {
      failed(error);
    } finally {
      busy.current = false;
    }
  };

  useEffect(() => {
    let stale = false;
    const load = async (): Promise<void> => {
      const { from, count } = seen();
      const start = Math.max(0, from - OVERSCAN);
      const answer = await fetch(start, Math.max(count, 30) + 2 * OVERSCAN);
      if (stale) return;
      rows.replace(start, answer.rows, answer.total);
      const element = box.current;
      if (element !== null && followed.current !== follow && answer.at >= 0) {
        followed.current = follow;
        const top = scrollFor(answer.at, element.scrollTop, element.clientHeight, rowHeight);
        if (top !== null) {
          // The rows around the target load before the jump, so that no frame is blank.
          const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
          if (rows.missing(visibleRange(top, element.clientHeight, rowHeight, rows.total))) {
            const there = await fetch(first, Math.max(count, 30) + 2 * OVERSCAN);
            if (stale) return;
            rows.add(first, there.rows, there.total);
          }
          redraw();
          requestAnimationFrame(() => {
            element.scrollTop = top;
          });
          return;
        }
      }
      redraw();
      void fill();
    };
    load().catch(failed);
    return () => {
      stale = true;
    };
  }, [version, follow]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const { from, count } = seen();
  const first = Math.max(0, from - 8);
  const last = Math.min(rows.total, from + count + 8);
  const items: ComponentChildren[] = [];
  for (let i = first; i < last; i++) {
    const row = rows.row(i);
    if (row !== undefined) items.push(props.row(row, i));
  }
  return (
    <div
      ref={box}
      class="virtual"
      role={props.role ?? "list"}
      aria-label={props.label}
      tabIndex={-1}
      onScroll={() => {
        redraw();
        void fill();
      }}
    >
      <div class="virtual-all" style={{ height: `${rows.total * rowHeight}px` }}>
        <div class="virtual-shown" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {items}
        </div>
      </div>
    </div>
  );
}
