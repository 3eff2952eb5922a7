import { beforeEach, describe, expect, it, vi } from "vitest";
import { scene } from "../src/board/shown";
import { actBack, actOn, leave, playTyped } from "../src/input/board";
import { stepForward } from "../src/input/steps";
import { adopt, doc, goTo, node, refresh } from "../src/state/document";
import { drafts, flush, textOf, write } from "../src/state/drafts";
import { boardMode, enterMode, leaveMode, preview, provisional, showLine } from "../src/state/overlay";
import { decide } from "../src/state/sync";
import { FakeServer, fakeDocument } from "./fake-server";

const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

describe("editing", () => {
  let server: FakeServer;
  beforeEach(async () => {
    await settled();
    server = new FakeServer();
    drafts.value = new Map();
    adopt(fakeDocument(1), server.node(0));
  });

  it("Black's first stone is a move; then two stones are one edit", async () => {
    actOn("J10");
    await settled();
    expect(node.value?.id).toBe(1);
    actOn("K11");
    expect(provisional.value).toEqual(["K11"]);
    actOn("L12");
    await settled();
    expect(server.edits()).toEqual([
      { edit: "move", node: 0, squares: ["J10"] },
      { edit: "move", node: 1, squares: ["K11", "L12"] },
    ]);
    expect([node.value?.id, provisional.value]).toEqual([2, []]);
  });
  it("Esc and the right button take back a stone before anything else", async () => {
    actOn("J10");
    await settled();
    actOn("K11");
    leave();
    expect(provisional.value).toEqual([]);
    actOn("K11");
    actBack(null);
    expect([provisional.value, node.value?.id]).toEqual([[], 1]);
    actBack(null);
    await settled();
    expect(node.value?.id).toBe(0);
  });
  it("a stone on a stone is nothing", async () => {
    actOn("J10");
    await settled();
    actOn("J10");
    expect(provisional.value).toEqual([]);
  });
  it("typed moves are played, and the wrong word is returned", async () => {
    expect(playTyped("j10")).toBeNull();
    await settled();
    expect(playTyped("k11 j10")).toBe("j10");
    expect(playTyped("k11 z99")).toBe("z99");
    expect(playTyped("k11 l12")).toBeNull();
    await settled();
    expect(server.edits()).toHaveLength(2);
  });
  it("a pane that has taken the board gets the moves, and the document none", () => {
    const moves: string[][] = [];
    enterMode({ name: "x", stones: () => ({ count: 2, color: "white" }), onMove: (squares) => moves.push(squares) });
    actOn("A1");
    actOn("B1");
    leaveMode("x");
    expect([moves, server.edits(), boardMode.value]).toEqual([[["A1", "B1"]], [], null]);
  });
  it("steps go through the previewed line, and never beyond its ends", () => {
    showLine("x", "black", [["A1"], ["B1"], ["C1"]], 1);
    for (let i = 0; i < 5; i++) stepForward();
    expect(preview.value?.shown).toBe(3);
    expect(node.value?.id).toBe(0);
    leave();
    expect(preview.value).toBeNull();
  });
  it("a ghost never lies over a stone", async () => {
    actOn("J10");
    await settled();
    showLine("x", "white", [["J10", "K11"]]);
    expect(scene.value?.ghosts.map((ghost) => ghost.square)).toEqual(["K11"]);
    leave();
  });
  it("a refresh while a node is fetched does not turn back", async () => {
    actOn("J10");
    await settled();
    const first = goTo(0);
    const second = refresh();
    await Promise.all([first, second]);
    expect(node.value?.id).toBe(0);
  });
  it("our own edits are not fetched twice; those of others are", async () => {
    actOn("J10");
    await settled();
    const count = server.asked.length;
    decide({ seq: 1, event: "document", document: "d", revision: 2, nodes: [1], removed: false });
    await new Promise((done) => setTimeout(done, 80));
    expect(server.asked.length).toBe(count);
    server.revision = 3;
    decide({ seq: 2, event: "document", document: "d", revision: 3, nodes: [1], removed: false });
    await new Promise((done) => setTimeout(done, 80));
    expect(doc.value?.revision).toBe(3);
  });
  it("text survives a server that is away, and is saved when it is back", async () => {
    server.isAway = true;
    await write("comment", "not lost");
    await flush();
    expect(textOf("comment")).toBe("not lost");
    expect(localStorage.getItem("sixproof.drafts")).toContain("not lost");
    server.isAway = false;
    await flush();
    expect(server.nodes[0]?.comment).toBe("not lost");
    expect(drafts.value.size).toBe(0);
    expect(textOf("comment")).toBe("not lost");
  });
  it("text goes to the node where it was typed, wherever the reader is when it is saved", async () => {
    await write("comment", "about the start");
    actOn("J10");
    await settled();
    await flush();
    expect(server.nodes.map((one) => one.comment)).toEqual(["about the start", ""]);
  });
  it("what is typed while a text is saved is saved, too", async () => {
    await write("comment", "one");
    let more: Promise<void> | null = null;
    server.gate = async ({ path }) => {
      if (path.endsWith("/edits") && more === null) more = write("comment", "one two");
    };
    await flush();
    server.gate = null;
    expect(textOf("comment")).toBe("one two");
    await vi.waitFor(() => expect(server.nodes[0]?.comment).toBe("one two"), { timeout: 2_000 });
  });
});
