// Calls about certificates. A place in a certificate never changes, so the page caches places: walking back and
// forth sends one request.
import { get, getText, send } from "./client";
import type { AnswerQuery, Proof, ProofAnswer, ProofNode, ProofPlace, ProofRows, ProofRowsQuery } from "./types";

const of = (hash: string): string => `/proofs/${encodeURIComponent(hash)}`;

/** A cache that drops the entry that was read least recently. */
export class Kept<V> {
  private readonly map = new Map<string, Promise<V>>();
  constructor(private readonly most: number) {}

  get(key: string, make: () => Promise<V>): Promise<V> {
    const known = this.map.get(key);
    if (known !== undefined) {
      this.map.delete(key);
      this.map.set(key, known);
      return known;
    }
    const made = make();
    this.map.set(key, made);
    // A failure is not cached: the next call tries again.
    made.catch(() => this.map.delete(key));
    const oldest = this.map.keys().next();
    if (this.map.size > this.most && !oldest.done) this.map.delete(oldest.value);
    return made;
  }
}

const places = new Kept<ProofNode>(500);
const answers = new Kept<ProofAnswer>(2_000);
const proofs = new Kept<Proof>(50);

/** The key of a place. The order of the stones outside does not matter. */
export const placeKey = (hash: string, { node, extra = [] }: Pick<AnswerQuery, "node" | "extra">): string =>
  `${hash}:${node}:${[...extra].sort().join(" ")}`;

export const proofApi = {
  proof: (hash: string) => proofs.get(hash, () => get<Proof>(of(hash))),
  certificateUrl: (hash: string) => `api${of(hash)}/certificate`,
  certificate: (hash: string) => getText(`${of(hash)}/certificate`),
  place: (hash: string, place: ProofPlace) =>
    places.get(placeKey(hash, place), () => {
      const extra = place.extra.length > 0 ? `?extra=${encodeURIComponent(place.extra.join(","))}` : "";
      return get<ProofNode>(`${of(hash)}/places/${place.node}${extra}`);
    }),
  answer: (hash: string, query: AnswerQuery) =>
    answers.get(`${placeKey(hash, query)}>${[...query.squares].sort().join(" ")}`, () =>
      send<ProofAnswer>("POST", `${of(hash)}/answer`, query),
    ),
  rows: (hash: string, query: ProofRowsQuery) => send<ProofRows>("POST", `${of(hash)}/rows`, query),
  check: (hash: string) => send<{ verified: boolean; nodes: number; seconds: number }>("POST", `${of(hash)}/check`),
};
