import { describe, expect, it } from "vitest";
import { OVERSCAN, RowsWindow, scrollFor, visibleRange } from "../src/panes/rows-window";

const list = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

describe("window on rows", () => {
  it("only what can be seen is asked for, with rows around it", () => {
    const rows = new RowsWindow<number>();
    rows.replace(0, list(0, 100), 200_000);
    expect(rows.missing({ from: 10, count: 30 })).toBeNull();
    expect(rows.missing({ from: 50_000, count: 30 })).toEqual({ from: 50_000 - OVERSCAN, count: 30 + 2 * OVERSCAN });
  });
  it("what was fetched is here, at its index", () => {
    const rows = new RowsWindow<number>();
    rows.replace(0, list(0, 10), 1000);
    const missing = rows.missing({ from: 500, count: 20 });
    if (missing) rows.add(missing.from, list(missing.from, missing.count), 1000);
    for (let i = 500; i < 520; i++) expect(rows.row(i)).toBe(i);
    expect(rows.missing({ from: 500, count: 20 })).toBeNull();
    expect(rows.row(0)).toBe(0);
  });
  it("a replaced list forgets the old rows", () => {
    const rows = new RowsWindow<number>();
    rows.replace(0, list(0, 50), 50);
    rows.replace(0, list(100, 5), 5);
    expect([rows.row(0), rows.row(10), rows.total]).toEqual([100, undefined, 5]);
  });
  it("nothing is missing beyond the end", () => {
    const rows = new RowsWindow<number>();
    rows.replace(0, list(0, 5), 5);
    expect(rows.missing({ from: 0, count: 40 })).toBeNull();
  });
  it("memory stays small while 200,000 rows are scrolled through", () => {
    const rows = new RowsWindow<number>();
    rows.replace(0, list(0, 100), 200_000);
    let kept = 0;
    for (let from = 0; from < 200_000; from += 500) {
      const missing = rows.missing({ from, count: 40 });
      if (missing) rows.add(missing.from, list(missing.from, missing.count), 200_000);
      expect(rows.row(from)).toBe(from);
    }
    for (let i = 0; i < 200_000; i++) if (rows.row(i) !== undefined) kept += 1;
    expect(kept).toBeLessThanOrEqual(4_000);
  });
  it("rows that can be seen are those in the box", () => {
    expect(visibleRange(0, 260, 26, 1000)).toEqual({ from: 0, count: 11 });
    expect(visibleRange(2600, 260, 26, 1000)).toEqual({ from: 100, count: 11 });
    expect(visibleRange(26_000, 260, 26, 10).count).toBeLessThanOrEqual(10);
  });
  it("a row in sight does not scroll; one far away comes into the middle", () => {
    expect(scrollFor(5, 0, 260, 26)).toBeNull();
    expect(scrollFor(500, 0, 260, 26)).toBe(500 * 26 - 130);
    const near = scrollFor(10, 0, 260, 26);
    expect(near !== null && near > 0 && near <= 52).toBe(true);
  });
});
