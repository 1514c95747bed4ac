import { conceptHashes, hashOf, mix } from "./words.ts";

/** The number of places into which names of features are hashed, a power of two. */
export const featurePlaces = 262_144;

/** The number of places into which names of concepts and forms are hashed, a power of two. */
export const conceptPlaces = 16_384;

/** Features of a candidate: the sum of their weights, or their places. */
export class Features {
  /** Places of all features, only without weights. */
  readonly places: number[] = [];
  /** Places of its concepts and forms, which the network reads. */
  readonly concepts: number[] = [];
  sum = 0;
  readonly #seed: number;
  readonly #weights: Int8Array | undefined;

  constructor(sort: string, weights: Int8Array | undefined) {
    this.#seed = hashOf(sort);
    this.#weights = weights;
  }

  /** Adds a form, which is read in both ways. */
  add(zone: string, name: string): void {
    const seed = this.#seedOf(zone);
    const hash = hashOf(name);
    this.#put(seed, hash);
    this.#putConcept(seed, hash);
  }

  addAll(zone: string, hashes: readonly number[]): void {
    if (hashes.length === 0) return;
    const seed = this.#seedOf(zone);
    for (const hash of hashes) this.#put(seed, hash);
  }

  /** Adds numbers of concepts, which are only added up. */
  addSums(zone: string, concepts: readonly number[]): void {
    if (concepts.length === 0) return;
    const seed = this.#seedOf(zone);
    for (const concept of concepts) this.#put(seed, conceptHashes[concept] ?? 0);
  }

  /** Adds numbers of concepts, which the network reads. */
  addConcepts(zone: string, concepts: readonly number[]): void {
    if (concepts.length === 0) return;
    const seed = this.#seedOf(zone);
    for (const concept of concepts) this.#putConcept(seed, conceptHashes[concept] ?? 0);
  }

  #seedOf(zone: string): number {
    return mix(this.#seed, hashOf(zone));
  }

  #put(seed: number, hash: number): void {
    const place = mix(seed, hash) & (featurePlaces - 1);
    if (this.#weights === undefined) this.places.push(place);
    else this.sum += this.#weights[place] ?? 0;
  }

  #putConcept(seed: number, hash: number): void {
    this.concepts.push(mix(seed, hash) & (conceptPlaces - 1));
  }
}
