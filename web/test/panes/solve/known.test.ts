// A question names the side that it asks about, and never denies what is proved.
import { beforeEach, describe, expect, it } from "vitest";
import type { Color, Result, Verdict } from "../../../src/api/types";
import { solve, threatWin } from "../../../src/panes/solve/actions";
import { adopt } from "../../../src/state/document";
import { notices } from "../../../src/state/notices";
import { preview } from "../../../src/state/overlay";
import { allWords, LANGUAGES } from "../../../src/words";
import { FakeServer, fakeDocument } from "../../fake-server";

const result = (attacker: Color, outcome: Result["outcome"]): Result => ({
  kind: "solve",
  outcome,
  attacker,
  text: "",
  line: [["J10"]],
  moves: [],
  unsolved: [],
  order: 2,
  nodes: 6,
  seconds: 0.1,
  limits: { order: 2, nodes: 200_000, seconds: null },
  version: "1",
  certificate: null,
  job: 1,
  atMs: 0,
});

describe("what is asked of the solver", () => {
  it("every answer that is no proof names the side", () => {
    for (const language of LANGUAGES) {
      const words = allWords[language];
      for (const outcome of ["no-win", "unknown", "stopped"] as const) {
        for (const color of ["black", "white"] as const) {
          expect(words.solve.sentence(result(color, outcome))).toMatch(new RegExp(`^${words.color(color)}`));
        }
      }
    }
  });

  describe("where Black is proved to win and Black is to move", () => {
    let server: FakeServer;
    const orders = (): unknown[] => server.asked.filter((one) => one.path === "/jobs").map((one) => one.body);
    beforeEach(() => {
      server = new FakeServer();
      notices.value = [];
      preview.value = null;
      const verdict: Verdict = { winner: "black", because: "certificate", certificate: "c", at: null };
      adopt(fakeDocument(1), { ...server.node(0), verdict, results: [result("black", "proved")] });
    });

    it("solve says it and shows the line", async () => {
      await solve();
      expect([orders(), notices.value.map((one) => one.text)]).toEqual([[], ["Proved already: Black wins."]]);
      expect(preview.value?.line).toEqual([["J10"]]);
    });
    it("solve for White says that he cannot", async () => {
      await solve("white");
      expect([orders(), notices.value.map((one) => one.text)]).toEqual([[], ["Proved: Black wins, so White cannot."]]);
    });
    it("a win by threats may still be asked for", () => {
      void threatWin();
      return expect.poll(orders).toHaveLength(1);
    });
  });

  it("where White is proved to win, a question of the side to move is answered by that", async () => {
    const server = new FakeServer();
    notices.value = [];
    const verdict: Verdict = { winner: "white", because: "inherited", certificate: null, at: null };
    adopt(fakeDocument(1), { ...server.node(0), verdict });
    await solve();
    await threatWin();
    expect(server.asked.filter((one) => one.path === "/jobs")).toEqual([]);
    expect(notices.value.map((one) => one.text)).toEqual([
      "Proved already: White wins.",
      "Proved: White wins, so Black cannot.",
    ]);
  });
});
