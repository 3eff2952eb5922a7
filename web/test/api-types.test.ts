// The types of the page say what the server says of itself: docs/openapi.json is its own
// description (a test of the server keeps it so), types.ts is read with Vite's parser.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ESTree, parseSync } from "vite";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

interface Schema {
  properties?: Record<string, unknown>;
  allOf?: (Schema & { $ref?: string })[];
}
const schemas = JSON.parse(read("../../docs/openapi.json")).components.schemas as Record<string, Schema>;

/** Names that differ: the page's, and the server's. */
const CALLED: Record<string, string> = { Answer: "ProofAnswer" };

function described(schema: Schema & { $ref?: string }): string[] {
  const parts = schema.allOf?.flatMap(described) ?? [];
  const name = schema.$ref?.split("/").pop();
  const referred = name === undefined ? [] : described(schemas[name] ?? {});
  return [...Object.keys(schema.properties ?? {}), ...parts, ...referred];
}

const interfaces = new Map<string, ESTree.TSInterfaceDeclaration>();
for (const node of parseSync("types.ts", read("../src/api/types.ts")).program.body) {
  const declared = node.type === "ExportNamedDeclaration" ? node.declaration : node;
  if (declared?.type === "TSInterfaceDeclaration") interfaces.set(declared.id.name, declared);
}

function written(name: string): { field: string; isOptional: boolean }[] {
  const found = interfaces.get(name);
  if (found === undefined) return [];
  const own = found.body.body.flatMap((member) =>
    member.type === "TSPropertySignature" && member.key.type === "Identifier"
      ? [{ field: member.key.name, isOptional: member.optional }]
      : [],
  );
  const above = found.extends.flatMap(({ expression }) =>
    expression.type === "Identifier" ? written(expression.name) : [],
  );
  return [...own, ...above];
}

describe("the types of the API", () => {
  const both = [...interfaces.keys()].filter((name) => schemas[CALLED[name] ?? name] !== undefined);

  it("are nearly all described by the server", () => {
    expect(both.length).toBeGreaterThan(30);
  });

  it.each(both)("%s has the fields that the server describes", (name) => {
    const theirs = new Set(described(schemas[CALLED[name] ?? name] ?? {}));
    // What a server may leave out need not be described.
    const ours = written(name).filter(({ field, isOptional }) => !isOptional || theirs.has(field));
    expect([...new Set(ours.map(({ field }) => field))].sort()).toEqual([...theirs].sort());
  });
});
