// English words for data of the server: the server's own sentences.
import type { ServerWords } from "./server";

/** Names are written as their authors write them. */
const STYLES: Record<string, string> = { nctu6: "NCTU6", kagami: "Kagami" };

export const serverEn: ServerWords = {
  styleName: (name) => STYLES[name] ?? name,
  styleAbout: (style) => style.about,
  nameAbout: (named) => named.about,
  title: (title) => title,
  why: (_, reason) => reason,
  deed: (_, text) => text,
  note: (_, text) => text,
  format: (format) => format,
  tally: (_, __, text) => text,
  problem: ({ title, help }) => ({ text: title, help, detail: null }),
  warning: ({ text }) => text,
  worker: (name) => name,
};
