import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { firstDirectId } from "./direct-requests.ts";
import type { RequestFault } from "./errors.ts";
import { isData } from "../../core/shared/data.ts";

/** The longest message of a server. Bytes. */
export const maxMessageBytes = 10_000_000;

/** Limit on notifications and requests of a server after one request of ours. Each costs time of other calls. */
const maxUnasked = 50_000;

/** The reason for the end of a connection, as the end of a sentence. */
export const notJsonRpc = "wrote something that is not valid JSON-RPC";

/** A transport whose messages pass the guard. */
export interface GuardedTransport extends Transport {
  /** Why the connection ended, as the end of a sentence: `ended`, `wrote a message over 10 MB`. */
  readonly reason: string | undefined;
  /** True if the server said that its list of tools changed. */
  listChanged: boolean;
  /** Called at the same time. */
  onlistchanged?: () => void;
  /** Returns the fault that caused an error of one request, if the connection continues. */
  faultOf(thrown: unknown): RequestFault | undefined;
}

/** The treatment of a message from a server. `fault` ends the connection for this reason. */
type GuardVerdict =
  | { kind: "pass"; message: JSONRPCMessage }
  | { kind: "drop" }
  | { kind: "refuse"; id: RequestId; method: string }
  | { kind: "list changed" }
  | { kind: "fault"; reason: string };

/**
 * Creates the filter for the messages of one server, before the SDK reads them. A server may answer requests, report
 * progress, send pings and announce changed tools. Its other requests are refused.
 * @param hide hides the secrets of the server in the text of an error
 */
export function createMessageGuard(hide: (text: string) => string): {
  sent(message: JSONRPCMessage): void;
  received(message: JSONRPCMessage): GuardVerdict;
  /** Returns whether a request was sent and not answered. */
  isOpen(id: RequestId): boolean;
  /** True after the first response. */
  readonly hasAnswered: boolean;
} {
  const open = new Set<RequestId>();
  let hasAnswered = false;
  /**
   * The SDK and the direct requests number their requests, and the SDK uses names for those of the start. Only the last
   * numbers are kept, because all numbers would fill the memory.
   */
  let lastNumber = -1;
  let lastDirect = firstDirectId - 1;
  const names = new Set<RequestId>();
  /** Messages since our last request that are not responses. */
  let unasked = 0;
  /** Tool calls that were sent and not answered. */
  const calls = new Set<RequestId>();

  function flooded(): GuardVerdict | undefined {
    unasked += 1;
    return unasked > maxUnasked ? { kind: "fault", reason: "sent too many messages" } : undefined;
  }

  return {
    isOpen: (id) => open.has(id),
    get hasAnswered() {
      return hasAnswered;
    },
    sent: (message) => {
      if (!("method" in message) || !("id" in message)) return;
      open.add(message.id);
      if (message.method === "tools/call") calls.add(message.id);
      if (typeof message.id === "string") names.add(message.id);
      else if (message.id >= firstDirectId) lastDirect = message.id;
      else lastNumber = Math.max(lastNumber, message.id);
      unasked = 0;
    },
    received: (message) => {
      if ("method" in message) {
        const fault = flooded();
        if (fault !== undefined) return fault;
        if ("id" in message)
          return message.method === "ping"
            ? { kind: "pass", message }
            : { kind: "refuse", id: message.id, method: message.method };
        if (message.method === "notifications/tools/list_changed") return { kind: "list changed" };
        return message.method === "notifications/progress"
          ? { kind: "pass", message }
          : { kind: "drop" };
      }
      const { id } = message;
      // Some servers answer our notifications with an error without an id. During a call it could belong to the call.
      const isOfNoRequest = id === null && "error" in message && calls.size === 0;
      if (id === undefined || isOfNoRequest) return flooded() ?? { kind: "drop" };
      calls.delete(id);
      if (!open.delete(id)) {
        // Only the first response to a request counts. A second one has no reader.
        const isCounted = typeof id === "number" && Number.isInteger(id) && id >= 0;
        const last = isCounted && id >= firstDirectId ? lastDirect : lastNumber;
        if ((isCounted && id <= last) || names.has(id)) return flooded() ?? { kind: "drop" };
        return { kind: "fault", reason: "sent a response with an unknown id" };
      }
      hasAnswered = true;
      const response = plainResponse(id, message, hide);
      // The SDK would drop such a response, and its caller would wait until the timeout.
      if (response === undefined) return { kind: "fault", reason: notJsonRpc };
      return { kind: "pass", message: response };
    },
  };
}

/**
 * Returns a response with only the members of JSON-RPC 2.0 section 5. An empty `error` beside a result is accepted,
 * because some servers write it. Returns undefined for a response in another form.
 */
function plainResponse(
  id: RequestId,
  { result, error }: { result?: unknown; error?: unknown },
  hide: (text: string) => string,
): JSONRPCMessage | undefined {
  if (error === undefined || error === null) {
    if (!isData(result)) return undefined;
    // In the older eras the SDK would drop the type, and the question would count as a result without content.
    if (asksQuestion(result)) return { jsonrpc: "2.0", id, error: { ...asked, data: result } };
    return { jsonrpc: "2.0", id, result: withoutOddMeta(result) };
  }
  if (!isData(error) || (result !== undefined && result !== null)) return undefined;
  const { code, message, data } = error;
  if (!Number.isInteger(code) || typeof message !== "string") return undefined;
  return { jsonrpc: "2.0", id, error: { code: Number(code), message: hide(message), data } };
}

const asked = { code: -32_603, message: "The server requested input." };

/** Returns true for a result that asks a question before it answers (2026-07-28). */
export function asksQuestion(result: unknown): boolean {
  return isData(result) && result["resultType"] === "input_required";
}

/** Removes an invalid `_meta` from a result. Otherwise the SDK would drop the whole response. */
function withoutOddMeta(result: Record<string, unknown>): Record<string, unknown> {
  const { _meta, ...others } = result;
  return _meta === undefined || isData(_meta) ? result : others;
}

/** The ways in which a transport treats a message, after the guard's verdict. */
interface Treatment {
  pass(message: JSONRPCMessage): void;
  listChanged(): void;
  /** Reports the method of a refused request. */
  refused(method: string): void;
  answer(message: JSONRPCMessage): Promise<void>;
  fault(reason: string): void;
}

/** Applies the guard's verdict to a message. */
export function applyVerdict(verdict: GuardVerdict, by: Treatment): void {
  switch (verdict.kind) {
    case "pass":
      by.pass(verdict.message);
      return;
    case "list changed":
      by.listChanged();
      return;
    case "refuse":
      by.refused(verdict.method);
      // A server that has exited needs no response.
      void by.answer(refusal(verdict.id)).catch(() => undefined);
      return;
    case "fault":
      by.fault(verdict.reason);
      return;
    case "drop":
      return;
  }
}

/** Returns the response that the method does not exist (JSON-RPC 2.0 section 5.1). */
function refusal(id: RequestId): JSONRPCMessage {
  const message = "Countersign does not forward such requests to the user.";
  return { jsonrpc: "2.0", id, error: { code: -32_601, message } };
}
