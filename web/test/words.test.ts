import { describe, expect, it } from "vitest";
import { allWords, preferred } from "../src/words";

type Tree = Record<string, unknown>;

/** The paths of all texts, and whether each is a text, a function or a list. */
function paths(tree: Tree, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return paths(value as Tree, `${path}.`);
    return [`${path}: ${Array.isArray(value) ? `list of ${value.length}` : typeof value}`];
  });
}

/** All texts; functions get arguments that fit any of them. */
function texts(tree: Tree): string[] {
  return Object.values(tree).flatMap((value) => {
    if (typeof value === "string") return [value];
    if (Array.isArray(value)) return value as string[];
    return typeof value === "object" && value !== null ? texts(value as Tree) : [];
  });
}

describe("words", () => {
  const { en, "zh-TW": zh } = allWords;
  it("every text is there in both languages", () => {
    expect(paths(zh as unknown as Tree).sort()).toEqual(paths(en as unknown as Tree).sort());
  });
  it("no text is empty, and hardly any Chinese text is English", () => {
    // A text may be empty on purpose, but then in both.
    const empty = (words: object): number => texts(words as Tree).filter((text) => text.trim() === "").length;
    expect(empty(zh)).toBe(empty(en));
    const plain = texts(zh as unknown as Tree).filter((text) => text !== "" && !/[\u4e00-\u9fff]/.test(text));
    expect(plain.filter((text) => !["Little Golem", "CCGC", "English"].includes(text))).toEqual([]);
  });
  it("no simplified character has slipped in", () => {
    const typical = /[这来时们对开关动过说后话发东车见长门马书学习复删编辑显树证胜]/;
    for (const text of texts(zh as unknown as Tree)) expect(text).not.toMatch(typical);
  });
  it("the browser's first known language is taken", () => {
    expect(preferred(["zh-TW", "en"])).toBe("zh-TW");
    expect(preferred(["de", "zh-Hant-HK"])).toBe("zh-TW");
    expect(preferred(["fr", "en-GB"])).toBe("en");
    expect(preferred([])).toBe("en");
  });
});
