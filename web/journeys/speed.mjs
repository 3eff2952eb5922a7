// How fast the page is, measured in the browser and reported. Nothing is asserted: a busy machine is no
// failure of the page. Medians say more than worst cases.
//   node journeys/speed.mjs [--program PATH] [--certificate PATH] [--nodes N]
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { createServer } from "vite";
import { clickAtOnce, clickSquares, documentId, drop, newGame, seeCurrentRow, seeStatus, showTab } from "./person.mjs";
import { launch, Stage } from "./stage.mjs";
import { until } from "./wait.mjs";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const root = resolve(web, "..");
const built = ["release", "debug"].map((kind) => join(root, "target", kind, "sixproof")).find(existsSync);
const { values } = parseArgs({
  options: {
    program: { type: "string", default: built ?? "" },
    certificate: { type: "string", default: join(root, "docs/openings/tx-h9.cert.zst") },
    nodes: { type: "string", default: "200000" },
  },
});
if (!existsSync(values.program)) {
  console.error("speed: there is no program; build it with `cargo build --release`, or name it with --program");
  process.exit(2);
}

const report = (what, value, wish = "") => console.log(`${what.padEnd(46)} ${value.padEnd(48)} ${wish}`.trimEnd());

function spread(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  const ms = (n) => n.toFixed(n < 10 ? 2 : 0);
  return `median ${ms(at(0.5))}, 95 % ${ms(at(0.95))}, worst ${ms(at(1))} ms (${times.length})`;
}

/** What the first visit loads. */
function firstLoad() {
  const files = ["index.html", "assets/index.js", "assets/style.css", "favicon.svg"];
  const bytes = files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(web, "dist", file)), { level: 9 }).length,
    0,
  );
  report("first load, gzipped", `${bytes} bytes`, "under 100,000");
}

/** The board alone: the drawing code in a page of its own. */
async function board() {
  const vite = await createServer({ root: web, server: { port: 0, host: "127.0.0.1" }, logLevel: "error" });
  await vite.listen();
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 900 } });
    await page.goto(`${vite.resolvedUrls.local[0]}bench/board.html`);
    await page.waitForFunction(() => document.title === "done", null, { timeout: 120_000 });
    for (const line of await page.evaluate(() => window.lines)) {
      const [what, times] = line.split(": ");
      report(`board ${what}`, times.replace(/ \(with.*$/, ""), what.startsWith("19") ? "under 2 ms" : "under 5 ms");
    }
  } finally {
    await browser.close();
    await vite.close();
  }
}

/** Script, style and layout that the browser has done so far, in ms. */
async function work(cdp) {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return 1000 * (of("ScriptDuration") + of("LayoutDuration") + of("RecalcStyleDuration"));
}

/** A tree as SGF: `lines` games of single stones that part at the beginning. */
function manyMoves(size, lines, moves) {
  let seed = 1;
  const random = (n) => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  const letter = (n) => String.fromCharCode(97 + n);
  const line = () => {
    const all = Array.from({ length: size * size }, (_, i) => i);
    const text = [];
    for (let move = 0; move < moves; move += 1) {
      const [square] = all.splice(random(all.length), 1);
      text.push(`;${move % 2 === 0 ? "B" : "W"}[${letter(square % size)}${letter(Math.floor(square / size))}]`);
    }
    return `(${text.join("")})`;
  };
  // Too many in a row for a win.
  return `(;FF[4]GM[511]SZ[${size}]RU[connect(${size},${size},${size},1,1)]${Array.from({ length: lines }, line).join("")})`;
}

/** The whole page: one move more on the board, with tree and all. */
async function wholePage(stage, page, size) {
  await newGame(page, `${size},${size},19,2,1`);
  const id = documentId(page);
  const squares = Array.from({ length: size * size }, (_, i) => (i * 7919 + 13) % (size * size));
  const name = (i) => `${columnName(i % size)}${Math.floor(i / size) + 1}`;
  let node = 0;
  for (let move = 0; move < 80; move += 1) {
    const stones = squares.slice(Math.max(0, 2 * move - 1), 2 * move + 1).map(name);
    node = (await stage.server.api(`/documents/${id}/edits`, { edit: "move", node, squares: stones })).node;
  }
  await page.reload();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await page.keyboard.press("Home");
  await seeCurrentRow(page, "Start");
  const costs = [];
  for (let turn = 1; turn <= 60; turn += 1) {
    const before = await work(cdp);
    await page.keyboard.press("ArrowRight");
    await seeStatus(page, `${turn}. `);
    // What the step leaves to be done is part of it.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    costs.push((await work(cdp)) - before);
  }
  report(`whole page, one step at ${size} x ${size}`, spread(costs), "script, style and layout");
}

function columnName(x) {
  return x < 26 ? String.fromCharCode(65 + x) : columnName(Math.floor(x / 26) - 1) + columnName(x % 26);
}

/** Times between frames while `run` runs. */
async function frames(page, run) {
  await page.evaluate(() => {
    window.frames_ = [];
    window.counting = true;
    let last = performance.now();
    const next = (now) => {
      window.frames_.push(now - last);
      last = now;
      if (window.counting) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await run();
  return page.evaluate(() => {
    window.counting = false;
    return window.frames_.slice(2);
  });
}

async function largeTree(stage, page) {
  const count = Number(values.nodes);
  const moves = 100;
  const path = join(stage.folder, "large.sgf");
  const lines = Math.round(count / moves);
  writeFileSync(path, manyMoves(19, lines, moves));
  const before = documentId(page);
  const start = performance.now();
  await drop(page, [path]);
  await until(() => documentId(page) !== before, "the document is open", 300_000);
  // Its first row says how many side lines it has.
  await page
    .locator(".tree-pane .more")
    .filter({ hasText: `+${lines - 1}` })
    .waitFor();
  const took = performance.now() - start;
  const { nodes } = await stage.server.api(`/documents/${documentId(page)}`);
  const bytes = readFileSync(path).length;
  report(
    `SGF of ${nodes.toLocaleString("en")} nodes`,
    `${took.toFixed(0)} ms from drop to tree`,
    `${(bytes / 1e6).toFixed(1)} MB; under 2,000 ms`,
  );
  const box = page.getByRole("tree", { name: "Tree" });
  // All variations are shown.
  const folded = page.getByRole("button", { name: "Unfold" }).first();
  if (await folded.count()) await folded.click();
  await until(() => box.evaluate((element) => element.scrollHeight > 100_000), "the tree is long");
  const height = await box.evaluate((element) => element.scrollHeight);
  const times = await frames(page, async () => {
    const { x, y, width } = await box.boundingBox();
    await page.mouse.move(x + width / 2, y + 100);
    for (let i = 0; i < 120; i += 1) await page.mouse.wheel(0, 180);
  });
  report("scrolling it by the wheel, frames", spread(times), `${Math.round(height / 26).toLocaleString("en")} rows`);
  const jumps = await frames(page, () =>
    box.evaluate(async (element, all) => {
      for (let i = 0; i <= 40; i += 1) {
        element.scrollTop = (all * i) / 40;
        await new Promise((done) => requestAnimationFrame(done));
      }
    }, height),
  );
  report("scrolling it by the bar, frames", spread(jumps));
  const steps = [];
  for (let turn = 1; turn <= 20; turn += 1) {
    const began = performance.now();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((n) => document.querySelector(".status-main")?.innerText.startsWith(`${n}. `), turn);
    steps.push(performance.now() - began);
  }
  report("stepping through it, key to board", spread(steps));
}

/** Times from a click to the moment it is handled, and to the next frame. */
async function clicks(page, count) {
  await page.evaluate(() => {
    window.handled = [];
    window.painted = [];
    addEventListener(
      "pointerdown",
      (event) => {
        window.handled.push(performance.now() - event.timeStamp);
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => window.painted.push(performance.now() - event.timeStamp);
          port2.postMessage(0);
        });
      },
      true,
    );
  });
  for (let i = 0; i < count; i += 1) {
    // A stone, and the same stone taken back.
    await clickAtOnce(page, "C3");
  }
  return page.evaluate(() => ({ handled: window.handled, painted: window.painted }));
}

async function liveUpdates(stage, page) {
  await newGame(page, "connect6");
  const id = documentId(page);
  await clickSquares(page, "J10");
  await seeStatus(page, "1. J10");
  const quiet = await clicks(page, 60);
  report("click, quiet: until handled", spread(quiet.handled));
  report("click, quiet: until drawn", spread(quiet.painted));
  // Updates as the server sends them, 50 in a second: a job's numbers, and changes of this document.
  const job = await stage.server.api("/jobs", { kind: "solve", document: id, node: 0, limits: { seconds: 1 } });
  let live = null;
  await page.routeWebSocket(/\/api\/live/, (socket) => {
    socket.connectToServer();
    live = socket;
  });
  await page.reload();
  await seeStatus(page, "1. J10");
  await showTab(page, "Jobs");
  await until(() => live !== null, "the page listens");
  let sent = 0;
  const start = performance.now();
  const flood = setInterval(() => {
    const due = Math.floor(((performance.now() - start) / 1000) * 50);
    for (; sent < due; sent += 1) {
      const seq = 1_000_000 + sent;
      const news =
        sent % 2 === 0
          ? { seq, event: "job", job: { ...job, state: "running", startedMs: Date.now() - 1000, text: `${sent}` } }
          : { seq, event: "document", document: id, revision: 1_000 + sent, nodes: [0], removed: false };
      live.send(JSON.stringify(news));
    }
  }, 5);
  const busy = await clicks(page, 120);
  const rate = (sent / ((performance.now() - start) / 1000)).toFixed(0);
  clearInterval(flood);
  report(`click, ${rate} live updates/s: until handled`, spread(busy.handled), "50 per second do not delay it");
  report(`click, ${rate} live updates/s: until drawn`, spread(busy.painted));
}

async function certificate(_stage, page) {
  const before = documentId(page);
  const start = performance.now();
  await drop(page, [values.certificate]);
  await until(() => documentId(page) !== before, "the certificate is open", 300_000);
  await showTab(page, "Proof");
  const facts = await page.getByText(/[\d,]+ nodes, \d+ moves deep/).innerText();
  await page.locator(".proof-row").first().waitFor();
  report("certificate, from drop to its tree", `${(performance.now() - start).toFixed(0)} ms`, facts);
  await page.locator(".rows-box").focus();
  const steps = [];
  const step = async (key) => {
    const seen = await page.evaluate(() => document.querySelector(".proof-row.current")?.innerText ?? "");
    const began = performance.now();
    await page.keyboard.press(key);
    const moved = await page
      .waitForFunction(
        (text) => {
          const now = document.querySelector(".proof-row.current")?.innerText ?? "";
          return now !== "" && now !== text;
        },
        seen,
        { timeout: 1_500 },
      )
      .then(
        () => true,
        () => false,
      );
    if (moved) steps.push(performance.now() - began);
    return moved;
  };
  await step("ArrowRight");
  // Into each of some replies, as deep as it goes, and back to the next one.
  for (let reply = 0; reply < 5 && steps.length < 60; reply += 1) {
    let depth = 0;
    while (depth < 12 && (await step("ArrowRight"))) depth += 1;
    for (; depth > 1; depth -= 1) await step("ArrowLeft");
    if (!(await step("ArrowDown"))) break;
  }
  report("walking it, key to tree", spread(steps));
}

firstLoad();
await board();
const stage = new Stage({ program: values.program, out: join(root, "target/journeys"), name: "speed", files: root });
try {
  const page = await stage.open();
  await until(() => documentId(page), "the page is there");
  for (const [what, run] of [
    ["19 x 19", () => wholePage(stage, page, 19)],
    ["59 x 59", () => wholePage(stage, page, 59)],
    ["large tree", () => largeTree(stage, page)],
    ["live updates", () => liveUpdates(stage, page)],
    ["certificate", () => certificate(stage, page)],
  ]) {
    await run().catch((error) => report(what, `could not be measured: ${error.message.split("\n")[0]}`));
  }
  if (stage.complaints.length > 0) console.log(`the browser complained:\n  ${stage.complaints.join("\n  ")}`);
} finally {
  await stage.close();
}
