// The farm pane. The journey answers for the server, so that no other machine is needed.
import { command, seeNothingCut, seeNotice, showTab } from "./person.mjs";
import { check, settled, timersOf, until } from "./wait.mjs";

const URL_HERE = "nats://127.0.0.1:4222";
const JOIN = `sixproof worker ${URL_HERE}`;
const WHY =
  "Its bench signature is 61c0ffee, that of this search 7e5ca1ab: install the same version of sixproof on both.";

/** The interval of the pane's requests (FARM_EVERY_MS of the page). */
const EVERY_MS = 2_000;

const worker = (name, more = {}) => ({
  id: name.padEnd(32, "0"),
  name,
  cores: 8,
  state: "working",
  why: null,
  running: 8,
  done: 1_460,
  nodes: 91_000_000,
  nodes_per_second: 412_345,
  seen_seconds: 0.4,
  ...more,
});

const manager = (workers, more = {}) => ({
  id: "0".repeat(32),
  title: "Black to win, Connect6, 5 stones",
  for_seconds: 754,
  queued: 14,
  running: 11,
  judging: 1,
  done: 3_120,
  oldest_seconds: 41.3,
  jobs_per_second: 4.2,
  nodes_per_second: 612_000,
  given_up: 0,
  worker_count: workers.length,
  core_count: workers.reduce((sum, { cores }) => sum + cores, 0),
  uncertified: 0,
  done_again: 0,
  workers,
  ...more,
});

const farmOf = (managers, more = {}) => ({
  farm: { url: URL_HERE, connected: true, join: JOIN, problem: null, warnings: [], managers, ...more },
});

const busy = farmOf(
  [
    manager([
      worker("build-1"),
      worker("build-2", { cores: 4, running: 3, done: 702, nodes_per_second: 199_655, seen_seconds: 3.2 }),
      worker("laptop", { cores: 2, state: "idle", running: 0, done: 12, nodes_per_second: 0 }),
      worker("attic", { cores: 4, state: "lost", running: 0, done: 946, nodes_per_second: 0, seen_seconds: 93 }),
      worker("old-server", { state: "dropped", why: WHY, running: 0, done: 0, nodes_per_second: 0, seen_seconds: 12 }),
      worker("overclocked", {
        state: "dropped",
        why: "Its certificate was not accepted: node 17: K11 is not empty.",
        running: 0,
        done: 3,
        nodes_per_second: 0,
        seen_seconds: 61,
      }),
    ]),
    manager([], {
      id: "1".repeat(32),
      title: "White to win, 15 x 15, 5 in a row",
      queued: 2,
      running: 0,
      judging: 0,
      done: 0,
      given_up: 1,
    }),
  ],
  {
    warnings: [
      {
        kind: "openServer",
        text: "The server lets anybody do everything: give workers an account of their own.",
        count: null,
      },
      { kind: "workerDropped", text: "overclocked was dropped: its certificate was not accepted.", count: 1 },
      { kind: "newKind", text: "Something that this page has no words for.", count: null },
    ],
  },
);

/** No farm, then one that cannot be reached, then a busy one; one click copies the command that joins. */
export async function farm(stage) {
  let status = { farm: null };
  let asked = 0;
  const answerFor = (context) =>
    context.route("**/api/farm", (route) => {
      asked += 1;
      return route.fulfill({ json: status });
    });
  const page = await stage.open();
  await answerFor(stage.context);
  await showTab(page, "Farm");
  await page.getByText("sixproof serve --farm nats://HOST:4222").waitFor();
  await stage.picture("none");

  status = farmOf([], { connected: false, problem: `${URL_HERE} does not answer: connection refused.` });
  await page.getByText("connection refused").waitFor();
  await stage.picture("away");
  status = farmOf([]);
  await page.getByText("No search is running.").waitFor();

  status = busy;
  const table = page.getByRole("table", { name: "Workers: Black to win" });
  await table.getByRole("row", { name: "build-2" }).waitFor();
  await until(
    async () => /working/.test(await table.getByRole("row", { name: "build-1" }).innerText()),
    "the state is a word",
  );
  await page.getByText(WHY).waitFor();
  const warnings = page.getByRole("list", { name: "Warnings" });
  await until(async () => (await warnings.getByRole("listitem").count()) === 3, "the warnings are on top");
  await page.getByText("No worker yet.").waitFor();
  await seeNothingCut(page);
  await stage.picture("busy");
  const copy = page.getByRole("button", { name: `Copy: ${JOIN}` });
  await copy.focus();
  await page.keyboard.press("Enter");
  await seeNotice(page, "Copied.");
  check((await page.evaluate(() => navigator.clipboard.readText())) === JOIN, "the command is copied");

  await showTab(page, "Comment");
  await settled(page);
  check(
    (await timersOf(page)).every((ms) => ms > EVERY_MS),
    "a closed pane has no timer that would ask",
  );
  const before = asked;
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await command(page, "Copy the command that joins a machine");
  await until(
    async () => (await page.evaluate(() => navigator.clipboard.readText())) === JOIN,
    "the palette copies it, too",
  );
  await settled(page);
  check(asked === before + 1, `a closed pane asks nothing by itself (${asked - before})`);

  // Wide enough for a table, and on a phone.
  await page.setViewportSize({ width: 760, height: 1000 });
  await showTab(page, "Farm");
  await table.waitFor();
  await seeNothingCut(page);
  await table.scrollIntoViewIfNeeded();
  await stage.picture("wide");
  const phone = await stage.open({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    locale: "zh-TW",
    colorScheme: "dark",
  });
  await answerFor(stage.context);
  await phone.getByRole("tab", { name: "農場" }).tap();
  await phone.getByText("NATS 伺服器讓任何人做任何事").waitFor();
  await phone.getByText("build-1").waitFor();
  await seeNothingCut(phone);
  const box = await phone.getByRole("button", { name: JOIN }).boundingBox();
  check(box.height >= 44, `the button is large enough for a thumb (${box.height} px)`);
  await phone.getByText("build-1").scrollIntoViewIfNeeded();
  await stage.picture("phone", phone);
  await phone.locator(".farm-pane").screenshot({ path: `${stage.out}/${stage.name}-pane.png` });
}
