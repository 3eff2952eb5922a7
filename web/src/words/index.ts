// All texts of the page in the reader's language. A component that reads `W().tree` is redrawn when the language
// changes.
import { computed, effect } from "@preact/signals";
import { keptChoice } from "../kept";
import { en } from "./en";
import { panesEn } from "./panes-en";
import { panesZhTW } from "./panes-zh-TW";
import type { ServerWords } from "./server";
import { serverEn } from "./server-en";
import { serverZhTW } from "./server-zh-TW";
import { zhTW } from "./zh-TW";

export type Words = typeof en & typeof panesEn & { server: ServerWords };

export const LANGUAGES = ["en", "zh-TW"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first of the browser's languages that the page has. */
export function preferred(languages: readonly string[]): Language {
  for (const language of languages) {
    if (/^zh\b/i.test(language)) return "zh-TW";
    if (/^en\b/i.test(language)) return "en";
  }
  return "en";
}

export const language = keptChoice<Language>("language", preferred(navigator.languages ?? []), LANGUAGES);

export const allWords: Record<Language, Words> = {
  en: { ...en, ...panesEn, server: serverEn },
  "zh-TW": { ...zhTW, ...panesZhTW, server: serverZhTW },
};

const current = computed(() => allWords[language.value]);

/** The texts in the current language. */
export const W = (): Words => current.value;

export function applyLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value;
  });
}
