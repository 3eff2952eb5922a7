// The lint that keeps imports from pointing upwards sees every kind of import.
import { describe, expect, it } from "vitest";
import { LAYERS, offences } from "../scripts/layers.mjs";

describe("layers", () => {
  it("a file may import from its own layer and from lower ones", () => {
    const text =
      'import { api } from "../api/client";\nimport { doc } from "./document";\nimport { signal } from "@preact/signals";';
    expect(offences("state/edits.ts", text)).toEqual([]);
    expect(offences("panes/tree/TreePane.tsx", 'import "./TreePane.css";\nimport { W } from "../../words";')).toEqual(
      [],
    );
  });
  it.each([
    'import { walk } from "../panes/proof/walk";',
    'import type { Walk } from "../panes/proof/walk";',
    'import "../panes/proof/walk";',
    'export { walk } from "../panes/proof/walk";',
    'export * from "../panes/proof/walk";',
    'const walk = () => import("../panes/proof/walk");',
    'let walk: import("../panes/proof/walk").Walk;',
  ])("an import from a higher layer is an offence: %s", (text) => {
    expect(offences("state/proof.ts", text)).toEqual([
      "state/proof.ts (state) imports panes/proof/walk, which is above it",
    ]);
  });
  it("a file in the folder src is a layer of its own, and so is every folder", () => {
    expect(offences("main.tsx", 'import { Page } from "./layout/Page";')).toEqual([]);
    expect(offences("words/index.ts", 'import "../main";')).toHaveLength(1);
    expect(offences("elsewhere/a.ts", "")).toEqual(["elsewhere/a.ts is in no layer"]);
    expect(new Set(LAYERS).size).toBe(LAYERS.length);
  });
});
