import type { GivenSource } from "./ledger.ts";
import type { Span } from "./reading/reading.ts";

/** A part of an outgoing text that also occurs in private content. */
export interface Hit {
  /** `parts`: pieces of one code, some of which were sent before. */
  kind: "code" | "word" | "run" | "parts";
  /** The normalised text that is the same in both. */
  text: string;
  /** The words whose frequency in the index shows how rare it is. */
  terms: readonly string[];
  span: Span;
  sources: readonly GivenSource[];
  /** True if each of these items has all characters of the text, and not only a part of a word that is marked whole. */
  isWhole?: boolean;
  /** The weight of a word, from 0 to 1. */
  weight?: number;
  /** True if the text has the word only encoded, backwards or in pieces. It then weighs more. */
  isDisguised?: boolean;
  /** The weights of words with the same group are added up: words of one item in one reading. */
  group?: string;
  /** The weight of the words of the reading that this item does not have. */
  elsewhere?: number;
}

export interface Outgoing {
  text: string;
  /** Earlier texts for the same destination, the oldest first. */
  earlier: readonly string[];
}
