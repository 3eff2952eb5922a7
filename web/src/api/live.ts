// Live messages: one WebSocket that reconnects by itself. Messages are numbered; after a break the page sends the
// last number that it has seen, and the server sends the later messages, or `reset` if it no longer has them.
import type { Job, JobId, NodeId } from "./types";

/**
 * A message of the server. The page first sends the number of the last one that it has seen: the server answers with
 * `hello` and all messages after that, or with `reset` if it does not have them, and the page fetches everything.
 */
export type Live =
  | { seq: number; event: "hello"; epoch: string; version: string }
  | { seq: number; event: "reset"; epoch: string }
  | { seq: number; event: "document"; document: string; revision: number; nodes: NodeId[]; removed: boolean }
  | { seq: number; event: "job"; job: Job }
  | { seq: number; event: "jobs-removed"; jobs: JobId[] }
  /** The results or the verdict of a node changed. */
  | { seq: number; event: "result"; document: string; node: NodeId }
  | { seq: number; event: "ping" };

const BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** A connection to a server that pings is dead after this silence, in milliseconds. */
const SILENCE_MAX_MS = 45_000;

export type LiveState = "connecting" | "open" | "waiting";

export interface LiveOptions {
  onMessage: (message: Live) => void;
  onState: (state: LiveState) => void;
  /** What the page knows already (from /api/status): nothing older is sent. */
  from?: { sequence: number; epoch: string };
  /** For tests. */
  url?: string;
  socket?: (url: string) => WebSocket;
}

export interface LiveConnection {
  close: () => void;
  /** The last number seen. */
  sequence: () => number;
  /** Sends the live analyses that this page shows: the server ends an analysis without a viewer. */
  watch: (jobs: readonly number[]) => void;
}

/** ws:// or wss:// of the page's own server. */
function liveUrl(): string {
  const url = new URL("api/live", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** Connects, and stays connected until closed. */
export function connect(options: LiveOptions): LiveConnection {
  const open = options.socket ?? ((url: string) => new WebSocket(url));
  let sequence = options.from?.sequence ?? 0;
  let epoch = options.from?.epoch ?? "";
  let tries = 0;
  let closed = false;
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  let watched: readonly number[] = [];
  let pings = false;
  const heard = (): void => {
    clearTimeout(silence);
    // A server that pings at the level of the WebSocket, which a page cannot see, may be silent for hours.
    if (pings) silence = setTimeout(() => socket?.close(), SILENCE_MAX_MS);
  };

  const retry = (): void => {
    clearTimeout(silence);
    if (closed) return;
    options.onState("waiting");
    // Random, so that many tabs do not reconnect in the same instant.
    const delay = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** tries) * (0.5 + Math.random() / 2);
    tries += 1;
    timer = setTimeout(start, delay);
  };

  const receive = (data: unknown): void => {
    heard();
    tries = 0; // A message shows that the server is back.
    let message: Live;
    try {
      message = JSON.parse(String(data)) as Live;
    } catch {
      return; // Not a message of this API.
    }
    if (message.event === "hello" || message.event === "reset") {
      // Count from here: a restarted server begins again.
      epoch = message.epoch;
      sequence = message.seq;
    } else if (message.event === "ping") {
      pings = true;
      heard();
    } else {
      if (message.seq <= sequence) return; // Seen before.
      sequence = message.seq;
    }
    options.onMessage(message);
  };

  function start(): void {
    options.onState("connecting");
    const current = open(options.url ?? liveUrl());
    socket = current;
    current.onopen = () => {
      options.onState("open");
      current.send(JSON.stringify({ after: sequence, epoch, watch: watched }));
      heard();
    };
    current.onmessage = (event: MessageEvent) => receive(event.data);
    current.onclose = () => {
      if (socket === current) retry();
    };
  }

  start();
  return {
    sequence: () => sequence,
    watch: (jobs) => {
      watched = jobs;
      if (socket?.readyState === 1) socket.send(JSON.stringify({ watch: jobs }));
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      clearTimeout(silence);
      socket?.close();
    },
  };
}
