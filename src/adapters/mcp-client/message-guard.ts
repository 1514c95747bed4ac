import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

/** The treatment of a message from a server. `fault` ends the connection for this reason. */
export type Verdict =
  | { kind: "pass" }
  | { kind: "drop" }
  | { kind: "refuse"; id: RequestId; method: string }
  | { kind: "list changed" }
  | { kind: "fault"; reason: string };

/**
 * Creates the filter for the messages of one server, before the SDK reads them. A server may answer requests, report
 * progress, send pings and announce changed tools. Its other requests are refused.
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
      // Only the first answer to a request counts. A further one has no reader.
      if (answered.has(id)) return { kind: "drop" };
      answered.add(id);
      return { kind: "pass" };
    },
  };
}
