// How a journey waits: `until` a condition holds, or until the page is at rest (`settled`). What a journey reads
// once, it reads at rest: an earlier state is not what a person sees.

/** Long enough for a busy machine. */
export const PATIENCE_MS = Number(process.env.JOURNEY_PATIENCE_MS ?? 60_000);
const POLL_MS = 50;

/** Polls until a condition holds. */
export async function until(isSo, what, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  let last;
  while (Date.now() < end) {
    try {
      const value = await isSo();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`waited in vain: ${what}${last ? ` (${last.message.split("\n")[0]})` : ""}`);
}

export function check(isSo, what) {
  if (!isSo) throw new Error(`not so: ${what}`);
}

/** A later timer does not count as work of the page: a notice that closes, a request every two seconds. */
const SOON_MS = 1_000;
/** A later timer does not change the board: it saves a text or the reader's node. */
const AT_ONCE_MS = 200;

/** Counts what the page has under way. It runs in the page, before the page's own script. `open`: when each
 * of it is due; `begun`: how many requests and timers there were so far (not frames: a running search draws
 * all the time); `heard`: the number of the last live message. */
function countWork() {
  const open = new Map();
  const work = { begun: 0, heard: -1, open };
  window.journeyWork = work;
  const begin = (ms) => {
    const key = Symbol();
    open.set(key, ms);
    return () => open.delete(key);
  };

  const [later, never] = [window.setTimeout, window.clearTimeout];
  const timers = new Map();
  window.setTimeout = (run, ms = 0, ...rest) => {
    const end = begin(ms);
    work.begun += 1;
    const id = later(() => {
      timers.delete(id);
      try {
        run(...rest);
      } finally {
        end();
      }
    }, ms);
    timers.set(id, end);
    return id;
  };
  window.clearTimeout = (id) => {
    timers.get(id)?.();
    timers.delete(id);
    never.call(window, id);
  };

  const [draw, drop] = [window.requestAnimationFrame, window.cancelAnimationFrame];
  const frames = new Map();
  window.requestAnimationFrame = (run) => {
    const end = begin(0);
    const id = draw((time) => {
      frames.delete(id);
      try {
        run(time);
      } finally {
        end();
      }
    });
    frames.set(id, end);
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    frames.get(id)?.();
    frames.delete(id);
    drop.call(window, id);
  };

  // A request lasts until its whole answer is there, and the page has had a turn to read it.
  const ask = window.fetch;
  window.fetch = async (...request) => {
    const end = begin(0);
    work.begun += 1;
    const afterwards = () => void later(end, 0);
    try {
      const answer = await ask(...request);
      answer.clone().arrayBuffer().then(afterwards, afterwards);
      return answer;
    } catch (error) {
      afterwards();
      throw error;
    }
  };

  // The live messages have numbers; the page handles a message in the turn in which it is counted here.
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...address) {
      super(...address);
      this.addEventListener("message", ({ data }) => {
        const { event, seq } = JSON.parse(data);
        if (event !== "ping") work.heard = seq;
      });
      this.addEventListener("close", () => {
        work.heard = -1;
      });
    }
  };
}

/** From now on the pages of a context count what they have under way. */
export const countWorkIn = (context) => context.addInitScript(countWork);

const workOf = (page) =>
  page.evaluate(() => {
    const { begun, heard, open } = window.journeyWork;
    return { begun, heard, due: [...open.values()] };
  });

const isIdle = ({ due }, within) => due.every((ms) => ms > within);

/** The number of the server's last live message; null without a server. */
async function lastMessage(page) {
  const answer = await fetch(new URL("api/status", page.url())).catch(() => null);
  return answer === null ? null : (await answer.json()).sequence;
}

/**
 * Waits until the page has no request under way, nothing to draw and nothing due soon, and has received all live
 * messages. The live connection may stay open, and fades may run (a picture shows their end).
 */
export async function settled(page, within = SOON_MS) {
  let last = null;
  const isSettled = async () => {
    const before = await workOf(page);
    last = before;
    if (!isIdle(before, within)) return false;
    const said = await lastMessage(page);
    const after = await workOf(page);
    last = after;
    return isIdle(after, within) && after.begun === before.begun && (said === null || after.heard >= said);
  };
  await until(isSettled, "the page has come to rest").catch((error) => {
    throw new Error(`${error.message}: ${JSON.stringify(last)}`);
  });
}

/** Waits until the page shows what came before and takes the next click or key. */
export const ready = (page) => settled(page, AT_ONCE_MS);

/** The delays of the page's timers in milliseconds. */
export const timersOf = async (page) => (await workOf(page)).due;
