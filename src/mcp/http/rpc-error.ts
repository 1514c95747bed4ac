/** Returns the JSON-RPC error for a request that was not parsed, and therefore has no id. */
export function rpcErrorBody(message: string, code = -32_000): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
}

export function rpcError(status: number, message: string, code?: number): Response {
  const headers = { "content-type": "application/json" };
  return new Response(rpcErrorBody(message, code), { status, headers });
}
