import type { ToolDefinition, UpstreamConnection } from "../../ports/upstream/upstream-server.ts";

/** A list of tools, and the names of those that cannot be used, with every character visible. */
export interface OneList {
  tools: readonly ToolDefinition[];
  leftOut: readonly string[];
}

/** Lists the tools of a server that is needed for nothing else, and ends it. */
export async function listOnce(connection: UpstreamConnection): Promise<OneList> {
  try {
    const tools = await connection.list();
    return { tools, leftOut: connection.leftOut };
  } finally {
    await connection.close();
  }
}
