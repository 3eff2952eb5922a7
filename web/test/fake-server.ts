// A server of a few lines, in place of fetch: one document whose moves are stored.
import { vi } from "vitest";
import type { Document, Edit, FarmStatus, Node } from "../src/api/types";
import { connect6 } from "./games";

export interface Asked {
  method: string;
  path: string;
  body: unknown;
}

export function fakeDocument(revision: number): Document {
  return {
    id: "d", title: "", game: connect6, nodes: 1, revision, createdMs: 0, changedMs: 0, info: [],
    canUndo: false, canRedo: false, undoes: null, redoes: null, undoDeed: null, redoDeed: null, at: 0,
  };
}

interface Stored {
  parent: number | null;
  squares: string[];
  comment: string;
}

export class FakeServer {
  asked: Asked[] = [];
  nodes: Stored[] = [{ parent: null, squares: [], comment: "" }];
  revision = 1;
  isAway = false;
  farm: FarmStatus = { farm: null };
  /** Answers wait for this, if it is set. */
  gate: ((asked: Asked) => Promise<void>) | null = null;

  constructor() {
    vi.stubGlobal("fetch", (input: string, init?: RequestInit) => this.answer(input, init));
  }

  edits(): Edit[] {
    return this.asked.filter((one) => one.path.endsWith("/edits")).map((one) => one.body as Edit);
  }

  node(id: number): Node {
    const stored = this.nodes[id] as Stored;
    const path: number[] = [];
    for (let at: number | null = id; at !== null; at = this.nodes[at]?.parent ?? null) path.unshift(at);
    const moves = path.map((at) => this.nodes[at]?.squares ?? []).slice(1);
    const played = moves.flatMap((move, i) =>
      move.map((square) => ({ square, color: (i % 2 === 0 ? "black" : "white") as "black" | "white", turn: i + 1 })),
    );
    const of = (color: string): string[] => played.filter((s) => s.color === color).map((s) => s.square);
    return {
      id, parent: stored.parent, path, turn: moves.length,
      stones: played.filter((s) => s.turn === moves.length), setup: [], name: "", comment: stored.comment,
      labels: [], marks: [], arrows: [], dimmed: [],
      position: {
        black: of("black"), white: of("white"), toMove: moves.length % 2 === 0 ? "black" : "white",
        left: moves.length === 0 ? 1 : 2, winner: null, isFull: false, winningSquares: [], played,
      },
      children: [], sibling: { index: 0, count: 1 }, results: [], verdict: null, links: [], moves: "",
    };
  }

  private change(edit: Edit): unknown {
    let [node, changed] = ["node" in edit ? edit.node : 0, true];
    if (edit.edit === "move") {
      this.nodes.push({ parent: edit.node, squares: edit.squares, comment: "" });
      node = this.nodes.length - 1;
    } else if (edit.edit === "comment") {
      (this.nodes[edit.node] as Stored).comment = edit.text;
    } else changed = false;
    if (changed) this.revision += 1;
    return { revision: this.revision, node, changed, notes: [], noted: [] };
  }

  private async answer(input: string, init?: RequestInit): Promise<Response> {
    const body: unknown = init?.body ? JSON.parse(String(init.body)) : null;
    const asked = { method: init?.method ?? "GET", path: input.replace(/^api/, ""), body };
    this.asked.push(asked);
    if (this.isAway) throw new TypeError("no network");
    const answer = this.make(asked);
    if (this.gate) await this.gate(asked);
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  }

  private make({ path, body }: Asked): unknown {
    const node = /\/nodes\/(\d+)(\?or=[\d,]+)?$/.exec(path);
    if (node) return this.node(Number(node[1]));
    if (path.endsWith("/edits")) return this.change(body as Edit);
    if (path === "/documents/d") return fakeDocument(this.revision);
    if (path === "/farm") return this.farm;
    return null;
  }
}
