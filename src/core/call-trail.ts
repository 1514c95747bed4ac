import type { AuditEvent } from "./audit.ts";
import { callDigest } from "./digest.ts";
import type { Risk } from "./risk.ts";
import type { Tool } from "./tool.ts";

/** What all audit events of one call share, filled in as the pipeline learns it. */
export interface CallTrail {
  readonly client: string;
  describe<Ports>(tool: Tool<Ports>, args: Readonly<Record<string, unknown>>): void;
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
  let digest = "";
  let shared: Omit<AuditEvent, "type" | "at"> = {
    callId,
    principal,
    client,
    tool: isKnownTool ? request.tool : "unknown",
  };
  return {
    client,
    describe: (tool, args) => {
      digest = callDigest(tool.name, args);
      shared = { ...shared, digest, sentence: tool.sentence(args) };
    },
    rate: (risk) => {
      shared = { ...shared, risk };
    },
    identity: () => ({ principal, digest }),
    event: (type, more) => ({ ...shared, type, at: new Date(), ...more }),
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
