import { beforeEach, describe, expect, it } from "vitest";
import { type Command, commands, handleKey, registerCommands, setTypedHandler } from "../src/commands";
import { formatKey, keyOf } from "../src/commands/keys";
import { registerPageCommands } from "../src/layout/commands";
import { matching } from "../src/layout/Palette";
import { findQuery } from "../src/panes/tree/find";
import { allWords, language } from "../src/words";
import { connect6 } from "./games";

const press = (key: string, more: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  new KeyboardEvent("keydown", { key, cancelable: true, ...more } as KeyboardEventInit);

describe("commands", () => {
  beforeEach(() => registerPageCommands());

  it("no key means two things, and no id is there twice", () => {
    const ids = commands.value.map((command) => command.id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = commands.value.flatMap((command) => command.keys);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });
  it("every command has words in both languages", () => {
    for (const id of Object.keys(allWords) as (keyof typeof allWords)[]) {
      language.value = id;
      for (const command of commands.value) expect(command.words().trim()).not.toBe("");
    }
    language.value = "en";
  });
  it("a command on a plain letter can be taken back, because a typed move may begin with it", () => {
    const letters = commands.value.filter((command) => command.keys.some((key) => /^[a-z]$/.test(key)));
    expect(letters.filter((command) => command.revert === undefined).map((c) => c.id)).toEqual([]);
  });
  it("a letter and a digit open the field for typed moves, and leave nothing behind", () => {
    let count = 0;
    let text = "";
    const command: Command = {
      id: "numbers",
      group: "board",
      words: () => "x",
      keys: ["n"],
      run: () => (count += 1),
      revert: () => (count -= 1),
    };
    registerCommands([command]);
    setTypedHandler((typed) => (text = typed));
    handleKey(press("n"));
    expect(count).toBe(1);
    handleKey(press("7"));
    expect([count, text]).toEqual([0, "n7"]);
  });
  it("keys have names", () => {
    const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    expect(keyOf({ ...none, key: "Z", ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+z");
    expect(keyOf({ ...none, key: "?", shiftKey: true })).toBe("?");
    expect(keyOf({ ...none, key: " " })).toBe("Space");
    expect(keyOf({ ...none, key: "F3", shiftKey: true })).toBe("Shift+F3");
    expect(keyOf({ ...none, key: "ㄙ", code: "KeyN" })).toBe("n");
    expect(keyOf({ ...none, key: "¡", code: "Digit1", altKey: true })).toBe("Alt+1");
    expect(formatKey("Ctrl+z")).toBe("Ctrl+Z");
  });
  it("the palette finds by any words in any order", () => {
    const found = matching(commands.value, "png exp").map((command) => command.id);
    expect(found).toEqual(["export-png"]);
    expect(matching(commands.value, "no such thing")).toEqual([]);
  });
  it("what is typed into Find is a turn, a square, a verdict, this position or text", () => {
    const query = (text: string) => findQuery(text, connect6, "letters", 5);
    expect(query("#7")).toEqual({ turn: 7 });
    expect(query("j10")).toEqual({ square: "J10" });
    expect(query("=White")).toEqual({ verdict: "white" });
    expect(query("==")).toEqual({ position: 5 });
    expect(query("good move")).toEqual({ text: "good move" });
    expect(query("  ")).toBeNull();
  });
});
