import { conceptPlaces } from "./feature-sums.ts";

/** Units of the hidden layer. */
export const hiddenUnits = 32;
/** Weights of a concept: one for each hidden unit, and one that leads to the result directly. */
export const perPlace = hiddenUnits + 1;
/** Weights of the network: those of the concepts, then those of the hidden units and a constant. */
export const networkWeights = conceptPlaces * perPlace + hiddenUnits + 1;

/**
 * A network with one hidden layer. It reads concepts and forms, and unlike the sum of the weights it knows which of them
 * mean something only together, such as a number below "enter" in a message about a parcel.
 */
export class Network {
  readonly #weights: ArrayLike<number>;
  readonly #unit: number;

  constructor(weights: ArrayLike<number>, unit: number) {
    this.#weights = weights;
    this.#unit = unit;
  }

  /** Returns what places of concepts add to each hidden unit and to the result. */
  inputsOf(places: readonly number[]): Float64Array {
    const inputs = new Float64Array(perPlace);
    for (const place of places)
      for (let unit = 0; unit < perPlace; unit += 1)
        inputs[unit] = (inputs[unit] ?? 0) + (this.#weights[place * perPlace + unit] ?? 0);
    return inputs;
  }

  /** Returns the result for the sum of some inputs: positive for a code. */
  resultOf(inputs: readonly Float64Array[]): number {
    const from = conceptPlaces * perPlace;
    const sums = new Float64Array(perPlace);
    for (const one of inputs)
      for (let at = 0; at < perPlace; at += 1) sums[at] = (sums[at] ?? 0) + (one[at] ?? 0);
    const sumOf = (at: number): number => (sums[at] ?? 0) * this.#unit;
    let result = sumOf(hiddenUnits) + (this.#weights[from + hiddenUnits] ?? 0) * this.#unit;
    for (let unit = 0; unit < hiddenUnits; unit += 1)
      result += (this.#weights[from + unit] ?? 0) * this.#unit * Math.tanh(sumOf(unit));
    return result;
  }
}
