// Batches updates by frame. Live messages come up to 50 times a second; the page collects them and applies them once
// per frame, the last value of each key. A click waits for one batch at most.

export interface Batch<K, V> {
  put(key: K, value: V): void;
  /** Removes a key: an older value must not come back later. */
  drop(key: K): void;
  /** Applies all updates now. */
  flush(): void;
  size(): number;
}

export function batch<K, V>(
  apply: (changes: Map<K, V>) => void,
  schedule: (run: () => void) => void = onNextFrame,
): Batch<K, V> {
  let waiting = new Map<K, V>();
  let scheduled = false;
  const flush = () => {
    scheduled = false;
    if (waiting.size === 0) return;
    const changes = waiting;
    waiting = new Map();
    apply(changes);
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

/** Runs at the next frame, or soon in a hidden tab, which has no frames. */
export function onNextFrame(run: () => void): void {
  if (typeof document !== "undefined" && document.visibilityState === "visible") {
    requestAnimationFrame(run);
  } else {
    setTimeout(run, 250);
  }
}

/** Calls at once, then at most every `gapMs`; an early call runs after the gap. */
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
