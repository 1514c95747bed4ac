import { guidance, isOpen, refusal } from "../approvals/approval.ts";
import type { ChannelsHere } from "../approvals/directions.ts";
import { type OpenTicket, type Ticket, ticketNotice } from "../approvals/ticket.ts";
import type { Source } from "../flow/ledger.ts";
import type { InformationFlow } from "../flow/flow.ts";
import { givenContents } from "../flow/outgoing.ts";
import { type ResultText, type Tool, reportOf } from "../tool/tool.ts";
import { type ToolError, errorFromFields } from "../tool/tool-error.ts";
import { noteGiven } from "./flow-steps.ts";
import type { Data } from "../shared/data.ts";

/** The result of a call. `waiting` needs a person's decision, which the client connection turns into its protocol. */
export type Outcome =
  | {
      kind: "done";
      tool: string;
      output: Data;
      text: ResultText;
      /** The sources of the text in the output that other people wrote. */
      sources?: readonly Source[];
      report?: string;
    }
  | { kind: "refused"; error: ToolError }
  /** `error` is the result if the request stays undecided. */
  | { kind: "waiting"; ticket: OpenTicket; error: ToolError };

export function refused(error: ToolError): Outcome {
  return { kind: "refused", error };
}

export function waitingFor(ticket: OpenTicket, here: ChannelsHere): Outcome {
  return { kind: "waiting", ticket, error: refusal(ticket, here) };
}

/** Returns the outcome of a finished call. With `isReported`, the result asks the assistant to notify the user. */
export function done<Ports>(
  tool: Tool<Ports>,
  args: Data,
  output: Data,
  isReported = false,
): Outcome {
  const sources = sourcesOf(tool, args, output);
  return {
    kind: "done",
    tool: tool.name,
    output,
    text: tool.text(output, args),
    ...(sources.length > 0 && { sources }),
    ...(isReported && { report: reportOf(tool, args, output) }),
  };
}

function sourcesOf<Ports>(tool: Tool<Ports>, args: Data, output: Data): readonly Source[] {
  return givenContents(tool, args, output).map(
    ({ texts: _texts, topics: _topics, ...source }) => source,
  );
}

/** Creates the function that returns the outcome of a request in its current state. */
export function createOutcomeOf<Ports>(settings: {
  known: (tool: string) => Tool<Ports>;
  ports: Ports;
  flow?: InformationFlow | undefined;
  here: ChannelsHere;
  callTimeoutMs: number;
}): (ticket: Ticket) => Promise<Outcome> {
  const { flow, here } = settings;
  return async (ticket) => {
    const tool = settings.known(ticket.tool);
    if (ticket.status === "done") {
      const { args, output, decision, principal } = ticket;
      // The call may have run hours ago, and the caller receives the content now.
      await noteGiven(flow, tool, { args, output, principal });
      // A rule approved this call without a person's decision, so it is reported like a medium-risk call.
      return done(tool, args, output, decision.channel === "rule");
    }
    if (ticket.status === "failed")
      return refused(errorFromFields({ ...ticket.error, approval: ticketNotice(ticket) }));
    if (tool.withoutApproval !== undefined) {
      const { args, principal } = ticket;
      const signal = AbortSignal.timeout(settings.callTimeoutMs);
      const context = { ports: settings.ports, principal, signal, cancellation: signal };
      const approval = { ...ticketNotice(ticket), guidance: guidance(ticket, here) };
      const output = await tool.withoutApproval(args, context, approval);
      await noteGiven(flow, tool, { args, output, principal });
      return done(tool, args, output);
    }
    return isOpen(ticket) ? waitingFor(ticket, here) : refused(refusal(ticket, here));
  };
}
