// Data of the server in the reader's language. The server sends names, kinds and numbers beside its own English
// sentences, and each language makes sentences of them. For an unknown name or kind the page shows the server's
// sentence.
import type { Candidate, Deed, JobKind, NamedStyle, Note, Problem, Tally, WarningView, Why } from "../api/types";

/** A failure as a notice shows it. */
export interface ProblemWords {
  text: string;
  help: string | null;
  /** The server's own sentence, if it has more detail. */
  detail: string | null;
}

export interface ServerWords {
  styleName: (name: string) => string;
  styleAbout: (style: NamedStyle) => string;
  /** The description of a named game or position. */
  nameAbout: (named: { name: string; about: string }) => string;
  /** The title of a game or a document; a title that a person wrote stays as it is. */
  title: (title: string) => string;
  why: (why: Why, reason: string) => string;
  deed: (deed: Deed, text: string) => string;
  note: (note: Note, text: string) => string;
  /** The format of a file. */
  format: (format: string) => string;
  /** The result of a job about several positions. */
  tally: (kind: JobKind, tally: Tally, text: string) => string;
  problem: (problem: Pick<Problem, "status" | "title" | "help" | "kind">) => ProblemWords;
  /** A warning for the operator of a farm. */
  warning: (warning: WarningView) => string;
  /** The worker of a job. */
  worker: (name: string) => string;
}

/** Why a move is played. */
export const reasonText = (words: ServerWords, { why, reason }: Pick<Candidate, "why" | "reason">): string =>
  why === null ? reason : words.why(why, reason);

/** All notes about a file. */
export const noteTexts = (words: ServerWords, { noted, notes }: { noted: Note[]; notes: string[] }): string[] =>
  noted.map((note, i) => words.note(note, notes[i] ?? ""));
