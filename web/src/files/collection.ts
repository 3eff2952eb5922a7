// A file may hold several games, and the reader chooses. The page looks for several games itself, so that it asks
// the server only when there is a choice.
import { signal } from "@preact/signals";
import type { GameSummary } from "../api/types";

/** The first bytes of a file compressed with zstd, which the page cannot read. */
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** The number of game trees side by side in an SGF text. */
export function countTrees(text: string): number {
  let [depth, trees, inValue] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inValue) {
      if (c === "\\") i += 1;
      else if (c === "]") inValue = false;
    } else if (c === "[" && depth > 0) inValue = true;
    else if (c === "(") {
      if (depth === 0) trees += 1;
      depth += 1;
    } else if (c === ")") depth = Math.max(0, depth - 1);
  }
  return trees;
}

/** Whether a file may hold several games. */
export async function mayBeCollection(bytes: Blob): Promise<boolean> {
  const read = new Uint8Array(await bytes.arrayBuffer());
  if (ZSTD.every((byte, i) => read[i] === byte)) return true;
  try {
    return countTrees(new TextDecoder("utf-8", { fatal: true }).decode(read)) > 1;
  } catch {
    // In other encodings a byte of a letter may look like a bracket: the server decides.
    return (new TextDecoder("latin1").decode(read).match(/\(\s*;/g) ?? []).length > 1;
  }
}

export interface Choosing {
  name: string;
  games: readonly GameSummary[];
  /** Takes the numbers of the chosen games; an empty list if the reader cancels. */
  choose: (numbers: number[]) => void;
}

/** The open list of games, if any. */
export const choosing = signal<Choosing | null>(null);

/** Lets the reader choose from the games of a file. */
export function chooseGames(name: string, games: readonly GameSummary[]): Promise<number[]> {
  choosing.value?.choose([]);
  return new Promise((resolve) => {
    const choose = (numbers: number[]): void => {
      choosing.value = null;
      resolve(numbers);
    };
    choosing.value = { name, games, choose };
  });
}
