import { approvalTimes } from "../../../core/approvals/approval.ts";
import { type AuditEvent, type AuditRecord, recordBestEffort } from "../../../core/audit/audit.ts";
import { fingerprintOf, randomId } from "../../../core/shared/digest.ts";
import { shownName, visible } from "../../../core/shared/text/visible.ts";
import type { Log } from "../../../core/shared/log.ts";
import { requestContent } from "../../../core/approvals/request-content.ts";
import { runTicket } from "../../../core/approvals/run-ticket.ts";
import { type Ticket, type Tickets, everybody } from "../../../core/approvals/ticket.ts";
import type { AskWidening, Widening } from "./live-policy.ts";

/** Shown in place of a tool's name in these requests. Tools cannot have this name. */
const tool = "policy_file";
const title = "Let the policy file allow more";

/**
 * Asks about a wider policy file on the page and in the terminal. Only a person who decides for all callers may answer.
 * The request has the digest of the file, so all processes that read the same file share one request and its approval.
 */
export function askAtChannels(settings: {
  tickets: Tickets;
  audit: AuditRecord;
  log: Log;
  processId: string;
  configHash: string;
  ttlMs: number;
}): AskWidening {
  const { tickets, audit, configHash, ttlMs } = settings;
  const run = {
    ...settings,
    execute: async ({ digest }: Ticket) => ({ digest }),
    sentence: () => "the wider policy file applies",
  };

  async function open({ path, digest, lines }: Widening): Promise<void> {
    const ticketId = randomId("ap");
    const { ticket, joined } = await tickets.open(
      {
        ticketId,
        principal: everybody,
        tool,
        risk: "high",
        args: { digest },
        digest,
        target: undefined,
        // A denial covers this text of the file. A new text is a new request.
        actsOn: digest,
        effect: {
          title,
          forModel: { headline: title, facts: [] },
          forPerson: {
            headline: `${title}: ${shownName(path)}`,
            facts: [
              ...lines.map((line) => ({ label: "allows", value: visible(line) })),
              { label: "until then", value: "only calls that both versions allow" },
              { label: "file", value: visible(path) },
            ],
          },
          forDialog: { headline: title, facts: [] },
        },
        fingerprint: fingerprintOf(ticketId, digest),
        client: "policy file",
        configHash,
        channels: ["page", "terminal"],
        similar: undefined,
      },
      ttlMs,
    );
    if (!joined) await recordBestEffort(audit, asked(ticket));
  }

  return async (widening) => {
    const call = { principal: everybody, digest: widening.digest, configHash };
    const { ticket, now } = await tickets.findIdentical(call);
    const since = (at: Date): number => now.getTime() - at.getTime();
    switch (ticket?.status) {
      case "pending":
      case "running":
        return "waiting";
      case "approved":
        await runTicket(run, ticket);
        return "waiting";
      case "done":
        if (since(ticket.finishedAt) < approvalTimes.keepEnded) return "yes";
        break;
      case "denied":
        if (since(ticket.decision.at) < approvalTimes.denialLasts) return "no";
        break;
      case "failed":
      case "unknown":
      case "expired":
      case undefined:
        break;
    }
    await open(widening);
    return "waiting";
  };
}

function asked(ticket: Ticket): AuditEvent {
  return {
    type: "asked",
    at: new Date(),
    callId: ticket.ticketId,
    ticketId: ticket.ticketId,
    principal: ticket.principal,
    client: ticket.client,
    tool,
    risk: "high",
    digest: ticket.digest,
    sentence: "the policy file changed and allows more",
    content: requestContent(ticket),
  };
}
