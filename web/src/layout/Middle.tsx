// The middle of the page: the board, a line above it, and below it the steps, the status and the tools.
import type { Child } from "../api/types";
import { Board } from "../board/Board";
import { MoveField } from "../board/MoveField";
import { hoveredNext } from "../board/shown";
import { keyHint, runCommand } from "../commands";
import { placing } from "../input/board";
import {
  arrowFrom,
  type Brush,
  chooseTool,
  finishSetup,
  setup,
  TOOLS,
  type Tool,
  tool,
  toolWords,
} from "../input/tools";
import { AboveBoard } from "../panes/AboveBoard";
import { DocumentNotes } from "../panes/DocumentNotes";
import { ahead, game, node, seen } from "../state/document";
import { hint, preview, provisional } from "../state/overlay";
import { shownMove, shownSquare } from "../state/shown-names";
import { W } from "../words";

const STEPS = [
  { id: "start", path: "M6 4v12M15 4 8 10l7 6z" },
  { id: "back", path: "m13 4-7 6 7 6z" },
  { id: "forward", path: "m7 4 7 6-7 6z" },
  { id: "end", path: "M14 4v12M5 4l7 6-7 6z" },
] as const;

function Steps() {
  const words = { start: W().toStart, back: W().stepBack, forward: W().stepForward, end: W().toEnd };
  return (
    <div class="steps">
      {STEPS.map(({ id, path }) => (
        <button
          key={id}
          type="button"
          class="plain"
          title={`${words[id]} (${keyHint(id)})`}
          aria-label={words[id]}
          onClick={() => runCommand(id)}
        >
          <svg class="icon filled" viewBox="0 0 20 20" aria-hidden="true">
            <path d={path} />
          </svg>
        </button>
      ))}
    </div>
  );
}

/** `a: H9 I8, proved: Black wins`. */
function nextWords(child: Child): string {
  const move = `${child.label === "" ? "" : `${child.label}: `}${shownMove(child.stones)}`;
  return child.verdict === null ? move : `${move}, ${W().provedWin(child.verdict.winner)}`;
}

/** The side to move or the winner; the previewed line or the hovered square. */
function Status() {
  const here = node.value;
  if (here === null) return null;
  const words = W();
  const { position, stones, turn } = seen.value ?? here;
  const { winner, isFull } = position;
  const line = preview.value;
  const { count, color } = placing.value;
  const left = count - provisional.value.length;
  let main: string;
  if (winner !== null) main = words.wins(winner);
  else if (isFull) main = words.full;
  else if (provisional.value.length > 0 && left > 0) main = words.incomplete(left);
  else main = words.toMove(color, count);
  const known = ahead.value.length === 0 ? here.verdict : null;
  const verdict = known !== null && winner === null ? words.provedWin(known.winner) : null;
  const move = stones.length > 0 ? `${turn}. ${shownMove(stones.map((s) => s.square))}` : "";
  return (
    <div class="status">
      <span class={`dot ${winner ?? color}`} />
      <span class="status-main">
        {move !== "" && <b>{move}</b>} <span>{main}</span>
        {verdict !== null && <span class="proved">◆ {verdict}</span>}
      </span>
      <span class="status-hint">
        {line !== null
          ? words.previewStep(line.shown, line.line.length)
          : arrowFrom.value !== null
            ? words.arrowFrom(shownSquare(arrowFrom.value))
            : (hint.value ?? hoveredNext.value.map(nextWords).join(" · "))}
      </span>
    </div>
  );
}

const TOOL_PATHS: Record<Tool, string> = {
  play: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12z",
  label: "M5 16 10 4l5 12M7 12h6",
  triangle: "M10 4 16.500 15.500h-13z",
  square: "M4.500 4.500h11v11h-11z",
  circle: "M10 4.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11z",
  cross: "M5 5l10 10M15 5 5 15",
  arrow: "M4 16 15.500 4.500M9 4.500h6.500V11",
  dim: "M4 4h12v12H4zM4 10 10 4M4 16 16 4M10 16l6-6",
  setup: "M7 4v12M13 4v12M4 7h12M4 13h12",
};

function Tools() {
  return (
    <div class="tools" role="toolbar" aria-label={W().tools}>
      {TOOLS.map((one) => (
        <button
          key={one}
          type="button"
          class={`plain tool-${one}`}
          aria-pressed={tool.value === one}
          title={`${toolWords(one)} (${keyHint(`tool-${one}`)})`}
          aria-label={toolWords(one)}
          onClick={() => chooseTool(one)}
        >
          <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d={TOOL_PATHS[one]} />
          </svg>
        </button>
      ))}
    </div>
  );
}

/** The tools to set up a position: stones, side to move, stones left. */
function SetupBar() {
  const state = setup.value;
  const board = game.value;
  if (state === null || board === null) return null;
  const words = W();
  const brushes: [Brush, string][] = [
    ["black", words.setupBlack],
    ["white", words.setupWhite],
    ["erase", words.setupErase],
  ];
  const most = Math.max(board.p, board.q);
  return (
    <div class="banner setup-bar" role="toolbar" aria-label={words.toolSetup}>
      {brushes.map(([brush, name]) => (
        <button
          key={brush}
          type="button"
          aria-pressed={state.brush === brush}
          onClick={() => (setup.value = { ...state, brush })}
        >
          {name}
        </button>
      ))}
      <label>
        {words.setupToMove}{" "}
        <select
          value={state.toMove}
          onChange={(event) =>
            (setup.value = { ...state, toMove: event.currentTarget.value === "white" ? "white" : "black" })
          }
        >
          <option value="black">{words.color("black")}</option>
          <option value="white">{words.color("white")}</option>
        </select>
      </label>
      <label>
        {words.setupLeft}{" "}
        <select
          value={state.left}
          onChange={(event) => (setup.value = { ...state, left: Number(event.currentTarget.value) })}
        >
          {Array.from({ length: most }, (_, i) => (
            <option key={i} value={i + 1}>
              {i + 1}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => (setup.value = { ...state, black: new Set(), white: new Set() })}>
        {words.setupClear}
      </button>
      <span class="stretch" />
      <button type="button" class="primary" onClick={() => void finishSetup()}>
        {words.setupDone}
      </button>
      <button type="button" onClick={() => chooseTool("play")}>
        {words.setupCancel}
      </button>
    </div>
  );
}

export function Middle() {
  return (
    <main class="middle">
      <DocumentNotes />
      {setup.value !== null ? <SetupBar /> : <AboveBoard />}
      <div class="board-box">
        <Board />
        <MoveField />
      </div>
      <div class="below">
        <Steps />
        <Status />
        <Tools />
      </div>
    </main>
  );
}
