import { approvalTimes } from "../approvals/approval.ts";
import { type Effect, effectOf } from "../approvals/effect.ts";
import { requestContent } from "../approvals/request-content.ts";
import { namedIfShown } from "../approvals/shown-before.ts";
import type { Ticket, Tickets } from "../approvals/ticket.ts";
import type { AuditRecord } from "../audit/audit.ts";
import type { InformationFlow } from "../flow/flow.ts";
import { sendingEffect, similarSending } from "../flow/sending-effect.ts";
import type { Decided } from "../policy/decide.ts";
import type { Policy } from "../policy/policy.ts";
import { fingerprintOf, randomId } from "../shared/digest.ts";
import type { Log } from "../shared/log.ts";
import { escaped } from "../shared/text/visible.ts";
import type { Line } from "../tool/tool.ts";
import type { CallTrail } from "./call-trail.ts";
import type { Findings, ParsedCall } from "./decision-steps.ts";

/** Stores new approval requests and records them. */
export interface NewRequests<Ports> {
  /** Stores a request for a call, or joins the open request of an identical call. */
  open(
    call: ParsedCall<Ports>,
    findings: Findings,
    decided: Decided,
  ): Promise<{ ticket: Ticket; joined: boolean }>;
  /** Records a new request in the audit record, and removes requests that ended long ago. */
  record(ticket: Ticket, findings: Findings, decided: Decided, trail: CallTrail): Promise<void>;
}

export function createNewRequests<Ports>(settings: {
  policy: () => Policy;
  tickets: Tickets;
  audit: AuditRecord;
  flow?: InformationFlow | undefined;
  log: Log;
  configHash: string;
  approvalTtlMs: number;
}): NewRequests<Ports> {
  const { tickets, audit, log, configHash } = settings;

  const nameOf: InformationFlow["nameOf"] = async (source) =>
    (await settings.flow?.nameOf(source)) ?? source.kind;

  /** Returns the lines about the sources of arguments. If this fails, the request is shown without them. */
  async function origins(principal: string, args: Ticket["args"]): Promise<readonly Line[]> {
    try {
      return (await settings.flow?.origins(principal, args)) ?? [];
    } catch (cause) {
      log.warn("the sources of arguments could not be read", { cause });
      return [];
    }
  }

  async function effectFor(
    { tool, args, principal }: ParsedCall<Ports>,
    { earlier, prepared, flow }: Findings,
  ): Promise<Effect> {
    const { lead, afterUnknown = false } = earlier?.kind === "open" ? earlier : {};
    const more = { lead, afterUnknown, resolved: prepared.args };
    if (flow !== undefined)
      return effectOf(tool, args, await sendingEffect(tool, args, flow, nameOf), more);
    const named = await namedIfShown(prepared.effect, tickets, { principal, configHash });
    const sources = await origins(principal, prepared.args ?? args);
    return effectOf(tool, args, named, { ...more, origins: sources });
  }

  function purgeEnded(): void {
    tickets.purge(approvalTimes.keepEnded).catch((cause: unknown) => {
      log.warn("old requests could not be removed", { cause });
    });
  }

  return {
    open: async (call, findings, { risk }) => {
      const { tool, args, principal, client, digest } = call;
      const { prepared, flow } = findings;
      const ticketId = randomId("ap");
      const resolved = prepared.args ?? args;
      return await tickets.open(
        {
          ticketId,
          principal,
          tool: tool.name,
          risk,
          args: resolved,
          digest,
          target: prepared.version,
          actsOn: tool.actsOn?.(args),
          effect: await effectFor(call, findings),
          fingerprint: fingerprintOf(ticketId, digest),
          client,
          configHash,
          channels: settings.policy().effectiveFor(principal, client).channelsFor(tool.operation),
          similar:
            flow === undefined
              ? tool.similar?.(resolved)
              : similarSending(flow, Object.keys(tool.input.shape)),
        },
        settings.approvalTtlMs,
      );
    },

    record: async (ticket, { prepared: { effect } }, decided, trail) => {
      const { ticketId, replaces: older } = ticket;
      const why = older === undefined ? [] : [`it replaced the older request ${older}`];
      const outcome = [...decided.reasons, ...why].join("; ");
      const named = effect?.isRecorded && { sentence: asWish(effect.headline) };
      const content = requestContent(ticket);
      await audit.append(trail.event("asked", { ticketId, outcome, content, ...named }));
      // Not awaited: requests are rare enough to clean up at each one.
      purgeEnded();
    },
  };
}

/** Returns a headline in the form that follows "to", like the sentences of tools. */
function asWish(headline: string): string {
  return escaped(headline.charAt(0).toLowerCase() + headline.slice(1));
}
