// The types of the page say what the server says of itself: docs/openapi.json is its own
// description (a test of the server keeps it so), types.ts is read with the compiler.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
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

const source = ts.createSourceFile("types.ts", read("../src/api/types.ts"), ts.ScriptTarget.Latest);
const interfaces = new Map<string, ts.InterfaceDeclaration>();
source.forEachChild((node) => {
  if (ts.isInterfaceDeclaration(node)) interfaces.set(node.name.text, node);
});

function written(name: string): { field: string; isOptional: boolean }[] {
  const found = interfaces.get(name);
  if (found === undefined) return [];
  const own = found.members.flatMap((member) =>
    ts.isPropertySignature(member) && ts.isIdentifier(member.name)
      ? [{ field: member.name.text, isOptional: member.questionToken !== undefined }]
      : [],
  );
  const above = found.heritageClauses?.flatMap((clause) =>
    clause.types.flatMap((type) => (ts.isIdentifier(type.expression) ? written(type.expression.text) : [])),
  );
  return [...own, ...(above ?? [])];
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
