import { describe, expect, it } from "vitest";
import type { Color, Position } from "../../../src/api/types";
import { newClock, remaining } from "../../../src/panes/play/clock";
import {
  canTakeBack,
  continues,
  engineIsDue,
  finish,
  moved,
  startGame,
  takeBack,
  tip,
} from "../../../src/panes/play/game";

const position = (toMove: Color, more: Partial<Position> = {}): Position => ({
  black: [],
  white: [],
  toMove,
  left: 2,
  winner: null,
  isFull: false,
  winningSquares: [],
  played: [],
  ...more,
});
const seat = { human: "black" as const, style: "sixproof", level: 5 };
const start = () => startGame("d", { id: 3, position: position("black") }, seat, null, 0);
const child = (id: number, parent: number, by: Color, more: Partial<Position> = {}) => ({
  id,
  parent,
  stones: [{ color: by }],
  position: position(by === "black" ? "white" : "black", more),
});

describe("game", () => {
  it("only_a_complete_move_at_the_tip_goes_on_with_the_game", () => {
    const game = start();
    expect(continues(game, child(4, 3, "black"))).toBe(true);
    expect(continues(game, child(4, 2, "black"))).toBe(false);
    expect(continues(game, { ...child(4, 3, "black"), position: position("black", { left: 1 }) })).toBe(false);
    expect(continues(game, child(4, 3, "white"))).toBe(false);
  });

  it("the_engine_is_due_after_the_persons_move_and_once", () => {
    const game = start();
    expect(engineIsDue(game)).toBe(false);
    const after = moved(game, child(4, 3, "black"), 0);
    expect(engineIsDue(after)).toBe(true);
    expect(engineIsDue({ ...after, job: 9 })).toBe(false);
  });

  it("taking_back_gives_the_person_the_move_again_and_stops_at_the_start", () => {
    let game = moved(start(), child(4, 3, "black"), 0);
    game = moved(game, child(5, 4, "white"), 0);
    expect(canTakeBack(game)).toBe(true);
    game = takeBack(game, 0);
    expect([tip(game), game.toMove]).toEqual([3, "black"]);
    expect(canTakeBack(game)).toBe(false);
    expect(takeBack(game, 0)).toBe(game);
    const thinking = moved(game, child(6, 3, "black"), 0);
    expect(tip(takeBack({ ...thinking, job: 7 }, 0))).toBe(3);
  });

  it("a_line_of_k_ends_the_game_and_stops_the_clock", () => {
    const timed = startGame(
      "d",
      { id: 0, position: position("black") },
      seat,
      newClock({ baseMs: 60_000, incrementMs: 0 }),
      0,
    );
    const over = moved(timed, child(1, 0, "black", { winner: "black" }), 5_000);
    expect(over.ending).toEqual({ how: "won", winner: "black" });
    expect(engineIsDue(over)).toBe(false);
    expect(over.clock && remaining(over.clock, "white", 90_000)).toBe(60_000);
    expect(continues(over, child(2, 1, "white"))).toBe(false);
  });

  it("resigning_ends_it_and_taking_back_revives_it", () => {
    let game = moved(moved(start(), child(4, 3, "black"), 0), child(5, 4, "white"), 0);
    game = finish(game, { how: "resigned", winner: "white" }, 0);
    expect(game.ending).not.toBeNull();
    expect(takeBack(game, 0).ending).toBeNull();
  });
});
