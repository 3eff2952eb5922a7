// A game against the engine, as a state machine. The game is a path in the document whose last node is the tip. Only
// a move of the player at the tip continues the game, so that exploring the tree never destroys it.
import type { Color, NodeId, Position } from "../../api/types";
import { opponent } from "../../game/rules";
import { type Clock, press, run, stop } from "./clock";

export interface Seat {
  /** The side of the player. */
  human: Color;
  style: string;
  level: number;
}

export type Ending =
  | { how: "won"; winner: Color }
  | { how: "drawn" }
  | { how: "resigned"; winner: Color }
  | { how: "time"; winner: Color };

export interface PlayedGame {
  document: string;
  /** The first node: taking back stops there. */
  start: NodeId;
  /** The nodes of the game from `start` on; the last one is the tip. */
  path: NodeId[];
  seat: Seat;
  toMove: Color;
  clock: Clock | null;
  /** The job that chooses the engine's move. */
  job: number | null;
  ending: Ending | null;
}

export const tip = (game: PlayedGame): NodeId => game.path[game.path.length - 1] ?? game.start;

export function startGame(
  document: string,
  at: { id: NodeId; position: Position },
  seat: Seat,
  clock: Clock | null,
  nowMs: number,
): PlayedGame {
  const ending = endOf(at.position);
  const toMove = at.position.toMove;
  return {
    document,
    start: at.id,
    path: [at.id],
    seat,
    toMove,
    clock: clock === null || ending !== null ? clock : run(clock, toMove, nowMs),
    job: null,
    ending,
  };
}

export function endOf(position: Position): Ending | null {
  if (position.winner !== null) return { how: "won", winner: position.winner };
  return position.isFull ? { how: "drawn" } : null;
}

/** Whether a node on the board is the next move of the game: a complete move at the tip. */
export function continues(
  game: PlayedGame,
  node: { parent: NodeId | null; position: Position; stones: { color: Color }[] },
): boolean {
  if (game.ending !== null || node.parent !== tip(game)) return false;
  const by = node.stones[0]?.color;
  if (by !== game.toMove) return false;
  // A move that ends the game may have fewer stones; otherwise the other side must be to move.
  return endOf(node.position) !== null || node.position.toMove !== by;
}

/** The side to move has moved to `id`. */
export function moved(game: PlayedGame, node: { id: NodeId; position: Position }, nowMs: number): PlayedGame {
  const ending = endOf(node.position);
  let clock = game.clock === null ? null : press(game.clock, game.toMove, nowMs);
  if (clock !== null && ending !== null) clock = stop(clock, nowMs);
  return { ...game, path: [...game.path, node.id], toMove: opponent(game.toMove), clock, job: null, ending };
}

/** Goes back to the last turn of the player. The clock keeps its times. */
export function takeBack(game: PlayedGame, nowMs: number): PlayedGame {
  // With the player to move, the last own move is two nodes back; while the engine thinks, one.
  const back = game.toMove === game.seat.human ? 2 : 1;
  if (game.path.length <= back) return game;
  const clock = game.clock === null ? null : run(stop(game.clock, nowMs), game.seat.human, nowMs);
  return {
    ...game,
    path: game.path.slice(0, game.path.length - back),
    toMove: game.seat.human,
    clock,
    job: null,
    ending: null,
  };
}

export const canTakeBack = (game: PlayedGame): boolean => game.path.length > (game.toMove === game.seat.human ? 2 : 1);

export function finish(game: PlayedGame, ending: Ending, nowMs: number): PlayedGame {
  const clock = game.clock === null ? null : stop(game.clock, nowMs);
  return { ...game, clock, job: null, ending };
}

/** Whether the engine needs a job for its move. */
export const engineIsDue = (game: PlayedGame): boolean =>
  game.ending === null && game.job === null && game.toMove !== game.seat.human;
