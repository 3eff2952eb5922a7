// What a person does with the page: clicks on squares, typed moves, tabs, menus, files that are dropped.
import { check, ready, settled, until } from "./wait.mjs";

const CELL = 32;
const EDGE = CELL * 0.22;

/** Where a square of a bounded board is on the screen. */
export async function placeOf(page, square) {
  const at = await page.evaluate(() => {
    const svg = document.querySelector(".board-picture");
    const box = svg.getBoundingClientRect();
    const grid = document.querySelector("[role=grid]");
    return {
      view: svg.getAttribute("viewBox").split(" ").map(Number),
      box: { left: box.left, top: box.top, width: box.width, height: box.height },
      cols: Number(grid.getAttribute("aria-colcount")),
      rows: Number(grid.getAttribute("aria-rowcount")),
    };
  });
  const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(square);
  const column = [...letters].reduce((sum, c) => sum * 26 + c.charCodeAt(0) - 64, 0) - 1;
  const row = at.rows - Number(digits);
  const [, , width, height] = at.view;
  const gutter = width - at.cols * CELL - 2 * EDGE;
  const scale = Math.min(at.box.width / width, at.box.height / height);
  const left = at.box.left + (at.box.width - width * scale) / 2;
  const top = at.box.top + (at.box.height - height * scale) / 2;
  return {
    x: left + (EDGE + gutter + (column + 0.5) * CELL) * scale,
    y: top + (EDGE + (row + 0.5) * CELL) * scale,
  };
}

/** The stones of one move, or clicks of a tool. A person clicks when the board shows what came before. */
export async function clickSquares(page, squares) {
  await ready(page);
  await clickAtOnce(page, squares);
}

export async function clickAtOnce(page, squares) {
  for (const square of squares.split(" ")) {
    const { x, y } = await placeOf(page, square);
    await page.mouse.click(x, y);
  }
}

export async function tapSquare(page, square) {
  await ready(page);
  const { x, y } = await placeOf(page, square);
  await page.touchscreen.tap(x, y);
}

/** Moves the pointer to a square: the page explains a square only when the pointer arrives. */
export async function hoverSquare(page, square) {
  await ready(page);
  const { x, y } = await placeOf(page, square);
  await page.mouse.move(x, y);
}

/** Types a move in the field that `/` opens, and waits until it is on the board. */
export async function typeMove(page, squares) {
  await ready(page);
  await page.keyboard.press("/");
  const field = page.getByLabel("Type a move", { exact: false });
  await field.waitFor();
  await field.fill(squares);
  await field.press("Enter");
  await seeStatus(page, squares.toUpperCase());
}

/** The line below the board. */
export const status = (page) => page.locator(".status-main");

export const seeStatus = (page, text) =>
  until(async () => matches(await status(page).innerText(), text), `the line below the board says ${text}`);

/** The line above the board. */
export const seeAbove = (page, text) =>
  until(async () => matches(await page.locator(".above").first().innerText(), text), `above the board: ${text}`);

export const seeNotice = (page, text) =>
  until(async () => matches(await page.locator(".notices").innerText(), text), `a notice says ${text}`);

export function matches(shown, wanted) {
  return wanted instanceof RegExp ? wanted.test(shown) : shown.includes(wanted);
}

export const tab = (page, name) => page.getByRole("tab", { name, exact: false });

export async function showTab(page, name) {
  await tab(page, name).first().click();
  await until(
    async () => (await tab(page, name).first().getAttribute("aria-selected")) === "true",
    `the tab ${name} is open`,
  );
}

export async function choose(page, menu, item) {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: false }).first().click();
}

/** A choice in the menu View. */
export async function chooseView(page, item, menu = "View") {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitemradio", { name: item, exact: false }).first().click();
}

/** The rows of the tree that are in the document. */
export const rows = (page) => page.getByRole("tree", { name: "Tree" }).getByRole("treeitem");

export const row = (page, text) => rows(page).filter({ hasText: text }).first();

export const currentRow = (page) => page.locator(".tree-pane [role=treeitem][aria-selected=true]");

export const seeCurrentRow = (page, text) =>
  until(async () => matches(await currentRow(page).innerText(), text), `the current row of the tree is ${text}`);

/** A new document of a game, by the form in the pane Documents. */
export async function newGame(page, game) {
  await showTab(page, "Documents");
  const field = page.getByLabel("Game, such as", { exact: false });
  await otherDocument(page, async () => {
    await field.fill(game);
    await field.press("Enter");
  });
  await showTab(page, "Tree");
}

/** Does what opens another document, and waits until all panes show it: rows of the document before stay
 * until the new ones are there. */
export async function otherDocument(page, open) {
  // The page has shown something before: only then it is known that the new document is another one.
  const before = await until(() => documentId(page), "a document is open");
  await open();
  await until(() => documentId(page) !== before, "another document is open");
  await settled(page);
}

/** Types a command by its name. */
export async function command(page, words) {
  await ready(page);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "What would you like to do?" });
  await field.waitFor();
  await field.fill(words);
  const first = page.getByRole("option").first();
  await until(async () => (await first.innerText()).includes(words), `the first command is ${words}`);
  await field.press("Enter");
  await field.waitFor({ state: "detached" });
}

/** The document in the address. */
export const documentId = (page) => {
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("d");
  return id ?? "";
};

/** Drops files, as the browser does. */
export async function drop(page, paths, sign = "Drop to open") {
  const cdp = await page.context().newCDPSession(page);
  const box = await page.locator(".board-picture").boundingBox();
  check(box !== null, "there is a board to drop on");
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
  await cdp.send("Input.dispatchDragEvent", { type: "dragEnter", ...at });
  await cdp.send("Input.dispatchDragEvent", { type: "dragOver", ...at });
  await page.getByText(sign).waitFor();
  await cdp.send("Input.dispatchDragEvent", { type: "drop", ...at });
  await cdp.detach();
}

/** Checks that nothing is wider than the window and no button lies outside of it. */
export async function seeNothingCut(page) {
  await settled(page);
  const cut = await page.evaluate(() => {
    const wide = document.documentElement.scrollWidth > innerWidth + 1;
    const outside = [...document.querySelectorAll("button, input, select, [role=tab]")]
      .filter((element) => {
        const box = element.getBoundingClientRect();
        if (box.width === 0 || getComputedStyle(element).visibility === "hidden") return false;
        // What lies in a box that scrolls can be reached.
        for (let up = element.parentElement; up !== null; up = up.parentElement) {
          if (/auto|scroll/.test(getComputedStyle(up).overflowX + getComputedStyle(up).overflowY)) return false;
        }
        return box.left < -1 || box.right > innerWidth + 1;
      })
      .map((element) => element.getAttribute("aria-label") ?? element.textContent);
    return wide ? ["the page is wider than the window", ...outside] : outside;
  });
  check(cut.length === 0, `nothing is cut off at the edge of the window: ${cut.join(", ")}`);
}

/** Reloads when the address has the current node, which it gets a moment after each step. */
export async function reload(page) {
  await until(
    async () => page.url().endsWith(`&n=${await currentRow(page).getAttribute("data-node")}`),
    "the address says where we are",
  );
  await page.reload();
  await settled(page);
}

/** Presses keys one after the other, each when the page shows the effect of the last. */
export async function press(page, ...keys) {
  for (const key of keys) {
    await ready(page);
    await page.keyboard.press(key);
  }
}
