// Where the reader is in a proof. Two ways lead there: the node on the board has a verdict whose
// certificate says where in it this position is (walking in the document); or the proof pane shows a
// place of a certificate (walking in the proof, which changes no document). The second wins.
import { computed, effect, signal } from "@preact/signals";
import { proofApi } from "../api/proofs";
import type { Node, Proof, ProofAnswer, ProofNode, ProofPlace, SquareName } from "../api/types";
import { allOutside } from "../game/zone";
import { doc, node } from "./document";
import { failed } from "./notices";

export interface Spot {
  hash: string;
  place: ProofPlace;
}

/** The place of the node on the board, if its proof says one. */
export const documentSpot = computed<Spot | null>(() => {
  const verdict = node.value?.verdict;
  if (!verdict || verdict.certificate === null || verdict.at === null) return null;
  return { hash: verdict.certificate, place: verdict.at };
});

/** The place that the proof pane shows instead; null: it follows the board. */
export const walked = signal<Spot | null>(null);

export const spot = computed<Spot | null>(() => walked.value ?? documentSpot.value);

/** The proof that the pane shows: that of the place, or of the node even if it has no place. */
export const proofHash = computed(() => spot.value?.hash ?? node.value?.verdict?.certificate ?? null);

/** The board at the place, loaded. */
export const place = signal<ProofNode | null>(null);
export const proof = signal<Proof | null>(null);

/** What a Defender move does to the proof: the last one that was tried. */
export interface Tried {
  squares: SquareName[];
  answer: ProofAnswer;
  /** All of them stand outside of the zone. */
  outside: boolean;
  /** Only the first stone of a move so far. */
  partly: boolean;
}
export const tried = signal<Tried | null>(null);
/** The reply that answers the square under the pointer: its row is lit in the pane. */
export const litReply = signal<number | null>(null);

/** The node that the reader came from, and its place, to tell what his move did. */
let before: { document: string; node: number; spot: Spot; there: ProofNode } | null = null;

async function loadPlace(wanted: Spot): Promise<void> {
  try {
    const [there, of] = await Promise.all([proofApi.place(wanted.hash, wanted.place), proofApi.proof(wanted.hash)]);
    if (spot.value !== wanted) return;
    proof.value = of;
    place.value = there;
  } catch (error) {
    if (spot.value === wanted) place.value = null;
    failed(error);
  }
}

/** After a move of Defender from a place of the proof: what came of it? */
async function judgeMove(current: Node): Promise<void> {
  const from = before;
  if (from === null || from.there.kind !== "defence" || current.parent !== from.node) return;
  if (from.document !== doc.value?.id || current.stones.length === 0) return;
  const squares = current.stones.map((stone) => stone.square);
  try {
    const { node: at, extra } = from.spot.place;
    const answer = await proofApi.answer(from.spot.hash, { node: at, extra, squares });
    if (node.value?.id === current.id) {
      tried.value = { squares, answer, outside: allOutside(from.there.zone, squares), partly: false };
    }
  } catch {
    // The move may be one that the proof cannot speak about; the verdict of the node still does.
  }
}

/** Asks what one more Defender stone would do here. Null if this place has no answer to it. */
export async function whatIf(squares: SquareName[]): Promise<ProofAnswer | null> {
  const at = spot.value;
  if (at === null || place.value?.kind !== "defence" || squares.length === 0) return null;
  try {
    return await proofApi.answer(at.hash, { node: at.place.node, extra: at.place.extra, squares });
  } catch {
    return null;
  }
}

export function startProof(): void {
  effect(() => {
    const wanted = spot.value;
    if (wanted === null) place.value = null;
    else void loadPlace(wanted);
    const hash = proofHash.value;
    if (wanted === null && hash === null) proof.value = null;
    else if (wanted === null && hash !== null) {
      void proofApi.proof(hash).then((of) => {
        if (proofHash.value === hash) proof.value = of;
      }, failed);
    }
  });
  let shown: string | null = null;
  effect(() => {
    const current = node.value;
    const id = doc.value?.id ?? "";
    const key = current === null ? null : `${id}/${current.id}`;
    if (key === shown) return;
    shown = key;
    tried.value = null;
    // A move in the document ends a walk in the pane: the board belongs to the reader.
    walked.value = null;
    if (current !== null) void judgeMove(current);
  });
  // Remembered after the place is loaded, so that the next move can be judged from it.
  effect(() => {
    const there = place.value;
    const current = node.peek();
    const at = documentSpot.peek();
    if (there === null || current === null || at === null || walked.peek() !== null) return;
    before = { document: doc.peek()?.id ?? "", node: current.id, spot: at, there };
  });
}
