// Checks that no file imports from a layer above its own. A layer is a folder of src, or a file in it.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** From the lowest to the highest. */
export const LAYERS = [
  "style",
  "kept",
  "api",
  "game",
  "words",
  "state",
  "input",
  "board",
  "files",
  "commands",
  "panes",
  "layout",
  "main",
];

/** The layer of a path below src. */
const layerOf = (path) => path.split("/")[0].replace(/\.\w+$/, "");

/** The paths that a file imports: statements, exports from elsewhere, `import()`, types. */
const importsOf = (path, text) =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)].map(([, to]) =>
    posix.join(posix.dirname(path), to),
  );

/** What a file below src may not import, as sentences; none if all is well. */
export function offences(path, text) {
  const own = LAYERS.indexOf(layerOf(path));
  if (own < 0) return [`${path} is in no layer`];
  return importsOf(path, text)
    .filter((target) => LAYERS.indexOf(layerOf(target)) > own)
    .map((target) => `${path} (${LAYERS[own]}) imports ${target}, which is above it`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const src = fileURLToPath(new URL("../src", import.meta.url));
  const found = readdirSync(src, { recursive: true })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => offences(path, readFileSync(join(src, path), "utf8")));
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exit(1);
}
