// A game clock: base time and an increment per move, for both sides. Pure: the time of day is
// always handed in, so that tests can let it pass as they like, and a page that was asleep shows
// the truth when it wakes.
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
  /** What each side had when `running` was last changed. */
  left: Record<Color, number>;
  running: Color | null;
  /** When `running` was started; meaningless while it stands still. */
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

/** What a side has left now; never below zero. */
export function remaining(clock: Clock, side: Color, nowMs: number): number {
  const spent = clock.running === side ? Math.max(0, nowMs - clock.sinceMs) : 0;
  return Math.max(0, clock.left[side] - spent);
}

/** Lets the clock of `side` run from now on; the other's stands still. */
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

/** `side` has made a move: it gets its increment (unless its time was over), the other one runs. */
export function press(clock: Clock, side: Color, nowMs: number): Clock {
  const stopped = stop(clock, nowMs);
  const has = stopped.left[side];
  const left = has > 0 ? has + clock.settings.incrementMs : 0;
  return { ...stopped, left: { ...stopped.left, [side]: left }, running: opponent(side), sinceMs: nowMs };
}

/** Who has run out of time, if anybody. */
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
