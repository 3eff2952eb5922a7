// The page without a mouse, on a phone, in dark and high contrast, and with the largest boards.

import { PUZZLE_MOVE } from "./beginning.mjs";
import {
  chooseView,
  clickSquares,
  documentId,
  hoverSquare,
  newGame,
  otherDocument,
  press,
  rows,
  seeAbove,
  seeCurrentRow,
  seeNothingCut,
  seeStatus,
  showTab,
  tapSquare,
  typeMove,
} from "./person.mjs";
import { check, settled, until } from "./wait.mjs";

/** Presses Tab until the element has the focus. */
async function tabTo(page, locator, what) {
  for (let i = 0; i < 80; i += 1) {
    if (await locator.evaluate((element) => element === document.activeElement).catch(() => false)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never comes to ${what}`);
}

const hasFocus = (locator) => locator.evaluate((element) => element === document.activeElement);

/** Everything without a mouse. */
export async function keyboardOnly(stage) {
  const page = await stage.open();
  const { keyboard } = page;
  await seeAbove(page, "Can you see it?");
  await press(page, "Control+k");
  const palette = page.getByRole("combobox", { name: "What would you like to do?" });
  await palette.waitFor();
  await keyboard.type("new conn");
  await until(
    async () => /New Connect6/.test(await page.getByRole("option").first().innerText()),
    "the command is first",
  );
  await stage.picture("palette");
  await otherDocument(page, () => keyboard.press("Enter"));

  // A letter and a digit begin a move, wherever the focus is.
  await keyboard.type("j10");
  await page.getByLabel("Type a move", { exact: false }).waitFor();
  await keyboard.press("Enter");
  await seeStatus(page, "1. J10");
  await settled(page);
  await keyboard.type("k11 l12");
  await stage.picture("typed");
  await keyboard.press("Enter");
  await seeStatus(page, "2. K11 L12");
  await settled(page);
  await keyboard.type("j10 a1");
  await keyboard.press("Enter");
  await page.getByText("“j10” is not a free square.").waitFor();
  await keyboard.press("Escape");

  // The cursor: a stone with Enter, another with Enter.
  await press(page, ".");
  const cell = page.locator("[role=gridcell]:focus");
  await until(async () => /^J10/.test((await cell.getAttribute("aria-label")) ?? ""), "the cursor is in the middle");
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "Enter"]) await keyboard.press(key);
  await seeStatus(page, "1 more stone");
  await keyboard.press("ArrowUp");
  await stage.picture("cursor");
  await keyboard.press("Enter");
  await seeStatus(page, "3. H11 H12");
  await until(
    async () => /H12, Black/.test((await cell.getAttribute("aria-label")) ?? ""),
    "the square says what is on it",
  );
  await press(page, "Escape");

  for (const [key, seen] of [
    ["ArrowLeft", "2. K11 L12"],
    ["b", "1. J10"],
    ["ArrowRight", "2. K11 L12"],
    ["End", "3. H11 H12"],
    ["Home", "Black to move"],
  ]) {
    await press(page, key);
    await seeStatus(page, seen);
  }
  const spoken = page.locator(".unseen[role=status]");
  await until(async () => /Start/.test(await spoken.innerText()), "the live region says where we are");

  await press(page, "Control+k");
  await palette.waitFor();
  await keyboard.type("comment");
  await until(async () => /Comment/.test(await page.getByRole("option").first().innerText()), "the pane is first");
  await keyboard.press("Enter");
  const comment = page.getByRole("textbox", { name: "Comment on this position" });
  await comment.waitFor();
  await tabTo(page, comment, "the comment");
  await keyboard.type("typed without a mouse");
  await keyboard.press("Escape");
  await until(async () => !(await hasFocus(comment)), "Esc leaves the field");
  const id = documentId(page);
  await until(
    async () => (await stage.server.api(`/documents/${id}/nodes/0`)).comment === "typed without a mouse",
    "the comment is saved",
  );

  await press(page, "?");
  await page.getByRole("heading", { name: "Moving" }).waitFor();
  await stage.picture("help");
  await keyboard.press("Escape");
  await page.getByRole("heading", { name: "Moving" }).waitFor({ state: "detached" });

  const file = page.getByRole("button", { name: "File", exact: true });
  await tabTo(page, file, "the menu File");
  await keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await until(() => hasFocus(file), "the focus is back on the menu's button");
  await page.locator("body").evaluate(() => document.activeElement.blur());
  await press(page, "Control+z");
  await until(
    async () => (await stage.server.api(`/documents/${id}/nodes/0`)).comment === "",
    "Ctrl+Z undoes the comment",
  );
  // The tabs of the panes by arrow keys.
  const tabs = page.getByRole("tab", { name: "Comment" });
  await tabTo(page, tabs, "the tabs");
  await keyboard.press("ArrowRight");
  await until(
    async () => (await page.getByRole("tab", { name: "Info" }).getAttribute("aria-selected")) === "true",
    "the next tab",
  );
}

/** A phone: taps aim, a button places; nothing is cut off; upright and lying. */
export async function phone(stage) {
  const page = await stage.open({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  });
  await seeAbove(page, "Can you see it?");
  await seeNothingCut(page);
  await stage.picture("upright");
  for (const square of PUZZLE_MOVE.split(" ")) {
    await tapSquare(page, square);
    const place = page.getByRole("button", { name: `Place ${square}` });
    await place.waitFor();
    await settled(page);
    const box = await place.boundingBox();
    check(box.height >= 44, `the button is large enough for a thumb (${box.height} px)`);
    if (square === "K8") await stage.picture("aimed");
    await place.tap();
  }
  await seeAbove(page, "That is it.");
  await stage.picture("right");
  await page.getByRole("button", { name: "Back", exact: true }).tap();
  await seeStatus(page, "White to move");
  await page.getByRole("button", { name: "Forward", exact: true }).tap();
  await seeStatus(page, PUZZLE_MOVE);
  await page.getByRole("tab", { name: "Proof" }).tap();
  await page.locator(".proof-head").getByText("Proved: White wins").waitFor();
  await stage.picture("proof");
  await page.getByRole("button", { name: "File", exact: true }).tap();
  await page.getByRole("menu").waitFor();
  await settled(page);
  const menu = await page.getByRole("menu").boundingBox();
  check(menu.x >= 0 && menu.x + menu.width <= 390, `the menu is in the window (${menu.x} to ${menu.x + menu.width})`);
  await stage.picture("menu");
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await settled(page);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll(".bar button, .steps button, .tools button, .tab, .above button")]
      .map((element) => ({
        box: element.getBoundingClientRect(),
        name: element.getAttribute("aria-label") ?? element.textContent,
      }))
      .filter(({ box }) => box.width > 0 && (box.height < 36 || box.width < 30))
      .map(({ box, name }) => `${name} ${Math.round(box.width)} x ${Math.round(box.height)}`),
  );
  check(small.length === 0, `what can be pressed is large enough: ${small.join(", ")}`);
  await page.setViewportSize({ width: 844, height: 390 });
  await seeNothingCut(page);
  await stage.picture("lying");
  await page.setViewportSize({ width: 360, height: 640 });
  await seeNothingCut(page);
  await stage.picture("small");
}

/** The contrast between a text and its background, as WCAG defines it. */
const contrasts = (page, selectors) =>
  page.evaluate((list) => {
    const parse = (text) => {
      const n = text.match(/[\d.]+/g).map(Number);
      const scale = text.startsWith("color(") ? 1 : 255;
      return { rgb: n.slice(0, 3).map((v) => v / scale), alpha: n[3] ?? 1 };
    };
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
      for (let up = element; up !== null; up = up.parentElement) {
        const color = parse(getComputedStyle(up).backgroundColor);
        if (color.alpha > 0.99) return color.rgb;
      }
      return [1, 1, 1];
    };
    return list.flatMap((selector) =>
      [...document.querySelectorAll(selector)].slice(0, 3).map((element) => {
        const [a, b] = [luminance(parse(getComputedStyle(element).color).rgb), luminance(ground(element))];
        return { selector, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
      }),
    );
  }, selectors);

/** Dark as the system prefers, then high contrast and light from the menu: all texts are readable. */
export async function colours(stage) {
  const page = await stage.open({ colorScheme: "dark" });
  await seeAbove(page, "Can you see it?");
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await until(async () => (await theme()) === "dark", "the system's dark is the page's");
  await clickSquares(page, PUZZLE_MOVE);
  await seeAbove(page, "That is it.");
  await showTab(page, "Solve");
  const texts = [
    ".above-main",
    ".above .small",
    ".status-main",
    ".status-hint",
    ".game-title",
    ".tab",
    ".row",
    ".solve-pane p",
    ".bar button",
  ];
  for (const [name, least] of [
    ["dark", 4.5],
    ["high contrast", 7],
    ["light", 4.5],
  ]) {
    if (name !== "dark") await chooseView(page, `Colours: ${name}`);
    await until(async () => (await theme()) === name.split(" ").at(-1), `the colours are ${name}`);
    await hoverSquare(page, "J7");
    await seeAbove(page, "J7 is in the zone");
    await stage.picture(name.replace(" ", "-"));
    await settled(page);
    const poor = (await contrasts(page, texts)).filter(({ ratio }) => ratio < least);
    check(
      poor.length === 0,
      `${name}: texts stand out: ${poor.map((one) => `${one.selector} ${one.ratio.toFixed(1)}`).join(", ")}`,
    );
  }
  await page.reload();
  await until(async () => (await theme()) === "light", "the choice is kept");
}

/** 59 x 59, and a board without end that grows with the stones. */
export async function largeBoards(stage) {
  const page = await stage.open();
  await newGame(page, "59,59,6,2,1");
  await seeStatus(page, "Black to move, 1 stone");
  await clickSquares(page, "AD30");
  await seeStatus(page, "1. AD30");
  await clickSquares(page, "A1 BG59");
  await seeStatus(page, "2. A1 BG59");
  await clickSquares(page, "BG1 A59");
  await seeStatus(page, /3\. (BG1 A59|A59 BG1)/);
  await typeMove(page, "aa27 ab28");
  await press(page, "n");
  await page.mouse.move(5, 400);
  await stage.picture("59");
  await press(page, "r", "Shift+r");
  await stage.picture("59-turned");
  await press(page, "Shift+r", "r", "r", "r");

  await newGame(page, "inf,6,2,1");
  await seeStatus(page, "Black to move, 1 stone");
  const grid = page.getByRole("grid");
  const columns = async () => Number(await grid.getAttribute("aria-colcount"));
  await typeMove(page, "0,0");
  await stage.picture("unbounded");
  const before = await columns();
  await typeMove(page, "20,3 -15,-4");
  await until(async () => (await columns()) > before, "the window grows with the stones");
  await stage.picture("unbounded-grown");
  const box = await page.locator(".board-picture").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const view = () =>
    page
      .locator(".board-picture text")
      .allInnerTexts()
      .then((all) => all.join());
  await settled(page);
  const shown = await view();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 160, y + 80, { steps: 8 });
  await page.mouse.up();
  await until(async () => (await view()) !== shown, "dragging moves the board");
  await settled(page);
  check((await rows(page).count()) === 3, "and places nothing");
  await press(page, "Shift+Home");
  await until(async () => (await view()) === shown, "Shift+Home is back at the stones");
  await press(page, "Home");
  await seeCurrentRow(page, "Start");
  await press(page, "End");
  await seeCurrentRow(page, "20,3");
  await seeStatus(page, "to move");
}
