// The reader's place in a proof. The node on the board has one if its verdict says where in a certificate its
// position is; the proof pane may show another place, which changes no document and takes precedence.
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

/** The place of the node on the board, if it has one. */
export const documentSpot = computed<Spot | null>(() => {
  const verdict = node.value?.verdict;
  if (!verdict || verdict.certificate === null || verdict.at === null) return null;
  return { hash: verdict.certificate, place: verdict.at };
});

/** The place that the proof pane shows instead; null: it follows the board. */
export const walked = signal<Spot | null>(null);

export const spot = computed<Spot | null>(() => walked.value ?? documentSpot.value);

/** The proof in the pane: that of the place, or of a node without a place. */
export const proofHash = computed(() => spot.value?.hash ?? node.value?.verdict?.certificate ?? null);

/** The loaded place. */
export const place = signal<ProofNode | null>(null);
export const proof = signal<Proof | null>(null);

/** The answer of the proof to the last Defender move that was tried. */
export interface Tried {
  squares: SquareName[];
  answer: ProofAnswer;
  /** Whether all of them are outside of the zone. */
  outside: boolean;
  /** Whether they are a part of a move. */
  partly: boolean;
}
export const tried = signal<Tried | null>(null);
/** The reply that answers the square under the pointer: the pane highlights its row. */
export const litReply = signal<number | null>(null);

/** The previous node and its place, to judge the move from there. */
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

/** Asks what a move of Defender from a place of the proof changes. */
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
    // The proof may have no answer to the move; the verdict of the node still counts.
  }
}

/** Asks for the answer to Defender stones here. Null if this place has none. */
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
    // A move in the document ends the walk in the pane.
    walked.value = null;
    if (current !== null) void judgeMove(current);
  });
  // Stored after the place is loaded, so that the next move can be judged from it.
  effect(() => {
    const there = place.value;
    const current = node.peek();
    const at = documentSpot.peek();
    if (there === null || current === null || at === null || walked.peek() !== null) return;
    before = { document: doc.peek()?.id ?? "", node: current.id, spot: at, there };
  });
}
