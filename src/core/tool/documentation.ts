/**
 * The hand-written part of a tool's page; fields, risk and the common errors are generated from its contract. It is not in
 * the contract itself because no call needs it: only the build and the catalog command load it.
 */
export interface Documentation {
  /** Paragraphs: what to know beyond the description. */
  notes: readonly string[];
  /** Errors of this tool's own, each with what to do about it. */
  errors: Readonly<Record<string, string>>;
  /** What a user says, and the arguments that answer it. A test holds them against the input schema. */
  examples: readonly { asks: string; arguments: Readonly<Record<string, unknown>> }[];
}
