// Files with several games, and files with rules that are not known here: the reader chooses.
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameSummary } from "../src/api/types";
import { choosing, countTrees, mayBeCollection } from "../src/files/collection";
import { openBytes } from "../src/files/open";
import { Sheets } from "../src/layout/Sheet";
import { DocumentNotes } from "../src/panes/DocumentNotes";
import { adopt } from "../src/state/document";
import { notices } from "../src/state/notices";
import { question } from "../src/state/question";
import { language } from "../src/words";
import { type Asked, FakeServer, fakeDocument } from "./fake-server";
import { connect6 } from "./games";

const game = (number: number, more: Partial<GameSummary> = {}): GameSummary => ({
  number,
  title: `Game ${number}`,
  game: connect6,
  black: "a",
  white: "b",
  result: "B+",
  moves: 30 + number,
  ...more,
});

class OpeningServer extends FakeServer {
  games: GameSummary[] = [];
  isRenju = false;
  opened: string[] = [];
  protected override make(asked: Asked): unknown {
    if (asked.path === "/collection") return this.games;
    if (asked.path === "/documents") return [];
    if (!asked.path.startsWith("/documents/open")) return super.make(asked);
    const query = asked.path.split("?")[1] ?? "";
    if (this.isRenju && !query.includes("anyway=true"))
      return this.refuse("other-rules", "x: its rules are `renju`, which are not known here");
    this.opened.push(query);
    return { document: fakeDocument(1), format: "SGF", notes: [], noted: [] };
  }
}

let server: OpeningServer;
let root: HTMLElement;
const buttons = (): HTMLButtonElement[] => [...root.querySelectorAll("button")];
const press = (text: string): Promise<void> =>
  act(() =>
    buttons()
      .find((one) => one.textContent?.includes(text))
      ?.click(),
  );
const key = (target: Element | null, name: string): Promise<void> =>
  act(() => void target?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })));
const shown = (is: () => unknown): Promise<void> => vi.waitFor(() => expect(is()).toBeTruthy());

beforeEach(() => {
  server = new OpeningServer();
  notices.value = [];
  root = document.createElement("div");
  document.body.append(root);
  render(<Sheets />, root);
});
afterEach(() => {
  render(null, root);
  root.remove();
});

const TWO = "(;GM[511];B[jj](;W[aa])(;W[bb])) (;GM[511]C[a \\] ( comment];B[jj])";

describe("files with several games", () => {
  it("trees beside each other are counted, not variations or brackets in texts", async () => {
    expect([
      countTrees(TWO),
      countTrees("(;B[jj](;W[aa])(;W[bb]))"),
      countTrees("(;C[(;x) (;y)])"),
      countTrees("j10 k11"),
    ]).toEqual([2, 1, 1, 0]);
    expect(await mayBeCollection(new Blob([TWO]))).toBe(true);
    expect(await mayBeCollection(new Blob(["(;C[(;x)];B[jj])"]))).toBe(false);
    expect(await mayBeCollection(new Blob([Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0])]))).toBe(true);
    const big5 = [..."(;C[", 0xa4, 0x5d, ..."];B[jj])(;B[jj])"].map((c) =>
      typeof c === "string" ? c.charCodeAt(0) : c,
    );
    expect(await mayBeCollection(new Blob([Uint8Array.from(big5)]))).toBe(true);
  });
  it("one of them is chosen", async () => {
    server.games = [game(1), game(2, { title: "", black: "" }), game(3)];
    const opening = openBytes(TWO, "games.sgf");
    await shown(() => root.querySelector("[role=dialog]"));
    expect(root.textContent).toContain("games.sgf has 3 games. Which one?");
    expect(root.textContent).toContain("Untitled? – b · B+ · Connect6, 19 x 19 · 32 moves");
    await press("Game 3");
    expect(await opening).toBe(true);
    expect([server.opened, choosing.value]).toEqual([["name=games.sgf&format=auto&number=3"], null]);
  });
  it("all of them are opened", async () => {
    server.games = [game(1), game(2)];
    const opening = openBytes(TWO, "x");
    await shown(() => root.querySelector("[role=dialog]"));
    await press("Open all 2");
    await opening;
    expect(server.opened).toEqual(["name=x&format=auto&number=1", "name=x&format=auto&number=2"]);
  });
  it("none of them", async () => {
    server.games = [game(1), game(2)];
    const opening = openBytes(TWO, "x");
    await shown(() => root.querySelector("[role=dialog]"));
    await press("Cancel");
    expect([await opening, server.opened]).toEqual([false, []]);
  });
  it("one that is typed, of thousands, of which few are listed", async () => {
    server.games = Array.from({ length: 5_000 }, (_, i) => game(i + 1));
    const opening = openBytes(TWO, "x");
    await shown(() => root.querySelector("[role=dialog]"));
    expect(root.querySelectorAll("li button")).toHaveLength(200);
    expect(root.textContent).not.toContain("Open all");
    const field = root.querySelector("input") as HTMLInputElement;
    await act(() => {
      field.value = "game 4321";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await key(field, "Enter");
    await opening;
    expect(server.opened).toEqual(["name=x&format=auto&number=4321"]);
  });
  it("a server without the list opens as before", async () => {
    server.games = [game(1)];
    await openBytes(TWO, "x");
    expect(server.opened).toEqual(["name=x&format=auto"]);
    await openBytes("(;GM[511];B[jj])", "y");
    expect(server.asked.filter((one) => one.path === "/collection")).toHaveLength(1);
  });
});

describe("rules that are not known", () => {
  it("are asked about, and opened by choice", async () => {
    server.isRenju = true;
    const opening = openBytes("(;GM[4];B[hh])", "x");
    await shown(() => question.value);
    await vi.waitFor(() =>
      expect(root.textContent).toContain(
        "These are Renju rules, which sixproof does not know. Open it as free-style Go-Moku?",
      ),
    );
    await press("Open as free-style Go-Moku");
    expect(await opening).toBe(true);
    expect(server.opened).toEqual(["name=x&format=auto&anyway=true"]);
  });
  it("are left alone by choice", async () => {
    server.isRenju = true;
    const opening = openBytes("(;GM[4];B[hh])", "x");
    await shown(() => question.value);
    await shown(() => root.querySelector("[role=dialog]"));
    await key(root.querySelector("[role=dialog]"), "Escape");
    expect([await opening, server.opened, notices.value]).toEqual([false, [], []]);
  });
  it("stay in sight with the document, as does what could not be recovered", async () => {
    const facts = { info: [{ key: "RU", value: "Renju" }] };
    adopt({ ...fakeDocument(1), ...facts }, server.node(0));
    render(<DocumentNotes />, root);
    await vi.waitFor(() => expect(root.textContent).toContain("what is proved holds for that game only"));
    const left = { kind: "edit-left-out" as const, at: "7", squares: [], color: null, keys: [], rules: null, more: 0 };
    adopt({ ...fakeDocument(1), notes: ["edit 7 could not be made again"], noted: [left] }, server.node(0));
    await vi.waitFor(() => expect(root.textContent).toBe("⚠ edit 7 could not be made again"));
    language.value = "zh-TW";
    await vi.waitFor(() => expect(root.textContent).toBe("⚠ 第 7 項編輯無法復原，已略去。"));
  });
});
