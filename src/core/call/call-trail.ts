import type { AuditEvent } from "../audit/audit.ts";
import type { Risk } from "../policy/risk.ts";
import type { ParsedCall } from "./decision-steps.ts";

/** Builds the audit events of one call from the facts that the pipeline adds step by step. */
export interface CallTrail {
  readonly callId: string;
  readonly client: string;
  describe<Ports>(call: Pick<ParsedCall<Ports>, "tool" | "args" | "digest">): void;
  rate(risk: Risk): void;
  /** Identifies the caller and the exact call. */
  identity(): { principal: string; digest: string };
  event(
    type: AuditEvent["type"],
    more?: Pick<AuditEvent, "sentence" | "outcome" | "ticketId" | "content">,
  ): AuditEvent;
}

/**
 * Starts the trail of a call. An unknown tool is recorded as `unknown`, because its name is free text from the model.
 */
export function startTrail(
  callId: string,
  request: { principal: string; client: string; tool: string },
  isKnownTool: boolean,
): CallTrail {
  const { principal, client } = request;
  const tool = isKnownTool ? request.tool : "unknown";
  let risk: Risk | undefined;
  let digest: string | undefined;
  let sentence: (() => string) | undefined;
  return {
    callId,
    client,
    describe: (call) => {
      digest = call.digest;
      sentence = () => call.tool.describe(call.args);
    },
    rate: (found) => {
      risk = found;
    },
    identity: () => ({ principal, digest: digest ?? "" }),
    event: (type, more) => ({
      type,
      at: new Date(),
      callId,
      principal,
      client,
      tool,
      risk,
      digest,
      sentence: more?.sentence ?? sentence?.(),
      outcome: more?.outcome,
      ticketId: more?.ticketId,
      content: more?.content,
    }),
  };
}

/** Returns a generator of call ids: a random id of the process and a counter. Cheaper than a random id per call. */
export function countedIds(processCallId: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${processCallId}-${count}`;
  };
}
