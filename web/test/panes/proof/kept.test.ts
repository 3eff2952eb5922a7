import { describe, expect, it } from "vitest";
import { Kept, placeKey } from "../../../src/api/proofs";

describe("kept", () => {
  it("asks_once_and_again_after_a_failure", async () => {
    const kept = new Kept<number>(10);
    let asked = 0;
    const make = () => Promise.resolve(++asked);
    expect(await kept.get("a", make)).toBe(1);
    expect(await kept.get("a", make)).toBe(1);
    await expect(kept.get("b", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await Promise.resolve();
    expect(await kept.get("b", make)).toBe(2);
  });
  it("forgets_what_was_not_asked_for_the_longest", async () => {
    const kept = new Kept<string>(2);
    const make = (v: string) => () => Promise.resolve(v);
    await kept.get("a", make("a1"));
    await kept.get("b", make("b1"));
    await kept.get("a", make("a2"));
    await kept.get("c", make("c1"));
    expect(await kept.get("a", make("a3"))).toBe("a1");
    expect(await kept.get("b", make("b2"))).toBe("b2");
  });
  it("the_order_of_stones_outside_makes_no_other_place", () => {
    expect(placeKey("h", { node: 3, extra: ["B2", "A1"] })).toBe(placeKey("h", { node: 3, extra: ["A1", "B2"] }));
  });
});
