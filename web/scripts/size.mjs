// Prints what the first load costs, gzipped. Fails above the limit of 100 kB.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT = 100_000;
const files = (dir) =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
let total = 0;
for (const path of files("dist").sort()) {
  const bytes = readFileSync(path);
  const zipped = gzipSync(bytes, { level: 9 }).length;
  total += zipped;
  console.log(`${String(bytes.length).padStart(8)} ${String(zipped).padStart(8)}  ${path}`);
}
console.log(`${String(total).padStart(17)}  bytes gzipped in all; the limit is ${LIMIT}`);
if (total > LIMIT) process.exit(1);
