// A question that has to be answered before something is done: yes or no. One at a time.
import { signal } from "@preact/signals";

export interface Question {
  text: string;
  /** The server's own sentence, which is English. */
  detail: string | null;
  /** What the button says that does it. */
  yes: string;
}

export const question = signal<(Question & { answer: (isYes: boolean) => void }) | null>(null);

/** Asks the reader. A question that is still open is answered with no. */
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
