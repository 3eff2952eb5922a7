// The page in Traditional Chinese, from the browser's language. All that a person can read there is Chinese.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PUZZLE_MOVE } from "./beginning.mjs";
import { chooseView, clickSquares, drop, press, seeAbove, tab } from "./person.mjs";
import { check, settled, until } from "./wait.mjs";

/** Proper names: of programs, formats and people, of a game as the papers write it, of the other language. */
const NAMES = [
  "sixproof",
  "Kagami",
  "Connect",
  "NATS",
  "JetStream",
  "RenLib",
  "ConnectK",
  "Piskvork",
  "Little",
  "Golem",
  "CCGC",
  "English",
];
/** What is written on the keys. */
const KEYS = ["Ctrl", "Shift", "Space", "Enter", "Home", "Backspace", "Delete", "PageUp", "PageDown"];

/** What is typed: a command of a shell, or a word in the field that finds things (`=black`). */
const TYPED = /sixproof (check|prove|serve|worker) [^」]*|=\w+/g;

/**
 * Every text of the page, with those for screen readers: texts, labels, hints, contents of fields. Commands, keys,
 * quoted files (`code`, `kbd`, `pre`) and texts marked as English are left out.
 */
const readable = (page) =>
  page.evaluate(() => {
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      const isApart = node instanceof Element && node.matches("code, kbd, pre, script, noscript, [lang=en]");
      return isApart ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
    });
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) texts.push(node.data);
      else {
        for (const name of ["title", "aria-label", "placeholder", "alt"]) texts.push(node.getAttribute(name) ?? "");
        if (node.matches("input:not([type=range]), textarea")) texts.push(node.value);
      }
    }
    return [document.title, ...texts].filter((text) => text.trim() !== "");
  });

/** The page at rest has no English word on it. */
async function seeChinese(page, where) {
  await settled(page);
  const texts = await readable(page);
  const words = texts.flatMap((text) => text.replaceAll(TYPED, "").match(/[A-Za-z][A-Za-z0-9]{3,}/g) ?? []);
  const english = [...new Set(words)].filter((word) => ![...NAMES, ...KEYS].includes(word) && !/\d/.test(word));
  const found = english.map((word) => `${word} (${texts.find((text) => text.includes(word)).slice(0, 80)})`);
  check(found.length === 0, `${where} is Chinese: ${found.join(", ")}`);
}

/** All panes with everything that they show in the end. */
async function panes(page) {
  for (const pane of await page.getByRole("tab").all()) {
    await pane.click();
    await seeChinese(page, `the pane ${await pane.innerText()}`);
  }
}

async function menusAndLists(stage, page) {
  for (const menu of ["檔案", "匯出", "顯示"]) {
    await page.getByRole("button", { name: menu, exact: true }).click();
    await page.getByRole("menu").waitFor();
    await seeChinese(page, `the menu ${menu}`);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  }
  await press(page, "Control+k");
  await page.getByRole("listbox").waitFor();
  await seeChinese(page, "the list of commands");
  await page.keyboard.press("Escape");
  await press(page, "?");
  await page.locator(".help").waitFor();
  await seeChinese(page, "the list of keys");
  await stage.picture("help");
  await page.keyboard.press("Escape");
  await page.locator(".help").waitFor({ state: "detached" });
}

/** The engine's reasons for its moves, in an analysis and in a game. */
async function thoughts(stage, page) {
  await tab(page, "分析").click();
  await press(page, "Space");
  await page.locator(".candidate").first().waitFor();
  await page.getByRole("button", { name: /^停止/ }).first().click();
  await seeChinese(page, "an analysis");
  await tab(page, "對局").click();
  await page.getByLabel("風格").selectOption("greedy");
  await page.getByRole("button", { name: "在空棋盤上開新局" }).click();
  await seeAbove(page, "輪到你");
  await clickSquares(page, "J10");
  await page.getByText(/^引擎：/).waitFor();
  await seeAbove(page, "輪到你");
  await seeChinese(page, "a game");
  await stage.picture("game");
}

/** The words of an undo, and those of a broken file and of a wrong game. */
async function notices(stage, page) {
  await press(page, "Control+z");
  await page
    .locator(".notice")
    .getByText(/^復原：/)
    .waitFor();
  await seeChinese(page, "an undo");
  const empty = join(stage.folder, "empty.sgf");
  writeFileSync(empty, " ");
  const torn = join(stage.folder, "torn.sgf");
  writeFileSync(torn, "(;GM[511]SZ[19];B[JJ];W[ZZZZ");
  await stage.allowing([/status of 4(00|22)/], async () => {
    await drop(page, [empty], "放開即可開啟");
    await page.getByText("檔案是空的。").first().waitFor();
    await drop(page, [torn], "放開即可開啟");
    await page.getByText("內容無法讀取。").first().waitFor();
    await tab(page, "棋譜").last().click();
    const game = page.getByLabel("遊戲，例如", { exact: false });
    await game.fill("checkers");
    await game.press("Enter");
    await page.getByText("沒有這種遊戲。").first().waitFor();
    await game.fill("");
  });
  await seeChinese(page, "what is wrong");
  await stage.picture("wrong");
  // The notices lie over the tabs. One may go by itself meanwhile: all are closed in the same moment.
  const close = page.locator(".notice").getByRole("button", { name: "關閉" });
  await close.evaluateAll((buttons) => {
    for (const button of buttons) button.click();
  });
  await page.locator(".notice").first().waitFor({ state: "detached" });
}

/** Every pane, menu and list; an analysis, a game, failures; and back to English. */
export async function chinese(stage) {
  const page = await stage.open({ locale: "zh-TW" });
  await seeAbove(page, "輪到白");
  await until(
    async () => (await page.evaluate(() => document.documentElement.lang)) === "zh-TW",
    "the page says its language",
  );
  await stage.picture("asked");
  await clickSquares(page, PUZZLE_MOVE);
  await page.locator(".proved").waitFor();
  await seeAbove(page, "就是這一手");
  await page.mouse.move(5, 400);
  await stage.picture("won");
  await panes(page);
  await stage.picture("panes");
  await menusAndLists(stage, page);
  await thoughts(stage, page);
  await notices(stage, page);
  // Once more, with the jobs, results and documents of all this.
  await panes(page);
  await chooseView(page, "English", "顯示");
  await page.getByRole("tab", { name: "Documents" }).waitFor();
}
