import { afterEach, describe, expect, it, vi } from "vitest";
import type { ProofNode } from "../../../src/api/types";
import { aroundOf, defenceOf, stepsTo, walkKey, walkToStep } from "../../../src/panes/proof/walker";
import { walked } from "../../../src/state/proof";

const empty = { squares: [], segments: [], solid: [], hatched: [] };
const reply = (node: number) => ({ node, squares: [], kind: "null" as const, slack: 2, answer: [], size: 1 });
const place = (node: number, kind: ProofNode["kind"], path: number[], more: Partial<ProofNode> = {}): ProofNode => ({
  node,
  kind,
  parent: path[path.length - 2] ?? null,
  path,
  line: [],
  position: {
    black: [],
    white: [],
    toMove: "black",
    left: 2,
    winner: null,
    isFull: false,
    winningSquares: [],
    played: [],
  },
  extra: [],
  zone: empty,
  attack: kind === "defence" ? null : ["J10"],
  next: null,
  best: [],
  threats: [],
  replies: [],
  text: "",
  ...more,
});

// 0 attack, 1 defence with replies 2 (a win) and 3 (an attack whose defence 4 has no reply left).
const nodes = [
  place(0, "attack", [0], { next: 1 }),
  place(1, "defence", [0, 1], { replies: [reply(2), reply(3)] }),
  place(2, "win", [0, 1, 2]),
  place(3, "attack", [0, 1, 3], { next: 4 }),
  place(4, "defence", [0, 1, 3, 4]),
];

function serve(): void {
  vi.stubGlobal("fetch", (url: string) => {
    const node = Number(/places\/(\d+)/.exec(url)?.[1]);
    return Promise.resolve(new Response(JSON.stringify(nodes[node]), { status: nodes[node] ? 200 : 404 }));
  });
}

/** Keys run one after the other; this waits for their requests. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 40; i += 1) await Promise.resolve();
  await new Promise((done) => setTimeout(done, 20));
};
const at = (): number[] => (walked.value !== null && "steps" in walked.value ? (walked.value.steps as number[]) : []);

afterEach(() => {
  vi.unstubAllGlobals();
  walked.value = null;
});

describe("walker", () => {
  it("steps_are_the_attacks_on_the_way", () => {
    expect(stepsTo(place(4, "defence", [0, 1, 3, 4]))).toEqual([0, 3]);
    expect(stepsTo(place(3, "attack", [0, 1, 3]))).toEqual([0, 3]);
    expect(stepsTo(place(0, "attack", [0]))).toEqual([0]);
  });

  it("a_root_with_defender_to_move_is_a_step_of_its_own", () => {
    expect(stepsTo(place(0, "defence", [0]))).toEqual([0]);
    expect(stepsTo(place(1, "attack", [0, 1]))).toEqual([0, 1]);
    expect(stepsTo(place(2, "defence", [0, 1, 2]))).toEqual([0, 1]);
  });

  it("the_board_of_a_step_is_after_attackers_move", async () => {
    serve();
    expect((await defenceOf("h1", 0))?.node).toBe(1);
    expect(await defenceOf("h1", 2)).toBeNull();
    expect(await aroundOf("h1", [0, 3])).toEqual({ steps: [0, 3], siblings: [2, 3], replies: [] });
  });

  it("held_keys_walk_into_the_proof_along_the_replies_and_back", async () => {
    serve();
    await walkToStep("h2", [0]);
    walkKey("right");
    walkKey("down");
    await settle();
    expect(at()).toEqual([0, 3]);
    expect(walked.value?.place.node).toBe(4);
    walkKey("right");
    walkKey("up");
    await settle();
    expect(at()).toEqual([0, 2]);
    walkKey("left");
    walkKey("left");
    await settle();
    expect(at()).toEqual([0]);
  });
});
