// One process of the race: a server that can call, and a person at each of three approval channels. Its
// threads are those of the bundle. Messages `{ id, command, options }` control it. At a kill point it ends itself as
// SIGKILL from outside would, but between exactly two transitions.
import { appendFileSync } from "node:fs";
import { z } from "zod";
import { createRuleStore } from "../../src/adapters/libsql/approvals/rule-store.ts";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { createAuditRecord } from "../../src/adapters/libsql/audit/audit-record.ts";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { decideTicket } from "../../src/core/approvals/decide-ticket.ts";
import type { Tickets } from "../../src/core/approvals/ticket.ts";
import type { AuditRecord } from "../../src/core/audit/audit.ts";
import { createCallPipeline } from "../../src/core/call/call.ts";
import { defaultPolicy } from "../../src/core/policy/policy.ts";
import { toolDefiner } from "../../src/core/tool/tool.ts";
import { createApprovalPage } from "../../src/channels/page/approval-page.ts";
import { createLoopbackAccess } from "../../src/channels/page/loopback-access.ts";
import { createFakePageRecord } from "../fakes/page-record.ts";
import { quietLog as log } from "../fakes/quiet-log.ts";
import { sealRequest } from "../fakes/request-seal.ts";
import type { KillPoint } from "./kill-points.ts";

export interface Options {
  url?: string;
  executions?: string;
  key?: string;
  ticketId?: string;
  stateHash?: string;
  verdict?: "approve" | "deny";
  dieAt?: KillPoint | undefined;
}

const live = new AbortController().signal;
const origin = "http://127.0.0.1:4711";
const hour = 3_600_000;
let dieAt: KillPoint | undefined;

function mayDie(point: KillPoint): void {
  if (dieAt === point) process.kill(process.pid, "SIGKILL");
}

async function then<T>(
  point: KillPoint,
  did: (result: T) => boolean,
  step: Promise<T>,
): Promise<T> {
  const result = await step;
  if (did(result)) mayDie(point);
  return result;
}

function mortal(tickets: Tickets): Tickets {
  return {
    ...tickets,
    open: (...args) => then("opened", ({ joined }) => !joined, tickets.open(...args)),
    putQuestion: (...args) => then("asked", Boolean, tickets.putQuestion(...args)),
    decide: (...args) => then("decided", ({ won }) => won, tickets.decide(...args)),
    claim: (...args) => then("claimed", (taken) => taken !== undefined, tickets.claim(...args)),
    finish: (...args) => then("finished", Boolean, tickets.finish(...args)),
    deliver: (...args) => then("delivered", Boolean, tickets.deliver(...args)),
  };
}

function mortalLog(audit: AuditRecord): AuditRecord {
  return {
    ...audit,
    append: (event) => then("started", () => event.type === "started", audit.append(event)),
  };
}

interface World {
  file: { executions: string };
}

function toolOf(executions: string) {
  return toolDefiner<World>().defineTool({
    name: "act",
    title: "Act",
    description: "Leaves a line for each time that it runs.",
    risk: "high",
    operation: "changes",
    needs: ["file"],
    input: z.strictObject({ key: z.string() }),
    output: z.object({ key: z.string() }),
    execute: async ({ key }) => {
      appendFileSync(executions, `${key}\n`);
      mayDie("executed");
      return { key };
    },
    text: ({ key }) => ({ facts: key }),
    describe: ({ key }) => `acted on ${key}`,
  });
}

function start({ url = "", executions = "" }: Options) {
  const database = openDatabase({ url, migrations: mainMigrations, log });
  const tickets = mortal(createTickets(database, sealRequest));
  const audit = mortalLog(
    createAuditRecord(database, { key: new Uint8Array(32), keyId: "race", log }),
  );
  const rules = createRuleStore(database);
  const calls = createCallPipeline({
    tools: [toolOf(executions)],
    ports: { file: { executions } },
    policy: () => defaultPolicy,
    rules,
    budget: {
      spend: () => undefined,
      raise: () => Promise.resolve(),
      refundApproval: () => Promise.resolve(),
    },
    tickets,
    audit,
    log,
    processId: `process ${process.pid}`,
    here: { page: () => undefined, telegram: () => false, command: "countersign" },
    configHash: "race",
    approvalTtlMs: hour,
    callTimeoutMs: 30_000,
  });
  const access = createLoopbackAccess({ person: "maria", command: "countersign" });
  const page = createApprovalPage({
    tickets,
    audit,
    rules,
    record: createFakePageRecord(),
    log,
    command: "countersign",
    access,
    origin,
  });
  return { tickets, audit, calls, page, access };
}

let world: ReturnType<typeof start> | undefined;
let path = "";
const nonces = new Map<string, string>();

function ours() {
  if (world === undefined) throw new Error("Tell me to start first.");
  return world;
}

async function visit(to: string, fields?: Record<string, string>): Promise<Response> {
  const headers = { host: new URL(origin).host, origin };
  const body = fields && new URLSearchParams(fields);
  return await ours().page.fetch(
    new Request(`${origin}${to}`, body ? { method: "POST", headers, body } : { headers }),
  );
}

const commands = {
  start: async (options: Options) => {
    world = start(options);
    const entered = await visit(world.access.newEntry(), {});
    path = entered.headers.get("location") ?? "";
    await world.tickets.find("ap_none");
    return {};
  },
  /** Makes a call as a client and returns the answer. */
  call: async ({ key = "" }: Options) => {
    // One principal a round: the refusals of three rounds would pause everything of one.
    const request = { tool: "act", arguments: { key }, principal: key, client: "race" };
    const outcome = await ours().calls.call({ ...request, signal: live });
    return outcome.kind === "waiting"
      ? {
          kind: outcome.kind,
          ticketId: outcome.ticket.ticketId,
          lead: outcome.ticket.effect.forModel.facts,
        }
      : { kind: outcome.kind, error: outcome.kind === "refused" ? outcome.error.kind : undefined };
  },
  /** The question is put to the person through the client. */
  ask: async ({ ticketId = "", stateHash = "" }: Options) => ({
    put: await ours().tickets.putQuestion(ticketId, stateHash, hour),
  }),
  /** The person's browser loads the page: what is pressed later is this form. */
  load: async ({ ticketId = "" }: Options) => {
    const card = (await (await visit(path)).text()).split(`id="${ticketId}"`)[1] ?? "";
    const nonce = /name="nonce"\s+value="([^"]+)"/.exec(card)?.[1];
    nonces.set(ticketId, nonce ?? "");
    return { loaded: nonce !== undefined };
  },
  page: async ({ ticketId = "", verdict = "deny" }: Options) => {
    const nonce = nonces.get(ticketId) ?? "";
    const response = await visit(`${path}/decide`, { request: ticketId, nonce, verdict });
    return { won: response.headers.get("location")?.includes(`seen=${ticketId}`) ?? false };
  },
  terminal: async ({ ticketId = "", verdict = "deny" }: Options) => {
    const decision = { verdict, channel: "terminal", by: "max" } as const;
    return { won: (await decideTicket(ours(), ticketId, decision)).won };
  },
  elicitation: async ({ ticketId = "", verdict = "deny", stateHash = "" }: Options) => {
    const decision = { verdict, channel: "elicitation", by: "client race", stateHash } as const;
    return { kind: (await ours().calls.resume(ticketId, live, decision)).kind };
  },
};
export type Command = keyof typeof commands;

process.on("message", (message: { id: number; command: Command; options: Options }) => {
  ({ dieAt } = message.options);
  commands[message.command](message.options).then(
    (answer) => process.send?.({ id: message.id, ...answer }),
    (error: unknown) => process.send?.({ id: message.id, failed: String(error) }),
  );
});
