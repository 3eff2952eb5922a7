// The tree of variations: the visible rows, from the server. The main line runs straight down; variations are
// indented.
import { effect, signal } from "@preact/signals";
import { api } from "../../api/client";
import type { Node, NodeId, Row } from "../../api/types";
import { keyHint } from "../../commands";
import { toNextSame } from "../../input/steps";
import { doc, documentId, jumpBack, jumps, jumpTo, node, treeVersion } from "../../state/document";
import { W } from "../../words";
import { VirtualRows } from "../VirtualRows";
import { FindBar } from "./FindBar";
import { ROW_HEIGHT, RowView } from "./RowView";
import { TreeMenu } from "./TreeMenu";
import "./TreePane.css";

/** Nodes that are folded or open against the default. */
const toggled = signal<readonly NodeId[]>([]);
let toggledFor: string | null = null;
effect(() => {
  const id = documentId.value;
  if (id === toggledFor) return;
  toggledFor = id;
  toggled.value = [];
});

export function toggleFold(id: NodeId): void {
  const all = toggled.value;
  toggled.value = all.includes(id) ? all.filter((one) => one !== id) : [...all, id];
}

/** Links to the same position elsewhere: with the same stones (numbered), or turned and mirrored. */
function Links({ here }: { here: Node }) {
  const same = here.links.filter((link) => link.kind === "same").map((link) => link.node);
  const symmetric = here.links.filter((link) => link.kind === "symmetric");
  if (same.length + symmetric.length === 0) return null;
  const all = [...same, here.id].sort((a, b) => a - b);
  return (
    <div class="links">
      {same.length > 0 && (
        <button type="button" class="link" title={keyHint("next-same")} onClick={toNextSame}>
          ≡ {W().sameNofM(all.indexOf(here.id) + 1, all.length)}
        </button>
      )}
      {symmetric.slice(0, 6).map((link) => (
        <button
          key={link.node}
          type="button"
          class="link symmetric"
          title={`${W().symmetricLinks(symmetric.length)}: ${link.moves}`}
          onClick={() => void jumpTo(link.node)}
        >
          ⟲ {link.moves.length > 24 ? `…${link.moves.slice(-22)}` : link.moves}
        </button>
      ))}
      {jumps.value.length > 0 && (
        <button
          type="button"
          class="link"
          title={`${W().jumpBack} (${keyHint("jump-back")})`}
          aria-label={W().jumpBack}
          onClick={() => void jumpBack()}
        >
          ↩
        </button>
      )}
    </div>
  );
}

export function TreePane() {
  const [id, here] = [documentId.value, node.value];
  if (doc.value === null || here === null || id === null) return <p class="empty">{W().looseHint}</p>;
  const fetch = (from: number, count: number) =>
    api.rows(id, { from, count, toggled: [...toggled.value], at: node.value?.id ?? null });
  const row = (one: Row) => (
    <RowView key={one.node} row={one} isCurrent={one.node === here.id} onPath={here.path.includes(one.node)} />
  );
  return (
    <div class="tree-pane">
      <div class="pane-tools">
        <FindBar />
        <TreeMenu />
      </div>
      <Links here={here} />
      <VirtualRows
        label={W().tree}
        role="tree"
        rowHeight={ROW_HEIGHT}
        version={`${id}/${treeVersion.value}/${toggled.value.join()}/${here.id}`}
        follow={`${id}/${here.id}`}
        fetch={fetch}
        row={row}
      />
    </div>
  );
}
