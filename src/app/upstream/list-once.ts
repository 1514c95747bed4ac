import type { ToolDefinition, UpstreamConnection } from "../../ports/upstream/upstream-server.ts";

/** Lists the tools of a server that is needed for nothing else, and ends it. */
export async function listOnce(connection: UpstreamConnection): Promise<readonly ToolDefinition[]> {
  try {
    return await connection.list();
  } finally {
    await connection.close();
  }
}
