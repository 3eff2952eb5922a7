// The texts of the first five minutes above the board. It is not a dialog: the board stays usable.
import type { ComponentChildren } from "preact";
import { node } from "../../state/document";
import { hint } from "../../state/overlay";
import { documentSpot, tried } from "../../state/proof";
import { W } from "../../words";
import { showPane } from "../index";
import { triedText } from "../proof/layer";
import { walkKey } from "../proof/walker";
import { proveForm } from "../solve/actions";
import { closePuzzle, isHere, next, puzzle, solvePuzzle, state, tryAgain, tryAnother, waited } from "./drive";
import { canSolve, offersNext, type PuzzleState } from "./machine";
import "./Banner.css";

/** The sentence of a state, and a second one in small print. */
function texts(now: PuzzleState, attacker: "black" | "white"): { main: string; small: string } {
  const words = W().puzzle;
  switch (now.step) {
    case "hidden":
      return { main: "", small: "" };
    case "asking":
      return { main: words.ask(attacker), small: words.askHint(node.value?.position.left ?? 2) };
    case "judging":
      return { main: words.judging(now.squares.join(" "), waited.value), small: "" };
    case "refuting":
      return { main: words.refuting(attacker, waited.value), small: "" };
    case "refuted": {
      const squares = now.squares.join(" ");
      if (now.wins) return { main: words.refutedWin(squares, attacker), small: "" };
      return {
        main: now.line.length > 0 ? words.refutedDefence(squares, attacker) : words.refutedPlain(squares),
        small: "",
      };
    }
    case "solving":
      return { main: words.solving(waited.value), small: "" };
    case "unsolved":
      return { main: words.unsolved, small: "" };
    case "won":
      return { main: `${now.bySolver ? "" : `${words.right} `}${words.won(attacker)}`, small: words.wonHint(attacker) };
    case "tried": {
      const last = tried.value;
      return {
        main: now.outside ? words.standsTitle : words.insideTitle,
        small: last === null ? "" : triedText(last),
      };
    }
    case "next":
      return { main: words.nextTitle, small: "" };
  }
}

/** Walks into the proof; after a move that leaves it, from the move before. */
async function walkOn(): Promise<void> {
  showPane("proof");
  if (documentSpot.value === null) await tryAnother();
  walkKey("right");
}

function Next() {
  const words = W().puzzle.next;
  const item = (text: string, run?: () => void): ComponentChildren => (
    <li>
      {run === undefined ? (
        text
      ) : (
        <button type="button" class="inline-link" onClick={run}>
          {text}
        </button>
      )}
    </li>
  );
  return (
    <ul class="puzzle-next">
      {item(words.walk, () => void walkOn())}
      {item(words.drop)}
      {item(words.prove, () => {
        proveForm.value = true;
        showPane("solve");
      })}
      {item(words.play, () => showPane("play"))}
      {item(words.share)}
    </ul>
  );
}

/** The answer to a first stone, while the rest of the move is missing. */
function partly(): string {
  const last = tried.value;
  return last?.partly ? triedText(last) : "";
}

export const isAsking = (): boolean => state.value.step !== "hidden" && isHere();

export function PuzzleBanner() {
  const now = state.value;
  const asked = puzzle.value;
  if (asked === null || !isAsking()) return null;
  const words = W().puzzle;
  const { main, small } = texts(now, asked.attacker);
  const below = hint.value || partly() || small;
  return (
    <div class={`above puzzle puzzle-${now.step}`} role="region" aria-label={words.title}>
      <div class="above-text" aria-live="polite">
        <p class="above-main">{main}</p>
        {below !== "" && <p class="muted small">{below}</p>}
        {offersNext(now) && <Next />}
      </div>
      <div class="buttons">
        {canSolve(now) && (
          <button type="button" onClick={() => void solvePuzzle()}>
            {words.showMe}
          </button>
        )}
        {(now.step === "refuted" || now.step === "unsolved") && (
          <button type="button" class="primary" onClick={() => void tryAgain()}>
            {words.tryAgain}
          </button>
        )}
        {now.step === "tried" && (
          <button type="button" class="primary" onClick={() => void tryAnother()}>
            {words.tryAgain}
          </button>
        )}
        {(now.step === "won" || (now.step === "tried" && !offersNext(now))) && (
          <button type="button" onClick={next}>
            {words.nextTitle}
          </button>
        )}
        {now.step === "next" && (
          <button type="button" onClick={() => void tryAgain()}>
            {words.again}
          </button>
        )}
        <button type="button" class="plain" aria-label={words.dismiss} title={words.dismiss} onClick={closePuzzle}>
          ×
        </button>
      </div>
    </div>
  );
}
