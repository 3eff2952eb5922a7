// The analysis pane: moves with their values in words, and lines to preview and play.
import type { Candidate, Color } from "../../api/types";
import { keyHint } from "../../commands";
import { opponent } from "../../game/rules";
import { node } from "../../state/document";
import { hideLine, showLine } from "../../state/overlay";
import { W } from "../../words";
import { reasonText } from "../../words/server";
import { secondsText } from "../duration";
import { Line, Move } from "../Move";
import { Graph } from "./Graph";
import { scoreWord, valueText } from "./score";
import { analysing, analysisJob, candidates, lineCount, toggleAnalysis } from "./state";
import "./AnalysisPane.css";

const SIGN: Record<Candidate["score"], string> = { win: "◆", loss: "■", value: "" };

function CandidateView({ candidate, toMove }: { candidate: Candidate; toMove: Color }) {
  const words = W().analysis;
  const line = candidate.line.length > 0 ? candidate.line : [candidate.squares];
  const show = (): void => showLine("analysis", toMove, line);
  return (
    <li>
      <button
        type="button"
        class="candidate"
        title={reasonText(W().server, candidate)}
        onMouseEnter={show}
        onFocus={show}
        onClick={show}
        onMouseLeave={() => hideLine("analysis")}
        onBlur={() => hideLine("analysis")}
      >
        <Move color={toMove} squares={candidate.squares} />
        <span class="score">
          {SIGN[candidate.score]} {words.score[scoreWord(candidate)]}
          <span class="muted"> {valueText(candidate)}</span>
        </span>
        <span class="muted small ellipsis">
          <Line first={opponent(toMove)} line={line.slice(1, 7)} />
        </span>
      </button>
    </li>
  );
}

export function AnalysisPane() {
  const words = W().analysis;
  const at = node.value;
  const job = analysisJob.value;
  const list = candidates.value;
  const toMove = at?.position.toMove ?? "black";
  return (
    <div class="analysis-pane scroll">
      <div class="buttons">
        <button
          type="button"
          class={analysing.value ? "" : "primary"}
          aria-pressed={analysing.value}
          onClick={toggleAnalysis}
        >
          {analysing.value ? words.stop : words.start} ({keyHint("analysis.toggle")})
        </button>
        <label>
          {words.lines}{" "}
          <input
            type="number"
            min={1}
            max={10}
            value={lineCount.value}
            onChange={(event) => {
              const value = Math.round(Number(event.currentTarget.value));
              if (value >= 1 && value <= 10) lineCount.value = value;
            }}
          />
        </label>
        {analysing.value && job?.progress && (
          <span class="muted small">{words.thinking(secondsText(job.progress.seconds), job.progress.nodes)}</span>
        )}
      </div>
      {!analysing.value && list.length === 0 && <p class="muted">{words.off}</p>}
      {list.length > 0 && (
        <>
          <p class="muted small">{words.estimate(toMove)}</p>
          <ol class="candidates" aria-label={words.candidates}>
            {list.map((candidate) => (
              <CandidateView key={candidate.squares.join()} candidate={candidate} toMove={toMove} />
            ))}
          </ol>
          <p class="muted small">{words.hint}</p>
        </>
      )}
      <Graph />
    </div>
  );
}
