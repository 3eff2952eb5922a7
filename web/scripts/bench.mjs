// Draws boards in Chromium and prints the times. Needs /usr/bin/chromium.
import { chromium } from "playwright-core";
import { createServer } from "vite";

const server = await createServer({ server: { port: 0, host: "127.0.0.1" }, logLevel: "error" });
await server.listen();
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
try {
  const page = await browser.newPage({ viewport: { width: 900, height: 900 } });
  await page.goto(`${address}bench/board.html`);
  await page.waitForFunction(() => document.title === "done");
  console.log((await page.evaluate(() => window.lines)).join("\n"));
} finally {
  await browser.close();
  await server.close();
}
