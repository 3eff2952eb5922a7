// The proof pane: the claim of a certificate, how to check it elsewhere, and its tree to walk through.
import { computed, signal } from "@preact/signals";
import { proofApi } from "../../api/proofs";
import type { Proof, ProofRow } from "../../api/types";
import { opponent } from "../../game/rules";
import { node } from "../../state/document";
import { failed, speak } from "../../state/notices";
import { setOverlay } from "../../state/overlay";
import { litReply, place, proof, proofHash, walked } from "../../state/proof";
import { W } from "../../words";
import { bytesText, secondsText } from "../duration";
import { Move, Stone } from "../Move";
import { VirtualRows } from "../VirtualRows";
import { putLine } from "./put";
import type { WalkKey } from "./walk";
import { endWalk, stepsTo, walkKey, walkToStep } from "./walker";
import "./ProofPane.css";

const ROW_HEIGHT = 26;

/** The last check of a certificate that this pane asked for. */
const checked = signal<{ hash: string; text: string } | null>(null);

async function verify(hash: string): Promise<void> {
  const words = W().proof;
  checked.value = { hash, text: words.verifying(0) };
  const started = performance.now();
  const timer = setInterval(() => {
    checked.value = { hash, text: words.verifying(Math.round((performance.now() - started) / 1000)) };
  }, 1000);
  try {
    const answer = await proofApi.check(hash);
    const text = words.verified(answer.nodes, secondsText(answer.seconds));
    checked.value = { hash, text };
    speak(text);
  } catch (error) {
    checked.value = null;
    failed(error);
  } finally {
    clearInterval(timer);
  }
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    speak(W().copied);
  } catch {
    failed(new Error(W().copyFailed));
  }
}

/** The claim, and how to check it without this page. */
function Head({ of }: { of: Proof }) {
  const words = W().proof;
  const file = `${of.hash.slice(0, 12)}.cert`;
  const counts = Object.entries(of.counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count.toLocaleString("en")} ${words.counts[kind] ?? kind}`)
    .join(", ");
  const state = checked.value?.hash === of.hash ? checked.value.text : "";
  return (
    <div class="proof-head pane-head">
      <p class="fact">
        <span class="fact-sign" aria-hidden="true">
          ◆
        </span>{" "}
        {words.wins(of.attacker)}
      </p>
      <p class="muted small" title={counts}>
        {words.facts(of.nodes, of.depth, bytesText(of.bytes))}
      </p>
      <div class="buttons">
        <button type="button" title={words.verifyHint} onClick={() => void verify(of.hash)}>
          {words.verify}
        </button>
        <a class="button" href={proofApi.certificateUrl(of.hash)} download={file}>
          {words.download}
        </a>
        <button type="button" title={`sixproof check ${file}`} onClick={() => void copy(`sixproof check ${file}`)}>
          {words.copyCheck}
        </button>
        <button
          type="button"
          class="plain mono"
          title={`${words.copyHash}: ${of.hash}`}
          onClick={() => void copy(of.hash)}
        >
          {of.hash.slice(0, 12)}…
        </button>
      </div>
      {state !== "" && <p class="good small">{state}</p>}
    </div>
  );
}

const KEYS: Record<string, WalkKey> = {
  ArrowRight: "right",
  ArrowLeft: "left",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "home",
  End: "end",
};

function onKey(event: KeyboardEvent): void {
  const key = KEYS[event.key];
  if (key !== undefined) walkKey(key);
  else if (event.key === "Enter") void putLine();
  else if (event.key === "Escape") endWalk();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The open rows, and their certificate. */
const opened = signal<{ hash: string; nodes: ReadonlySet<number> }>({ hash: "", nodes: new Set() });

/** At first only the root is open. */
const openedOf = (hash: string): ReadonlySet<number> => (opened.value.hash === hash ? opened.value.nodes : ROOT);
const ROOT: ReadonlySet<number> = new Set([0]);

function toggle(hash: string, row: ProofRow): void {
  const nodes = new Set(openedOf(hash));
  // The server opens the ancestors of the current row, so the visible state counts.
  if (row.folded) nodes.add(row.node);
  else nodes.delete(row.node);
  opened.value = { hash, nodes };
}

/** The step on the board: that of the walk, or of the document's place. */
const steps = computed<number[]>(() => {
  const walk = walked.value;
  if (walk !== null && "steps" in walk) return walk.steps as number[];
  return place.value === null ? [] : stepsTo(place.value);
});

interface RowProps {
  row: ProofRow;
  index: number;
  isAt: boolean;
  of: Proof;
}

/** The reply in words: a null move is any move outside. */
function ReplyOf({ row, of }: { row: ProofRow; of: Proof }) {
  const words = W().proof;
  if (row.reply === null || row.kind === "root") return <span class="muted">{words.root}</span>;
  const defender = opponent(of.attacker);
  if (row.kind === "null") {
    return (
      <span class="move" title={words.replyKind.null}>
        <Stone color={defender} />
        <em>{words.anything}</em>
      </span>
    );
  }
  return (
    <span title={words.replyKind[row.kind]}>
      {row.kind === "macro" && <em>{words.allBlocks} </em>}
      <Move color={defender} squares={row.reply} />
      {row.kind === "semi-null" && <em> {words.plusAnything}</em>}
    </span>
  );
}

function RowView({ row, index, isAt, of }: RowProps) {
  const words = W().proof;
  const light = (on: boolean): void => {
    const squares = row.reply ?? [];
    setOverlay(
      "proof-row",
      !on
        ? null
        : {
            marks: squares.map((square) => ({ square, kind: "square" })),
            ghosts: row.answer.map((square) => ({ square, color: of.attacker, kind: "preview" })),
          },
    );
  };
  const choose = async (): Promise<void> => {
    const there = await proofApi.place(of.hash, { node: row.node, extra: [] });
    await walkToStep(of.hash, stepsTo(there));
  };
  return (
    <div
      key={index}
      id={`proof-row-${index}`}
      class={`vrow proof-row${isAt ? " current" : ""}${litReply.value === row.node ? " lit" : ""}`}
      role="treeitem"
      aria-level={row.indent + 1}
      aria-selected={isAt}
      {...(row.replies > 0 ? { "aria-expanded": !row.folded } : {})}
      style={{ "--indent": row.indent }}
      onClick={() => void choose().catch(failed)}
      onMouseEnter={() => light(true)}
      onMouseLeave={() => light(false)}
    >
      <button
        type="button"
        class="fold"
        tabIndex={-1}
        disabled={row.replies === 0}
        aria-label={row.folded ? W().unfold : W().fold}
        onClick={(event) => {
          event.stopPropagation();
          toggle(of.hash, row);
        }}
      >
        {row.replies === 0 ? "·" : row.folded ? "▸" : "▾"}
      </button>
      <ReplyOf row={row} of={of} />
      {row.answer.length > 0 && (
        <>
          <span class="arrow" aria-hidden="true">
            →
          </span>
          <Move color={of.attacker} squares={row.answer} />
        </>
      )}
      <span class="row-end muted small">{row.replies === 0 ? words.wonHere : row.size.toLocaleString("en")}</span>
    </div>
  );
}

function Tree({ of }: { of: Proof }) {
  const nodes = openedOf(of.hash);
  const at = steps.value[steps.value.length - 1] ?? null;
  const list = [...nodes];
  return (
    <div class="rows-box" tabIndex={0} role="group" aria-label={W().proof.keys} onKeyDown={onKey}>
      <VirtualRows<ProofRow>
        label={W().proof.rows}
        role="tree"
        rowHeight={ROW_HEIGHT}
        // The place is part of the version, because its ancestors are opened.
        version={`${of.hash}:${at ?? ""}:${list.join(",")}`}
        follow={String(at)}
        fetch={(from, count) => proofApi.rows(of.hash, { from, count, opened: list, at })}
        row={(row, index) => <RowView key={index} row={row} index={index} isAt={row.node === at} of={of} />}
      />
    </div>
  );
}

function Foot() {
  const words = W().proof;
  const there = place.value;
  return (
    <div class="proof-foot">
      {walked.value === null ? (
        <p class="muted small">{words.keys}</p>
      ) : (
        <div class="buttons">
          <button type="button" onClick={() => void putLine()}>
            {words.intoDocument}
          </button>
          <button type="button" onClick={endWalk}>
            {words.backToBoard}
          </button>
          {there?.kind === "defence" && <span class="muted small">{words.replies(there.replies.length)}</span>}
        </div>
      )}
    </div>
  );
}

export function ProofPane() {
  const of = proof.value;
  const words = W().proof;
  if (of === null || proofHash.value === null) {
    return (
      <div class="pane-empty">
        <p>{node.value?.verdict?.because === "rules" ? W().rulesWin(node.value.verdict.winner) : words.none}</p>
        <p class="muted">{words.noneHint}</p>
      </div>
    );
  }
  return (
    <div class="proof-pane rows-pane">
      <Head of={of} />
      <Tree of={of} key={of.hash} />
      <Foot />
    </div>
  );
}
