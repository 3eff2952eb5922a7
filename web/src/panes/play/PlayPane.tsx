// Playing against the engine: the reader sets up the game here and plays on the board. The rest of the page stays
// usable; the game waits.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { jobApi } from "../../api/jobs";
import type { Color, Players } from "../../api/types";
import { opponent } from "../../game/rules";
import { kept, keptChoice } from "../../kept";
import { node } from "../../state/document";
import { isEnded, jobs } from "../../state/jobs";
import { failed } from "../../state/notices";
import { W } from "../../words";
import { reasonText } from "../../words/server";
import { Stone } from "../Move";
import { type ClockSettings, clockText } from "./clock";
import { canTakeBack, type PlayedGame, type Seat } from "./game";
import {
  atTip,
  back,
  backToGame,
  clockMs,
  endGame,
  endingText,
  engineSays,
  hint,
  letItMove,
  nowMs,
  played,
  playHere,
  playNew,
  resign,
} from "./state";
import "./PlayPane.css";

const players = signal<Players | null>(null);
const isNumber = (v: unknown): v is number => typeof v === "number" && Number.isFinite(v) && v >= 0;
const isText = (v: unknown): v is string => typeof v === "string";
/** The style that has levels. */
const LEVELLED = "sixproof";
const SIDES = ["mover", "black", "white"] as const;

const choice = {
  side: keptChoice<(typeof SIDES)[number]>("play.side", "mover", SIDES),
  style: kept("play.style", "", isText),
  level: kept("play.level", 0, isNumber),
  minutes: kept("play.minutes", 0, isNumber),
  increment: kept("play.increment", 5, isNumber),
};

/** `first`: the side to move where the game begins. */
function seat(list: Players, first: Color): Seat {
  const side = choice.side.value;
  const human: Color = side === "mover" ? first : side;
  const style = list.styles.some((one) => one.name === choice.style.value)
    ? choice.style.value
    : (list.styles[0]?.name ?? "");
  const level = choice.level.value >= 1 && choice.level.value <= list.levels ? choice.level.value : list.defaultLevel;
  return { human, style, level };
}

const clock = (): ClockSettings | null =>
  choice.minutes.value > 0
    ? { baseMs: choice.minutes.value * 60_000, incrementMs: choice.increment.value * 1_000 }
    : null;

function NumberField({
  label,
  value,
  set,
  max,
}: {
  label: string;
  value: number;
  set: (n: number) => void;
  max: number;
}) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={0}
        max={max}
        value={value}
        onChange={(event) => {
          const n = Number(event.currentTarget.value);
          if (Number.isFinite(n) && n >= 0 && n <= max) set(n);
        }}
      />
    </label>
  );
}

function Choose({ list }: { list: Players }) {
  const words = W().play;
  const mover = node.value?.position.toMove ?? "black";
  const now = seat(list, mover);
  const { server } = W();
  const chosen = list.styles.find((one) => one.name === now.style);
  const about = chosen === undefined ? "" : server.styleAbout(chosen);
  return (
    <div class="play-choose pane-form">
      <label>
        {words.youPlay}
        <select
          value={choice.side.value}
          onChange={(event) => {
            choice.side.value = event.currentTarget.value as (typeof SIDES)[number];
          }}
        >
          <option value="mover">{words.sideToMove}</option>
          <option value="black">{W().color("black")}</option>
          <option value="white">{W().color("white")}</option>
        </select>
      </label>
      <label>
        {words.style}
        <select
          value={now.style}
          title={about}
          onChange={(event) => {
            choice.style.value = event.currentTarget.value;
          }}
        >
          {list.styles.map((one) => (
            <option key={one.name} value={one.name} title={server.styleAbout(one)}>
              {server.styleName(one.name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.level} <output>{now.level}</output>
        <input
          type="range"
          title={words.levels(list.levels)}
          min={1}
          max={list.levels}
          value={now.level}
          onInput={(event) => {
            choice.level.value = Number(event.currentTarget.value);
          }}
        />
      </label>
      <NumberField
        label={`${words.clock}: ${words.minutes}`}
        value={choice.minutes.value}
        max={600}
        set={(n) => {
          choice.minutes.value = n;
        }}
      />
      {choice.minutes.value > 0 && (
        <NumberField
          label={words.increment}
          value={choice.increment.value}
          max={600}
          set={(n) => {
            choice.increment.value = n;
          }}
        />
      )}
      <p class="muted small">{about}</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void playHere(seat(list, mover), clock())}>
          {words.start}
        </button>
        <button type="button" onClick={() => void playNew(seat(list, "black"), clock())}>
          {words.newBoard}
        </button>
      </div>
    </div>
  );
}

/** The state of the game in one line. */
export function statusText(game: PlayedGame): string {
  const words = W().play;
  if (game.ending !== null) return endingText(game.ending, game.seat.human);
  if (game.toMove === game.seat.human) return words.yourMove;
  const job = game.job === null ? undefined : jobs.value.get(game.job);
  if (job !== undefined && isEnded(job) && job.state !== "done") return words.waiting;
  const since = job?.startedMs ?? job?.createdMs ?? nowMs.value;
  return words.thinking(Math.max(0, Math.floor((nowMs.value - since) / 1000)));
}

const isStuck = (game: PlayedGame): boolean => {
  const job = game.job === null ? undefined : jobs.value.get(game.job);
  return game.ending === null && job !== undefined && isEnded(job) && job.state !== "done";
};

export function Clocks({ game }: { game: PlayedGame }) {
  if (game.clock === null) return null;
  return (
    <span class="clocks" role="timer" aria-label={W().play.clocks}>
      {(["black", "white"] as const).map((color) => {
        const text = clockText(clockMs(game, color) ?? 0);
        const runs = game.clock?.running === color;
        return (
          <span key={color} class={`clock${runs ? " runs" : ""}`}>
            <Stone color={color} /> {text}
          </span>
        );
      })}
    </span>
  );
}

function Playing({ game }: { game: PlayedGame }) {
  const words = W().play;
  const engine = opponent(game.seat.human);
  const said = engineSays.value;
  const { style, level } = game.seat;
  return (
    <div class="play-now">
      <p>
        <Stone color={engine} /> {words.against(W().server.styleName(style), style === LEVELLED ? level : null)}{" "}
        <Clocks game={game} />
      </p>
      <p class={game.ending === null ? "" : "fact"} aria-live="polite">
        {statusText(game)}
      </p>
      {said !== null && <p class="muted small">{words.says(reasonText(W().server, said))}</p>}
      {!atTip() && (
        <p class="notice-inline">
          {words.exploring}{" "}
          <button type="button" onClick={() => void backToGame()}>
            {words.backToGame}
          </button>
        </p>
      )}
      <div class="buttons">
        {isStuck(game) && (
          <button type="button" class="primary" onClick={letItMove}>
            {words.goOn}
          </button>
        )}
        <button type="button" disabled={!canTakeBack(game)} onClick={back}>
          {words.takeBack}
        </button>
        <button type="button" onClick={() => void hint()}>
          {words.hint} (H)
        </button>
        {game.ending === null && (
          <button type="button" onClick={resign}>
            {words.resign}
          </button>
        )}
        <button type="button" onClick={endGame}>
          {words.end}
        </button>
        <button
          type="button"
          onClick={() => void playNew({ ...game.seat, human: engine }, game.clock?.settings ?? null)}
        >
          {words.newGameAs(engine)}
        </button>
        <button type="button" onClick={() => void playNew(game.seat, game.clock?.settings ?? null)}>
          {words.newGameAs(game.seat.human)}
        </button>
      </div>
    </div>
  );
}

export function PlayPane() {
  useEffect(() => {
    if (players.value !== null) return;
    jobApi.players().then((list) => {
      players.value = list;
    }, failed);
  }, []);
  const list = players.value;
  if (list === null) return null;
  const game = played.value;
  return <div class="play-pane scroll">{game === null ? <Choose list={list} /> : <Playing game={game} />}</div>;
}
