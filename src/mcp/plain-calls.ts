import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Server,
} from "@modelcontextprotocol/server";
import { reasonOfCancel } from "../core/call/caller-stop.ts";
import { LazySignal } from "../core/shared/lazy-signal.ts";
import type { Log } from "../core/shared/log.ts";
import type { CallContext } from "./call-context.ts";
import { type Data, isData } from "../core/shared/data.ts";

/**
 * Answers well-formed tool calls of the 2025 era over stdio. The SDK validates each message about ten times, which
 * takes longer than the call pipeline. All other messages are left to the SDK.
 */
export interface PlainCalls {
  /** Takes a call, or the cancellation of one. Returns false for a message that the SDK must handle. */
  take(message: JSONRPCMessage): boolean;
  /** Cancels the open calls. */
  close(): void;
}

/** A class, because an object literal with a getter costs more than most steps of a call. */
class PlainRequest {
  readonly _meta: NonNullable<CallToolRequest["params"]["_meta"]>;
  readonly cancellation: LazySignal;
  readonly notify: CallContext["mcpReq"]["notify"];
  readonly elicitInput: CallContext["mcpReq"]["elicitInput"];

  constructor(
    { _meta = {} }: CallToolRequest["params"],
    cancellation: LazySignal,
    { notify, elicitInput }: Pick<CallContext["mcpReq"], "notify" | "elicitInput">,
  ) {
    this._meta = _meta;
    this.cancellation = cancellation;
    this.notify = notify;
    this.elicitInput = elicitInput;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }
}

/** Creates the plain calls of a connection, after its `initialize`. */
export function createPlainCalls(settings: {
  server: Server;
  answer: (
    params: CallToolRequest["params"],
    ctx: CallContext,
  ) => Promise<CallToolResult | InputRequiredResult>;
  send: (message: JSONRPCMessage) => void;
  log: Log;
}): PlainCalls {
  const { server, answer, send, log } = settings;
  const open = new Map<RequestId, LazySignal>();
  const client: ConstructorParameters<typeof PlainRequest>[2] = {
    notify: (notification) => server.notification(notification),
    elicitInput: (request, options) => server.elicitInput(request, options),
  };

  async function run(id: RequestId, params: CallToolRequest["params"]): Promise<void> {
    const call = new LazySignal();
    open.set(id, call);
    let message: JSONRPCMessage;
    try {
      const result = await answer(params, { mcpReq: new PlainRequest(params, call, client) });
      message = { jsonrpc: "2.0", id, result };
    } catch (cause) {
      log.error("a call failed outside the pipeline", { cause });
      message = { jsonrpc: "2.0", id, error: { code: -32_603, message: "Internal error" } };
    }
    if (open.get(id) === call) open.delete(id);
    if (call.aborted) return;
    try {
      send(message);
    } catch (cause) {
      log.warn("protocol error", { cause });
    }
  }

  return {
    take: (message) => {
      if (!("method" in message)) return false;
      if (!("id" in message)) return cancels(message, open);
      const params = callOf(message);
      // The SDK answers a second call with an open id.
      if (params === undefined || open.has(message.id)) return false;
      void run(message.id, params);
      return true;
    },
    close: () => {
      for (const call of open.values()) call.abort();
    },
  };
}

/** Aborts the open call that a message cancels. Returns false if it cancels no such call. */
function cancels(
  { method, params }: { method: string; params?: Data | undefined },
  open: ReadonlyMap<RequestId, LazySignal>,
): boolean {
  if (method !== "notifications/cancelled") return false;
  const id = params?.["requestId"];
  const call = typeof id === "string" || typeof id === "number" ? open.get(id) : undefined;
  call?.abort(reasonOfCancel(params?.["reason"] ?? ""));
  return call !== undefined;
}

/** The members of a request, apart from its version (JSON-RPC 2.0 section 4). */
const requestMembers: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

/** Returns whether a value is a well-formed call, which needs no other check. */
export function isPlainCall(value: unknown): value is JSONRPCRequest {
  if (!isData(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method } = value;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  for (const member in value) if (!requestMembers.has(member)) return false;
  return typeof method === "string" && callOf({ method, params: value["params"] }) !== undefined;
}

/** The members of a call. Others have a meaning that the SDK knows. */
const members: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

/** Returns the parameters of a well-formed call. Undefined for every other message. */
function callOf(message: {
  method: string;
  params?: unknown;
}): CallToolRequest["params"] | undefined {
  const { method, params } = message;
  if (method !== "tools/call" || !isCall(params)) return undefined;
  for (const member in params) if (!members.has(member)) return undefined;
  return params;
}

function isCall(params: unknown): params is CallToolRequest["params"] {
  if (!isData(params) || typeof params["name"] !== "string") return false;
  const { arguments: args, _meta: meta } = params;
  return (args === undefined || isData(args)) && (meta === undefined || isPlainMeta(meta));
}

/** Returns whether `_meta` has only members that the SDK leaves unchanged in the 2025 era. */
function isPlainMeta(meta: unknown): boolean {
  if (!isData(meta)) return false;
  for (const key in meta) if (key !== "progressToken" && key !== "traceparent") return false;
  const { progressToken: token } = meta;
  return token === undefined || typeof token === "string" || Number.isInteger(token);
}
