import { expect } from "vitest";
import type { RunEnd, Ticket, TicketRequest, Tickets } from "../../src/core/approvals/ticket.ts";

export const minute = 60_000;
/** A lifetime that has ended by the next read, so no test waits. */
export const over = 0;

export const approve = { verdict: "approve", channel: "terminal", by: "alice" } as const;
export const deny = { verdict: "deny", channel: "page", by: "bob" } as const;
export const done: RunEnd = { status: "done", output: { key: "a.txt", deleted: true } };

/** The error of a request that can no longer run, as it is stored. */
export const withheldError = {
  kind: "forbidden",
  message: "The tool is withheld. Nothing was done.",
  retryable: false,
  sideEffects: "none",
  hint: "Tell the user.",
} as const;

let count = 0;

/** Makes a unique request, with the values that the test gives. */
export function request(fields: Partial<TicketRequest> = {}): TicketRequest {
  count += 1;
  return {
    ticketId: `ap_${count}`,
    principal: "local",
    tool: "delete_file",
    risk: "high",
    args: { key: "a.txt", nested: { list: [1, null, "ü\0\u{1F600}"] } },
    digest: `digest ${count}`,
    target: "v1",
    actsOn: undefined,
    effect: {
      title: "Delete a file",
      forModel: { headline: "Delete a.txt", facts: [{ label: "key", value: '"a.txt"' }] },
      forPerson: {
        headline: 'Delete the file "a.txt"',
        facts: [{ label: "size", value: "5 bytes" }],
      },
      forDialog: { headline: "Delete a.txt", facts: [], withheld: "its size" },
    },
    fingerprint: "ABCD-EFGH",
    client: "test 1.0",
    configHash: "config",
    channels: ["elicitation", "page", "telegram", "terminal"],
    similar: undefined,
    ...fields,
  };
}

/** Tickets that have come as far as a test needs them. */
export function ticketsIn(store: () => Tickets) {
  async function opened(fields?: Partial<TicketRequest>): Promise<Ticket> {
    return (await store().open(request(fields), minute)).ticket;
  }
  async function approved(fields?: Partial<TicketRequest>): Promise<Ticket> {
    const { ticketId } = await opened(fields);
    return (await store().decide(ticketId, approve, minute)).ticket;
  }
  /** Returns a ticket that `process 1` has claimed. */
  async function running(leaseMs = minute, fields?: Partial<TicketRequest>): Promise<Ticket> {
    const { ticketId, configHash } = await approved(fields);
    const ticket = await store().claim(ticketId, "process 1", configHash, leaseMs);
    expect(ticket?.status).toBe("running");
    return ticket!;
  }
  return { opened, approved, running };
}
