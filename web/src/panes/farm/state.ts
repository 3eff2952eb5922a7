// What the farm is doing: asked for every two seconds, only while the pane is there and the page is
// seen. A question is asked when the last one is answered, so a slow server is never flooded.
import { signal } from "@preact/signals";
import { Failure, get } from "../../api/client";
import type { FarmAnswer } from "../../api/types";
import { copyText } from "../../files/export";
import { failed, inform, problemWords } from "../../state/notices";
import { W } from "../../words";
import { showPane } from "../index";

export const FARM_EVERY_MS = 2_000;
/** An answer that takes longer is none: old numbers must not look like new ones. */
export const FARM_LATE_MS = 10_000;

const ask = (stop?: AbortSignal): Promise<FarmAnswer> => get<FarmAnswer>("/farm", stop);

/** The last answer; null before the first one. */
export const farmStatus = signal<FarmAnswer | null>(null);
/** Why the last question was not answered; empty if it was. */
export const farmFailure = signal("");

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return problemWords(error).text;
  if (error instanceof DOMException && error.name === "AbortError") return W().farm.late;
  return error instanceof Error ? error.message : String(error);
}

/** Asks until it is told to stop; what was known is forgotten then, because it grows old. */
export function watchFarm(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | null = null;

  const turn = async (): Promise<void> => {
    const mine = new AbortController();
    asking = mine;
    const late = setTimeout(() => mine.abort(), FARM_LATE_MS);
    const start = Date.now();
    try {
      const answer = await ask(mine.signal);
      if (asking !== mine) return;
      farmStatus.value = answer;
      farmFailure.value = "";
    } catch (error) {
      if (asking !== mine) return;
      farmFailure.value = reasonOf(error);
    } finally {
      clearTimeout(late);
    }
    asking = null;
    // A clock may jump: the wait is never longer than the gap, and never none at all.
    const wait = FARM_EVERY_MS - (Date.now() - start);
    timer = setTimeout(() => void turn(), Math.min(FARM_EVERY_MS, Math.max(FARM_EVERY_MS / 4, wait)));
  };
  const pause = (): void => {
    clearTimeout(timer);
    const left = asking;
    asking = null;
    left?.abort();
  };
  const look = (): void => {
    pause();
    if (document.visibilityState !== "hidden") void turn();
  };

  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    pause();
    farmStatus.value = null;
    farmFailure.value = "";
  };
}

export async function copyCommand(text: string): Promise<void> {
  if (await copyText(text)) inform(W().copied);
}

/** Copies the command that joins a machine, from anywhere; without a farm, the pane says what to do. */
export async function copyJoin(): Promise<void> {
  try {
    const { farm } = farmStatus.peek() ?? (await ask());
    if (farm === null) showPane("farm");
    else await copyCommand(farm.join);
  } catch (error) {
    failed(error);
  }
}

/** Whether an address is of this machine only: then a command with it works nowhere else. */
export const isLoopback = (url: string): boolean =>
  /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:\/|$)/i.test(url);
