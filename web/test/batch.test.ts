import { describe, expect, it } from "vitest";
import { atMostEvery, batch } from "../src/state/batch";

describe("batch", () => {
  it("many_messages_of_one_frame_are_told_once_and_the_last_wins", () => {
    const frames: (() => void)[] = [];
    const applied: Map<number, string>[] = [];
    const b = batch<number, string>(
      (m) => applied.push(m),
      (run) => frames.push(run),
    );
    for (let i = 0; i < 50; i += 1) b.put(i % 3, `v${i}`);
    expect(applied).toEqual([]);
    expect(frames.length).toBe(1);
    frames[0]?.();
    expect(applied).toEqual([
      new Map([
        [0, "v48"],
        [1, "v49"],
        [2, "v47"],
      ]),
    ]);
    b.put(7, "later");
    expect(frames.length).toBe(2);
  });

  it("what_is_dropped_does_not_come_back", () => {
    const frames: (() => void)[] = [];
    const applied: Map<number, string>[] = [];
    const b = batch<number, string>(
      (m) => applied.push(m),
      (run) => frames.push(run),
    );
    b.put(1, "a");
    b.drop(1);
    frames[0]?.();
    expect(applied).toEqual([]);
  });
});

describe("at_most_every", () => {
  it("calls_at_once_then_keeps_the_gap_and_loses_no_last_call", () => {
    let now = 0;
    const timers: { at: number; run: () => void }[] = [];
    const clock = { now: () => now, later: (run: () => void, ms: number) => timers.push({ at: now + ms, run }) };
    const calls: number[] = [];
    const call = atMostEvery(500, () => calls.push(now), { ...clock, later: (r, m) => void clock.later(r, m) });
    for (now = 0; now < 1000; now += 20) {
      const due = timers.filter((t) => t.at <= now);
      for (const t of due) {
        timers.splice(timers.indexOf(t), 1);
        t.run();
      }
      call();
    }
    expect(calls).toEqual([0, 500]);
    expect(timers.length).toBe(1);
  });
});
