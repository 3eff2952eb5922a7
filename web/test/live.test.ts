import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, type Live, type LiveConnection, type LiveState } from "../src/api/live";

class FakeSocket {
  static all: FakeSocket[] = [];
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.onclose?.();
  }
  say(message: Live): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const last = (): FakeSocket => FakeSocket.all[FakeSocket.all.length - 1] as FakeSocket;
const document = (seq: number): Live => ({
  seq,
  event: "document",
  document: "d",
  revision: seq,
  nodes: [],
  removed: false,
});

describe("live messages", () => {
  let got: Live[];
  let states: LiveState[];
  let live: LiveConnection;
  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    got = [];
    states = [];
    live = connect({
      url: "ws://x",
      socket: () => new FakeSocket() as unknown as WebSocket,
      onMessage: (message) => got.push(message),
      onState: (state) => states.push(state),
    });
    last().onopen?.();
  });
  afterEach(() => {
    live.close();
    vi.useRealTimers();
  });

  it("a new connection says the last number that was seen", () => {
    last().say({ seq: 0, event: "hello", epoch: "e1", version: "1" });
    last().say(document(1));
    last().say(document(2));
    last().close();
    vi.advanceTimersByTime(10_000);
    last().onopen?.();
    expect(FakeSocket.all.length).toBe(2);
    expect(JSON.parse(last().sent[0] ?? "")).toEqual({ after: 2, epoch: "e1", watch: [] });
  });
  it("nothing is heard twice after a resume", () => {
    last().say(document(1));
    last().say(document(2));
    last().say(document(2));
    last().say(document(1));
    expect(got.map((message) => message.seq)).toEqual([1, 2]);
  });
  it("a restarted server counts anew", () => {
    last().say({ seq: 7, event: "hello", epoch: "e1", version: "1" });
    last().say(document(8));
    last().close();
    vi.advanceTimersByTime(10_000);
    last().onopen?.();
    last().say({ seq: 0, event: "reset", epoch: "e2" });
    last().say(document(1));
    expect(got.map((message) => message.event)).toEqual(["hello", "document", "reset", "document"]);
    expect(live.sequence()).toBe(1);
  });
  it("tries again later and later, but at least every eight seconds", () => {
    for (let i = 0; i < 12; i++) {
      last().close();
      const before = FakeSocket.all.length;
      vi.advanceTimersByTime(8_001);
      expect(FakeSocket.all.length).toBe(before + 1);
    }
    expect(states.includes("waiting")).toBe(true);
  });
  it("a connection without a word is given up, if words were to be expected", () => {
    vi.advanceTimersByTime(600_000);
    expect(FakeSocket.all.length).toBe(1);
    last().say({ seq: 0, event: "ping" });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });
  it("what cannot be read is ignored", () => {
    last().onmessage?.({ data: "no json" });
    expect(got).toEqual([]);
  });
});
