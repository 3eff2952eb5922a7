// Runs the journeys: the page in a real browser, as people use it. Exit code 0 only if all pass.
//   node journeys/run.mjs [--program PATH] [--only NAME] [--out FOLDER] [--dist FOLDER]
// --dist tries another build of the page than the one in the program.
import { existsSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { journeys } from "./list.mjs";
import { Stage } from "./stage.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { values } = parseArgs({
  options: {
    program: { type: "string", default: join(root, "target/debug/sixproof") },
    only: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: join(root, "target/journeys") },
    dist: { type: "string" },
  },
});
const program = resolve(values.program);
const out = resolve(values.out);
if (!existsSync(program)) {
  console.error(`journeys: there is no ${program}; build it with \`cargo build\`, or name it with --program`);
  process.exit(2);
}
const unknown = values.only.filter((name) => !(name in journeys));
if (unknown.length > 0) {
  console.error(`journeys: no journey ${unknown.join(", ")}; there are: ${Object.keys(journeys).join(", ")}`);
  process.exit(2);
}

/** One that hangs must not hold up the rest. */
const LIMIT_MS = 300_000;

async function travel(name) {
  const stage = new Stage({ program, out, name, files: root, dist: values.dist ? resolve(values.dist) : null });
  let late;
  const limit = new Promise((_, reject) => {
    late = setTimeout(() => reject(new Error("took too long")), LIMIT_MS);
  });
  try {
    await Promise.race([journeys[name](stage).then(() => stage.judge()), limit]);
    return null;
  } catch (error) {
    for (const [index, page] of stage.pages.entries()) {
      await stage.picture(`FAILED-${index}`, page, { moving: true }).catch(() => undefined);
    }
    const said = stage.complaints.length === 0 ? "" : `\nthe browser complained:\n  ${stage.complaints.join("\n  ")}`;
    return `${error.stack ?? error}${said}`;
  } finally {
    clearTimeout(late);
    await stage.close();
  }
}

const names = values.only.length > 0 ? values.only : Object.keys(journeys);
if (values.only.length === 0) rmSync(out, { recursive: true, force: true });
const verdicts = [];
for (const name of names) {
  const start = Date.now();
  const failure = await travel(name);
  const seconds = (Date.now() - start) / 1000;
  verdicts.push({ name, failure, seconds });
  if (failure !== null) console.log(`--- ${name} ---\n${failure}\n`);
}
for (const { name, failure, seconds } of verdicts) {
  console.log(`${name.padEnd(20)} ${(failure === null ? "passed" : "FAILED").padEnd(7)} ${seconds.toFixed(1).padStart(6)} s`);
}
console.log(`pictures are in ${out}`);
process.exit(verdicts.some(({ failure }) => failure !== null) ? 1 : 0);
