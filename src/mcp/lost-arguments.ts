import { type Data, isData } from "../core/shared/data.ts";

const name = "__proto__";

/** Marks a call from which the SDK drops an argument. A client that sets it only has its own call refused. */
const mark = "dev.countersign/lost-argument";

/**
 * Marks calls with an argument that the SDK would drop without an error, also in a batch. Otherwise the caller would get
 * the result of another call than it made. Other messages are returned unchanged.
 */
export function markLost<Message>(message: Message): Message {
  if (Array.isArray(message)) return message.map((each) => markLost<unknown>(each)) as Message;
  if (!isData(message) || message["method"] !== "tools/call") return message;
  const { params } = message;
  if (!isData(params) || !isData(params["arguments"])) return message;
  if (!Object.hasOwn(params["arguments"], name)) return message;
  const meta = isData(params["_meta"]) ? params["_meta"] : {};
  return { ...message, params: { ...params, _meta: { ...meta, [mark]: true } } };
}

/**
 * Gives an empty reason to a cancellation without one. The SDK passes on only the reason, and a connection that ended
 * has none.
 */
export function withReason<Message>(message: Message): Message {
  if (Array.isArray(message)) return message.map((each) => withReason<unknown>(each)) as Message;
  if (!isData(message) || message["method"] !== "notifications/cancelled") return message;
  const { params } = message;
  return isData(params) ? { ...message, params: { reason: "", ...params } } : message;
}

/** Returns the arguments of a call as the client gave them, which the call pipeline then refuses and records. */
export function withLost(args: Data | undefined, meta: Data | undefined): Data | undefined {
  if (meta?.[mark] !== true) return args;
  const field = { value: true, enumerable: true, configurable: true, writable: true };
  return Object.defineProperty({ ...args }, name, field);
}
