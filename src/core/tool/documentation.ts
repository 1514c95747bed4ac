/**
 * The hand-written part of a tool's page. Fields, risk and common errors are generated from the contract. It is
 * separate from the contract, because only the build and the command `catalog` load it.
 */
export interface Documentation {
  /** Paragraphs that add to the description. */
  notes: readonly string[];
  /** The errors that only this tool has, each with its remedy. */
  errors: Readonly<Record<string, string>>;
  /** A user's request, and the arguments that answer it. A test checks them against the input schema. */
  examples: readonly { asks: string; arguments: Readonly<Record<string, unknown>> }[];
}
