// How a description becomes types: docs/openapi.json itself is compared by `npm run check`.
import { describe, expect, it } from "vitest";
import { typesOf } from "../scripts/api.mjs";

const nothing = { type: ["string", "null"] };
const answer = (name: string) => ({
  get: { responses: { 200: { schema: { $ref: `#/components/schemas/${name}` } } } },
});

/** The types without comments and white space. */
const types = (schemas: Record<string, unknown>, answered: string): string[] =>
  typesOf({ paths: { "/": answer(answered) }, components: { schemas } })
    .split("\n")
    .filter((line) => line.startsWith("export"))
    .map((line) => line.replace("export type ", ""));

describe("types of the API", () => {
  it("an answer has all its fields, a request may leave out those that are not required", () => {
    const fields = { type: "object", properties: { id: { type: "integer" }, name: nothing }, required: ["id"] };
    const schemas = {
      Asked: fields,
      Got: { type: "array", items: { $ref: "#/components/schemas/Inner" } },
      Inner: fields,
    };
    expect(types(schemas, "Got")).toEqual([
      "Asked = {id: number;name?: string | null;};",
      "Got = (Inner)[];",
      "Inner = {id: number;name: string | null;};",
    ]);
  });
  it("choices, unions and types that extend another one", () => {
    const schemas = {
      Color: { type: "string", enum: ["black", "white"] },
      u32: { type: "integer", minimum: 0 },
      Both: { allOf: [{ $ref: "#/components/schemas/Color" }, { $ref: "#/components/schemas/u32" }] },
      Maybe: { oneOf: [{ $ref: "#/components/schemas/u32" }, { type: "null" }] },
    };
    expect(types(schemas, "Color")).toEqual([
      'Color = "black" | "white";',
      "NodeId = number;",
      "Both = Color & NodeId;",
      "Maybe = | NodeId| null;",
    ]);
  });
  it("a keyword or a type that is not known is refused", () => {
    expect(() => types({ A: { not: {} } }, "A")).toThrow("unknown keywords in a schema: not");
    expect(() => types({ A: { type: "date" } }, "A")).toThrow("no type for");
  });
});
