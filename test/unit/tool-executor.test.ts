import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Log } from "../../src/core/shared/log.ts";
import { type Tool, toolDefiner } from "../../src/core/tool/tool.ts";
import { createToolExecutor } from "../../src/core/call/tool-executor.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const { defineTool } = toolDefiner<object>();

/** Runs a tool that takes this long, and gives what was logged about it. */
async function logged(does: "reads" | "changes", takesMs: number, fails = false) {
  const lines: unknown[] = [];
  const log: Log = { ...quietLog, info: (message, fields) => void lines.push([message, fields]) };
  let now = 0;
  const tool: Tool<object> = defineTool({
    name: "look",
    title: "Look",
    description: "Looks.",
    risk: "low",
    operation: does,
    needs: [],
    input: z.strictObject({}),
    output: z.object({}),
    execute: async () => {
      now += takesMs;
      if (fails) throw new Error("it failed");
      return {};
    },
    text: () => ({ facts: "" }),
    describe: () => "looked",
  });
  const work = createToolExecutor({}, { timeoutMs: 1_000, log, now: () => now });
  const caller = { principal: "local", callId: "call_1", signal: undefined, version: undefined };
  await work.execute(tool, {}, caller).catch(() => undefined);
  return lines;
}

describe("the duration of a call [catalog.slow]", () => {
  it("is logged if a retrieval took over 2 s, even if it failed", async () => {
    expect(await logged("reads", 2_001)).toEqual([["look was slow", { ms: 2_001 }]]);
    expect(await logged("reads", 5_000, true)).toEqual([["look was slow", { ms: 5_000 }]]);
  });

  it("is not logged for short calls, or for calls that act", async () => {
    expect(await logged("reads", 2_000)).toEqual([]);
    expect(await logged("changes", 9_000)).toEqual([]);
  });
});
