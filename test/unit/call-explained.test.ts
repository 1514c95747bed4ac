import { beforeEach, describe, expect, it } from "vitest";
import { explainer } from "../../src/core/call/explain.ts";
import { compilePolicy } from "../../src/core/policy/policy.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import {
  asked,
  audit,
  call,
  reset,
  seesVersion,
  settings,
  steps,
  tool,
  use,
} from "./call-pipeline-world.ts";

const explain = async (...tools: Tool<{ world: { steps: string[] } }>[]) =>
  await explainer({ ...settings, tools, timeoutMs: 30_000 })({
    tool: "act",
    arguments: { key: "a" },
    principal: "local",
    client: "test",
  });

/** The reasons that the audit record gives for the newest request. */
const reasonsAsked = (): string | undefined =>
  audit.events.findLast(({ type }) => type === "asked")?.outcome;

describe("an explanation", () => {
  beforeEach(reset);

  const cases: [name: string, spec: Parameters<typeof tool>[1], verdict: string][] = [
    ["a call of low risk", {}, "run"],
    ["a call of medium risk", { risk: "medium" }, "report"],
    ["a call of high risk", seesVersion, "ask"],
    ["a dynamic risk", { risk: "dynamic", prepare: async () => ({ risk: "high" }) }, "ask"],
    ["a raised risk", { prepare: async () => ({ risk: "medium" }) }, "report"],
  ];

  it.each(cases)("decides %s as the call itself does", async (_, spec, verdict) => {
    const act = tool("act", spec);
    use(act);
    const explained = await explain(act);
    expect(explained.verdict).toBe(verdict);
    const outcome = await call("act");
    expect(outcome.kind).toBe(verdict === "ask" ? "waiting" : "done");
    if (verdict === "ask") expect(reasonsAsked()).toBe(explained.reasons.join("; "));
  });

  it("names the same rule as the call", async () => {
    const act = tool("act", seesVersion);
    settings.policy = () =>
      compilePolicy({
        rules: [
          {
            ruleId: "letters",
            tool: "act",
            principals: ["local"],
            when: { key: "any", mode: "any", extra: "absent" },
            expiresAt: new Date(Date.now() + 3_600_000),
            uses: 2,
            source: "file",
          },
        ],
      });
    use(act);
    const explained = await explain(act);
    expect(explained.verdict).toBe("rule");
    await call("act");
    expect(reasonsAsked()).toBe(explained.reasons.join("; "));
  });

  it("prepares, and counts, stores and runs nothing", async () => {
    const act = tool("act", seesVersion);
    await explain(act);
    expect(steps).toEqual(["ticket", "prepare a"]);
    expect(audit.events).toEqual([]);
  });

  it("stays the same while an identical request waits", async () => {
    const act = tool("act", seesVersion);
    use(act);
    const before = await explain(act);
    await asked("act");
    expect(await explain(act)).toEqual(before);
  });
});
