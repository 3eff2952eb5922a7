// Two writers of one text: nothing that was typed is lost, and no stored text is replaced unseen.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adopt, goTo, node } from "../src/state/document";
import { decideText, draftOf, drafts, flush, hasConflict, textOf, write } from "../src/state/drafts";
import { notices, spoken } from "../src/state/notices";
import { FakeServer, fakeDocument } from "./fake-server";

describe("a comment that was changed elsewhere", () => {
  let server: FakeServer;
  const comment = (): string => server.nodes[0]?.comment ?? "";
  const elsewhere = (text: string): void => {
    (server.nodes[0] as { comment: string }).comment = text;
  };
  beforeEach(async () => {
    server = new FakeServer();
    drafts.value = new Map();
    notices.value = [];
    spoken.value = "";
    elsewhere("before");
    adopt(fakeDocument(1), server.node(0));
    await write("comment", "mine");
    elsewhere("theirs");
    await flush();
  });

  it("is not replaced; both texts are there, and the writer hears of it", () => {
    expect([comment(), textOf("comment"), draftOf("comment")?.theirs]).toEqual(["theirs", "mine", "theirs"]);
    expect(server.edits()).toEqual([{ edit: "comment", node: 0, text: "mine", was: "before" }]);
    expect([hasConflict.value, spoken.value]).toEqual([true, "The comment was changed elsewhere while you wrote."]);
    expect(localStorage.getItem("sixproof.drafts")).toContain("theirs");
  });
  it("is not sent again before the writer decides, and typing goes on", async () => {
    await flush();
    expect(server.edits()).toHaveLength(1);
    await write("comment", "mine, and more");
    await flush();
    expect([server.edits().length, textOf("comment"), draftOf("comment")?.theirs]).toEqual([
      1,
      "mine, and more",
      "theirs",
    ]);
  });
  it("keep mine", async () => {
    decideText("comment", "mine");
    await vi.waitFor(() => expect(drafts.value.size).toBe(0));
    expect([comment(), textOf("comment")]).toEqual(["mine", "mine"]);
  });
  it("keep theirs", async () => {
    decideText("comment", "theirs");
    await vi.waitFor(() => expect(textOf("comment")).toBe("theirs"));
    expect([comment(), drafts.value.size]).toEqual(["theirs", 0]);
  });
  it("both are joined, and can be edited further", async () => {
    decideText("comment", "both");
    expect([textOf("comment"), draftOf("comment")?.theirs]).toEqual(["theirs\nmine", undefined]);
    await write("comment", "theirs and mine");
    await flush();
    expect([comment(), drafts.value.size]).toEqual(["theirs and mine", 0]);
  });
  it("a decision meets the next change of the other", async () => {
    elsewhere("theirs again");
    decideText("comment", "mine");
    await vi.waitFor(() => expect(draftOf("comment")?.theirs).toBe("theirs again"));
    expect([comment(), textOf("comment")]).toEqual(["theirs again", "mine"]);
  });
  it("at another node the notice leads there", async () => {
    decideText("comment", "mine");
    await vi.waitFor(() => expect(drafts.value.size).toBe(0));
    server.nodes.push({ parent: 0, squares: ["J10"], comment: "" });
    await write("comment", "written here");
    await goTo(1);
    elsewhere("changed there");
    notices.value = [];
    await flush();
    notices.value[0]?.action?.run();
    await vi.waitFor(() => expect(node.value?.id).toBe(0));
    expect([textOf("comment"), draftOf("comment")?.theirs]).toEqual(["written here", "changed there"]);
  });
});

describe("a comment", () => {
  it("that was saved while its answer was lost is no conflict", async () => {
    const server = new FakeServer();
    drafts.value = new Map();
    notices.value = [];
    adopt(fakeDocument(1), server.node(0));
    await write("comment", "mine");
    (server.nodes[0] as { comment: string }).comment = "mine";
    await flush();
    expect([drafts.value.size, notices.value]).toEqual([0, []]);
  });
  it("of a node that is gone is shown once more", async () => {
    const server = new FakeServer();
    drafts.value = new Map();
    notices.value = [];
    adopt(fakeDocument(1), server.node(0));
    await write("comment", "not to be lost");
    server.refuses = () => true;
    await flush();
    expect(notices.value[0]?.where).toBe("not to be lost");
  });
  it("is compared with what was saved last, not with what was there at first", async () => {
    const server = new FakeServer();
    drafts.value = new Map();
    adopt(fakeDocument(1), server.node(0));
    await write("comment", "one");
    let more: Promise<void> | null = null;
    server.gate = async ({ path }) => {
      if (path.endsWith("/edits") && more === null) more = write("comment", "one two");
    };
    await flush();
    server.gate = null;
    await flush();
    expect(server.edits()).toEqual([
      { edit: "comment", node: 0, text: "one", was: "" },
      { edit: "comment", node: 0, text: "one two", was: "one" },
    ]);
    expect(server.nodes[0]?.comment).toBe("one two");
  });
});
