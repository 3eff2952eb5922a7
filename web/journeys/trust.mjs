// Nothing is lost while a server is slow, refuses, or is away; two writers of one comment.
import {
  clickAtOnce,
  clickSquares,
  documentId,
  newGame,
  placeOf,
  row,
  rows,
  seeCurrentRow,
  seeNotice,
  seeStatus,
  showTab,
  typeMove,
} from "./person.mjs";
import { check, settled, until } from "./wait.mjs";

/** The moves of the main line, as the server has them. */
async function line(stage, page) {
  const answer = await fetch(
    new URL(`api/documents/${documentId(page)}/export?format=moves&node=${await last(stage, page)}`, stage.server.url),
  );
  return (await answer.text()).trim();
}

/** The last node of the main line. */
async function last(stage, page) {
  const id = documentId(page);
  let node = await stage.server.api(`/documents/${id}/nodes/0`);
  while (node.children.length > 0) node = await stage.server.api(`/documents/${id}/nodes/${node.children[0].id}`);
  return node.id;
}

/** Answers about documents wait until they are let through; the server itself has done what was asked. */
async function holdAnswers(page) {
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  await page.route("**/api/documents/**", async (route) => {
    const response = await route.fetch();
    await gate;
    await route.fulfill({ response });
  });
  return open;
}

/** Three moves and a stone are placed before the first answer comes: each is where the reader saw it. */
export async function slowServer(stage) {
  const page = await stage.open();
  await newGame(page, "connect6");
  await settled(page);
  const letThrough = await holdAnswers(page);
  await clickAtOnce(page, "J10");
  await seeStatus(page, "1. J10");
  await clickAtOnce(page, "K11 L12");
  await seeStatus(page, "2. K11 L12");
  await clickAtOnce(page, "I9 J8");
  await seeStatus(page, "3. I9 J8");
  const before = JSON.stringify(await placeOf(page, "A1"));
  await clickAtOnce(page, "H7");
  await seeStatus(page, "1 more stone");
  await seeNotice(page, "Waiting for the server: J10 / K11 L12 / I9 J8");
  check(JSON.stringify(await placeOf(page, "A1")) === before, "the board does not move away under the pointer");
  check(
    (await stage.server.api(`/documents/${documentId(page)}`)).nodes === 2,
    "one move is under way, the others wait",
  );
  await stage.picture("waiting", page, { moving: true });
  letThrough();
  await until(async () => (await rows(page).count()) === 4, "all three moves are stored");
  await seeStatus(page, "1 more stone");
  await clickSquares(page, "G6");
  await seeStatus(page, "4. H7 G6");
  await until(
    async () => (await rows(page).count()) === 5,
    "the stone that was placed meanwhile belongs to the fourth move",
  );
  check(
    /J10.*K11 L12.*I9 J8.*H7 G6/s.test(await line(stage, page)),
    `each stone is in its own move: ${await line(stage, page)}`,
  );
  check((await page.locator(".notice-error").count()) === 0, "nothing was refused");

  // The moves after a refused one are dropped, too, and listed.
  await settled(page);
  let isFirst = true;
  const pattern = "**/edits";
  let refuse;
  const refusal = new Promise((resolve) => (refuse = resolve));
  await page.route(pattern, async (route) => {
    check(isFirst, "nothing is sent after a refused move");
    isFirst = false;
    await refusal;
    const problem = { status: 400, title: "the square is taken", help: null, where: null, kind: "square-taken" };
    await route.fulfill({ status: 400, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  await stage.allowing([/status of 400/], async () => {
    await clickAtOnce(page, "A1 A2");
    await seeStatus(page, "5. A1 A2");
    await clickAtOnce(page, "B1 B2");
    await seeStatus(page, "6. B1 B2");
    refuse();
    await seeNotice(page, "Not played: A1 A2 / B1 B2");
    await seeStatus(page, "4. H7 G6");
    await stage.picture("refused");
  });
  await page.unroute(pattern);
  check((await stage.server.api(`/documents/${documentId(page)}`)).nodes === 5, "nothing of it is in the document");
}

const AWAY = [
  /ERR_CONNECTION_REFUSED/,
  /ERR_CONNECTION_RESET/,
  /ERR_EMPTY_RESPONSE/,
  /WebSocket connection/,
  /ERR_SOCKET_NOT_CONNECTED/,
];

/** Moves during an absence of the server stay visible, and are stored when it is back. */
export async function awayAndBack(stage) {
  const page = await stage.open();
  await newGame(page, "connect6");
  await typeMove(page, "J10");
  await settled(page);
  await stage.allowing(AWAY, async () => {
    await stage.server.stop("SIGKILL");
    await page.getByText("reconnecting …").waitFor();
    await clickAtOnce(page, "K11 L12");
    await seeNotice(page, "The server is away. Not stored yet, sent when it is back: K11 L12");
    await clickAtOnce(page, "I9 J8");
    await seeNotice(page, "K11 L12 / I9 J8");
    check((await page.locator(".ghost.unstored").count()) === 4, "they look as not stored yet");
    await page.getByRole("button", { name: "Triangle" }).click();
    await clickAtOnce(page, "A1");
    await seeNotice(page, "Nothing was changed");
    await page.getByRole("button", { name: "Moves", exact: true }).click();
    await stage.picture("away", page, { moving: true });
    await stage.server.start();
    await page.getByText("reconnecting …").waitFor({ state: "detached" });
    await until(async () => (await rows(page).count()) === 4, "both moves are in the tree");
  });
  await until(async () => (await page.locator(".notice-waiting").count()) === 0, "nothing waits any more");
  await seeStatus(page, "3. I9 J8");
  check(/J10.*K11 L12.*I9 J8/s.test(await line(stage, page)), "they are stored, in order");
  await stage.picture("back");

  // Another window deletes the position of a waiting move: the server refuses it, and the notice lists it.
  await settled(page);
  const pattern = "**/edits";
  await stage.allowing([/ERR_CONNECTION_REFUSED/, /status of 404/], async () => {
    await page.route(pattern, (route) => route.abort("connectionrefused"));
    await clickAtOnce(page, "A1 A2");
    await seeNotice(page, "A1 A2");
    const node = await last(stage, page);
    await stage.server.api(`/documents/${documentId(page)}/edits`, { edit: "delete", node });
    await until(async () => (await rows(page).count()) === 3, "the page knows that it is deleted");
    await page.unroute(pattern);
    await seeNotice(page, "Not played: A1 A2");
    await stage.picture("gone");
  });
  await seeCurrentRow(page, "K11 L12");
  check((await stage.server.api(`/documents/${documentId(page)}`)).nodes === 3, "it is not played elsewhere");
}

const commentField = (page) => page.getByRole("textbox", { name: "Comment on this position" });

/** Two pages write the same comment: the second sees both texts, and decides. */
export async function twoWriters(stage) {
  const one = await stage.open();
  await newGame(one, "connect6");
  await typeMove(one, "J10");
  await until(() => /&n=1$/.test(one.url()), "the address says where we are");
  const two = await stage.tab(new URL(one.url()).hash);
  await showTab(one, "Comment");
  await showTab(two, "Comment");
  const comment = async () => (await stage.server.api(`/documents/${documentId(one)}/nodes/1`)).comment;
  const both = two.getByRole("group", { name: "The comment was changed elsewhere while you wrote." });

  /** The second has begun to write when the first one's text is stored. */
  const write = async (first, second) => {
    await settled(two);
    await two.route("**/edits", (route) => route.abort("connectionrefused"));
    await commentField(two).fill(second);
    await two.getByText("not saved yet").waitFor();
    await commentField(one).fill(first);
    await until(async () => (await comment()) === first, "the first text is stored");
    await two.unroute("**/edits");
    await commentField(two).blur();
    await both.waitFor();
    check((await commentField(two).inputValue()) === second, "what was typed is still there");
    check((await both.innerText()).includes(first), "the other text is shown");
    check((await comment()) === first, "nothing was replaced");
  };
  await stage.allowing([/status of 409/, /ERR_CONNECTION_REFUSED/], async () => {
    await write("Black holds.", "White wins here.");
    await stage.picture("both", two);
    await both.getByRole("button", { name: "Join both" }).click();
    await until(
      async () => (await commentField(two).inputValue()) === "Black holds.\nWhite wins here.",
      "both texts are in the field",
    );
    await until(async () => (await comment()) === "Black holds.\nWhite wins here.", "the joined text is stored");
    await both.waitFor({ state: "detached" });

    await write("One.", "Two.");
    await both.getByRole("button", { name: "Keep mine" }).click();
    await until(async () => (await comment()) === "Two.", "the second text is stored");
    await until(async () => (await commentField(one).inputValue()) === "Two.", "and seen by the first");

    await write("Three.", "Four.");
    await both.getByRole("button", { name: "Keep theirs" }).click();
    await until(async () => (await commentField(two).inputValue()) === "Three.", "the first text is back in the field");
    check((await comment()) === "Three.", "and nothing was replaced");
  });
  await row(two, "J10").waitFor();
}
