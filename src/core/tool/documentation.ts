/**
 * The hand-written part of a tool's page. Fields, risk and common errors are generated from its contract. Only the
 * build and the catalog command load it, so it is separate from the contract.
 */
export interface Documentation {
  /** Paragraphs that add to the description. */
  notes: readonly string[];
  /** The errors of this tool alone, each with its remedy. */
  errors: Readonly<Record<string, string>>;
  /** A user's request, and the arguments that answer it. A test checks them against the input schema. */
  examples: readonly { asks: string; arguments: Readonly<Record<string, unknown>> }[];
}
