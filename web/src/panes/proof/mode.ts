// The board while a proof is walked: the arrow keys go through the proof, and a click places stones of Defender to
// see their answer. The document does not change.
import { effect } from "@preact/signals";
import { proofApi } from "../../api/proofs";
import type { SquareName } from "../../api/types";
import { opponent } from "../../game/rules";
import { allOutside } from "../../game/zone";
import { failed } from "../../state/notices";
import { enterMode, leaveMode } from "../../state/overlay";
import { place, proof, tried, walked, whatIf } from "../../state/proof";
import { W } from "../../words";
import { triedText } from "./layer";
import { currentSteps, endWalk, stepsTo, walkKey, walkToStep } from "./walker";

const NAME = "proof-walk";

/** A whole move of Defender: the board goes where the proof continues. */
async function answerMove(squares: SquareName[]): Promise<void> {
  const current = await currentSteps();
  const outside = place.value !== null && allOutside(place.value.zone, squares);
  const answer = await whatIf(squares);
  if (current === null || answer === null) return;
  if (answer.place !== null) {
    const there = await proofApi.place(current.hash, answer.place);
    // A reference may lead to the reply: its steps are those of the file.
    const steps = answer.reply === null ? stepsTo(there) : [...current.steps, answer.reply.node];
    await walkToStep(current.hash, steps, answer.place.extra);
  }
  tried.value = { squares, answer, outside, partly: false };
}

export function startWalkMode(): void {
  effect(() => {
    if (walked.value === null) {
      leaveMode(NAME);
      return;
    }
    enterMode({
      name: NAME,
      stones: () => {
        const there = place.value;
        const by = proof.value?.attacker ?? "black";
        return { count: there?.kind === "defence" ? there.position.left : 0, color: opponent(by) };
      },
      onMove: (squares) => void answerMove(squares).catch(failed),
      onBack: () => {
        // At the beginning of the walk, a step back ends the walk.
        const walk = walked.peek();
        if (walk !== null && "steps" in walk && (walk.steps as number[]).length > 1) walkKey("left");
        else endWalk();
        return true;
      },
      onForward: () => {
        walkKey("right");
        return true;
      },
      onEscape: () => {
        endWalk();
        return true;
      },
      banner: () => {
        const last = tried.value;
        if (last !== null) return triedText(last);
        return W().proof.walking(place.value?.line.length ?? 0);
      },
    });
  });
}
