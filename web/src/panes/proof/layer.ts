// The proof on the board: its zone in two layers with everything outside dimmed, Attacker's next move as ghosts, and
// for each square its role and its answer.
import { computed, effect } from "@preact/signals";
import type { Color, ProofAnswer, ProofNode, SquareName } from "../../api/types";
import { opponent } from "../../game/rules";
import { allOutside, hasZone, whyInZone } from "../../game/zone";
import { ahead, node } from "../../state/document";
import { speak } from "../../state/notices";
import { hint, hovered, type Overlay, preview, provisional, setOverlay } from "../../state/overlay";
import { litReply, place, proof, spot, type Tried, tried, walked, whatIf } from "../../state/proof";
import { bare, layers } from "../../state/view";
import { W } from "../../words";
import { isAskingHere } from "../puzzle/drive";

/** The time that the pointer rests on a square before the page asks, in milliseconds. */
const HOVER_MS = 60;

export const attacker = computed<Color | null>(() => proof.value?.attacker ?? null);

/** Zone, dimming, and the position of a walked place. */
export function zoneOverlay(
  there: ProofNode,
  by: Color,
  options: { walking: boolean; zone: boolean; ghosts: boolean; outside: SquareName[] },
): Overlay {
  const overlay: Overlay = {};
  if (options.walking) {
    const last = there.line[there.line.length - 1]?.squares ?? [];
    overlay.position = { black: there.position.black, white: there.position.white, last };
  }
  if (options.zone && hasZone(there.zone)) {
    overlay.zone = { solid: there.zone.solid, hatched: there.zone.hatched };
    // Stones stay bright; only the empty squares outside are dimmed.
    overlay.bright = [
      ...there.zone.solid,
      ...there.zone.hatched,
      ...there.position.black,
      ...there.position.white,
      ...options.outside,
    ];
  }
  const attack = options.ghosts ? (there.attack ?? []) : [];
  const ghosts: NonNullable<Overlay["ghosts"]> = attack.map((square) => ({ square, color: by, kind: "preview" }));
  for (const square of options.walking ? there.extra : []) {
    ghosts.push({ square, color: opponent(by), kind: "extra" });
  }
  overlay.ghosts = ghosts;
  if (overlay.bright) overlay.bright.push(...ghosts.map((ghost) => ghost.square));
  return overlay;
}

/** Why a square is in the zone, in words. */
export function whyText(there: ProofNode, square: SquareName): string {
  const why = whyInZone(there.zone, square);
  const words = W().proof;
  if (why.kind === "outside") return words.whyOutside(square);
  if (why.kind === "square") return words.whySquare(square);
  return words.whySegment(square, `${why.ends[0]}\u2013${why.ends[1]}`, why.level);
}

const isEmpty = (there: ProofNode, square: SquareName): boolean =>
  !there.position.black.includes(square) && !there.position.white.includes(square);

/** The overlay of an answer: the squares of the reply, and Attacker's stones. */
export function answerOverlay(answer: ProofAnswer, by: Color, stones: SquareName[]): Overlay {
  const reply = (answer.reply?.squares ?? []).filter((square) => !stones.includes(square));
  return {
    bright: [...answer.answer, ...reply, ...stones],
    marks: reply.map((square) => ({ square, kind: "square" })),
    ghosts: answer.answer.map((square) => ({ square, color: by, text: "!", kind: "preview" })),
  };
}

function drawZone(): void {
  const there = place.value;
  const by = attacker.value;
  // While the puzzle asks, a stored proof must not give the answer away.
  if (there === null || by === null || bare.value || (isAskingHere() && walked.value === null)) {
    setOverlay("proof", null);
    return;
  }
  setOverlay(
    "proof",
    zoneOverlay(there, by, {
      walking: walked.value !== null,
      zone: layers.zone.value,
      // A previewed line has its own stones.
      ghosts: preview.value === null,
      outside: tried.value?.squares ?? [],
    }),
  );
}

/** Shows the role of a square, and the answer to the placed stones together with this one. */
async function explain(there: ProofNode, square: SquareName): Promise<void> {
  if (!hasZone(there.zone) || ahead.peek().length > 0) return;
  const why = whyText(there, square);
  hint.value = why;
  if (there.kind !== "defence") return;
  const placed = provisional.peek();
  // A placed stone is explained already, and a whole move needs no further stone.
  if (placed.includes(square) || placed.length >= there.position.left) return;
  const stones = [...placed, square];
  const answer = await whatIf(stones);
  if (hovered.peek() !== square || place.peek() !== there) return;
  const by = attacker.peek();
  if (answer === null || by === null) return;
  const outside = allOutside(there.zone, stones);
  const partly = stones.length < there.position.left;
  hint.value = outside ? why : `${why} ${triedText({ squares: stones, answer, outside, partly })}`;
  setOverlay("proof-hover", answerOverlay(answer, by, stones));
  litReply.value = answer.reply?.node ?? null;
}

function watchHover(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let mine = false;
  effect(() => {
    const square = hovered.value;
    const there = place.value;
    const on = layers.zone.value;
    clearTimeout(timer);
    setOverlay("proof-hover", null);
    litReply.value = null;
    if (mine) hint.value = null;
    mine = false;
    if (square === null || there === null || !on || !isEmpty(there, square)) return;
    timer = setTimeout(() => {
      mine = true;
      void explain(there, square);
    }, HOVER_MS);
  });
}

/** Asks for the answer to the first stone of a Defender move. */
function watchProvisional(): void {
  effect(() => {
    const stones = provisional.value;
    const there = place.value;
    // After a move that is not stored yet the stones are not a reply to this place.
    if (there === null || there.kind !== "defence" || ahead.value.length > 0) return;
    if (stones.length === 0) {
      if (tried.peek()?.partly) tried.value = null;
      return;
    }
    void whatIf(stones).then((answer) => {
      if (answer === null || provisional.peek() !== stones) return;
      const now: Tried = { squares: stones, answer, outside: allOutside(there.zone, stones), partly: true };
      tried.value = now;
      speak(triedText(now));
    });
  });
}

/** A sentence about stones of Defender, for the lines above and below the board. */
export function triedText({ squares, answer, outside, partly }: Tried): string {
  const words = W().proof;
  const by = attacker.peek() ?? "black";
  const stones = squares.join(" ");
  const then = answer.answer.join(" ");
  const isTold = then !== "" && answer.verdict !== "inside" && answer.verdict !== "unknown";
  // Stones outside count as outside whatever rule of the proof covers them. With a part of a move, Attacker's answer
  // is shown only if it does not depend on the rest.
  if (outside) return words.stands(stones, by, isTold ? then : "");
  switch (answer.verdict) {
    case "stands":
      return words.stands(stones, by, then);
    case "answered":
      return words.answered(stones, (answer.reply?.squares ?? []).join(" "), by, then);
    case "too-late":
      return words.tooLate(stones, by, then);
    case "incomplete":
      return partly && then !== "" ? words.answeredPartly(stones, by, then) : words.incomplete(stones);
    case "inside":
      return words.incomplete(stones);
    case "unknown":
      return words.unknown;
  }
}

/** Attacker's answer to a Defender move, even if the certificate ends here. */
function drawTried(): void {
  const last = tried.value;
  const by = attacker.value;
  if (last === null || last.partly || by === null || place.value !== null || spot.value !== null) {
    setOverlay("proof-tried", null);
    return;
  }
  if (node.value?.position.toMove !== by) return;
  setOverlay("proof-tried", {
    ghosts: last.answer.answer.map((square) => ({ square, color: by, kind: "preview" })),
  });
}

export function startProofLayer(): void {
  effect(drawZone);
  effect(drawTried);
  effect(() => {
    const last = tried.value;
    if (last !== null && !last.partly) speak(triedText(last));
  });
  watchHover();
  watchProvisional();
}
