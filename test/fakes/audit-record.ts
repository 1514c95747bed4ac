import type { AuditEvent, AuditRecord } from "../../src/core/audit/audit.ts";

/**
 * Creates an audit record in memory. `events` are the durable ones, in order. `fail` simulates an unavailable database.
 */
export function createFakeAuditRecord(): AuditRecord & {
  readonly events: readonly AuditEvent[];
  fail(error: Error | undefined): void;
} {
  const events: AuditEvent[] = [];
  const noted: AuditEvent[] = [];
  let failure: Error | undefined;

  function store(...added: AuditEvent[]): void {
    if (failure !== undefined && noted.length + added.length > 0) throw failure;
    events.push(...noted.splice(0), ...added);
  }

  return {
    events,
    fail: (error) => {
      failure = error;
    },
    append: async (event) => store(event),
    enqueue: (event) => {
      noted.push(event);
    },
    backpressure: () => undefined,
    flush: async () => store(),
  };
}
