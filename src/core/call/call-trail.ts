import type { AuditEvent } from "../audit/audit.ts";
import type { Risk } from "../policy/risk.ts";
import type { ParsedCall } from "./decision-steps.ts";

/** What all audit events of one call share, filled in as the pipeline learns it. */
export interface CallTrail {
  readonly callId: string;
  readonly client: string;
  describe<Ports>(call: Pick<ParsedCall<Ports>, "tool" | "args" | "digest">): void;
  rate(risk: Risk): void;
  /** Who asks for exactly what. */
  identity(): { principal: string; digest: string };
  event(
    type: AuditEvent["type"],
    more?: Pick<AuditEvent, "sentence" | "outcome" | "ticketId">,
  ): AuditEvent;
}

/** A tool that does not exist is recorded as `unknown`: its name is the model's text, not a fact. */
export function startTrail(
  callId: string,
  request: { principal: string; client: string; tool: string },
  isKnownTool: boolean,
): CallTrail {
  const { principal, client } = request;
  const tool = isKnownTool ? request.tool : "unknown";
  const known: Pick<AuditEvent, "risk" | "digest" | "sentence"> = {};
  return {
    callId,
    client,
    describe: (call) => {
      known.digest = call.digest;
      known.sentence = call.tool.describe(call.args);
    },
    rate: (risk) => {
      known.risk = risk;
    },
    identity: () => ({ principal, digest: known.digest ?? "" }),
    event: (type, more) =>
      Object.assign({ type, at: new Date(), callId, principal, client, tool }, known, more),
  };
}

/** Cheap ids for the calls of one process: its own random id and a number. */
export function countedIds(processCallId: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${processCallId}-${count}`;
  };
}
