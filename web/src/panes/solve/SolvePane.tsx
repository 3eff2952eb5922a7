// What is known about the position on the board, how it became known, and the questions to the solver.
import { useState } from "preact/hooks";
import type { Color, JobLimits, Result } from "../../api/types";
import { keyHint } from "../../commands";
import { opponent } from "../../game/rules";
import { doc, node } from "../../state/document";
import { activeHere, controlJob } from "../../state/jobs";
import { hideLine, showLine } from "../../state/overlay";
import { W } from "../../words";
import { secondsText } from "../duration";
import { showPane } from "../index";
import { Numbers } from "../jobs/JobsPane";
import { Line, Move, Stone } from "../Move";
import {
  canSolve,
  canVerify,
  prove,
  proveForm,
  review,
  showResult,
  solve,
  stop,
  threatWin,
  verifyMove,
} from "./actions";
import "./SolvePane.css";

/** The verdict: a fact with a shape and words. */
function Fact() {
  const words = W().solve;
  const verdict = node.value?.verdict ?? null;
  if (verdict === null) return <p class="muted">{words.noVerdict}</p>;
  return (
    <p class="fact">
      <span class="fact-sign" aria-hidden="true">
        {verdict.because === "rules" ? "●" : "◆"}
      </span>
      <Stone color={verdict.winner} /> {words.fact(verdict.winner)}
      <span class="muted small"> {words.because[verdict.because]}</span>{" "}
      {verdict.certificate !== null && (
        <button type="button" class="inline-link" onClick={() => showPane("proof")}>
          {words.showProof}
        </button>
      )}
    </p>
  );
}

function numberOr(text: string): number | null {
  const value = Number(text.replace(/[\s,_]/g, ""));
  return text.trim() === "" || !Number.isFinite(value) || value <= 0 ? null : Math.floor(value);
}

/** The limits of a proof, in the pane and not in a dialog. */
function ProveForm({ toMove }: { toMove: Color }) {
  const words = W().solve;
  const [order, setOrder] = useState("");
  const [nodes, setNodes] = useState("");
  const [seconds, setSeconds] = useState("600");
  const [attacker, setAttacker] = useState<Color>(toMove);
  const start = (event: Event): void => {
    event.preventDefault();
    const limits: JobLimits = {
      order: numberOr(order),
      nodes: numberOr(nodes),
      seconds: numberOr(seconds),
    };
    void prove(limits, attacker);
  };
  const field = (label: string, value: string, set: (text: string) => void, holder: string) => (
    <label>
      {label}
      <input
        inputMode="numeric"
        value={value}
        placeholder={holder}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  );
  return (
    <form class="prove-form pane-form" onSubmit={start} aria-label={words.prove}>
      <p class="muted small">{words.proveHint}</p>
      <label>
        {words.forWhom}
        <select value={attacker} onChange={(event) => setAttacker(event.currentTarget.value as Color)}>
          <option value={toMove}>{W().color(toMove)}</option>
          <option value={opponent(toMove)}>{W().color(opponent(toMove))}</option>
        </select>
      </label>
      {field(words.order, order, setOrder, "3")}
      {field(words.nodes, nodes, setNodes, words.noLimit)}
      {field(words.seconds, seconds, setSeconds, words.noLimit)}
      <div class="buttons">
        <button type="submit" class="primary">
          {words.proveStart}
        </button>
        <button
          type="button"
          onClick={() => {
            proveForm.value = false;
          }}
        >
          {W().close}
        </button>
      </div>
    </form>
  );
}

function Actions() {
  const words = W().solve;
  const at = node.value;
  if (at === null) return null;
  const key = (id: string): string => (keyHint(id) === "" ? "" : ` (${keyHint(id)})`);
  return (
    <div class="buttons">
      <button
        type="button"
        class="primary"
        disabled={!canSolve()}
        title={words.solveHint(at.position.toMove)}
        onClick={() => void solve()}
      >
        {words.solve}
        {key("solve.solve")}
      </button>
      <button type="button" disabled={!canSolve()} title={words.threatWinHint} onClick={() => void threatWin()}>
        {words.threatWin}
        {key("solve.threats")}
      </button>
      <button type="button" disabled={!canSolve()} onClick={() => void solve(opponent(at.position.toMove))}>
        {words.solveOther(opponent(at.position.toMove))}
      </button>
      <button type="button" disabled={!canVerify()} title={words.verifyHint} onClick={() => void verifyMove()}>
        {words.verifyMove}
      </button>
      <button
        type="button"
        disabled={!canSolve()}
        title={words.proveHint}
        aria-expanded={proveForm.value}
        onClick={() => {
          proveForm.value = !proveForm.value;
        }}
      >
        {words.prove}
      </button>
      <button type="button" title={words.reviewHint} onClick={() => void review()}>
        {words.review}
      </button>
      <button type="button" title={words.solveBelowHint} onClick={() => void review("subtree")}>
        {words.solveBelow}
      </button>
    </div>
  );
}

function Running() {
  const list = activeHere.value;
  if (list.length === 0) return null;
  const words = W().solve;
  return (
    <section class="running" aria-label={words.running}>
      {list.map((job) => (
        <p key={job.id} class="small">
          <strong>{W().jobs.kinds[job.kind]}</strong> <span class="muted">{W().jobs.states[job.state]}</span>{" "}
          <Numbers job={job} />{" "}
          <button type="button" class="inline-link" onClick={() => void controlJob(job.id, "cancel")}>
            {W().jobs.cancel}
          </button>
        </p>
      ))}
      <button type="button" onClick={stop}>
        {words.stop} (F6)
      </button>
    </section>
  );
}

const SIGN: Record<Result["outcome"], string> = {
  proved: "◆",
  "no-win": "–",
  unknown: "?",
  value: "≈",
  stopped: "■",
  "thrown-away": "!",
};

/** The sentence of a result. A search that failed before the proof was found does not contradict it. */
function resultText(result: Result): string {
  const words = W().solve;
  const isOpen = result.outcome === "no-win" || result.outcome === "unknown" || result.outcome === "stopped";
  const isProved = node.value?.verdict?.winner === result.attacker;
  return isOpen && isProved ? words.sinceProved(result.attacker) : words.sentence(result);
}

function ResultView({ result, toMove }: { result: Result; toMove: Color }) {
  const words = W().solve;
  const preview = (line: Result["line"]): void => showLine("result", toMove, line);
  return (
    <li class={`result result-${result.outcome}`}>
      <p>
        <span class="fact-sign" aria-hidden="true">
          {SIGN[result.outcome]}
        </span>{" "}
        {resultText(result)}
      </p>
      {result.line.length > 0 && (
        <button
          type="button"
          class="line-button"
          aria-label={words.line}
          onMouseEnter={() => preview(result.line)}
          onFocus={() => preview(result.line)}
          onMouseLeave={() => hideLine("result")}
          onClick={() => showResult(result)}
        >
          <Line first={toMove} line={result.line.slice(0, 12)} />
          {result.line.length > 12 && " …"}
        </button>
      )}
      {result.unsolved.length > 0 && (
        <p class="small">
          {words.unsolved}:{" "}
          {result.unsolved.slice(0, 8).map((squares, i) => (
            <button
              key={i}
              type="button"
              class="line-button"
              onMouseEnter={() => preview([squares])}
              onMouseLeave={() => hideLine("result")}
            >
              <Move color={opponent(result.attacker)} squares={squares} />
            </button>
          ))}
        </p>
      )}
      <p class="muted small">
        {W().jobs.kinds[result.kind]}
        {result.order === null ? "" : `, ${W().jobs.order(result.order)}`}
        {": "}
        {words.provenance(result.nodes, secondsText(result.seconds), result.version)}
        {"; "}
        {words.limitsLabel}: {words.limits(result.limits)}
        {result.certificate !== null && (
          <>
            {"; "}
            {words.certificate} <code title={result.certificate}>{result.certificate.slice(0, 12)}</code>
          </>
        )}
      </p>
    </li>
  );
}

export function SolvePane() {
  const words = W().solve;
  const at = node.value;
  if (at === null || doc.value === null) return <p class="pane-empty muted">{words.noVerdict}</p>;
  const results = [...at.results].sort((a, b) => b.atMs - a.atMs);
  return (
    <div class="solve-pane scroll">
      <Fact />
      <Actions />
      {proveForm.value && <ProveForm key={at.id} toMove={at.position.toMove} />}
      <Running />
      <h3>{words.results}</h3>
      {results.length === 0 ? (
        <p class="muted">{words.noResults}</p>
      ) : (
        <ul class="results pane-list">
          {results.map((result, i) => (
            <ResultView key={`${result.job}.${i}`} result={result} toMove={at.position.toMove} />
          ))}
        </ul>
      )}
    </div>
  );
}
