/** A job for the thread. `key` identifies a schema, which is compiled once. */
export type CheckJob =
  | { kind: "compile"; key: number; schema: Readonly<Record<string, unknown>> }
  | { kind: "check"; key: number; value: unknown };

/** The response of the thread. It has one job at a time. */
export type SchemaReply =
  | { kind: "ready" }
  | { kind: "problems"; problems: readonly string[] }
  | { kind: "unusable" };
