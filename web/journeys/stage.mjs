// The stage of a journey: a server of its own with an empty store, and a browser whose every complaint counts. A
// journey does what a person does (roles, labels, keys) and waits for a visible change (`until`). What it reads
// once, it reads when the page is at rest (`settled`). There are no fixed sleeps and no retries.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { countWorkIn, PATIENCE_MS, settled } from "./wait.mjs";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser with a profile of its own. */
export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** Our processes, which end with this one. */
const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

/** `sixproof serve` on loopback; it says its address in its first line. */
export class Server {
  constructor(program, folder) {
    this.program = program;
    this.folder = folder;
    this.port = 0;
  }

  async start() {
    const store = join(this.folder, "store.redb");
    const args = ["serve", "--json", "--port", String(this.port), "--store", store, "--no-open"];
    const env = { ...process.env, SIXPROOF_THREADS: "1" };
    const child = spawn(this.program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.once("error", resolve);
      child.once("close", resolve);
    });
    void this.ended.then(() => running.delete(child));
    let complaints = "";
    child.stderr.on("data", (data) => (complaints = (complaints + data).slice(-2_000)));
    this.complaints = () => complaints;
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([
      new Promise((resolve) => lines.once("line", resolve)),
      this.ended.then(() => null),
    ]);
    if (first === null) throw new Error(`the server did not start: ${complaints || this.program}`);
    lines.resume();
    this.url = JSON.parse(first).url;
    // A restarted server keeps its port.
    this.port = Number(new URL(this.url).port);
    return this.url;
  }

  async stop(signal = "SIGTERM") {
    this.child?.kill(signal);
    const late = setTimeout(() => this.child?.kill("SIGKILL"), 10_000);
    await this.ended;
    clearTimeout(late);
  }

  /** Calls the API, to check what a person cannot see. */
  async api(path, body, method = body === undefined ? "GET" : "POST") {
    const init = { method };
    if (body !== undefined) {
      const isFile = body instanceof Uint8Array;
      init.headers = { "content-type": isFile ? "application/octet-stream" : "application/json" };
      init.body = isFile ? body : JSON.stringify(body);
    }
    const response = await fetch(new URL(`api${path}`, this.url), init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text === "" ? null : JSON.parse(text);
  }
}

/** The server and the browser of one journey. */
export class Stage {
  constructor({ program, out, name, files, dist = null }) {
    this.folder = mkdtempSync(join(tmpdir(), "sixproof-journey-"));
    this.server = new Server(program, this.folder);
    this.out = out;
    this.name = name;
    /** The repository's example files. */
    this.files = files;
    /** Another build of the page than the one in the program. */
    this.dist = dist;
    this.complaints = [];
    /** Complaints whose text is still loading. */
    this.unread = [];
    this.allowed = [];
    this.pictures = 0;
    this.pages = [];
  }

  /** Opens the page. `options`: those of a browser context (size, touch, language). */
  async open(options = {}, address = "") {
    if (this.server.url === undefined) await this.server.start();
    this.browser ??= await launch();
    this.context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en-US",
      colorScheme: "light",
      acceptDownloads: true,
      ...options,
    });
    await this.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await countWorkIn(this.context);
    if (this.dist !== null) await this.replacePage();
    return this.tab(address);
  }

  /**
   * Serves script and style from a folder, with the headers of the server. The document itself comes from the
   * server: Chromium must see that it comes from this machine.
   */
  replacePage() {
    return this.context.route(/\/assets\//, async (route) => {
      const path = join(this.dist, new URL(route.request().url()).pathname);
      await route.fulfill({ response: await route.fetch(), path });
    });
  }

  async tab(address = "") {
    const page = await this.context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    this.watch(page);
    this.pages.push(page);
    await page.goto(this.server.url + address);
    await page.locator(".board-picture[viewBox]").waitFor();
    this.page ??= page;
    return page;
  }

  /** Everything that goes wrong in the browser is a failure of the journey. */
  watch(page) {
    const complain = (text, allowed = this.allowed) => {
      if (!allowed.some((pattern) => pattern.test(text))) this.complaints.push(text);
    };
    page.on("console", (message) => {
      if (message.type() === "error") complain(`console: ${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => complain(`page: ${error.stack ?? error}`));
    page.on("requestfailed", (request) => {
      const why = request.failure()?.errorText ?? "";
      // A page that is left, and a download, abort requests by their nature.
      if (why !== "net::ERR_ABORTED") complain(`request: ${why} ${request.url()}`);
    });
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      const isOurs = host === new URL(this.server.url).host;
      if (!isOurs && !["data:", "blob:", "about:"].includes(protocol)) complain(`another host: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() < 400) return;
      const allowed = this.allowed;
      const asked = response.request().postData() ?? "";
      const read = response
        .text()
        .catch(() => "")
        .then((said) => {
          const words = `${asked.slice(0, 200)} ${said.slice(0, 300)}`;
          complain(`answer: status of ${response.status()} to ${response.url()} ${words}`, allowed);
        });
      this.unread.push(read);
    });
    page.on("dialog", (dialog) => {
      complain(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** Allows these complaints while `run` runs. */
  async allowing(patterns, run) {
    this.allowed = patterns;
    try {
      await run();
      await this.rest();
    } finally {
      this.allowed = [];
    }
  }

  /** Waits until every page is at rest and all complaints are there. */
  async rest() {
    for (const page of this.pages) if (!page.isClosed()) await settled(page);
    await Promise.all(this.unread);
  }

  /** Takes a picture of the page at rest. `moving`: of a page with a running search, which has no rest. */
  async picture(what, page = this.page, { moving = false } = {}) {
    if (!moving) await settled(page);
    mkdirSync(this.out, { recursive: true });
    this.pictures += 1;
    const path = join(this.out, `${this.name}-${this.pictures}-${what}.png`);
    await page.screenshot({ path, animations: "disabled" });
  }

  /** Fails if the browser has complained. */
  async judge() {
    await this.rest();
    if (this.complaints.length > 0) throw new Error(`the browser complained:\n  ${this.complaints.join("\n  ")}`);
  }

  async close() {
    await this.browser?.close().catch(() => undefined);
    if (this.server.child) await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
