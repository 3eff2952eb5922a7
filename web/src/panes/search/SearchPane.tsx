// The proof-number tree of a running search: what is solved, what is open, and where the search works.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Job, SearchNode } from "../../api/types";
import { opponent } from "../../game/rules";
import { node } from "../../state/document";
import { isEnded } from "../../state/jobs";
import { hideLine, showLine } from "../../state/overlay";
import { W } from "../../words";
import { goToJob, Numbers } from "../jobs/JobsPane";
import { Move } from "../Move";
import { VirtualRows } from "../VirtualRows";
import { lineTo, numberText, type SearchRow, searchRows } from "./rows";
import { searches, searchJob, shownJob, tree, watchTree } from "./state";
import "./SearchPane.css";

const ROW_HEIGHT = 24;
const toggled = signal<ReadonlySet<string>>(new Set());
const cursor = signal("");

const rows = computed(() => {
  const current = tree.value;
  return current === null || current.job !== shownJob.value?.id ? [] : searchRows(current.tree, toggled.value);
});

function toggle(key: string): void {
  const next = new Set(toggled.value);
  if (!next.delete(key)) next.add(key);
  toggled.value = next;
}

/** Previews the line to a row as numbered ghosts. */
async function preview(job: Job, row: SearchRow): Promise<void> {
  const current = tree.value;
  if (current === null) return;
  cursor.value = row.key;
  if (node.value?.id !== job.node) await goToJob(job);
  const line = lineTo(current.tree, row.index);
  const first = line[0];
  if (first === undefined) hideLine("search");
  else
    showLine(
      "search",
      colorOf(job, first),
      line.map((step) => step.squares),
    );
}

const colorOf = (job: Job, step: SearchNode) => (step.by === "attacker" ? job.attacker : opponent(job.attacker));

const SIGN: Record<SearchNode["state"], string> = { open: "○", running: "▶", proved: "◆", refuted: "✕" };

function RowView({ job, row, index }: { job: Job; row: SearchRow; index: number }) {
  const words = W().search;
  const { node: it } = row;
  const pn = numberText(it.proof);
  const dn = numberText(it.disproof);
  return (
    <div
      id={`search-row-${index}`}
      class={`vrow search-row search-${it.state}${row.leaf ? " leaf" : ""}${it.critical ? " critical" : ""}${
        row.key === cursor.value ? " current" : ""
      }`}
      role="treeitem"
      aria-level={row.indent + 1}
      aria-selected={row.key === cursor.value}
      {...(row.children > 0 ? { "aria-expanded": !row.folded } : {})}
      style={{ "--indent": Math.min(row.indent, 40) }}
      onClick={() => void preview(job, row)}
    >
      <button
        type="button"
        class="fold"
        tabIndex={-1}
        disabled={row.children === 0}
        aria-label={row.folded ? W().unfold : W().fold}
        onClick={(event) => {
          event.stopPropagation();
          toggle(row.key);
        }}
      >
        {row.children === 0 ? "·" : row.folded ? "▸" : "▾"}
      </button>
      <span class="search-sign" title={words.states[it.state]}>
        {SIGN[it.state]}
      </span>
      {it.squares.length === 0 ? (
        <span class="muted">{it.parent < 0 ? words.root : W().proof.anything}</span>
      ) : (
        <Move color={colorOf(job, it)} squares={it.squares} />
      )}
      {row.leaf && (
        <span class="badge" title={words.criticalHint}>
          {words.critical}
        </span>
      )}
      {it.hidden > 0 && <span class="muted small">+{words.hidden(it.hidden)}</span>}
      <span class="row-end pn-dn" aria-label={words.numbers(pn, dn)}>
        <span class="pn" title={words.pn}>
          {pn}
        </span>
        <span class="dn" title={words.dn}>
          {dn}
        </span>
      </span>
    </div>
  );
}

function move(job: Job, by: number): void {
  const list = rows.value;
  const index = list.findIndex((row) => row.key === cursor.value);
  const next = list[Math.max(0, Math.min(list.length - 1, Math.max(0, index) + by))];
  if (next !== undefined) void preview(job, next);
}

function onKey(event: KeyboardEvent, job: Job): void {
  const row = rows.value.find((one) => one.key === cursor.value);
  if (event.key === "ArrowDown") move(job, 1);
  else if (event.key === "ArrowUp") move(job, -1);
  else if (event.key === "ArrowRight" && row?.folded) toggle(row.key);
  else if (event.key === "ArrowRight") move(job, 1);
  else if (event.key === "ArrowLeft" && row !== undefined && row.children > 0 && !row.folded) toggle(row.key);
  else if (event.key === "ArrowLeft" && row !== undefined) {
    const parent = row.key.slice(0, Math.max(0, row.key.lastIndexOf("/")));
    const above = rows.value.find((one) => one.key === parent);
    if (above !== undefined) void preview(job, above);
  } else if (event.key === "Escape") hideLine("search");
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function Head({ job }: { job: Job }) {
  const words = W().search;
  const current = tree.value;
  const leaf = rows.value.find((row) => row.leaf);
  return (
    <div class="search-head pane-head">
      <div class="buttons">
        <label>
          <span class="unseen">{words.job}</span>
          <select
            value={String(job.id)}
            onChange={(event) => {
              searchJob.value = Number(event.currentTarget.value);
            }}
          >
            {searches.value.slice(0, 20).map((one) => (
              <option key={one.id} value={String(one.id)}>
                {W().jobs.kinds[one.kind]} {one.id}: {W().jobs.states[one.state]}
              </option>
            ))}
          </select>
        </label>
        {leaf !== undefined && (
          <button type="button" onClick={() => void preview(job, leaf)}>
            {words.toLeaf}
          </button>
        )}
      </div>
      <p class="small">
        <Numbers job={job} />
      </p>
      {current !== null && current.job === job.id && (
        <p class="muted small">{words.size(current.tree.nodes.length, current.tree.size)}</p>
      )}
    </div>
  );
}

export function SearchPane() {
  useEffect(() => {
    const stop = watchTree();
    return () => {
      stop();
      hideLine("search");
    };
  }, []);
  const words = W().search;
  const job = shownJob.value;
  if (job === null) {
    return (
      <div class="pane-empty">
        <p>{words.none}</p>
        <p class="muted">{words.noneHint}</p>
      </div>
    );
  }
  const list = rows.value;
  const at = list.findIndex((row) => row.key === cursor.value);
  return (
    <div class="search-pane rows-pane">
      <Head job={job} />
      {list.length === 0 && <p class="muted pane-empty">{isEnded(job) ? W().jobs.states[job.state] : words.waiting}</p>}
      <div class="rows-box" tabIndex={0} role="group" aria-label={words.tree} onKeyDown={(event) => onKey(event, job)}>
        <VirtualRows<SearchRow>
          label={words.tree}
          role="tree"
          rowHeight={ROW_HEIGHT}
          version={`${job.id}:${tree.value?.tree.version ?? 0}:${[...toggled.value].join()}`}
          follow={cursor.value}
          fetch={(from, count) => Promise.resolve({ total: list.length, at, rows: list.slice(from, from + count) })}
          row={(row, index) => <RowView key={row.key} job={job} row={row} index={index} />}
        />
      </div>
    </div>
  );
}
