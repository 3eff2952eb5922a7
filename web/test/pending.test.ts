// A click belongs to the position that the reader sees, whatever the server is doing: every order in which three
// clicks and all answers can come, with refusals, with another window's edits, and with a server that is away.
import { beforeEach, describe, expect, it } from "vitest";
import type { Edit, Game, Position } from "../src/api/types";
import { isSame } from "../src/game/rules";
import { actOn, placing } from "../src/input/board";
import { adopt, goTo, loose, node, seen, showLoose } from "../src/state/document";
import { afterEdits, discardWaiting, edit, isAway, play, resumeEdits, undo, waiting } from "../src/state/edits";
import { notices } from "../src/state/notices";
import { provisional } from "../src/state/overlay";
import { pending } from "../src/state/pending";
import { decide } from "../src/state/sync";
import { FakeServer, fakeDocument } from "./fake-server";
import { connect6 } from "./games";

const gomoku: Game = { ...connect6, name: "gomoku", cols: 15, rows: 15, k: 5, p: 1, q: 1 };

/** Waits until the page has done all that it can do without another answer. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 60; i++) await Promise.resolve();
}

/** A server whose answers come when the test lets them. The reader's node is stored at once. */
class HeldServer extends FakeServer {
  private held: (() => void)[] = [];
  constructor(
    game: Game,
    readonly from: "oldest" | "newest",
  ) {
    super(game);
    this.gate = ({ path }) => (path.endsWith("/at") ? Promise.resolve() : new Promise((go) => this.held.push(go)));
  }
  get open(): number {
    return this.held.length;
  }
  async answerOne(): Promise<boolean> {
    const go = this.from === "oldest" ? this.held.shift() : this.held.pop();
    go?.();
    await quiet();
    return go !== undefined;
  }
  async answerAll(): Promise<void> {
    await quiet();
    while (await this.answerOne());
    this.gate = null;
  }
}

/** What the reader saw at a move. */
type Seen = { squares: string; position: Position };

/** Every stored move was placed in the position that the server has there. */
function expectRightPlaces(server: FakeServer, clicks: readonly Seen[]): void {
  server.nodes.forEach((stored, id) => {
    if (id === 0 || stored.isGone) return;
    const click = clicks.find((one) => one.squares === stored.squares.join(" "));
    const there = server.node(stored.parent ?? 0).position;
    if (click === undefined) throw new Error(`${stored.squares.join(" ")} was not clicked`);
    expect(isSame(there, click.position)).toBe(true);
  });
}

/** Clicks, and stores what the reader saw. A click that is refused at once counts, too. */
function click(square: string, clicks: Seen[]): void {
  const position = seen.value?.position as Position;
  const placed = provisional.value;
  actOn(square);
  if (provisional.value.length === 0) clicks.push({ squares: [...placed, square].join(" "), position });
}

/** The second and the third click come after these numbers of answers, counted from the first click. */
const ORDERS: [number, number][] = [];
for (let second = 0; second <= 12; second++) {
  for (let third = second; third <= 12; third++) ORDERS.push([second, third]);
}

async function begin(server: FakeServer): Promise<void> {
  await quiet();
  expect(pending.value).toEqual([]);
  notices.value = [];
  provisional.value = [];
  adopt(fakeDocument(1, server.game), server.node(0));
  await quiet();
}

async function run(
  server: HeldServer,
  squares: readonly string[],
  [second, third]: [number, number],
  meanwhile: (answers: number) => void = () => undefined,
): Promise<Seen[]> {
  const clicks: Seen[] = [];
  click(squares[0] as string, clicks);
  await quiet();
  for (let answers = 0; answers <= 12; answers++) {
    meanwhile(answers);
    if (answers === second) click(squares[1] as string, clicks);
    if (answers === third) click(squares[2] as string, clicks);
    await quiet();
    await server.answerOne();
  }
  await server.answerAll();
  expect(await afterEdits()).toBe(true);
  return clicks;
}

describe("clicks and a slow server", () => {
  for (const from of ["oldest", "newest"] as const) {
    it(`three moves of one stone, ${from} answer first: every interleaving`, async () => {
      for (const order of ORDERS) {
        const server = new HeldServer(gomoku, from);
        await begin(server);
        await run(server, ["H8", "I9", "J10"], order);
        expect(server.lines()).toEqual(["H8", "H8 / I9", "H8 / I9 / J10"]);
        expect([node.value?.id, notices.value]).toEqual([3, []]);
      }
    });
    it(`a move of one stone, then one of two, ${from} answer first: every interleaving`, async () => {
      for (const order of ORDERS) {
        const server = new HeldServer(connect6, from);
        await begin(server);
        await run(server, ["J10", "K11", "L12"], order);
        expect(server.edits()).toEqual([
          { edit: "move", node: 0, squares: ["J10"] },
          { edit: "move", node: 1, squares: ["K11", "L12"] },
        ]);
        expect([node.value?.id, provisional.value, notices.value]).toEqual([2, [], []]);
      }
    });
    it(`a refused move takes those after it along, by name, ${from} answer first: every interleaving`, async () => {
      for (const order of ORDERS) {
        const server = new HeldServer(gomoku, from);
        const isRefused = (what: Edit): boolean => what.edit === "move" && what.squares[0] === "I9";
        server.refuses = isRefused;
        await begin(server);
        const clicks = await run(server, ["H8", "I9", "J10"], order);
        expectRightPlaces(server, clicks);
        const lost = ["I9", "J10"].filter((square) => !server.lines().some((line) => line.endsWith(square)));
        expect(notices.value.map((notice) => notice.text)).toEqual([`Not played: ${lost.join(" / ")}`]);
      }
    });
    it(`another window adds a move or deletes one, ${from} answer first: every interleaving`, async () => {
      for (const order of ORDERS) {
        for (const when of [0, 1, 3, 5]) {
          const server = new HeldServer(gomoku, from);
          await begin(server);
          let isDone = false;
          const clicks = await run(server, ["H8", "I9", "J10"], order, (answers) => {
            if (answers < when || isDone || server.nodes.length < 2) return;
            isDone = true;
            server.remove(1);
            decide({ seq: 1, event: "document", document: "d", revision: server.revision, nodes: [], removed: false });
          });
          expect(isDone).toBe(true);
          expectRightPlaces(server, clicks);
          // Each move is stored, or named as not played, or was deleted with the one below it.
          const said = notices.value.map((notice) => notice.text).join();
          for (const { squares } of clicks) {
            const stored = server.nodes.some((one) => one.squares.join(" ") === squares);
            expect(stored || said.includes(squares)).toBe(true);
          }
        }
      }
    });
  }

  it("the reader sees each move at once, and whose turn it is", async () => {
    const server = new HeldServer(connect6, "oldest");
    await begin(server);
    actOn("J10");
    expect([seen.value?.position.black, placing.value]).toEqual([["J10"], { count: 2, color: "white" }]);
    actOn("J10");
    expect(provisional.value).toEqual([]);
    actOn("K11");
    actOn("L12");
    expect([seen.value?.position.white, seen.value?.turn, placing.value.color]).toEqual([["K11", "L12"], 2, "black"]);
    await quiet();
    expect([node.value?.id, server.edits()]).toEqual([0, [{ edit: "move", node: 0, squares: ["J10"] }]]);
    await server.answerAll();
    await afterEdits();
    expect(node.value?.id).toBe(2);
  });
  it("no stone is placed after a line that the server has not seen yet", async () => {
    const server = new HeldServer({ ...gomoku, k: 2 }, "oldest");
    await begin(server);
    for (const square of ["A1", "C3", "A2"]) actOn(square);
    expect([seen.value?.position.winner, placing.value.count]).toEqual(["black", 0]);
    actOn("C4");
    await server.answerAll();
    await afterEdits();
    expect(server.lines()).toEqual(["A1", "A1 / C3", "A1 / C3 / A2"]);
  });
  it("labels, undo and typed edits behind a move belong to it", async () => {
    const server = new HeldServer(gomoku, "oldest");
    await begin(server);
    void play(["H8"]);
    const label = edit((at) => ({ edit: "label", node: at, square: "A1", text: "A" }));
    const undone = undo();
    await server.answerAll();
    await Promise.all([label, undone]);
    expect(server.edits()[1]).toEqual({ edit: "label", node: 1, square: "A1", text: "A" });
    expect(server.asked.filter((one) => one.path.endsWith("/undo"))).toHaveLength(1);
  });
  it("an undo behind a refused move undoes nothing else", async () => {
    const server = new HeldServer(gomoku, "oldest");
    server.refuses = () => true;
    await begin(server);
    void play(["H8"]);
    const undone = undo();
    await server.answerAll();
    expect(await undone).toBeNull();
    expect(server.asked.some((one) => one.path.endsWith("/undo"))).toBe(false);
  });
  it("a reader who went elsewhere is not turned back, and his next stone belongs to where he is", async () => {
    const server = new HeldServer(gomoku, "oldest");
    server.gate = null;
    await begin(server);
    await play(["H8"]);
    await play(["I9"]);
    const held = new HeldServer(gomoku, "oldest");
    held.nodes = server.nodes;
    void play(["J10"]);
    await quiet();
    const there = goTo(1);
    await held.answerAll();
    await there;
    actOn("G7");
    await afterEdits();
    expect(held.lines()).toEqual(["H8", "H8 / I9", "H8 / I9 / J10", "H8 / G7"]);
    expect(seen.value?.position.white).toEqual(["G7"]);
  });
  it("moves in a position of a link go to the document that is made of it", async () => {
    class LinkServer extends FakeServer {
      protected override make(asked: Parameters<FakeServer["make"]>[0]): unknown {
        if (asked.path === "/documents") return { ...fakeDocument(1, gomoku), at: 0 };
        return super.make(asked);
      }
    }
    const server = new LinkServer(gomoku);
    await begin(server);
    showLoose(gomoku, "", server.node(0).position);
    actOn("H8");
    actOn("I9");
    expect(await afterEdits()).toBe(true);
    expect(server.lines()).toEqual(["H8", "H8 / I9"]);
    expect([loose.value, node.value?.id]).toEqual([null, 2]);
  });
});

describe("a server that is away", () => {
  let server: FakeServer;
  beforeEach(async () => {
    server = new FakeServer(gomoku);
    await begin(server);
    await play(["H8"]);
    server.isAway = true;
    actOn("I9");
    actOn("J10");
    expect(await afterEdits()).toBe(false);
  });

  it("moves wait, are shown, and are sent in order when it is back", async () => {
    expect([isAway.value, waiting.value.length, seen.value?.position.black]).toEqual([true, 2, ["H8", "J10"]]);
    server.isAway = false;
    resumeEdits();
    expect(await afterEdits()).toBe(true);
    expect(server.lines()).toEqual(["H8", "H8 / I9", "H8 / I9 / J10"]);
    expect([isAway.value, node.value?.id, notices.value]).toEqual([false, 3, []]);
  });
  it("a move whose answer was lost is not made twice", async () => {
    server.nodes.push({ parent: 1, squares: ["I9"], comment: "" });
    server.isAway = false;
    resumeEdits();
    await afterEdits();
    expect(server.lines()).toEqual(["H8", "H8 / I9", "H8 / I9 / J10"]);
  });
  it("moves are refused by name if their position is gone, or is another one", async () => {
    for (const change of [
      () => server.remove(1),
      () => {
        (server.nodes[1] as { squares: string[] }).squares = ["A1"];
      },
    ]) {
      if (waiting.value.length === 0) {
        server = new FakeServer(gomoku);
        await begin(server);
        await play(["H8"]);
        server.isAway = true;
        actOn("I9");
        actOn("J10");
        await afterEdits();
      }
      change();
      server.isAway = false;
      resumeEdits();
      await afterEdits();
      expect(server.nodes).toHaveLength(2);
      expect(notices.value.map((notice) => notice.text)).toContain("Not played: I9 / J10");
      expect(waiting.value).toEqual([]);
    }
  });
  it("what is no move is refused at once, and says so", async () => {
    const done = await edit((at) => ({ edit: "label", node: at, square: "A1", text: "A" }));
    expect(done).toBeNull();
    expect(notices.value.map((notice) => notice.text).join()).toMatch(/Nothing was changed/);
    server.isAway = false;
    resumeEdits();
    await afterEdits();
    expect(server.edits().filter((one) => one.edit === "label")).toEqual([]);
  });
  it("waiting moves can be discarded, and are named", async () => {
    discardWaiting();
    expect([pending.value, seen.value?.position.black]).toEqual([[], ["H8"]]);
    expect(notices.value.map((notice) => notice.text)).toEqual(["Discarded: I9 / J10"]);
    server.isAway = false;
    await play(["G7"]);
    expect(server.lines()).toEqual(["H8", "H8 / G7"]);
  });
});
