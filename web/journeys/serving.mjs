// A server that dies at work, and files and links that leave the page.
import { readFileSync } from "node:fs";
import { PUZZLE_LINK } from "./beginning.mjs";
import {
  choose,
  chooseView,
  command,
  documentId,
  newGame,
  press,
  rows,
  seeNotice,
  seeStatus,
  showTab,
  typeMove,
} from "./person.mjs";
import { check, settled, until } from "./wait.mjs";

/** The server is killed while a job runs and a comment is typed; both go on when it is back. */
export async function restart(stage) {
  const page = await stage.open();
  await newGame(page, "connect6");
  await typeMove(page, "J10");
  // This opening is not proved within minutes.
  await typeMove(page, "K11 I9");
  await command(page, "Prove this opening");
  await page.getByLabel("Seconds, at most").fill("900");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await showTab(page, "Jobs");
  const job = page.locator(".job");
  /** The nodes that the pane shows of a running job; null if it shows none. */
  const nodes = async () => {
    const text = await job.innerText();
    return /running/.test(text) ? (/([\d,]+) nodes/.exec(text)?.[1] ?? null) : null;
  };
  await until(nodes, "the job shows its numbers");
  await showTab(page, "Search");
  await page.getByRole("tree", { name: "Search tree" }).waitFor();
  await stage.picture("running", page, { moving: true });
  const [before] = await stage.server.api("/jobs");

  // Chromium's own messages about an absent server.
  const away = [
    /ERR_CONNECTION_REFUSED/,
    /ERR_CONNECTION_RESET/,
    /ERR_EMPTY_RESPONSE/,
    /WebSocket connection/,
    /ERR_SOCKET_NOT_CONNECTED/,
  ];
  await stage.allowing(away, async () => {
    await stage.server.stop("SIGKILL");
    await page.getByText("reconnecting …").waitFor();
    await showTab(page, "Comment");
    await page.getByRole("textbox", { name: "Comment on this position" }).fill("typed while the server was away");
    await page.getByText("not saved yet").waitFor();
    await stage.picture("away", page, { moving: true });
    await stage.server.start();
    await page.getByText("reconnecting …").waitFor({ state: "detached" });
  });
  const id = documentId(page);
  await until(async () => {
    const { at } = await stage.server.api(`/documents/${id}`);
    return (await stage.server.api(`/documents/${id}/nodes/${at}`)).comment === "typed while the server was away";
  }, "the comment is saved by itself");
  await showTab(page, "Jobs");
  // The pane may show an older number: the job goes on when the number changes.
  const shown = await until(nodes, "the job is there");
  await until(async () => ![null, shown].includes(await nodes()), "the job goes on by itself");
  const [after] = await stage.server.api("/jobs");
  check(after.id === before.id, "it is the same job");
  await stage.picture("back", page, { moving: true });
  await showTab(page, "Tree");
  await until(async () => (await rows(page).count()) === 3, "the document is whole");
  await page.keyboard.press("F6");
  await until(async () => /stopped/.test(await job.innerText()), "F6 stops it");
}

/** The bytes at the beginning of a downloaded file. */
async function download(page, item) {
  const [file] = await Promise.all([page.waitForEvent("download"), choose(page, "Export", item)]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Exports of every kind, and links that others can open. */
export async function share(stage) {
  const page = await stage.open({}, PUZZLE_LINK);
  await seeStatus(page, "White to move, 2 stones");
  await press(page, "F5");
  await seeStatus(page, "Proved: White wins");
  const line = page.locator(".status-hint");
  await until(async () => /line: \d+ of/.test(await line.innerText()), "the line is shown");
  await press(page, "Escape");
  await until(async () => !/line:/.test(await line.innerText()), "Esc hides the line");
  await chooseView(page, "Numbers: stones");

  const sgf = await download(page, "SGF, the whole tree");
  check(/\.sgf$/.test(sgf.name) && sgf.bytes.toString().startsWith("("), `an SGF: ${sgf.name}`);
  const png = await download(page, "Picture PNG");
  check(/\.png$/.test(png.name) && png.bytes.subarray(1, 4).toString() === "PNG", "a PNG");
  const svg = await download(page, "Picture SVG");
  check(/<svg/.test(svg.bytes.toString()), "an SVG");
  const gif = await download(page, "Animation GIF");
  check(gif.bytes.subarray(0, 6).toString() === "GIF89a", "a GIF");
  const certificate = await download(page, "Certificate of the proof");
  check(/sixproof-certificate 1/.test(certificate.bytes.toString()), "a certificate");
  for (const item of ["Moves of this line", "Little Golem", "psq", "CCGC", "Text diagram"]) {
    const file = await download(page, item);
    check(file.bytes.length > 10, `${item} has something in it`);
  }
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await stage.picture("exports");
  await page.keyboard.press("Escape");

  await press(page, "Alt+l");
  await seeNotice(page, "Copied.");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  check(link.includes("#p=connect6:J10/"), `the link holds the position: ${link}`);
  const other = await stage.tab(new URL(link).hash);
  await seeStatus(other, "White to move, 2 stones");
  await settled(other);
  const before = (await stage.server.api("/documents")).length;
  await other.getByRole("button", { name: "Keep as a document" }).click();
  await until(() => documentId(other), "it is a document now");
  await settled(other);
  check((await stage.server.api("/documents")).length === before + 1, "and only now");
  await stage.picture("by-link", other);

  await command(page, "Copy a link to this node");
  await until(
    async () => (await page.evaluate(() => navigator.clipboard.readText())) !== link,
    "another link is copied",
  );
  const server = await page.evaluate(() => navigator.clipboard.readText());
  check(new URL(server).hash.includes(documentId(page)), "the link names the document");
  const third = await stage.tab(new URL(server).hash);
  await seeStatus(third, "Proved: White wins");
}
