import { z } from "zod";
import {
  type CallPipelineSettings,
  type CallPipeline,
  createCallPipeline,
} from "../../src/core/call/call.ts";
import type { Outcome } from "../../src/core/call/outcome.ts";
import type { ChannelDecision } from "../../src/core/approvals/decide-ticket.ts";
import { defaultPolicy } from "../../src/core/policy/policy.ts";
import { type Tool, type ToolSpec, toolDefiner } from "../../src/core/tool/tool.ts";
import { type ErrorFields, errorFields } from "../../src/core/tool/tool-error.ts";
import { createFakeAuditRecord } from "../fakes/audit-record.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { createFakeRules } from "../fakes/rules.ts";
import { createFakeTickets } from "../fakes/tickets.ts";

interface World {
  world: { steps: string[] };
}
const input = z.strictObject({
  key: z.string(),
  mode: z.string().default("safe"),
  extra: z.string().optional(),
});
const output = z.object({ ok: z.literal(true), key: z.string() });
export type Spec = ToolSpec<World, "world", typeof input, typeof output>;

const { defineTool } = toolDefiner<World>();
export const live = new AbortController().signal;

/** Creates a tool that records its calls. */
export function tool(name: string, spec: Partial<Spec> = {}): Tool<World> {
  return defineTool({
    name,
    title: name,
    description: name,
    risk: "low",
    operation: "changes",
    needs: ["world"],
    input,
    output,
    execute: async ({ key, mode }, { ports, version: target }) => {
      ports.world.steps.push(`execute ${key} ${mode} ${target ?? "nothing"}`);
      return { ok: true as const, key };
    },
    text: ({ key }) => ({ facts: `did ${key}` }),
    describe: ({ key }, output) => `${output === undefined ? "do" : "did"} ${key}`,
    ...spec,
  });
}

export const seesVersion: Partial<Spec> = {
  risk: "high",
  prepare: async ({ key }, { ports }) => {
    ports.world.steps.push(`prepare ${key}`);
    const facts = [{ label: "size", value: "SECRET-FACT" }];
    return {
      version: "v1",
      effect: {
        headline: "Do SECRET-FACT",
        mentions: [],
        facts,
        forClient: { headline: "Do it", mentions: [] },
      },
    };
  },
};

let now: Date;
export let steps: string[];
export let audit: ReturnType<typeof createFakeAuditRecord>;
export let settings: CallPipelineSettings<World>;
export let calls: CallPipeline;

export function use(...tools: Tool<World>[]): void {
  calls = createCallPipeline({ ...settings, tools });
}

/** Creates a new world before each test, in which nothing has happened. */
export function reset(): void {
  now = new Date("2026-03-01T12:00:00Z");
  steps = [];
  audit = createFakeAuditRecord();
  const tickets = createFakeTickets(() => now);
  settings = {
    tools: [],
    ports: { world: { steps } },
    policy: () => defaultPolicy,
    rules: createFakeRules(() => now),
    budget: {
      spend: ({ risk }) => void steps.push(`budget ${risk}`),
      raise: async ({ risk }) => void steps.push(`raised to ${risk}`),
      refundApproval: async ({ risk }) => void steps.push(`not asked ${risk}`),
    },
    tickets: {
      ...tickets,
      findIdentical: (call) => {
        steps.push("ticket");
        return tickets.findIdentical(call);
      },
      claim: (...claim) => {
        steps.push("claim");
        return tickets.claim(...claim);
      },
    },
    audit: {
      ...audit,
      append: async (event) => {
        await audit.append(event);
        steps.push(`durable ${event.type}`);
      },
      enqueue: (event) => {
        audit.enqueue(event);
        steps.push(`note ${event.type}${event.outcome === undefined ? "" : ` ${event.outcome}`}`);
      },
    },
    log: quietLog,
    processId: "process 1",
    here: { page: () => undefined, telegram: () => false, command: "countersign" },
    configHash: "config",
    approvalTtlMs: 60_000,
    callTimeoutMs: 30_000,
  };
}

/** Advances the store's clock. */
export function pass(ms: number): void {
  now = new Date(now.getTime() + ms);
}

export function call(
  name: string,
  args: unknown = { key: "a" },
  principal = "local",
): Promise<Outcome> {
  return calls.call({ tool: name, arguments: args, principal, client: "test", signal: live });
}

/** Calls it, expects that a person has to decide, and gives the ticket's id. */
export async function asked(name: string, args?: unknown): Promise<string> {
  const outcome = await call(name, args);
  if (outcome.kind !== "waiting") throw new Error(`It is ${outcome.kind}.`);
  return outcome.ticket.ticketId;
}

export const resume = (ticketId: string, decision?: ChannelDecision) =>
  calls.resume(ticketId, live, decision);

export function refused(outcome: Outcome): ErrorFields {
  if (outcome.kind !== "refused") throw new Error(`It is ${outcome.kind}.`);
  return errorFields(outcome.error);
}

export const done = (key = "a") => ({ kind: "done", output: { ok: true, key } });
