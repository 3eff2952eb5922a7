// Runs the journeys: the page in a real browser, as people use it. Exit code 0 only if all pass.
//   node journeys/run.mjs [--program PATH] [--only NAME] [--out FOLDER] [--dist FOLDER] [--jobs N]
// --dist tries another build of the page than the one in the program; --jobs says how many journeys run at
// the same time. They share nothing: each has a server, a store and a browser of its own.
import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
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
    jobs: { type: "string", default: String(availableParallelism()) },
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
const jobs = Number(values.jobs);
if (!Number.isInteger(jobs) || jobs < 1) {
  console.error(`journeys: --jobs is a number from 1 on, not ${values.jobs}`);
  process.exit(2);
}

/** The time limit of a journey in milliseconds. */
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
const verdicts = new Array(names.length);
let begun = 0;
let reported = 0;

/** Journeys end in any order; the report has the order of the list. */
function report() {
  for (; verdicts[reported] !== undefined; reported += 1) {
    const { failure, seconds } = verdicts[reported];
    const verdict = failure === null ? "passed" : "FAILED";
    console.log(`${names[reported].padEnd(20)} ${verdict.padEnd(7)} ${seconds.toFixed(1).padStart(6)} s`);
    if (failure !== null) console.log(`${failure}\n`);
  }
}

async function travelAll() {
  while (begun < names.length) {
    const index = begun;
    begun += 1;
    const start = Date.now();
    const failure = await travel(names[index]);
    verdicts[index] = { failure, seconds: (Date.now() - start) / 1000 };
    report();
  }
}

const start = Date.now();
await Promise.all(Array.from({ length: jobs }, travelAll));
const failed = names.filter((_, index) => verdicts[index].failure !== null);
const seconds = ((Date.now() - start) / 1000).toFixed(1);
console.log(
  `${names.length - failed.length} of ${names.length} passed in ${seconds} s, ${jobs} at a time; pictures are in ${out}`,
);
if (failed.length > 0) console.log(`FAILED: ${failed.join(", ")}`);
process.exit(failed.length > 0 ? 1 : 0);
