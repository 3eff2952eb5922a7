// Checks that no file imports from a layer above its own, and that only state/document.ts writes the signals of the
// current document. A layer is a folder of src, or a file in it.
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

/** The owner of the signals of the current document, without its ending. */
const OWNER = "state/document";

/** The names by which a file knows the exports of the owner: `doc`, or `state.doc` with `import * as state`. */
function namesOfOwner(path, text) {
  const names = [];
  for (const [, what, from] of text.matchAll(/\bimport\s+([^"';]+?)\s+from\s*["'](\.[^"']+)["']/g)) {
    if (posix.join(posix.dirname(path), from).replace(/\.\w+$/, "") !== OWNER) continue;
    const all = /^\*\s+as\s+(\w+)$/.exec(what);
    if (all !== null) names.push(`${all[1]}\\.\\w+`);
    for (const name of what.replace(/^(?:type\s+)?\{|\}$/g, "").split(",")) {
      const local = /(\w+)\s*$/.exec(name);
      if (all === null && local !== null) names.push(local[1]);
    }
  }
  return names;
}

/** The places where a file writes a signal of the owner, or where the owner lets others write it. */
function writesOf(path, text) {
  if (path.replace(/\.\w+$/, "") === OWNER) {
    const open = text.matchAll(/\bexport\s+(?:const|let)\s+(\w+)\s*=\s*signal\b|\bexport\s*\{[^}]*\b(own)\b/g);
    return [...open].map(([, name, own]) => `${path} exports ${name ?? own}, which others could write`);
  }
  const names = namesOfOwner(path, text);
  if (names.length === 0) return [];
  const signal = `(?:${names.join("|")})\\.value`;
  const write = new RegExp(
    `\\b(${signal})\\s*(?:[-+*/%&|^?<>]{0,3}=(?![=>])|\\+\\+|--)|(?:\\+\\+|--)(${signal})\\b`,
    "g",
  );
  return [...text.matchAll(write)]
    .filter(([found]) => !/[^<>][<>]=$/.test(found))
    .map(([, after, before]) => `${path} writes ${after ?? before}, which only ${OWNER}.ts may do`);
}

/** What a file below src may not do, as sentences; none if all is well. */
export function offences(path, text) {
  const own = LAYERS.indexOf(layerOf(path));
  if (own < 0) return [`${path} is in no layer`];
  const upwards = importsOf(path, text)
    .filter((target) => LAYERS.indexOf(layerOf(target)) > own)
    .map((target) => `${path} (${LAYERS[own]}) imports ${target}, which is above it`);
  return [...upwards, ...writesOf(path, text)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const src = fileURLToPath(new URL("../src", import.meta.url));
  const found = readdirSync(src, { recursive: true })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => offences(path, readFileSync(join(src, path), "utf8")));
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exit(1);
}
