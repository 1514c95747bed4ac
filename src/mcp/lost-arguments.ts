type Fields = Readonly<Record<string, unknown>>;

const name = "__proto__";

/** Marks a call from which the SDK drops an argument. A client that sets it only has its own call refused. */
const mark = "dev.countersign/lost-argument";

/**
 * Marks calls with an argument that the SDK would drop without an error, also in a batch. Otherwise the caller would get
 * the result of another call than it made. Other messages are returned unchanged.
 */
export function markLost<Message>(message: Message): Message {
  if (Array.isArray(message)) return message.map((each) => markLost<unknown>(each)) as Message;
  if (!isFields(message) || message["method"] !== "tools/call") return message;
  const { params } = message;
  if (!isFields(params) || !isFields(params["arguments"])) return message;
  if (!Object.hasOwn(params["arguments"], name)) return message;
  const meta = isFields(params["_meta"]) ? params["_meta"] : {};
  return { ...message, params: { ...params, _meta: { ...meta, [mark]: true } } };
}

/** Returns the arguments of a call as the client gave them, which the call pipeline then refuses and records. */
export function withLost(args: Fields | undefined, meta: Fields | undefined): Fields | undefined {
  if (meta?.[mark] !== true) return args;
  const field = { value: true, enumerable: true, configurable: true, writable: true };
  return Object.defineProperty({ ...args }, name, field);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
