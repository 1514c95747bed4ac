import type { RepeatedFailureGuard } from "../budget/repeated-failure-guard.ts";
import type { FollowedRun, RunFollowers } from "./run-followers.ts";
import { type RunSettings, runTicket } from "./run-ticket.ts";
import type { Ticket } from "./ticket.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolExecutor } from "../call/tool-executor.ts";
import type { Data } from "../shared/data.ts";

/** Runs approved requests. */
export interface TicketRuns {
  /** Runs each request once per process. Between processes the claim decides. */
  run(ticket: Ticket): Promise<void>;
  idle(): Promise<void>;
}

export function createTicketRuns<Ports>(
  settings: Omit<RunSettings, "execute" | "sentence"> & {
    known: (tool: string) => Tool<Ports>;
    /** @throws ToolError `forbidden` if the tool is withheld */
    present: (tool: string, caller: Ticket) => Tool<Ports>;
    executor: ToolExecutor<Ports>;
    failures: RepeatedFailureGuard;
    followers: RunFollowers;
  },
): TicketRuns {
  const { known, present, executor, failures, followers } = settings;
  const running = new Map<string, Promise<void>>();

  async function execute(ticket: Ticket, { signal, progress }: FollowedRun): Promise<Data> {
    const { ticketId: callId, principal, target, digest } = ticket;
    const isDecided = "decision" in ticket && ticket.decision.channel !== "rule";
    const tool = present(ticket.tool, ticket);
    const stop = tool.isInterruptible === true ? signal : undefined;
    const caller = { principal, callId, version: target, isDecided, signal: stop, progress };
    const output = await executor.execute(tool, ticket.args, caller);
    failures.succeeded({ principal, digest }, true);
    return output;
  }

  /** Runs a request. Its callers may stop it from the claim on, before the tool begins. */
  async function runFollowed(ticket: Ticket): Promise<void> {
    await followers.run(ticket.ticketId, async (followed) => {
      await runTicket(
        { ...settings, execute: (claimed) => execute(claimed, followed), sentence },
        ticket,
      );
    });
  }

  function sentence({ tool, args }: Ticket, output: Data): string {
    return known(tool).describe(args, output);
  }

  return {
    run: async (ticket) => {
      let promise = running.get(ticket.ticketId);
      if (promise === undefined) {
        promise = runFollowed(ticket).finally(() => {
          running.delete(ticket.ticketId);
        });
        running.set(ticket.ticketId, promise);
      }
      await promise;
    },
    idle: async () => void (await Promise.allSettled(running.values())),
  };
}
