import type { ChannelsHere } from "../core/approvals/directions.ts";
import type { CallPipeline } from "../core/call/call.ts";
import type { Outcome } from "../core/call/outcome.ts";
import { needsOtherChannels } from "../core/shared/client-report.ts";
import type { Ticket, Tickets } from "../core/approvals/ticket.ts";
import type { TicketWatch } from "../core/approvals/watch.ts";
import type { ClientMemory } from "../ports/people/client-memory.ts";
import type { CallContext } from "./call-context.ts";

/**
 * Limit on calls of one caller that wait at the same time: more than the requests that may be pending. Each may occupy a
 * connection of the server.
 */
const maxWaits = 32;

/** Shows the requests of both eras to a person and waits for the decisions. */
export interface ApprovalBroker {
  calls: CallPipeline;
  tickets: Tickets;
  watch: TicketWatch;
  /** The channels that a dialog may point to. */
  here: ChannelsHere;
  /**
   * Waits a short time, at most until `until`, for a decision in another approval channel. Resolves with the ticket's
   * outcome. If `maxWaits` calls of the caller already wait, it resolves immediately.
   */
  wait(ticket: Ticket, ctx: CallContext, until?: Promise<unknown>): Promise<Outcome>;
  /** Waits in the same way for a request without a client dialog, or one that was declined in it. */
  waitElsewhere: ApprovalBroker["wait"];
  /**
   * Uses the other channels immediately, together with the dialog, if this client's last dialog ended without a
   * person's decision, or if the dialog refers to the page for facts that it must not show.
   */
  orderChannels(client: { name: string; version: string }, ticket: Ticket): Promise<void>;
  /** Tracks one call from its arrival to its result. */
  answering<T>(call: () => Promise<T>): Promise<T>;
  /** Resolves when every call has its result. */
  allAnswered(): Promise<void>;
}

export function createApprovalBroker(settings: {
  calls: CallPipeline;
  tickets: Tickets;
  watch: TicketWatch;
  here: ChannelsHere;
  /** `APPROVAL_WAIT_MS`. */
  waitMs: number;
  /** Shows the request in another approval channel, if this process can. */
  reachPerson: (at: { onPage: boolean }) => void;
  memory: ClientMemory;
}): ApprovalBroker {
  const { calls, tickets, watch, here, waitMs, memory } = settings;
  // Only a request that the page may decide opens it.
  const reachPerson = ({ channels }: Ticket): void =>
    settings.reachPerson({ onPage: channels.includes("page") });
  let unanswered = 0;
  let whenAnswered: (() => void)[] = [];

  function answered(): void {
    unanswered -= 1;
    if (unanswered > 0) return;
    for (const resolve of whenAnswered) resolve();
    whenAnswered = [];
  }

  const waiting = new Map<string, number>();

  function count(principal: string, by: 1 | -1): void {
    const left = (waiting.get(principal) ?? 0) + by;
    if (left === 0) waiting.delete(principal);
    else waiting.set(principal, left);
  }

  const wait: ApprovalBroker["wait"] = async ({ ticketId, principal }, ctx, until) => {
    if ((waiting.get(principal) ?? 0) < maxWaits) {
      count(principal, 1);
      const ended = watch.waitForEnd(ticketId, waitMs, ctx.mcpReq.signal);
      await (until === undefined ? ended : Promise.race([ended, until])).finally(() =>
        count(principal, -1),
      );
    }
    return await calls.resume(ticketId, ctx.mcpReq.signal);
  };

  return {
    calls,
    tickets,
    watch,
    here,
    wait,
    waitElsewhere: async (ticket, ctx, until) => {
      if (ticket.status === "pending") reachPerson(ticket);
      return await wait(ticket, ctx, until);
    },
    orderChannels: async ({ name, version }, ticket) => {
      // The dialog is shown in any case.
      const report = await memory.find(name, version).catch(() => undefined);
      const isPointedTo = ticket.effect.forDialog.withheld !== undefined;
      if (isPointedTo || (report !== undefined && needsOtherChannels(report))) reachPerson(ticket);
    },
    answering: (call) => {
      unanswered += 1;
      const answer = call();
      answer.then(answered, answered);
      return answer;
    },
    allAnswered: () =>
      unanswered === 0 ? Promise.resolve() : new Promise((resolve) => whenAnswered.push(resolve)),
  };
}
