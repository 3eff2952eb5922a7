// A server of a few lines, in place of fetch: one document whose moves are stored.
import { vi } from "vitest";
import type { Document, Edit, FarmAnswer, Game, Node } from "../src/api/types";
import { connect6 } from "./games";

export interface Asked {
  method: string;
  path: string;
  body: unknown;
}

export function fakeDocument(revision: number, game = connect6): Document {
  return {
    id: "d",
    title: "",
    game,
    nodes: 1,
    revision,
    createdMs: 0,
    changedMs: 0,
    info: [],
    notes: [],
    noted: [],
    canUndo: false,
    canRedo: false,
    undoes: null,
    redoes: null,
    undoDeed: null,
    redoDeed: null,
    at: 0,
  };
}

interface Stored {
  parent: number | null;
  squares: string[];
  comment: string;
  isGone?: boolean;
}

/** A request that the server refuses. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: Record<string, unknown>,
  ) {
    super(String(problem.title));
  }
}

const refuse = (status: number, kind: string, more: Record<string, unknown> = {}): never => {
  throw new Refusal(status, { status, title: `refused: ${kind}`, help: null, where: null, kind, ...more });
};

/** The part of a Response that the page reads; its promises need no timers. */
function response(status: number, body: unknown): Response {
  const text = JSON.stringify(body);
  return {
    ok: status < 400,
    status,
    statusText: "",
    headers: new Headers({ "content-type": "application/json" }),
    json: async () => JSON.parse(text) as unknown,
    text: async () => text,
  } as Response;
}

export class FakeServer {
  asked: Asked[] = [];
  nodes: Stored[] = [{ parent: null, squares: [], comment: "" }];
  revision = 1;
  isAway = false;
  farm: FarmAnswer = { farm: null };
  /** Answers wait for this, if it is set. */
  gate: ((asked: Asked) => Promise<void>) | null = null;
  /** Refuses an edit before it is looked at, if it is set. */
  refuses: ((edit: Edit) => boolean) | null = null;

  constructor(readonly game: Game = connect6) {
    vi.stubGlobal("fetch", (input: string, init?: RequestInit) => this.answer(input, init));
  }

  edits(): Edit[] {
    return this.asked.filter((one) => one.path.endsWith("/edits")).map((one) => one.body as Edit);
  }

  /** The stored moves, each with the way to it. */
  lines(): string[] {
    return this.nodes.flatMap((one, id) => (one.isGone || id === 0 ? [] : [this.wayTo(id).join(" / ")]));
  }

  private path(id: number): number[] {
    const path: number[] = [];
    for (let at: number | null = id; at !== null; at = this.nodes[at]?.parent ?? null) path.unshift(at);
    return path;
  }

  private wayTo = (id: number): string[] =>
    this.path(id)
      .slice(1)
      .map((at) => this.nodes[at]?.squares.join(" ") ?? "");

  node(id: number, or: readonly number[] = []): Node {
    const found = [id, ...or].find((one) => this.nodes[one] !== undefined && !this.nodes[one].isGone);
    if (found === undefined) return refuse(404, "node-gone");
    const stored = this.nodes[found] as Stored;
    const path = this.path(found);
    const moves = path.map((at) => this.nodes[at]?.squares ?? []).slice(1);
    const played = moves.flatMap((move, i) =>
      move.map((square) => ({ square, color: (i % 2 === 0 ? "black" : "white") as "black" | "white", turn: i + 1 })),
    );
    const of = (color: string): string[] => played.filter((s) => s.color === color).map((s) => s.square);
    return {
      id: found,
      parent: stored.parent,
      path,
      turn: moves.length,
      stones: played.filter((s) => s.turn === moves.length),
      setup: [],
      name: "",
      comment: stored.comment,
      labels: [],
      marks: [],
      arrows: [],
      dimmed: [],
      position: {
        black: of("black"),
        white: of("white"),
        toMove: moves.length % 2 === 0 ? "black" : "white",
        left: moves.length === 0 ? this.game.q : this.game.p,
        winner: null,
        isFull: false,
        winningSquares: [],
        played,
      },
      children: [],
      sibling: { index: 0, count: 1 },
      results: [],
      verdict: null,
      links: [],
      moves: "",
    };
  }

  /** Refuses a request. */
  protected refuse = (kind: string, title = ""): never => refuse(409, kind, { title });

  /** Deletes a node and all below it. */
  remove(id: number): void {
    this.nodes.forEach((one, at) => {
      if (this.path(at).includes(id)) one.isGone = true;
    });
    this.revision += 1;
  }

  private move(edit: Extract<Edit, { edit: "move" }>): { node: number; changed: boolean } {
    const { position } = this.node(edit.node);
    const taken = [...position.black, ...position.white];
    if (edit.squares.some((square) => taken.includes(square))) refuse(400, "square-taken");
    if (edit.squares.length > position.left) refuse(400, "too-many-stones");
    const same = this.nodes.findIndex(
      (one) => one.parent === edit.node && !one.isGone && one.squares.join() === edit.squares.join(),
    );
    if (same >= 0) return { node: same, changed: false };
    this.nodes.push({ parent: edit.node, squares: edit.squares, comment: "" });
    return { node: this.nodes.length - 1, changed: true };
  }

  private change(edit: Edit): unknown {
    if (this.refuses?.(edit)) refuse(400, "square-taken");
    let [node, changed] = ["node" in edit ? edit.node : 0, true];
    if (edit.edit === "move") ({ node, changed } = this.move(edit));
    else if (edit.edit === "comment") {
      const stored = this.nodes[edit.node] as Stored;
      if (edit.was !== undefined && edit.was !== stored.comment)
        refuse(409, "textChanged", { present: stored.comment });
      stored.comment = edit.text;
    } else changed = false;
    if (changed) this.revision += 1;
    return { revision: this.revision, node, changed, notes: [], noted: [] };
  }

  private async answer(input: string, init?: RequestInit): Promise<Response> {
    const isText = typeof init?.body === "string";
    const body: unknown = isText ? JSON.parse(String(init?.body)) : (init?.body ?? null);
    const asked = { method: init?.method ?? "GET", path: input.replace(/^api/, ""), body };
    this.asked.push(asked);
    if (this.isAway) throw new TypeError("no network");
    let [status, answer]: [number, unknown] = [200, null];
    try {
      answer = this.make(asked);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      [status, answer] = [error.status, error.problem];
    }
    if (this.gate) await this.gate(asked);
    return response(status, answer);
  }

  protected make({ path, body }: Asked): unknown {
    const node = /\/nodes\/(\d+)(?:\?or=([\d%C,]+))?$/.exec(path);
    if (node)
      return this.node(
        Number(node[1]),
        decodeURIComponent(node[2] ?? "")
          .split(",")
          .filter(Boolean)
          .map(Number),
      );
    if (path.endsWith("/edits")) return this.change(body as Edit);
    if (path === "/documents/d") return fakeDocument(this.revision, this.game);
    if (path === "/farm") return this.farm;
    return null;
  }
}
