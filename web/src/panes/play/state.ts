// A game against the engine in the current document: orders the engine's moves, runs the clock, and notices the
// player's moves at the tip. The game survives a reload.
import { effect, signal } from "@preact/signals";
import { api } from "../../api/client";
import type { Candidate, Color, Edit, Job, Node } from "../../api/types";
import { opponent } from "../../game/rules";
import { kept } from "../../kept";
import { doc, documentId, ensureDocument, goTo, node, openDocument } from "../../state/document";
import { afterEdits, edit } from "../../state/edits";
import { controlJob, doJob, jobs, orderJob, whenEnded } from "../../state/jobs";
import { failed, inform, speak } from "../../state/notices";
import { showLine } from "../../state/overlay";
import { W } from "../../words";
import { reasonText } from "../../words/server";
import { restPuzzle } from "../puzzle/drive";
import { type ClockSettings, fallen, newClock, remaining } from "./clock";
import {
  continues,
  type Ending,
  engineIsDue,
  finish,
  moved,
  type PlayedGame,
  type Seat,
  startGame,
  takeBack,
  tip,
} from "./game";

const isGame = (value: unknown): value is PlayedGame | null =>
  value === null || (typeof value === "object" && "path" in value && "seat" in value && "document" in value);

export const played = kept<PlayedGame | null>("play.game", null, isGame);
/** The engine's last move and its reason. */
export const engineSays = signal<Candidate | null>(null);
/** The time that the clocks show, updated a few times a second. */
export const nowMs = signal(Date.now());

/** Whether the board shows the game's last move. */
export const atTip = (): boolean => {
  const game = played.value;
  return game !== null && documentId.value === game.document && node.value?.id === tip(game);
};

/** The end of a game in a sentence to the player. */
export const endingText = (ending: Ending, human: Color): string =>
  W().play.ending(ending.how, "winner" in ending && ending.winner === human);

function set(game: PlayedGame): void {
  played.value = game;
  if (game.ending !== null) speak(endingText(game.ending, game.seat.human));
}

/** Orders the engine's move as a job and plays its answer into the document. */
async function engineMoves(game: PlayedGame): Promise<void> {
  const at = tip(game);
  const clockSeconds = game.clock === null ? null : remaining(game.clock, game.toMove, Date.now()) / 1000;
  const job = await orderJob({
    kind: "play",
    document: game.document,
    node: at,
    style: game.seat.style,
    level: game.seat.level,
    clockSeconds,
    priority: 10,
  });
  if (job === null) return;
  if (played.value !== null && tip(played.value) === at) played.value = { ...played.value, job: job.id };
  else void controlJob(job.id, "cancel");
  await takeMove(await whenEnded(job.id));
}

/** Plays the move of an ended job, if the game still waits for it. */
async function takeMove(job: Job): Promise<void> {
  const game = played.value;
  if (game === null || game.job !== job.id) return;
  const squares = job.result?.line[0] ?? job.result?.moves[0]?.squares;
  if (job.state !== "done" || squares === undefined) return;
  try {
    const watching = atTip();
    const move: Edit = { edit: "move", node: tip(game), squares };
    // The board follows the game only while it shows the tip.
    const made = watching ? await edit(move, true) : await api.edit(game.document, move);
    if (made === null) return;
    const there = await api.node(game.document, made.node);
    const now = played.value;
    if (now === null || now.job !== job.id) return;
    engineSays.value = job.result?.moves[0] ?? null;
    set(moved(now, there, Date.now()));
    speak(W().moveSpoken(there.turn, opponent(now.seat.human), squares.join(" ")));
  } catch (error) {
    failed(error);
  }
}

/** Notices when the node on the board is the player's next move. */
function watchMoves(): void {
  effect(() => {
    const at: Node | null = node.value;
    const game = played.peek();
    if (at === null || game === null || documentId.value !== game.document) return;
    if (game.toMove === game.seat.human && continues(game, at)) set(moved(game, at, Date.now()));
  });
}

function watchEngine(): void {
  effect(() => {
    const game = played.value;
    if (game === null || !engineIsDue(game)) return;
    // Outside the effect: ordering reads and writes other signals.
    queueMicrotask(() => {
      const now = played.peek();
      if (now !== null && engineIsDue(now)) {
        played.value = { ...now, job: 0 };
        void engineMoves(now);
      }
    });
  });
}

/** Takes the job that the engine had at the last reload. */
async function pickUp(left: number): Promise<void> {
  const game = played.peek();
  if (game === null || game.job !== left || game.ending !== null) return;
  const known = jobs.peek().get(game.job);
  if (known === undefined) played.value = { ...game, job: null };
  else await takeMove(await whenEnded(game.job));
}

function tick(): void {
  nowMs.value = Date.now();
  const game = played.peek();
  if (game === null || game.clock === null || game.ending !== null) return;
  const loser = fallen(game.clock, nowMs.peek());
  if (loser === null) return;
  if (game.job !== null && game.job > 0) void controlJob(game.job, "cancel");
  set(finish(game, { how: "time", winner: opponent(loser) }, nowMs.peek()));
}

export function startPlay(): void {
  watchMoves();
  watchEngine();
  setInterval(tick, 200);
  // The list of jobs comes with the first live message. Only a job from before the reload is picked up here: a later
  // one is awaited where it is ordered.
  let left = played.peek()?.job ?? null;
  effect(() => {
    if (left === null || jobs.value.size === 0) return;
    const job = left;
    left = null;
    queueMicrotask(() => void pickUp(job));
  });
}

/** Starts a game at the node on the board. */
export async function playHere(seat: Seat, clock: ClockSettings | null): Promise<void> {
  const id = (await afterEdits()) ? await ensureDocument() : null;
  const at = node.value;
  if (id === null || at === null) return;
  endGame();
  restPuzzle();
  engineSays.value = null;
  set(startGame(id, at, seat, clock === null ? null : newClock(clock), Date.now()));
}

/** A new document of the same game, and a game in it. */
export async function playNew(seat: Seat, clock: ClockSettings | null): Promise<void> {
  try {
    const game = doc.value?.game.name;
    const made = await api.create(game === undefined ? {} : { game });
    if (await openDocument(made.id)) await playHere(seat, clock);
  } catch (error) {
    failed(error);
  }
}

export function back(): void {
  const game = played.value;
  if (game === null) return;
  if (game.job !== null && game.job > 0) void controlJob(game.job, "cancel");
  const before = takeBack(game, Date.now());
  played.value = before;
  void goTo(tip(before));
}

export function resign(): void {
  const game = played.value;
  if (game === null || game.ending !== null) return;
  if (game.job !== null && game.job > 0) void controlJob(game.job, "cancel");
  set(finish(game, { how: "resigned", winner: opponent(game.seat.human) }, Date.now()));
}

export function endGame(): void {
  const game = played.value;
  if (game !== null && game.job !== null && game.job > 0) void controlJob(game.job, "cancel");
  played.value = null;
}

/** Orders the engine's move again, after a stop from the pane Jobs. */
export function letItMove(): void {
  const game = played.value;
  if (game !== null) played.value = { ...game, job: null };
}

export async function backToGame(): Promise<void> {
  const game = played.value;
  if (game === null) return;
  if (documentId.value === game.document) await goTo(tip(game));
  else await openDocument(game.document, tip(game));
}

/** A hint: the engine's move for the side to move, as a ghost. */
export async function hint(): Promise<void> {
  if (!(await afterEdits())) return;
  const at = node.value;
  const seat = played.value?.seat;
  if (at === null) return;
  const job = await doJob({
    kind: "analyse",
    node: at.id,
    lines: 1,
    priority: 9,
    limits: { seconds: 3 },
    ...(seat ? { style: seat.style } : {}),
  });
  const best = job?.result?.moves[0];
  if (best === undefined || node.value?.id !== at.id) return;
  const color: Color = at.position.toMove;
  showLine("hint", color, [best.squares]);
  inform(W().play.hintText(best.squares.join(" "), reasonText(W().server, best)));
}

/** The time on the clock of a side; null in a game without clock. */
export const clockMs = (game: PlayedGame, color: Color): number | null =>
  game.clock === null ? null : remaining(game.clock, color, nowMs.value);
