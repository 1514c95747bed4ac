import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Data } from "../core/shared/data.ts";

/** A tool of a local module, as its own process offers it. */
export interface ModuleTool {
  definition: {
    name: string;
    title?: string;
    description: string;
    inputSchema: Data;
    outputSchema?: Data;
    annotations: Data;
  };
  /** Runs a call. Rejects with an error whose message a person may read. */
  execute(
    args: Data,
    run: { signal: AbortSignal; progress: (done: number, total?: number) => void },
  ): Promise<{ text: string; data?: object }>;
}

/** Serves tools over standard input and output, in the era that the client starts. */
export function serveModule(tools: readonly ModuleTool[], version: string): void {
  serveStdio(() => {
    const server = new Server(
      { name: "countersign-module", version },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler("tools/list", () => ({
      tools: tools.map(({ definition: { inputSchema, outputSchema, ...tool } }) => ({
        ...tool,
        inputSchema: { ...inputSchema, type: "object" as const },
        ...(outputSchema && { outputSchema: { ...outputSchema, type: "object" as const } }),
      })),
    }));
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const tool = tools.find(({ definition }) => definition.name === params.name);
      if (tool === undefined) return failed("There is no such tool.");
      const token = mcpReq._meta?.progressToken;
      const progress = (done: number, total?: number): void => {
        if (token === undefined) return;
        const params = {
          progressToken: token,
          progress: done,
          ...(total !== undefined && { total }),
        };
        mcpReq.notify({ method: "notifications/progress", params: params }).catch(() => undefined);
      };
      try {
        const { text, data } = await tool.execute(params.arguments ?? {}, {
          signal: mcpReq.signal,
          progress,
        });
        return {
          content: [{ type: "text" as const, text }],
          ...(data !== undefined && { structuredContent: { ...data } }),
        };
      } catch (thrown) {
        return failed(thrown instanceof Error ? thrown.message : String(thrown));
      }
    });
    return server;
  });
}

function failed(text: string) {
  return { content: [{ type: "text" as const, text }], isError: true };
}
