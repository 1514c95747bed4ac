import { onTestFinished } from "vitest";
import type { Page } from "playwright-core";
import type { PageSightings } from "../../src/app/page/page-sightings.ts";
import { startPageServer } from "../../src/app/page/page-server.ts";
import type { Ticket, TicketRequest } from "../../src/core/approvals/ticket.ts";
import { request } from "../contract/ticket-fixtures.ts";
import { createFakeAuditRecord } from "../fakes/audit-record.ts";
import { createFakePageRecord } from "../fakes/page-record.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { createFakeRules } from "../fakes/rules.ts";
import { createFakeTickets } from "../fakes/tickets.ts";

export const day = 86_400_000;
export const phone = { viewport: { width: 390, height: 844 } };

/** Opens the page as a server on this computer shows it, over requests in memory. */
export async function serveLocally(record = createFakePageRecord(), sightings?: PageSightings) {
  const tickets = createFakeTickets();
  const server = await startPageServer(
    { tickets, audit: createFakeAuditRecord(), rules: createFakeRules(), ...record },
    quietLog,
    { ...(sightings && { sightings }) },
  );
  onTestFinished(() => server.close());
  const open = async (fields: Partial<TicketRequest> = {}): Promise<Ticket> =>
    (await tickets.open(request(fields), day)).ticket;
  const statusOf = async (ticketId: string) => (await tickets.find(ticketId))?.status;
  return { tickets, server, open, statusOf };
}

/** The button that approves this very request. */
export const approve = (page: Page, ticket: Ticket) =>
  page.getByRole("button", {
    name: `Approve ${ticket.effect.title}, request ${ticket.fingerprint}`,
  });
