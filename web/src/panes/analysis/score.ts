// Scores in words. A value is an estimate in hundredths of log-odds; `win` and `loss` come from the search. Other
// panes show what is proved, with its certificate; a score is never a percentage.
import type { Candidate } from "../../api/types";
import type { Words } from "../../words";

/** A score in a word. */
export type ScoreWord = keyof Words["analysis"]["score"];

export function scoreWord(candidate: Pick<Candidate, "score" | "value">): ScoreWord {
  if (candidate.score !== "value") return candidate.score;
  const v = candidate.value;
  if (v >= 300) return "muchBetter";
  if (v >= 120) return "better";
  if (v >= 40) return "slightlyBetter";
  if (v > -40) return "even";
  if (v > -120) return "slightlyWorse";
  if (v > -300) return "worse";
  return "muchWorse";
}

/** `+1.4`: log-odds with a sign, to compare two moves with the same word. */
export function valueText(candidate: Pick<Candidate, "score" | "value">): string {
  if (candidate.score !== "value") return "";
  const v = candidate.value / 100;
  const text = Math.abs(v).toFixed(1);
  if (text === "0.0") return "0.0";
  return v > 0 ? `+${text}` : `\u2212${text}`;
}

/** The height of a value in the graph, 0 (loss) to 1 (win). */
export function height(candidate: Pick<Candidate, "score" | "value">): number {
  if (candidate.score === "win") return 1;
  if (candidate.score === "loss") return 0;
  return 1 / (1 + Math.exp(-candidate.value / 200));
}
