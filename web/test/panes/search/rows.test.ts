import { describe, expect, it } from "vitest";
import type { SearchNode, SearchTree } from "../../../src/api/types";
import { criticalLeaf, lineTo, numberText, searchRows } from "../../../src/panes/search/rows";

const node = (parent: number, squares: string[], more: Partial<SearchNode> = {}): SearchNode => ({
  parent,
  by: "attacker",
  squares,
  proof: 1,
  disproof: 1,
  state: "open",
  critical: false,
  hidden: 0,
  ...more,
});
const tree = (nodes: SearchNode[]): SearchTree => ({ version: 1, size: nodes.length, nodes });

const sample = tree([
  node(-1, [], { critical: true }),
  node(0, ["A1"], { state: "proved" }),
  node(1, ["A2"], { state: "proved" }),
  node(0, ["B1"], { critical: true }),
  node(3, ["B2"], { critical: true, state: "running" }),
  node(3, ["B3"]),
]);

describe("search rows", () => {
  it("solved_parts_are_folded_and_the_critical_line_is_open_and_first", () => {
    const rows = searchRows(sample, new Set());
    expect(rows.map((r) => r.node.squares.join())).toEqual(["", "B1", "B2", "B3", "A1"]);
    expect(rows.map((r) => r.leaf)).toEqual([false, false, true, false, false]);
    expect(rows[4]?.folded).toBe(true);
  });

  it("what_the_reader_opened_stays_open_when_indices_change", () => {
    const toggled = new Set(["/A1"]);
    expect(searchRows(sample, toggled).map((r) => r.node.squares.join())).toContain("A2");
    const other = tree([
      node(-1, [], { critical: true }),
      node(0, ["Z9"]),
      node(0, ["A1"], { state: "proved" }),
      node(2, ["A2"], { state: "proved" }),
    ]);
    expect(searchRows(other, toggled).map((r) => r.node.squares.join())).toEqual(["", "Z9", "A1", "A2"]);
  });

  it("the_line_to_a_node_has_all_moves_from_the_root", () => {
    expect(lineTo(sample, 4).map((n) => n.squares.join())).toEqual(["B1", "B2"]);
    expect(criticalLeaf(sample.nodes)).toBe(4);
    expect(criticalLeaf([])).toBe(-1);
  });

  it("a_very_deep_tree_is_no_problem", () => {
    const nodes = [node(-1, [], { critical: true })];
    for (let i = 0; i < 50_000; i += 1) nodes.push(node(i, [`A${i}`], { critical: i < 100 }));
    expect(searchRows(tree(nodes), new Set()).length).toBe(102);
  });

  it("big_numbers_are_short_and_infinity_is_a_sign", () => {
    expect([null, 7, 1250, 123_456, 3_400_000].map(numberText)).toEqual(["\u221e", "7", "1,250", "123k", "3.4M"]);
  });
});
