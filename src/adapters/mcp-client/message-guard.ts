import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

/** The treatment of a message from a server. `fault` ends the connection for this reason. */
export type Verdict =
  | { kind: "pass" }
  | { kind: "drop" }
  | { kind: "refuse"; id: RequestId; method: string }
  | { kind: "list changed" }
  | { kind: "fault"; reason: string };

/**
 * Decides about each message of one server before the SDK sees it. A server may answer what was asked, report progress and say
 * that its tools changed. It may ask for nothing.
 */
export function createMessageGuard(): {
  sent(message: JSONRPCMessage): void;
  received(message: JSONRPCMessage): Verdict;
} {
  const asked = new Set<RequestId>();
  const answered = new Set<RequestId>();
  return {
    sent: (message) => {
      if ("method" in message && "id" in message) asked.add(message.id);
    },
    received: (message) => {
      if ("method" in message) {
        if ("id" in message)
          return message.method === "ping"
            ? { kind: "pass" }
            : { kind: "refuse", id: message.id, method: message.method };
        if (message.method === "notifications/tools/list_changed") return { kind: "list changed" };
        return { kind: message.method === "notifications/progress" ? "pass" : "drop" };
      }
      const { id } = message;
      if (id === undefined) return { kind: "drop" };
      if (!asked.has(id)) return { kind: "fault", reason: "answered something that was not asked" };
      // A late answer to a call that was given up has no reader. The first answer to a call counts.
      if (answered.has(id)) return { kind: "drop" };
      answered.add(id);
      return { kind: "pass" };
    },
  };
}
