// Documents: edited, undone, reloaded, dropped, searched, opened twice, and a hostile one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  clickSquares,
  command,
  currentRow,
  documentId,
  drop,
  matches,
  newGame,
  otherDocument,
  press,
  reload,
  row,
  rows,
  seeCurrentRow,
  seeNotice,
  seeStatus,
  showTab,
  typeMove,
} from "./person.mjs";
import { check, settled, until } from "./wait.mjs";

const titleField = (page) => page.getByRole("textbox", { name: "Title", exact: true }).first();
const commentField = (page) => page.getByRole("textbox", { name: "Comment on this position" });

/** Everything of a document that has a meaning, to compare before and after. */
async function contents(stage, id) {
  const document = await stage.server.api(`/documents/${id}`);
  const answer = await fetch(new URL(`api/documents/${id}/export?format=sgf`, stage.server.url));
  return { title: document.title, nodes: document.nodes, sgf: await answer.text() };
}

/** Moves, variations, marks, text; all undone, all redone; reloaded: nothing is lost. */
export async function editUndoReload(stage) {
  const page = await stage.open();
  await newGame(page, "connect6");
  const id = documentId(page);
  const empty = await contents(stage, id);
  check(empty.nodes === 1, "a new document is empty");
  await clickSquares(page, "J10");
  await seeStatus(page, "1. J10");
  await clickSquares(page, "K11");
  await seeStatus(page, "1 more stone");
  await page.keyboard.press("Escape");
  await seeStatus(page, "White to move, 2 stones");
  await clickSquares(page, "I9 K9");
  await seeStatus(page, "2. I9 K9");
  await clickSquares(page, "J8 J11");
  await seeStatus(page, "3. J8 J11");
  await press(page, "ArrowLeft");
  await seeCurrentRow(page, "I9 K9");
  await clickSquares(page, "L12 H8");
  await seeStatus(page, "3. ");
  await until(async () => (await rows(page).count()) === 5, "the other move is there");
  await until(async () => /L12/.test(await rows(page).nth(3).innerText()), "it is a variation");
  await press(page, "Alt+Home");
  // A variation stands above the rest of its main line.
  await until(async () => /L12/.test(await rows(page).nth(4).innerText()), "the variation is the main line now");

  await showTab(page, "Comment");
  await commentField(page).fill("A try.\nIt has two lines.");
  await page.getByLabel("Name of this position").fill("the try");
  await commentField(page).focus();
  await page.getByRole("button", { name: "Labels A, B, C" }).click();
  await clickSquares(page, "D4 E5");
  await page.getByRole("button", { name: "Triangle" }).click();
  await clickSquares(page, "P4");
  await page.getByRole("button", { name: "Arrows: from, then to" }).click();
  await clickSquares(page, "D10 G13");
  await page.getByRole("button", { name: "Dim", exact: true }).click();
  await clickSquares(page, "A1 A2");
  await page.keyboard.press("Escape");
  await titleField(page).fill("Edited by hand");
  await titleField(page).press("Enter");
  await until(async () => {
    const { title, sgf } = await contents(stage, id);
    return (
      title === "Edited by hand" &&
      /LB\[/.test(sgf) &&
      /TR\[/.test(sgf) &&
      /AR\[/.test(sgf) &&
      /two lines/.test(sgf) &&
      /N\[the try\]/.test(sgf)
    );
  }, "all of it is in the document");
  await until(
    async () =>
      (await stage.server.api(`/documents/${id}/nodes/${await currentRow(page).getAttribute("data-node")}`)).dimmed
        .length === 2,
    "two squares are dim",
  );
  await page.mouse.move(5, 400);
  await stage.picture("edited");

  await settled(page);
  const edited = await contents(stage, id);
  await reload(page);
  await seeStatus(page, "3. ");
  await until(
    async () => (await commentField(page).inputValue()).startsWith("A try."),
    "the comment is there after the reload",
  );
  await settled(page);
  check(JSON.stringify(await contents(stage, id)) === JSON.stringify(edited), "nothing changed by the reload");

  const button = (name) => page.getByRole("button", { name: new RegExp(`^${name}`) }).first();
  let steps = 0;
  for (; await button("Undo").isEnabled(); steps += 1) {
    const { revision } = await stage.server.api(`/documents/${id}`);
    await page.keyboard.press("Control+z");
    await until(async () => (await stage.server.api(`/documents/${id}`)).revision > revision, "one edit is undone");
    await until(async () => {
      const { canUndo } = await stage.server.api(`/documents/${id}`);
      return canUndo === (await button("Undo").isEnabled());
    }, "the page knows");
    check(steps < 40, "undo comes to an end");
  }
  check(steps >= 10, `every edit can be undone (${steps})`);
  await settled(page);
  const bare = await contents(stage, id);
  check(bare.sgf === empty.sgf && bare.nodes === 1, "all undone is the empty document");
  for (let i = 0; i < steps; i += 1) {
    const { revision } = await stage.server.api(`/documents/${id}`);
    await page.keyboard.press("Control+y");
    await until(async () => (await stage.server.api(`/documents/${id}`)).revision > revision, "one edit is redone");
    await until(async () => {
      const { canRedo } = await stage.server.api(`/documents/${id}`);
      return canRedo === (await button("Redo").isEnabled());
    }, "the page knows");
  }
  await settled(page);
  check(JSON.stringify(await contents(stage, id)) === JSON.stringify(edited), "all redone is the edited document");

  // Set-up, and a deletion that the button of the notice undoes.
  await row(page, "I9 K9").click();
  await seeCurrentRow(page, "I9 K9");
  await press(page, "Delete");
  await until(async () => (await rows(page).count()) === 2, "the subtree is gone");
  await page.locator(".notice").getByRole("button", { name: "Undo" }).click();
  await until(async () => (await rows(page).count()) === 5, "and back");
  await page.getByRole("button", { name: "Set up a position" }).click();
  await stage.picture("set-up");
  await clickSquares(page, "B2 C3");
  await page.getByRole("button", { name: "White stones" }).click();
  await clickSquares(page, "R18");
  await page.getByRole("button", { name: "Done" }).click();
  await until(async () => (await rows(page).count()) === 6, "the position is a node of the tree");
}

/** Good files of several kinds, and bad ones, which change nothing and show why. */
export async function files(stage) {
  const page = await stage.open();
  const example = (path) => join(stage.files, "suite", path);
  await otherDocument(page, () => drop(page, [example("sgf/nctu.sgf")]));
  await seeNotice(page, "Opened: SGF");
  await until(async () => (await rows(page).count()) >= 3, "the tree of the SGF is there");
  await stage.picture("sgf");
  await otherDocument(page, () => drop(page, [example("formats/gomocup.psq")]));
  await seeNotice(page, "Opened: psq");
  await seeStatus(page, /to move|has won/);
  await otherDocument(page, () => drop(page, [example("good/connect6-threats.cert")]));
  await seeStatus(page, "Proved: Black wins");
  await showTab(page, "Proof");
  await page.getByText(/[\d,]+ nodes, \d+ moves deep/).waitFor();
  await stage.picture("certificate");

  // Bad files: a certificate that proves nothing, and an SGF that ends too early.
  const before = documentId(page);
  const count = (await stage.server.api("/documents")).length;
  const torn = join(stage.folder, "torn.sgf");
  writeFileSync(torn, "(;GM[511]SZ[19];B[JJ];W[ZZZZ");
  const noise = join(stage.folder, "noise.bin");
  writeFileSync(
    noise,
    Uint8Array.from({ length: 5_000 }, (_, i) => (i * 7919) % 251),
  );
  const refused = [/status of 4(00|22)/];
  const errors = page.locator(".notice-error");
  await stage.allowing(refused, async () => {
    for (const [path, words] of [
      [example("bad/bad-game-k.cert"), /certificate/],
      [torn, "torn.sgf:1:"],
      [noise, "noise.bin: not a game"],
    ]) {
      await drop(page, [path]);
      await until(async () => matches((await errors.allInnerTexts()).join("\n"), words), `${path} is refused in words`);
    }
    await stage.picture("bad");
  });
  await settled(page);
  check(documentId(page) === before, "the document on the board stays");
  check((await stage.server.api("/documents")).length === count, "no document was made of a bad file");

  // Pasted text is read, too.
  await page.evaluate(() => navigator.clipboard.writeText("(;GM[511]SZ[19]GN[pasted];B[JJ];W[JH][MK])"));
  await page.locator(".status").click();
  await otherDocument(page, () => page.keyboard.press("Control+v"));
  await showTab(page, "Tree");
  await until(async () => (await rows(page).count()) >= 3, "with its moves");
}

/** Two tabs on one document see each other's edits, and neither loses its own. */
export async function twoTabs(stage) {
  const one = await stage.open();
  await newGame(one, "connect6");
  await typeMove(one, "J10");
  await until(() => /&n=1$/.test(one.url()), "the address says where we are");
  const two = await stage.tab(new URL(one.url()).hash);
  await seeStatus(two, "1. J10");
  await typeMove(one, "K11 L12");
  await until(async () => (await rows(two).count()) === 3, "the second tab has the move of the first");
  await row(two, "J10").click();
  await seeCurrentRow(two, "J10");
  await typeMove(two, "H8 I9");
  await until(async () => (await rows(one).count()) === 4, "the first tab has the move of the second");
  await settled(one);
  await seeStatus(one, "K11 L12");

  await showTab(one, "Comment");
  await commentField(one).fill("from the first");
  await row(two, "K11 L12").click();
  await seeCurrentRow(two, "K11 L12");
  await showTab(two, "Comment");
  await until(async () => (await commentField(two).inputValue()) === "from the first", "the comment arrives");
  await stage.picture("first", one);
  await stage.picture("second", two);

  // Both at once.
  await row(one, "K11 L12").click();
  await row(two, "H8 I9").click();
  await seeCurrentRow(one, "K11 L12");
  await seeCurrentRow(two, "H8 I9");
  await Promise.all([clickSquares(one, "A1 A2"), clickSquares(two, "S1 S2")]);
  for (const page of [one, two]) {
    await until(async () => (await rows(page).count()) === 6, "both moves are in both tabs");
  }
  // An undo changes the document for both tabs. It deletes the node of the first tab, which shows that.
  await settled(one);
  await press(two, "Control+z");
  await until(async () => (await rows(one).count()) === 5, "an undo in one tab is seen in the other");

  // The other tab reports the deletion of a document.
  await stage.allowing([/status of 404/], async () => {
    await command(one, "Delete document");
    await seeNotice(one, "Deleted");
    await seeNotice(two, "deleted elsewhere");
  });
}

/** Text, squares and turns are found; the page shows the same position elsewhere, one key away. */
export async function findAndLinks(stage) {
  const page = await stage.open();
  const sgf = join(stage.folder, "transpositions.sgf");
  writeFileSync(
    sgf,
    "(;GM[4]FF[4]SZ[15]GN[Transpositions];B[hh](;W[hi];B[jj];W[kk]C[here is the needle])" +
      "(;W[kk];B[jj];W[hi]C[the same in another order])(;W[ih];B[jj]LB[aa:needle]))",
  );
  await otherDocument(page, () => drop(page, [sgf]));
  await until(async () => (await rows(page).count()) >= 4, "the tree is there");

  await press(page, "Control+f");
  const field = page.getByRole("searchbox");
  await field.fill("needle");
  await until(async () => /2 found/.test(await page.locator(".find-count").innerText()), "two nodes have the word");
  await stage.picture("found");
  await field.press("Enter");
  await until(async () => /1 of 2/.test(await page.locator(".find-count").innerText()), "the first is shown");
  await field.press("Escape");
  await press(page, "F3");
  await until(async () => /2 of 2/.test(await page.locator(".find-count").innerText()), "F3 shows the second");
  await press(page, "F3");

  const link = page.getByRole("button", { name: /same position 1 of 2/ });
  await link.waitFor();
  await stage.picture("linked");
  const from = await currentRow(page).getAttribute("data-node");
  const isAt = async (node) => (await currentRow(page).getAttribute("data-node")) === node;
  await press(page, "Control+p");
  await page.getByRole("button", { name: /same position 2 of 2/ }).waitFor();
  await until(async () => !(await isAt(from)), "Ctrl+P is at the other place");
  await settled(page);
  const other = await currentRow(page).getAttribute("data-node");
  await page.goBack();
  await until(() => isAt(from), "the browser's Back returns from the jump");
  await settled(page);
  await page.goForward();
  await until(() => isAt(other), "Forward makes it again");
  await press(page, "Control+b");
  await until(() => isAt(from), "Ctrl+B is back");
  await page.locator("[role=treeitem].linked").first().waitFor();

  await press(page, "Control+f");
  await field.fill("#2");
  await until(async () => /3 found/.test(await page.locator(".find-count").innerText()), "three second moves");
  await field.fill("no such text at all");
  await until(
    async () => /0 found/.test(await page.locator(".find-count").innerText()),
    "nothing is found, and that is said",
  );
  await field.press("Escape");
}

const SCRIPT = "<script>window.hacked=1</script><img src=x onerror='window.hacked=1'><svg onload='window.hacked=1'>";

/** A file made to run script: its text is shown as text, and nothing of it runs. */
export async function hostileFile(stage) {
  const page = await stage.open();
  const hostile = join(stage.folder, `x<img src=x onerror=alert(1)>.sgf`.replaceAll("/", ""));
  const text = SCRIPT.replaceAll("\\", "\\\\").replaceAll("]", "\\]").replaceAll(":", "\\:");
  writeFileSync(
    hostile,
    `(;GM[511]SZ[19]GN[${text}]PB[${text}]PW[javascript\\:alert(1)]EV[${text}]C[${text}]N[${text}]` +
      `LB[JJ:${text}]XX[${text}];B[JJ]C[${text}]N[${text}];W[JH][MK]LB[AA:"onload=1])`,
  );
  await otherDocument(page, () => drop(page, [hostile]));
  await press(page, "Home");
  await seeCurrentRow(page, "Start");
  await showTab(page, "Comment");
  await until(async () => (await commentField(page).inputValue()).includes("<script>"), "the comment is shown as text");
  await until(async () => (await titleField(page).inputValue()).includes("<"), "so is the title");
  await showTab(page, "Info");
  await until(
    async () =>
      (await page.locator("#pane-info").getByLabel("Black", { exact: true }).inputValue()).includes("<script>"),
    "and the name",
  );
  await stage.picture("as-text");
  await showTab(page, "Documents");
  await page
    .getByRole("button", { name: /window.hacked/ })
    .first()
    .waitFor();
  await showTab(page, "Tree");
  await press(page, "Control+f");
  await page.getByRole("searchbox").fill("hacked");
  await until(async () => page.locator(".found li").count(), "it is found as text");
  await page.keyboard.press("Escape");
  // A picture of it is text, too.
  const id = documentId(page);
  const svg = await (await fetch(new URL(`api/documents/${id}/nodes/0/picture?format=svg`, stage.server.url))).text();
  check(!/<script|<img|onload=/.test(svg.replaceAll("&lt;", "")), "the picture has no script in it");
  await settled(page);
  const facts = await page.evaluate(() => ({
    hacked: window.hacked,
    strange: document.querySelectorAll(".page script, .page img, iframe, object, embed").length,
    scripts: document.scripts.length,
  }));
  check(facts.hacked === undefined, "nothing of it has run");
  check(facts.strange === 0 && facts.scripts === 1, "nothing of it is an element");
  // Even inserted script would not run.
  const policy = (await fetch(stage.server.url)).headers.get("content-security-policy") ?? "";
  check(/default-src 'none'/.test(policy) && !/unsafe/.test(policy), `the policy is strict: ${policy}`);
  // No page of another site may ask.
  const foreign = await fetch(new URL("api/documents", stage.server.url), {
    headers: { origin: "http://example.org" },
  });
  check(foreign.status === 403, "a foreign origin is refused");
}
