// Choices of the reader that survive a reload: signals that localStorage keeps.
import { effect, type Signal, signal } from "@preact/signals";

const PREFIX = "sixproof.";

/** A signal that survives a reload. A stored value of another type is ignored. */
export function kept<T>(key: string, initial: T, isValid: (value: unknown) => value is T): Signal<T> {
  let start = initial;
  try {
    const text = localStorage.getItem(PREFIX + key);
    const value: unknown = text === null ? undefined : JSON.parse(text);
    if (isValid(value)) start = value;
  } catch {
    // No storage (private window) or nonsense in it: the initial value will do.
  }
  const result = signal(start);
  let first = true;
  effect(() => {
    const text = JSON.stringify(result.value);
    if (first) {
      first = false;
      return;
    }
    try {
      localStorage.setItem(PREFIX + key, text);
    } catch {
      // Full or forbidden: the choice lasts as long as the page.
    }
  });
  return result;
}

/** One of a list of words. */
export const keptChoice = <T extends string>(key: string, initial: T, all: readonly T[]): Signal<T> =>
  kept(key, initial, (value): value is T => all.includes(value as T));

/** Yes or no. */
export const keptFlag = (key: string, initial: boolean): Signal<boolean> =>
  kept(key, initial, (value): value is boolean => typeof value === "boolean");
