// The state of the farm. The page asks every two seconds while the pane is visible, and only after the last answer,
// so that a slow server is never flooded.
import { signal } from "@preact/signals";
import { Failure, get } from "../../api/client";
import type { FarmAnswer } from "../../api/types";
import { copyText } from "../../files/export";
import { failed, inform, problemWords } from "../../state/notices";
import { W } from "../../words";
import { showPane } from "../index";

export const FARM_EVERY_MS = 2_000;
/** The longest wait for an answer: old numbers must not look like new ones. */
export const FARM_LATE_MS = 10_000;

const ask = (stop?: AbortSignal): Promise<FarmAnswer> => get<FarmAnswer>("/farm", stop);

/** The last answer; null before the first one. */
export const farmStatus = signal<FarmAnswer | null>(null);
/** Why the last request failed; empty if it did not. */
export const farmFailure = signal("");

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return problemWords(error).text;
  if (error instanceof DOMException && error.name === "AbortError") return W().farm.late;
  return error instanceof Error ? error.message : String(error);
}

/** Asks until the returned function stops it, and then forgets the answer, which grows old. */
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
    // A clock may jump: the wait stays between a quarter of the interval and the interval.
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

/** Copies the command that joins a machine; without a farm it opens the pane, which explains how to start one. */
export async function copyJoin(): Promise<void> {
  try {
    const { farm } = farmStatus.peek() ?? (await ask());
    if (farm === null) showPane("farm");
    else await copyCommand(farm.join);
  } catch (error) {
    failed(error);
  }
}

/** Whether an address is local: a command with it works on this machine only. */
export const isLoopback = (url: string): boolean =>
  /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:\/|$)/i.test(url);
