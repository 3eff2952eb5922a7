// Data of the server have words in every language of the page. A test of the server (crates/cli/tests/serve) writes
// server-names.json, and docs/openapi.json lists the kinds: a new style, game, position or kind without words fails
// here.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type {
  Deed,
  DeedKind,
  Names,
  Note,
  NoteKind,
  Players,
  Problem,
  ProblemKind,
  Tally,
  Why,
  WhyKind,
} from "../src/api/types";
import { allWords, LANGUAGES } from "../src/words";
import { noteTexts, reasonText } from "../src/words/server";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const { players, names, puzzleTitle } = JSON.parse(read("server-names.json")) as {
  players: Players;
  names: Names;
  puzzleTitle: string;
};
const { schemas } = JSON.parse(read("../../docs/openapi.json")).components as {
  schemas: Record<string, { enum: string[] }>;
};
const kinds = <T extends string>(name: string): T[] => schemas[name]?.enum as T[];

const en = allWords.en.server;
const zh = allWords["zh-TW"].server;
/** The names of programs and formats stay as they are; so does what is typed. */
const NAMES =
  /sixproof|NCTU6|Kagami|Connect\([\d,]+\)|[TX]X?-[A-Z]\d+|I7-G9|SGF|CCGC|RenLib|psq|connectk|gomoku|connect6/g;

function expectChinese(text: string): void {
  expect(text).toMatch(/[\u4e00-\u9fff]/);
  expect(text.replace(NAMES, "")).not.toMatch(/[A-Za-z]{3,}/);
  expect(text).not.toMatch(/undefined|null|NaN/);
}

const why = (kind: WhyKind, order: number | null): Why => ({
  kind,
  by: "black",
  k: 6,
  style: "random",
  order,
  danger: ["C3"],
});
const deed = (kind: DeedKind): Deed => ({ kind, squares: ["J10"], turn: 3, nodes: 2, key: "PB" });
const note = (kind: NoteKind): Note => ({
  kind,
  at: "3",
  squares: ["J10"],
  color: "white",
  keys: ["PB"],
  rules: null,
  more: 4,
});
const problem = (kind: ProblemKind | null, status = 422): Pick<Problem, "status" | "title" | "help" | "kind"> => ({
  status,
  title: "Said in English",
  help: "helped in English",
  kind,
});
const TALLY: Tally = { positions: 12, wins: 3, thrownAway: 1 };

describe("words for what the server says", () => {
  it.each(players.styles)("style $name", (style) => {
    expectChinese(zh.styleAbout(style));
    expect(zh.styleAbout(style)).not.toBe(style.about);
    expect(en.styleAbout(style)).toBe(style.about);
  });

  it("a style is called by its own name only if it is named after a program", () => {
    const plain = players.styles.map(({ name }) => zh.styleName(name)).filter((name) => !/[\u4e00-\u9fff]/.test(name));
    expect(plain).toEqual(["sixproof", "NCTU6", "Kagami"]);
  });

  it("levels", () => {
    expect(players.levels).toBeGreaterThan(1);
    for (let level = 1; level <= players.levels; level += 1) {
      expect(allWords.en.play.against("sixproof", level)).toBe(`sixproof, level ${level}`);
      expectChinese(allWords["zh-TW"].play.against("sixproof", level));
    }
    expectChinese(allWords["zh-TW"].play.levels(players.levels));
  });

  it.each([...names.games, ...names.positions])("name $name", (named) => {
    expectChinese(zh.nameAbout(named));
    expect(en.nameAbout(named)).toBe(named.about);
  });

  it.each(names.games)("title of $name", ({ game }) => expectChinese(zh.title(game.title)));

  it("titles", () => {
    expectChinese(zh.title(puzzleTitle));
    expect(zh.title("Connect(59,59,6,2,1)")).toBe("Connect(59,59,6,2,1)");
    expectChinese(zh.title("Connect(15,15,5,1,1), exact"));
    expect(zh.title("My game, 19 x 19")).toBe("My game, 19 x 19");
  });

  it.each(kinds<WhyKind>("WhyKind"))("why: %s", (kind) => {
    for (const order of [null, 2]) expectChinese(zh.why(why(kind, order), ""));
    expect(en.why(why(kind, 2), "It is so.")).toBe("It is so.");
  });

  it.each(kinds<DeedKind>("DeedKind"))("deed: %s", (kind) => {
    // Keys of facts are SGF's own.
    expectChinese(zh.deed(deed(kind), ""));
    expect(en.deed(deed(kind), "move J10")).toBe("move J10");
  });

  it.each(kinds<NoteKind>("NoteKind"))("note: %s", (kind) => expectChinese(zh.note(note(kind), "")));

  it.each(kinds<ProblemKind>("ProblemKind"))("problem: %s", (kind) => {
    const { text, help } = zh.problem(problem(kind));
    expectChinese(text);
    if (help !== null) expectChinese(help);
    expect(en.problem(problem(kind))).toEqual({ text: "Said in English", help: "helped in English", detail: null });
  });

  it("what came of many positions", () => {
    for (const kind of ["solve", "prove", "analyse"] as const) expectChinese(zh.tally(kind, TALLY, ""));
  });

  it("what has no words is shown in the server's own", () => {
    for (const language of LANGUAGES) {
      const words = allWords[language].server;
      expect(words.styleAbout({ name: "new", about: "a new style" })).toBe("a new style");
      expect(words.styleName("new")).toBe("new");
      expect(words.nameAbout({ name: "new", about: "a new position" })).toBe("a new position");
      expect(words.why(why("new" as WhyKind, null), "It is new.")).toBe("It is new.");
      expect(words.deed(deed("new" as DeedKind), "new deed")).toBe("new deed");
      expect(noteTexts(words, { noted: [note("new" as NoteKind)], notes: ["New note."] })).toEqual(["New note."]);
      expect(reasonText(words, { why: null, reason: "Of an old result." })).toBe("Of an old result.");
    }
    for (const [kind, status] of [
      [null, 404],
      [null, 409],
      [null, 400],
      ["new" as ProblemKind, 500],
    ] as const) {
      const said = zh.problem(problem(kind, status));
      expectChinese(said.text);
      expect(said.detail).toBe("Said in English; helped in English");
    }
  });
});
