// Live messages come up to 50 times a second; a page is drawn at most once per frame. So what
// comes between two frames is collected, the last word about each key wins, and one flush tells
// it. A click that comes meanwhile waits for at most one flush.

export interface Batch<K, V> {
  put(key: K, value: V): void;
  /** Takes a key out again: nothing old may come back after this. */
  drop(key: K): void;
  /** Tells all at once, without waiting for the frame. */
  flush(): void;
  size(): number;
}

export function batch<K, V>(
  tell: (changes: Map<K, V>) => void,
  schedule: (run: () => void) => void = onNextFrame,
): Batch<K, V> {
  let waiting = new Map<K, V>();
  let scheduled = false;
  const flush = () => {
    scheduled = false;
    if (waiting.size === 0) return;
    const changes = waiting;
    waiting = new Map();
    tell(changes);
  };
  return {
    put(key, value) {
      waiting.set(key, value);
      if (!scheduled) {
        scheduled = true;
        schedule(flush);
      }
    },
    drop(key) {
      waiting.delete(key);
    },
    flush,
    size: () => waiting.size,
  };
}

/** The next frame; but a hidden tab has no frames, and must not collect for ever. */
export function onNextFrame(run: () => void): void {
  if (typeof document !== "undefined" && document.visibilityState === "visible") {
    requestAnimationFrame(run);
  } else {
    setTimeout(run, 250);
  }
}

/** Calls at once, then at most every `gapMs`; a call that came too early is made up for. */
export function atMostEvery(
  gapMs: number,
  call: () => void,
  clock: { now(): number; later(run: () => void, ms: number): void } = {
    now: () => performance.now(),
    later: (run, ms) => void setTimeout(run, ms),
  },
): () => void {
  let last = -Infinity;
  let waiting = false;
  return () => {
    if (waiting) return;
    const wait = last + gapMs - clock.now();
    if (wait <= 0) {
      last = clock.now();
      call();
      return;
    }
    waiting = true;
    clock.later(() => {
      waiting = false;
      last = clock.now();
      call();
    }, wait);
  };
}
