import type { GivenSource } from "./ledger.ts";
import type { Span } from "./reading/reading.ts";

/** A part of an outgoing text that also occurs in private content. */
export interface Hit {
  /** `parts`: pieces of one code, of which some left before. */
  kind: "code" | "word" | "run" | "parts";
  /** The normalised text that is the same in both. */
  text: string;
  /** The words of the index that say how rare it is. */
  terms: readonly string[];
  span: Span;
  sources: readonly GivenSource[];
  /** How much a word says, from 0 to 1. */
  says?: number;
  /** Words of one content in one reading are judged together. */
  group?: string;
  /** The weight of the words of the reading that this content does not have. */
  elsewhere?: number;
}

/** A hit on something rare. */
export type Match = Hit;

export interface Outgoing {
  text: string;
  /** Earlier texts for the same destination, the oldest first. */
  earlier: readonly string[];
}
