// The farm: its workers, queues and rates, and the command that joins another machine, as `sixproof farm status`
// shows them. Texts of other machines are English and stay so.
import { useEffect } from "preact/hooks";
import type { FarmView, ManagerView, WarningView, WorkerState, WorkerView } from "../../api/types";
import { W } from "../../words";
import { durationText } from "../duration";
import { copyCommand, farmFailure, farmStatus, isLoopback, watchFarm } from "./state";
import "./FarmPane.css";

const SERVE_COMMAND = "sixproof serve --farm nats://HOST:4222";
const proveCommand = (url: string): string => `sixproof prove POSITION --farm ${url}`;

const SIGN: Record<WorkerState, string> = { working: "▶", idle: "○", lost: "?", dropped: "✕" };
/** The order of the workers. Working and idle rank the same, or rows would change places all the time. */
const RANK: Record<WorkerState, number> = { working: 0, idle: 0, lost: 1, dropped: 2 };
const WORKERS_MAX = 200;

const count = (value: number): string => Math.round(value).toLocaleString("en");

/** A rate with two or three significant digits: `0`, `0.04`, `2.5`, `125`. */
export function rateText(value: number): string {
  if (value < 0.005) return "0";
  if (value >= 100) return count(value);
  return String(Number(value.toPrecision(value < 10 ? 2 : 3)));
}

const seconds = (value: number): string => durationText(value * 1000);

/** A command in full, to read and to copy. */
function CommandLine({ text, label }: { text: string; label: string }) {
  return (
    <div class="farm-command">
      <code aria-label={label}>{text}</code>
      <button type="button" aria-label={W().farm.copyWhat(text)} onClick={() => void copyCommand(text)}>
        {W().farm.copy}
      </button>
    </div>
  );
}

function Facts({ manager }: { manager: ManagerView }) {
  const words = W().farm.facts;
  const isOpen = manager.queued + manager.running + manager.judging > 0;
  const facts: [string, string][] = [
    [words.queued, count(manager.queued)],
    [words.running, count(manager.running)],
    [words.judging, count(manager.judging)],
    [words.done, count(manager.done)],
    [words.jobsPerSecond, rateText(manager.jobs_per_second)],
    [words.nodesPerSecond, count(manager.nodes_per_second)],
    [words.oldest, isOpen && manager.oldest_seconds !== null ? seconds(manager.oldest_seconds) : "–"],
    [words.givenUp, manager.given_up > 0 ? `! ${count(manager.given_up)}` : "0"],
    [words.since, seconds(manager.for_seconds)],
    [words.uncertified, count(manager.uncertified)],
    [words.doneAgain, count(manager.done_again)],
  ];
  return (
    <dl class="farm-facts">
      {facts.map(([name, value]) => (
        <div key={name} class={value.startsWith("!") ? "farm-fact warned" : "farm-fact"}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function WorkerRows({ worker }: { worker: WorkerView }) {
  const words = W().farm;
  const cell = (name: string, text: string) => (
    <td role="cell" class="farm-number" data-name={name}>
      {text}
    </td>
  );
  const seen = worker.seen_seconds < 1 ? words.now : words.ago(seconds(worker.seen_seconds));
  return (
    <>
      <tr role="row" class={`farm-worker farm-${worker.state}`}>
        <th role="rowheader" scope="row" title={worker.id}>
          {worker.name}
        </th>
        <td role="cell" class="farm-state" title={words.stateHints[worker.state]}>
          <span class="farm-sign" aria-hidden="true">
            {SIGN[worker.state]}
          </span>{" "}
          {words.states[worker.state]}
        </td>
        {cell(words.columns.cores, count(worker.cores))}
        {cell(words.columns.running, count(worker.running))}
        {cell(words.columns.done, count(worker.done))}
        {cell(words.columns.nodesPerSecond, count(worker.nodes_per_second))}
        {cell(words.columns.seen, seen)}
      </tr>
      {worker.why !== null && (
        <tr role="row" class="farm-why">
          <td role="cell" colSpan={7} lang="en">
            {worker.why}
          </td>
        </tr>
      )}
    </>
  );
}

const sorted = (workers: readonly WorkerView[]): WorkerView[] =>
  [...workers].sort(
    (a, b) => RANK[a.state] - RANK[b.state] || a.name.localeCompare(b.name, "en") || (a.id < b.id ? -1 : 1),
  );

function Workers({ manager }: { manager: ManagerView }) {
  const words = W().farm;
  const columns = words.columns;
  const more = Math.max(manager.workers.length, manager.worker_count) - Math.min(manager.workers.length, WORKERS_MAX);
  if (manager.workers.length === 0) return <p class="muted">{words.noWorker}</p>;
  return (
    <>
      {/* Explicit roles, because a narrow pane lays the rows out as boxes. */}
      <table role="table" class="farm-workers" aria-label={words.workers(manager.title)}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {columns.name}
            </th>
            <th role="columnheader" scope="col">
              {columns.state}
            </th>
            {[columns.cores, columns.running, columns.done, columns.nodesPerSecond, columns.seen].map((name) => (
              <th key={name} role="columnheader" scope="col" class="farm-number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sorted(manager.workers)
            .slice(0, WORKERS_MAX)
            .map((worker) => (
              <WorkerRows key={worker.id} worker={worker} />
            ))}
        </tbody>
      </table>
      {more > 0 && <p class="muted small">{words.more(more)}</p>}
    </>
  );
}

function Join({ farm }: { farm: FarmView }) {
  const words = W().farm;
  return (
    <section class="farm-join">
      <p>{words.join}</p>
      <CommandLine text={farm.join} label={words.joinCommand} />
      {farm.join.split(" ").some(isLoopback) && <p class="muted small">{words.loopback}</p>}
    </section>
  );
}

/** Warnings in the reader's language; the server's own sentence has the names. */
function Warnings({ warnings }: { warnings: readonly WarningView[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul class="farm-warnings" aria-label={W().farm.warnings}>
      {warnings.map((warning, i) => {
        const text = W().server.warning(warning);
        const isOurs = text !== warning.text;
        return (
          <li key={`${warning.kind}.${i}`}>
            <span aria-hidden="true">⚠</span> {isOurs && text}{" "}
            <span class={isOurs ? "muted small" : ""} lang="en">
              {warning.text}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Overview({ farm }: { farm: FarmView }) {
  const words = W().farm;
  // The command that joins a machine comes first until a worker is there.
  const isManned = farm.managers.some((manager) => manager.workers.some((worker) => RANK[worker.state] === 0));
  return (
    <>
      <Warnings warnings={farm.warnings} />
      <p class={farm.connected ? "farm-link" : "farm-link farm-away"}>
        <span class="farm-sign" aria-hidden="true">
          {farm.connected ? "●" : "✕"}
        </span>{" "}
        <strong>{farm.connected ? words.connected : words.notConnected}</strong> <span class="mono">{farm.url}</span>
      </p>
      {farm.problem !== null && (
        <p class="farm-problem" role="status" lang="en">
          {farm.problem}
        </p>
      )}
      {!isManned && <Join farm={farm} />}
      {farm.managers.map((manager) => (
        <section key={manager.id} class="farm-manager">
          <h3 title={manager.id}>{manager.title}</h3>
          <Facts manager={manager} />
          <Workers manager={manager} />
        </section>
      ))}
      {farm.connected && farm.managers.length === 0 && (
        <section class="farm-manager">
          <p>{words.noManager}</p>
          <CommandLine text={proveCommand(farm.url)} label={words.proveCommand} />
        </section>
      )}
      {isManned && <Join farm={farm} />}
    </>
  );
}

function NoFarm() {
  const words = W().farm;
  return (
    <>
      <p>{words.none}</p>
      <p class="muted">{words.noneHint}</p>
      <CommandLine text={SERVE_COMMAND} label={words.serve} />
    </>
  );
}

export function FarmPane() {
  useEffect(watchFarm, []);
  const words = W().farm;
  const status = farmStatus.value;
  const failure = farmFailure.value;
  return (
    <div class="farm-pane scroll">
      {failure !== "" && (
        <p class="farm-problem" role="status">
          {failure} {status === null ? "" : words.stale}
        </p>
      )}
      {status === null && failure === "" && <p class="muted">{words.asking}</p>}
      {status !== null && (status.farm === null ? <NoFarm /> : <Overview farm={status.farm} />)}
    </div>
  );
}
