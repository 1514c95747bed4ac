import { fieldAt } from "./data.ts";

/** The action in a client's answer to a dialog (MCP elicitation). */
export type DialogAction = "accept" | "decline" | "cancel" | "nothing";

/** An event of one connection, without arguments and content. */
export type ClientEvent =
  | { kind: "client"; name: string; version: string; capabilities: readonly string[] }
  | { kind: "protocol"; version: string }
  | { kind: "message"; method: string }
  | { kind: "forwards"; what: string }
  | { kind: "dialog" }
  | { kind: "answered"; answer: DialogAction; afterMs: number };

const kinds: ReadonlySet<unknown> = new Set<ClientEvent["kind"]>([
  "client",
  "protocol",
  "message",
  "forwards",
  "dialog",
  "answered",
]);

/** Returns whether a line of a file is an event, as far as its kind shows it. */
export function isEventLine(line: string): boolean {
  try {
    return kinds.has(fieldAt(JSON.parse(line), "kind"));
  } catch {
    return false;
  }
}

/** The events of a client, added up. */
export interface ClientReport {
  name: string;
  version: string;
  protocol?: string;
  capabilities: readonly string[];
  methods: readonly string[];
  forwards: readonly string[];
  /** The last dialog that was answered. */
  dialog?: { answer: DialogAction; afterMs: number };
}

export const emptyReport: ClientReport = {
  name: "unnamed client",
  version: "",
  capabilities: [],
  methods: [],
  forwards: [],
};

export function addEvent(report: ClientReport, event: ClientEvent): ClientReport {
  switch (event.kind) {
    case "client":
      return {
        ...report,
        name: event.name,
        version: event.version,
        capabilities: event.capabilities,
      };
    case "protocol":
      return { ...report, protocol: event.version };
    case "message":
      return { ...report, methods: [...new Set([...report.methods, event.method])] };
    case "forwards":
      return { ...report, forwards: [...new Set([...report.forwards, event.what])] };
    case "dialog":
      return report;
    case "answered":
      return { ...report, dialog: { answer: event.answer, afterMs: event.afterMs } };
  }
}

/** No person reads a request and answers it in less time. Milliseconds. */
const personNeedsMs = 300;

/** Returns whether the last dialog was answered by the program and not by a person. */
export function answersByItself({ dialog }: ClientReport): boolean {
  return dialog !== undefined && dialog.answer !== "nothing" && dialog.afterMs < personNeedsMs;
}

/**
 * Returns whether the last dialog ended without a person's decision, so that another channel should open immediately.
 */
export function needsOtherChannels(report: ClientReport): boolean {
  const answer = report.dialog?.answer;
  return answer === "nothing" || (answersByItself(report) && answer !== "accept");
}
