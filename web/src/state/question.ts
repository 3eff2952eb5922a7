// A yes-or-no question that the reader answers before something happens. One at a time.
import { signal } from "@preact/signals";

export interface Question {
  text: string;
  /** The server's own sentence, which is English. */
  detail: string | null;
  /** The label of the button for yes. */
  yes: string;
}

export const question = signal<(Question & { answer: (isYes: boolean) => void }) | null>(null);

/** Asks the reader. An open question is answered with no. */
export function confirm(asked: Question): Promise<boolean> {
  question.value?.answer(false);
  return new Promise((resolve) => {
    const answer = (isYes: boolean): void => {
      question.value = null;
      resolve(isYes);
    };
    question.value = { ...asked, answer };
  });
}
