import type { CallToolResult, JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";

type Fields = Readonly<Record<string, unknown>>;

/** The member of `_meta` that every request of the 2026 era has. Its results name their type. */
const eraKey = "io.modelcontextprotocol/protocolVersion";

/**
 * Returns whether a message is a call with an argument that the SDK would drop without an error. The caller would get the
 * result of another call than it made.
 */
export function losesArgument(
  message: unknown,
): message is { id: RequestId; params: Fields & { name: string } } {
  if (!isFields(message) || message["method"] !== "tools/call") return false;
  const { id, params } = message;
  if ((typeof id !== "string" && typeof id !== "number") || !isFields(params)) return false;
  const { name, arguments: args } = params;
  return typeof name === "string" && isFields(args) && Object.hasOwn(args, "__proto__");
}

/** Answers such a call as the call pipeline does. */
export async function refuseLost({
  id,
  params,
}: {
  id: RequestId;
  params: Fields & { name: string };
}): Promise<JSONRPCMessage> {
  // Loaded only here, because such calls are rare, and start would be slower.
  const [{ toResult }, { ToolError }] = await Promise.all([
    import("./result.ts"),
    import("../core/tool/tool-error.ts"),
  ]);
  const text = 'The tool was not called: it gets no field with the name "__proto__".';
  const error = new ToolError("invalid_input", text);
  const refusal: CallToolResult = toResult(
    { kind: "refused", error },
    { outputOf: () => undefined },
  );
  const { _meta: meta } = params;
  const isModern = isFields(meta) && eraKey in meta;
  const result = { ...refusal, ...(isModern && { resultType: "complete" }) };
  return { jsonrpc: "2.0", id, result };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
