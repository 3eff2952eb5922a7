// The proof-number tree of a running search, as rows. Two rules make 2,000 nodes readable: solved nodes are folded,
// and the critical line, where the search works, is open. The reader's own folding is stored by the moves of a line,
// since the indices of nodes change with every update.
import type { SearchNode, SearchTree } from "../../api/types";

export interface SearchRow {
  /** Index in the tree's list. */
  index: number;
  /** The moves from the root as text: a line has the same key in every update. */
  key: string;
  indent: number;
  node: SearchNode;
  children: number;
  folded: boolean;
  /** The last node of the critical line. */
  leaf: boolean;
}

/** `toggled`: the keys of rows that the reader folded or opened against the rule. */
export function searchRows(tree: SearchTree, toggled: ReadonlySet<string>): SearchRow[] {
  const nodes = tree.nodes;
  const children: number[][] = nodes.map(() => []);
  nodes.forEach((node, i) => {
    if (node.parent >= 0 && node.parent < i) children[node.parent]?.push(i);
  });
  const leaf = criticalLeaf(nodes);
  const rows: SearchRow[] = [];
  // An explicit stack: the depth of a search must not become the depth of a recursion.
  const stack: { index: number; key: string; indent: number }[] = [];
  if (nodes.length > 0) stack.push({ index: 0, key: "", indent: 0 });
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const node = nodes[top.index];
    if (node === undefined) continue;
    const below = children[top.index] ?? [];
    const folded = below.length > 0 && foldedByRule(node) !== toggled.has(top.key);
    rows.push({ ...top, node, children: below.length, folded, leaf: top.index === leaf });
    if (folded) continue;
    const sorted = [...below].sort((a, b) => rank(nodes[a]) - rank(nodes[b]) || a - b);
    for (let i = sorted.length - 1; i >= 0; i -= 1) {
      const index = sorted[i] as number;
      stack.push({ index, key: `${top.key}/${squaresKey(nodes[index])}`, indent: top.indent + 1 });
    }
  }
  return rows;
}

/** Whether a row is folded at first: all solved nodes, and all beside the critical line, but not the root. */
function foldedByRule(node: SearchNode): boolean {
  if (node.parent < 0) return false;
  return node.state === "proved" || node.state === "refuted" || !node.critical;
}

/** The order of siblings: critical, running, open, solved. */
function rank(node: SearchNode | undefined): number {
  if (node === undefined) return 9;
  if (node.critical) return 0;
  if (node.state === "running") return 1;
  if (node.state === "open") return 2;
  return node.state === "proved" ? 3 : 4;
}

function squaresKey(node: SearchNode | undefined): string {
  return node === undefined ? "" : [...node.squares].sort().join(" ");
}

/** The last node of the critical line: critical, and no critical child. */
export function criticalLeaf(nodes: SearchNode[]): number {
  const passed = new Set<number>();
  for (const node of nodes) if (node.critical) passed.add(node.parent);
  for (let i = nodes.length - 1; i >= 0; i -= 1) if (nodes[i]?.critical && !passed.has(i)) return i;
  return -1;
}

/** The moves from the root to a node, for the preview on the board. A null move stays: the sides
 * alternate. */
export function lineTo(tree: SearchTree, index: number): SearchNode[] {
  const line: SearchNode[] = [];
  let i = index;
  // A parent precedes its children, so the loop ends.
  while (i >= 0) {
    const node = tree.nodes[i];
    if (node === undefined || node.parent >= i) break;
    // The root is the position itself and has no move.
    if (node.parent >= 0) line.unshift(node);
    i = node.parent;
  }
  return line;
}

/** A proof number as text: 7, 1,250, 3.4M, and a sign for infinity. */
export function numberText(n: number | null): string {
  if (n === null) return "\u221e";
  if (n < 100_000) return n.toLocaleString("en");
  const units: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  for (const [size, unit] of units) {
    if (n >= size) return `${(n / size).toFixed(n >= 100 * size ? 0 : 1)}${unit}`;
  }
  return String(n);
}
