// The lint of the layers sees every kind of import from above, and every write of a signal of the current document.
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

describe("the signals of the current document", () => {
  const DOC = 'import { doc, node as here } from "../../state/document";\n';
  const path = "panes/tree/TreePane.tsx";
  it.each(["doc.value = null;", "here.value ??= x;", "doc.value\n  += 1;", "doc.value++;", "--here.value;"])(
    "only their owner writes them: %s",
    (text) => {
      expect(offences(path, DOC + text)).toHaveLength(1);
      expect(
        offences(path, `import * as state from "../../state/document";\nstate.${text.replace("--", "")}`),
      ).toHaveLength(text.startsWith("--") ? 0 : 1);
      expect(offences("state/document.ts", `const doc = signal(null);\n${text}`)).toEqual([]);
    },
  );
  it.each(["x = doc.value;", "if (doc.value === y) f();", "if (here.value <= 1) f();", "const f = () => doc.value;"])(
    "every file may read them: %s",
    (text) => expect(offences(path, DOC + text)).toEqual([]),
  );
  it("a file may write signals of its own and of others", () => {
    expect(offences(path, `${DOC}const view = signal(0);\nview.value = doc.value;`)).toEqual([]);
    expect(offences(path, 'import { doc } from "../../state/proof";\ndoc.value = 1;')).toEqual([]);
  });
  it("their owner exports them read only", () => {
    expect(offences("state/document.ts", "export const doc = signal(null);")).toHaveLength(1);
    expect(offences("state/document.ts", "const own = {};\nexport { own };")).toHaveLength(1);
    expect(offences("state/document.ts", "export const doc: ReadonlySignal<number> = own.doc;")).toEqual([]);
  });
});
