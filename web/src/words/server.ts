// What the server says, in the reader's language. The server sends names, kinds and numbers beside its
// own English sentences; the words of each language make a sentence of them. A name or a kind that a
// language does not know is told in the server's own words.
import type { Candidate, Deed, JobKind, NamedStyle, Note, Problem, Tally, WarningView, Why } from "../api/types";

/** A failure as a notice tells it. */
export interface ProblemWords {
  text: string;
  help: string | null;
  /** The server's own sentence, where it says more than ours. */
  detail: string | null;
}

export interface ServerWords {
  styleName: (name: string) => string;
  styleAbout: (style: NamedStyle) => string;
  /** What a game or a position with a name is. */
  nameAbout: (named: { name: string; about: string }) => string;
  /** The title of a game, or of a document; one that a person gave stays as it is. */
  title: (title: string) => string;
  why: (why: Why, reason: string) => string;
  deed: (deed: Deed, text: string) => string;
  note: (note: Note, text: string) => string;
  /** The format of a file. */
  format: (format: string) => string;
  /** What came of a job about several positions. */
  tally: (kind: JobKind, tally: Tally, text: string) => string;
  problem: (problem: Pick<Problem, "status" | "title" | "help" | "kind">) => ProblemWords;
  /** What the operator of a farm should know. */
  warning: (warning: WarningView) => string;
  /** Who works on a job. */
  worker: (name: string) => string;
}

/** Why a move is played. */
export const reasonText = (words: ServerWords, { why, reason }: Pick<Candidate, "why" | "reason">): string =>
  why === null ? reason : words.why(why, reason);

/** All notes about a file. */
export const noteTexts = (words: ServerWords, { noted, notes }: { noted: Note[]; notes: string[] }): string[] =>
  noted.map((note, i) => words.note(note, notes[i] ?? ""));
