import { describe, expect, it } from "vitest";
import { clockText, fallen, newClock, press, remaining, run, stop } from "../../../src/panes/play/clock";

const settings = { baseMs: 60_000, incrementMs: 2_000 };

describe("clock", () => {
  it("only_the_running_side_loses_time", () => {
    const clock = run(newClock(settings), "black", 1_000);
    expect(remaining(clock, "black", 6_000)).toBe(55_000);
    expect(remaining(clock, "white", 6_000)).toBe(60_000);
  });

  it("a_move_adds_the_increment_and_starts_the_other_side", () => {
    const clock = press(run(newClock(settings), "black", 0), "black", 10_000);
    expect(clock.left.black).toBe(52_000);
    expect(clock.running).toBe("white");
    expect(remaining(clock, "white", 13_000)).toBe(57_000);
  });

  it("time_never_goes_below_zero_and_a_late_move_gets_no_increment", () => {
    const clock = run(newClock(settings), "white", 0);
    expect(remaining(clock, "white", 999_000)).toBe(0);
    expect(fallen(clock, 999_000)).toBe("white");
    expect(press(clock, "white", 999_000).left.white).toBe(0);
  });

  it("stopping_and_running_again_loses_nothing", () => {
    let clock = run(newClock(settings), "black", 0);
    clock = stop(clock, 4_000);
    expect(remaining(clock, "black", 1_000_000)).toBe(56_000);
    clock = run(clock, "black", 1_000_000);
    expect(remaining(clock, "black", 1_001_000)).toBe(55_000);
    expect(run(clock, "black", 1_002_000)).toBe(clock);
  });

  it("times_are_written_as_players_read_them", () => {
    expect(clockText(300_000)).toBe("5:00");
    expect(clockText(9_430)).toBe("0:09.4");
    expect(clockText(0)).toBe("0:00.0");
    expect(clockText(3_723_000)).toBe("1:02:03");
  });
});
