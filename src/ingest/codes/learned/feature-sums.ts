import { hashOf, mix } from "./words.ts";

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
    const hashes = [hashOf(name)];
    this.addAll(zone, hashes);
    this.addConcepts(zone, hashes);
  }

  addAll(zone: string, hashes: readonly number[]): void {
    const seed = mix(this.#seed, hashOf(zone));
    const weights = this.#weights;
    for (const hash of hashes) {
      const place = mix(seed, hash) & (featurePlaces - 1);
      if (weights === undefined) this.places.push(place);
      else this.sum += weights[place] ?? 0;
    }
  }

  addConcepts(zone: string, hashes: readonly number[]): void {
    const seed = mix(this.#seed, hashOf(zone));
    for (const hash of hashes) this.concepts.push(mix(seed, hash) & (conceptPlaces - 1));
  }
}
