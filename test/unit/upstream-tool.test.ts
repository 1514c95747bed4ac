import { describe, expect, it } from "vitest";
import type { ServerEntry } from "../../src/ports/upstream/upstream-server.ts";
import { definitionHash } from "../../src/upstream/pins.ts";
import { upstreamTool } from "../../src/upstream/upstream-tool.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const definition = { name: "send", description: "Sends.", inputSchema: { type: "object" } };
const hash = definitionHash(definition);
const entry: ServerEntry = {
  name: "mail",
  target: { kind: "http", url: "https://example.org/mcp", headers: {} },
  place: "https://example.org/mcp",
  identity: "mail",
  tools: {},
  reads: "private",
  sends: true,
  preview: {},
  timeoutMs: 1_000,
};

describe("an approved call of an upstream tool", () => {
  // A tool can be reviewed again between an approval and its run.
  it("ends as a conflict if it was approved for another definition, and nothing is sent", async () => {
    const sent: unknown[] = [];
    const pin = { definition, hash, risk: "high", reviewedBy: "a", reviewedAt: "" } as const;
    const tool = upstreamTool(entry, pin, "high", {
      send: async (call) => {
        sent.push(call.arguments);
        return await Promise.resolve({ isError: false, blocks: [] });
      },
      confirm: async () => await Promise.resolve(),
      compile: () => () => Promise.resolve([]),
      reviewed: () => undefined,
      log: quietLog,
    });
    const run = async (version: string) => {
      const cancellation = new AbortController().signal;
      const context = { principal: "local", version, cancellation, ports: {} };
      return await tool.execute(
        { to: "ann" },
        context as unknown as Parameters<typeof tool.execute>[1],
      );
    };
    const former = definitionHash({ ...definition, description: "Looks." });
    await expect(run(former)).rejects.toMatchObject({ kind: "conflict", sideEffects: "none" });
    expect(sent).toEqual([]);
    await run(hash);
    expect(sent).toEqual([{ to: "ann" }]);
  });
});
