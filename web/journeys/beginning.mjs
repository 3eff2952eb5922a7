// The first five minutes, a game against the engine, and a proof that is found and walked.
import {
  clickSquares,
  command,
  currentRow,
  documentId,
  hoverSquare,
  newGame,
  press,
  reload,
  rows,
  seeAbove,
  seeCurrentRow,
  seeNotice,
  seeStatus,
  showTab,
} from "./person.mjs";
import { check, settled, until } from "./wait.mjs";

/** The win of the puzzle on the first page. */
export const PUZZLE_MOVE = "K8 N11";
export const PUZZLE_LINK = "#p=connect6:J10/J11_M10/I11_H12/K9_L9/I12_I14";

/** A wrong move and what is wrong with it, the right one, the zone, stones outside and inside, the walk. */
export async function firstMinutes(stage) {
  const page = await stage.open();
  await seeAbove(page, "White to move wins. Can you see it?");
  await stage.picture("asked");

  await clickSquares(page, "A1 A2");
  await seeAbove(page, /After A1 A2|A1 A2: no win/);
  await until(() => page.locator(".board-picture .ghost-ink").count(), "the answer plays itself");
  await stage.picture("wrong");
  await page.getByRole("button", { name: "Try again" }).click();
  await seeAbove(page, "Can you see it?");

  await clickSquares(page, PUZZLE_MOVE);
  await seeAbove(page, "That is it. White wins whatever Black does outside of the zone: try.");
  await page.mouse.move(5, 400);
  await stage.picture("right");

  await clickSquares(page, "A1 A19");
  await seeAbove(page, "The proof still stands.");
  await page.mouse.move(5, 400);
  await stage.picture("outside");
  await page.getByRole("button", { name: "Try again" }).click();
  await seeCurrentRow(page, PUZZLE_MOVE);

  await hoverSquare(page, "J7");
  await seeAbove(page, "J7 is in the zone");
  await clickSquares(page, "J7 O12");
  await seeAbove(page, "Inside the zone, and answered.");
  await stage.picture("inside");
  await page.getByRole("button", { name: "Try again" }).click();
  await seeCurrentRow(page, PUZZLE_MOVE);

  await clickSquares(page, "B2 S1");
  await seeAbove(page, "Walk through the win");
  await page.getByRole("button", { name: "Walk through the win with the arrow keys" }).click();
  await walk(stage, page);

  await command(page, "The first five minutes");
  await seeAbove(page, "Can you see it?");
  await press(page, "F5");
  await seeAbove(page, "White wins whatever Black does outside of the zone: try.");
  await stage.picture("shown-by-f5");

  // A solved puzzle does not ask at the next visit; from the menu, it does not show its answer.
  const again = await stage.tab();
  await settled(again);
  check(
    !(await again.locator(".middle").innerText()).includes("Can you see it?"),
    "what was solved is not asked again",
  );
  await command(again, "The first five minutes");
  await seeAbove(again, "Can you see it?");
  await settled(again);
  check((await again.locator(".layer-next .next").count()) === 0, "the moves of earlier tries are not on the board");
  await stage.picture("asked-again", again);
}

async function walk(stage, page) {
  const back = page.getByRole("button", { name: "Back to the document (Esc)" });
  await back.waitFor();
  const current = page.locator(".proof-row.current");
  await until(async () => (await current.count()) === 1, "the pane shows where the walk is");
  await settled(page);
  const first = await current.innerText();
  await page.keyboard.press("ArrowRight");
  await until(async () => (await current.innerText()) !== first, "Right goes on in the proof");
  await settled(page);
  const second = await current.innerText();
  await page.keyboard.press("ArrowRight");
  await until(async () => (await current.innerText()) !== second, "Right goes on once more");
  await stage.picture("walk");
  await press(page, "ArrowLeft", "ArrowLeft");
  await until(async () => (await current.innerText()) === first, "Left goes back to where it began");
  await page.keyboard.press("Escape");
  await back.waitFor({ state: "detached" });
}

const COLUMNS = "ABCDEFGHIJKLMNOPQRS";

/** The position on the board, from the server. */
async function positionOn(stage, page) {
  const node = await currentRow(page).getAttribute("data-node");
  return (await stage.server.api(`/documents/${documentId(page)}/nodes/${node}`)).position;
}

/** A line of three on a 3 x 3 board that `mine` can complete. */
function completes(mine, free) {
  const lines = ["A1 B1 C1", "A2 B2 C2", "A3 B3 C3", "A1 A2 A3", "B1 B2 B3", "C1 C2 C3", "A1 B2 C3", "A3 B2 C1"];
  for (const line of lines.map((text) => text.split(" "))) {
    const missing = line.filter((square) => !mine.includes(square));
    if (missing.length === 1 && free.includes(missing[0])) return missing[0];
  }
  return null;
}

/** Plays tic-tac-toe to the end against the weakest player, with a hint and a move taken back. */
export async function play(stage) {
  const page = await stage.open();
  await newGame(page, "tic-tac-toe");
  await showTab(page, "Play");
  await page.getByLabel("Style").selectOption("random");
  await page.getByLabel("You play").selectOption("black");
  await stage.picture("choose");
  await page.getByRole("button", { name: "Play from here" }).click();
  await seeAbove(page, "Your move.");

  await clickSquares(page, "B2");
  await until(async () => (await rows(page).count()) === 3, "the engine has moved");
  await seeAbove(page, "Your move.");
  await press(page, "h");
  await seeNotice(page, "Hint:");
  await stage.picture("hint");
  await page.getByRole("button", { name: "Take back" }).click();
  await seeCurrentRow(page, "Start");
  await seeAbove(page, "Your move.");

  await clickSquares(page, "A1");
  let rounds = 0;
  for (; rounds < 9; rounds += 1) {
    await seeAbove(page, /Your move|You win|The engine wins|a draw/);
    await settled(page);
    if (!(await page.locator(".above").innerText()).includes("Your move")) break;
    const { black, white } = await positionOn(stage, page);
    const free = [...COLUMNS.slice(0, 3)]
      .flatMap((c) => [1, 2, 3].map((n) => `${c}${n}`))
      .filter((square) => !black.includes(square) && !white.includes(square));
    const before = await currentRow(page).getAttribute("data-node");
    await clickSquares(page, completes(black, free) ?? completes(white, free) ?? free[0]);
    await until(async () => (await currentRow(page).getAttribute("data-node")) !== before, "our move is played");
  }
  await seeAbove(page, /You win|The engine wins|a draw/);
  await stage.picture("ended");

  // The game is over, on the page and in the document; a reload keeps it.
  const end = await page.locator(".above").innerText();
  await reload(page);
  await seeAbove(page, end.trim());
  await page.getByRole("button", { name: "New game as White" }).click();
  await until(async () => (await rows(page).count()) === 2, "the engine begins the next game");
  await seeAbove(page, "Your move.");
  await stage.picture("next-game");
}

/** Solves a position that came by link, steps through the line, walks the proof, puts it into the tree. */
export async function solveAndWalk(stage) {
  const page = await stage.open({}, PUZZLE_LINK);
  await seeStatus(page, "White to move, 2 stones");
  await page.getByRole("banner").getByText("From a link; not stored yet").waitFor();
  await press(page, "F5");
  await seeStatus(page, "Proved: White wins");
  await showTab(page, "Solve");
  await page.locator(".results").getByText("White wins. Proved and checked.").waitFor();
  // The line is numbered on the board; the arrow keys and the wheel step through it.
  const line = page.locator(".status-hint");
  await until(async () => /line: (\d+) of \1 moves/.test(await line.innerText()), "the whole line is shown");
  await stage.picture("solved");
  const shown = async () => Number(/line: (\d+) of/.exec(await line.innerText())?.[1]);
  const all = await shown();
  // Leave the tabs, where the arrow keys go to the next tab.
  await page.locator(".status").click();
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await shown()) === all - 1, "Left takes one move of the line away");
  await page.locator(".board-picture").hover();
  await page.mouse.wheel(0, 120);
  await until(async () => (await shown()) === all, "the wheel brings it back");
  await page.keyboard.press("Escape");
  await until(async () => !/line:/.test(await line.innerText()), "Esc hides the line");
  // A proved win is neither asked again nor denied for the other side.
  await press(page, "F5");
  await seeNotice(page, "Proved already: White wins.");
  await until(async () => /line: (\d+) of \1 moves/.test(await line.innerText()), "its line is shown");
  await page.keyboard.press("Escape");
  await showTab(page, "Solve");
  await page.getByRole("button", { name: "Solve for Black" }).click();
  await seeNotice(page, "Proved: White wins, so Black cannot.");

  await showTab(page, "Proof");
  await page.locator(".proof-head").getByText("Proved: White wins").waitFor();
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page
    .locator(".proof-head")
    .getByText(/Verified: [\d,]+ nodes/)
    .waitFor();
  await stage.picture("proof");
  await page.locator(".rows-box").focus();
  await page.keyboard.press("ArrowRight");
  const back = page.getByRole("button", { name: "Back to the document", exact: false }).first();
  await back.waitFor();
  await press(page, "ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp");
  const current = page.locator(".proof-row.current");
  await until(async () => Number(await current.getAttribute("aria-level")) >= 3, "the walk is two replies deep");
  await stage.picture("walking");
  await page.keyboard.press("Enter");
  await back.waitFor({ state: "detached" });
  await showTab(page, "Tree");
  await until(async () => (await rows(page).count()) >= 5, "the line is in the document");
  await until(async () => page.locator(".tree-pane .verdict").count(), "its moves are marked as proved");
  await stage.picture("in-the-tree");

  // The results stay: after a reload nothing is searched again.
  await reload(page);
  await seeStatus(page, "Proved: White wins");
  await settled(page);
  check((await stage.server.api("/jobs")).length === 1, "one job, not one more for the reload");
  await showTab(page, "Threats");
  await page.getByText(/White: .* needed against the threats|White: no threat|White: too many/).waitFor();
  await press(page, "t");
  await stage.picture("threats");
}
