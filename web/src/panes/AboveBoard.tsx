// The line above the board: the puzzle, the game, what is proved, and what the last stones did to the proof. It
// shows the most specific of these and never covers the board.
import { node } from "../state/document";
import { boardMode, hint } from "../state/overlay";
import { place, proof, tried, walked } from "../state/proof";
import { layers } from "../state/view";
import { W } from "../words";
import { Clocks, statusText } from "./play/PlayPane";
import { atTip, played } from "./play/state";
import { triedText } from "./proof/layer";
import { endWalk } from "./proof/walker";
import { isAsking, PuzzleBanner } from "./puzzle/Banner";
import "./AboveBoard.css";

function ProofBanner() {
  const words = W().proof;
  const of = proof.value;
  const there = place.value;
  const last = tried.value;
  if (of === null) return null;
  if (last === null && there === null) return null;
  if (last === null && !layers.zone.value && walked.value === null) return null;
  const outside = last?.outside === true;
  const main =
    last !== null
      ? triedText(last)
      : there?.attack
        ? words.stripAttack(of.attacker, there.attack.join(" "))
        : there?.replies.length === 0
          ? words.stripEnd(of.attacker)
          : words.strip(of.attacker);
  return (
    <div class={`above two-lines proof${outside ? " stands" : ""}`}>
      <div class="above-text">
        <p class="above-main">
          <span class="fact-sign" aria-hidden="true">
            ◆
          </span>{" "}
          {main}
        </p>
        <p class="muted small above-why">{hint.value ?? ""}</p>
      </div>
      {walked.value !== null && (
        <button type="button" onClick={endWalk}>
          {words.backToBoard} (Esc)
        </button>
      )}
    </div>
  );
}

function PlayBanner() {
  const game = played.value;
  if (game === null || !atTip()) return null;
  return (
    <div class="above play">
      <p class="above-main">{statusText(game)}</p>
      <Clocks game={game} />
    </div>
  );
}

export function AboveBoard() {
  if (isAsking() && walked.value === null) return <PuzzleBanner />;
  if (played.value !== null && atTip()) return <PlayBanner />;
  const banner = boardMode.value?.banner?.();
  if (banner && walked.value === null) return <p class="above above-main">{banner}</p>;
  return node.value === null ? null : <ProofBanner />;
}
