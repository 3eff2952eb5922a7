// Writes src/api/types.ts, the types of the REST API, from the server's own description in
// docs/openapi.json. With `--check` it writes nothing and fails when the file is stale.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HEADER = "// The types of the REST API, made from docs/openapi.json by `npm run api`. Do not edit.";

/** Aliases of the server's types, which lose their names in its description. */
const ALIASES = {
  String: ["SquareName", "The name of a square: `J10`, or `x,y` on an unbounded board."],
  u32: ["NodeId", "The number of a node of a document. It is never used again; the root is 0."],
  u64: ["JobId", "The number of a job."],
};

/** Keywords of a schema that this module reads. */
const READ = ["$ref", "allOf", "description", "enum", "items", "oneOf", "properties", "required", "type"];
/** Keywords that have no counterpart in a type. */
const IGNORED = ["additionalProperties", "default", "format", "maxItems", "maximum", "minimum", "title"];

const typeName = (ref) => {
  const own = ref.split("/").pop();
  return ALIASES[own]?.[0] ?? own;
};

/** The types that a part of the description refers to, directly or through other types. */
function reached(part, schemas, found = new Set()) {
  if (typeof part !== "object" || part === null) return found;
  const name = typeof part.$ref === "string" ? part.$ref.split("/").pop() : undefined;
  if (name !== undefined && !found.has(name)) {
    found.add(name);
    reached(schemas[name], schemas, found);
  }
  for (const value of Object.values(part)) reached(value, schemas, found);
  return found;
}

const comment = (text) => (text === undefined ? "" : `\n/** ${text.replaceAll("\n", "\n * ")} */\n`);

/** What a field means. A type that may be null has its description at the reference. */
const meaning = ({ description, oneOf = [] }) => description ?? oneOf.find(({ $ref }) => $ref)?.description;

/**
 * The fields of an object. In an answer all of them are there: where there is nothing the server writes `null`,
 * although its description does not require these fields. In a request, or in both, they are optional.
 */
function fields({ properties = {}, required = [] }, isAnswer) {
  const field = ([name, schema]) => {
    const mark = isAnswer || required.includes(name) ? "" : "?";
    return `${comment(meaning(schema))}${name}${mark}: ${typeOf(schema, isAnswer)};`;
  };
  return `{${Object.entries(properties).map(field).join("")}}`;
}

function plainType(type, schema, isAnswer) {
  if (type === "string" || type === "boolean" || type === "null") return type;
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return `(${typeOf(schema.items, isAnswer)})[]`;
  if (type === "object") return fields(schema, isAnswer);
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

function typeOf(schema, isAnswer) {
  const unknown = Object.keys(schema).filter((key) => !READ.includes(key) && !IGNORED.includes(key));
  if (unknown.length > 0) throw new Error(`unknown keywords in a schema: ${unknown.join(", ")}`);
  const variant = (part) => `${part.properties ? comment(part.description) : ""}| ${typeOf(part, isAnswer)}`;
  if (schema.$ref !== undefined) return typeName(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.oneOf !== undefined) return schema.oneOf.map(variant).join("");
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeOf(part, isAnswer)).join(" & ");
  return [schema.type]
    .flat()
    .map((type) => plainType(type, schema, isAnswer))
    .join(" | ");
}

/** The types of a description, not formatted. */
export function typesOf({ paths, components: { schemas } }) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const answered = reached(
    operations.map(({ responses }) => responses),
    schemas,
  );
  const asked = reached(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const types = Object.entries(schemas).map(([own, schema]) => {
    const [name, meaning] = ALIASES[own] ?? [own, schema.description];
    return `${comment(meaning)}export type ${name} = ${typeOf(schema, answered.has(own) && !asked.has(own))};\n`;
  });
  return [HEADER, ...types].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = (name) => fileURLToPath(new URL(name, import.meta.url));
  const target = path("../src/api/types.ts");
  const types = typesOf(JSON.parse(readFileSync(path("../../docs/openapi.json"), "utf8")));
  const biome = path("../node_modules/.bin/biome");
  const options = { cwd: path(".."), input: types, encoding: "utf8" };
  const made = execFileSync(biome, ["format", "--stdin-file-path=src/api/types.ts"], options);
  if (!process.argv.includes("--check")) writeFileSync(target, made);
  else if (readFileSync(target, "utf8") !== made) {
    console.error("src/api/types.ts is not what docs/openapi.json says: run `npm run api`");
    process.exit(1);
  }
}
