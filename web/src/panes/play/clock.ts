// A game clock with base time and an increment per move for both sides. Pure: callers pass the time of day, so that
// tests control it, and a page that was suspended shows the true time when it wakes.
import type { Color } from "../../api/types";
import { opponent } from "../../game/rules";

export interface ClockSettings {
  /** Milliseconds for each side at the start. */
  baseMs: number;
  /** Milliseconds added after each move. */
  incrementMs: number;
}

export interface Clock {
  settings: ClockSettings;
  /** The time of each side when `running` last changed. */
  left: Record<Color, number>;
  running: Color | null;
  /** When `running` started; meaningless while the clock stands. */
  sinceMs: number;
}

export function newClock(settings: ClockSettings): Clock {
  return {
    settings,
    left: { black: settings.baseMs, white: settings.baseMs },
    running: null,
    sinceMs: 0,
  };
}

/** The time that a side has left; never below zero. */
export function remaining(clock: Clock, side: Color, nowMs: number): number {
  const spent = clock.running === side ? Math.max(0, nowMs - clock.sinceMs) : 0;
  return Math.max(0, clock.left[side] - spent);
}

/** Starts the clock of `side` and stops the other. */
export function run(clock: Clock, side: Color, nowMs: number): Clock {
  if (clock.running === side) return clock;
  const stopped = stop(clock, nowMs);
  return { ...stopped, running: side, sinceMs: nowMs };
}

export function stop(clock: Clock, nowMs: number): Clock {
  if (clock.running === null) return clock;
  const side = clock.running;
  return {
    ...clock,
    left: { ...clock.left, [side]: remaining(clock, side, nowMs) },
    running: null,
  };
}

/** After a move of `side`: it gets its increment unless its time was over, and the other clock runs. */
export function press(clock: Clock, side: Color, nowMs: number): Clock {
  const stopped = stop(clock, nowMs);
  const has = stopped.left[side];
  const left = has > 0 ? has + clock.settings.incrementMs : 0;
  return { ...stopped, left: { ...stopped.left, [side]: left }, running: opponent(side), sinceMs: nowMs };
}

/** The side that has run out of time, if any. */
export function fallen(clock: Clock, nowMs: number): Color | null {
  if (remaining(clock, "black", nowMs) === 0) return "black";
  if (remaining(clock, "white", nowMs) === 0) return "white";
  return null;
}

/** `5:00`, `0:09.4` below ten seconds (where tenths matter), `1:02:03` above an hour. */
export function clockText(ms: number): string {
  if (ms < 10_000) {
    const tenths = Math.floor(ms / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
