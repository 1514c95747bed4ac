import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { createBudgetStore } from "../../src/adapters/libsql/approvals/budget-store.ts";
import { type Budget, type Charge, createBudget } from "../../src/core/budget/budget.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { type ApprovalChannel, everybody } from "../../src/core/approvals/ticket.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { request } from "./ticket-fixtures.ts";
import { sealRequest } from "../fakes/request-seal.ts";

const second = 1_000;
const minute = 60 * second;

let directory: ReturnType<typeof makeDirectory>;
let databases: Database[];
let at: number;
/** Two processes that have nothing in common but the file. */
let budgets: Budget[];

beforeAll(() => {
  directory = makeDirectory();
  const url = pathToFileURL(join(directory.path, "budget.db")).href;
  databases = [1, 2].map(() => openDatabase({ url, migrations: mainMigrations, log: quietLog }));
});

afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  directory.remove();
});

const sql = async (statement: string, args: (string | number)[] = []) =>
  (await databases[0]!.write([{ sql: statement, args }]))[0]!.rows;

beforeEach(async () => {
  for (const table of ["charges", "tickets", "pauses"]) await sql(`DELETE FROM ${table}`);
  at = 1e6;
  budgets = databases.map((database) => newProcess(database));
});

function newProcess(database: Database, callsPerTurn = 40): Budget {
  return createBudget({
    limits: { callsPerMinute: 60, callsPerTurn, highPerTurn: 5 },
    store: createBudgetStore(database),
    here: { page: () => undefined, telegram: () => false, command: "countersign" },
    now: () => at,
    clock: () => new Date(at),
  });
}

/** Lets time pass for the processes, and for the rows, whose clock is the database's. */
async function pass(ms: number): Promise<void> {
  at += ms;
  await sql("UPDATE charges SET at = at - ?", [ms]);
}

/** Returns how long it is until a named clock time. */
function untilClock(named: string): number {
  const day = 86_400_000;
  const inDay = Date.parse(`1970-01-01T${named}Z`);
  return (inDay - (at % day) + day) % day;
}

/** Returns a request of alice's that was approved through this channel just now. */
async function approved(channel: ApprovalChannel): Promise<void> {
  const tickets = createTickets(databases[0]!, sealRequest);
  // Earlier counts are older than the approval.
  await pass(second);
  const { ticketId } = (await tickets.open(request({ principal: "alice" }), minute)).ticket;
  await tickets.decide(ticketId, { verdict: "approve", channel, by: "alice" }, minute);
}

let count = 0;
const charge = (fields: Partial<Charge> = {}): Charge => ({
  principal: "alice",
  client: "test",
  risk: "medium",
  turn: undefined,
  digest: `digest ${(count += 1)}`,
  ...fields,
});

/** Makes many calls at the same time, alternating between both processes. Returns undefined or the error of each. */
async function spend(times: number, fields: (time: number) => Partial<Charge> = () => ({})) {
  const calls = Array.from({ length: times }, async (_, time) => {
    try {
      await budgets[time % budgets.length]!.spend(charge(fields(time)));
      return undefined;
    } catch (error) {
      if (error instanceof ToolError) return error;
      throw error;
    }
  });
  return await Promise.all(calls);
}

const allowed = async (...calls: Parameters<typeof spend>): Promise<number> =>
  (await spend(...calls)).filter((error) => error === undefined).length;

const traceId = (number: number): string => number.toString(16).padStart(32, "0");

describe("the budget of several processes", () => {
  it("allows 5 of 20 simultaneous high-risk calls in a turn [budget.high]", async () => {
    const answers = await spend(20, () => ({ risk: "high", turn: traceId(1) }));
    const refused = answers.filter((error) => error !== undefined);
    expect(refused).toHaveLength(15);
    for (const error of refused) {
      expect(error.kind).toBe("budget_exceeded");
      expect(error.message).toContain("At most 5 calls that need the user's approval");
      // An hour after the first, and some time is gone since then.
      expect(error.retryAfterSeconds).toBeGreaterThan(3_540);
      expect(error.retryAfterSeconds).toBeLessThanOrEqual(3_600);
    }
    expect(await allowed(1, () => ({ risk: "medium", turn: traceId(1) }))).toBe(1);
    expect(await allowed(9, () => ({ risk: "high", turn: traceId(2) }))).toBe(5);
  });

  it("allows 20 high-risk calls in an hour, whatever turns a client invents [budget.hour]", async () => {
    const fresh = (time: number): Partial<Charge> => ({ risk: "high", turn: traceId(10 + time) });
    expect(await allowed(30, fresh)).toBe(20);
    expect(await allowed(5, () => ({ risk: "high", principal: "bob" }))).toBe(5);
    const [error] = await spend(1, fresh);
    expect(error?.message).toContain(
      "At most 20 calls that need the user's approval are allowed an hour",
    );
    await pass((error?.retryAfterSeconds ?? 0) * second);
    expect(await allowed(30, fresh)).toBe(20);
  });

  it("reports the retry time for a client that keeps reading, and an earlier one for an idle client [budget.when]", async () => {
    budgets = [newProcess(databases[0]!, 200)];
    expect(await allowed(5, () => ({ risk: "high" }))).toBe(5);
    const [error] = await spend(1, () => ({ risk: "high" }));
    const [, latest = "", sooner = ""] =
      /possible at (\S+) UTC, or at (\S+) UTC if nothing is called/.exec(error?.message ?? "") ??
      [];
    expect(untilClock(sooner)).toBe(minute);
    const end = at + untilClock(latest);
    while (at < end - 50 * second) {
      await pass(50 * second);
      await budgets[0]!.spend(charge({ risk: "low" }));
    }
    expect(await allowed(1, () => ({ risk: "high" }))).toBe(0);
    await pass(end - at);
    expect(await allowed(9, () => ({ risk: "high" }))).toBe(5);
    await pass(minute);
    expect(await allowed(9, () => ({ risk: "high" }))).toBe(5);
  });

  it("starts again with a person's approval, the hourly limit only after a proven person [budget.renewed]", async () => {
    const high = { risk: "high" } as const;
    expect(await allowed(9, () => high)).toBe(5);
    await approved("rule");
    expect(await allowed(9, () => high)).toBe(0);
    for (let yes = 0; yes < 3; yes += 1) {
      await approved("elicitation");
      expect(await allowed(9, () => high)).toBe(5);
    }
    await approved("elicitation");
    const [error] = await spend(1, () => high);
    expect(error?.message).toContain("an hour");
    await approved("page");
    expect(await allowed(9, () => high)).toBe(5);
    expect(await allowed(9, () => ({ ...high, principal: "bob" }))).toBe(5);
  });

  it("starts again when a person resumes one caller or all [budget.renewed]", async () => {
    const tickets = createTickets(databases[0]!, sealRequest);
    for (const scope of ["alice", everybody]) {
      expect(await allowed(9, () => ({ risk: "high" }))).toBe(5);
      await pass(second);
      await tickets.resume(scope, "operator");
    }
    // Calls of low risk, which only their process counts, start anew as well.
    budgets = [budgets[0]!];
    for (let call = 0; call < 40; call += 1) {
      await budgets[0]!.spend(charge({ risk: "low", turn: traceId(1) }));
    }
    expect(await allowed(1, () => ({ risk: "low", turn: traceId(1) }))).toBe(0);
    at += second;
    await tickets.resume("alice", "operator");
    expect(await allowed(1, () => ({ risk: "low", turn: traceId(1) }))).toBe(1);
  });

  // After the clock was set back, each call counted as older than the approval, so that no limit held for years.
  it("still counts after an approval of a fast clock", async () => {
    await approved("page");
    await sql("UPDATE tickets SET decided_at = decided_at + 1e11");
    const tickets = createTickets(databases[0]!, sealRequest);
    await tickets.resume("alice", "operator");
    await sql("UPDATE pauses SET resumed_at = resumed_at + 1e11");
    expect(await allowed(9, () => ({ risk: "high" }))).toBe(5);
  });

  it("allows 40 calls in a turn, and 60 in a minute whatever turns a client invents [budget.shared]", async () => {
    expect(await allowed(50, () => ({ turn: traceId(1) }))).toBe(40);
    expect(await allowed(50, (time) => ({ turn: traceId(2 + time) }))).toBe(20);
    expect(await allowed(5, () => ({ principal: "bob" }))).toBe(5);
  });

  it("also counts the low-risk calls of the asking process [budget.shared]", async () => {
    for (let call = 0; call < 30; call += 1) {
      await budgets[0]!.spend(charge({ risk: "low", turn: traceId(call) }));
    }
    budgets = [budgets[0]!];
    expect(await allowed(50, (time) => ({ turn: traceId(time) }))).toBe(30);
  });

  it("reports when a call is allowed again, and then allows it [budget.shared]", async () => {
    expect(await allowed(20, (time) => ({ turn: traceId(time) }))).toBe(20);
    await pass(20 * second);
    expect(await allowed(40, (time) => ({ turn: traceId(time) }))).toBe(40);
    const [error] = await spend(1);
    expect(error?.retryAfterSeconds).toBeGreaterThan(20);
    expect(error?.retryAfterSeconds).toBeLessThanOrEqual(40);
    await pass((error?.retryAfterSeconds ?? 0) * second);
    budgets = databases.map((database) => newProcess(database));
    expect(await allowed(50, (time) => ({ turn: traceId(time) }))).toBe(20);
  });

  it("ends a turn without a trace id after the client is idle for 60 s in every process [budget.shared]", async () => {
    expect(await allowed(9, () => ({ risk: "high" }))).toBe(5);
    for (let call = 0; call < 3; call += 1) {
      await pass(55 * second);
      // Calls that only one process sees keep the turn alive.
      await budgets[0]!.spend(charge({ risk: "low" }));
    }
    await pass(55 * second);
    const [error] = await spend(1, () => ({ risk: "high" }));
    expect(error?.message).toContain("if nothing is called until then");
    await pass(minute);
    expect(await allowed(9, () => ({ risk: "high" }))).toBe(5);
  });

  it("continues in a process that has just started [budget.restart]", async () => {
    expect(await allowed(2, () => ({ risk: "high" }))).toBe(2);
    await pass(50 * second);
    expect(await allowed(2, () => ({ risk: "high" }))).toBe(2);
    await pass(50 * second);
    budgets = databases.map((database) => newProcess(database));
    expect(await allowed(9, () => ({ risk: "high" }))).toBe(1);
  });

  it("counts identical high-risk calls once while their request is created [budget.join]", async () => {
    expect(await allowed(20, () => ({ risk: "high", digest: "the same" }))).toBe(20);
    expect(await sql("SELECT * FROM charges")).toHaveLength(1);
    expect(await allowed(9, () => ({ risk: "high" }))).toBe(4);
    await pass(31 * second);
    expect(await allowed(1, () => ({ risk: "high", digest: "the same" }))).toBe(0);
  });

  it("counts a call that never reached a person as medium risk [budget.high]", async () => {
    const wrong = Array.from({ length: 9 }, () => charge({ risk: "high" }));
    for (const call of wrong) {
      await budgets[0]!.spend(call);
      await budgets[0]!.refundApproval(call);
    }
    expect(await allowed(9, () => ({ risk: "high" }))).toBe(5);
    expect(await allowed(50)).toBe(26);
  });

  it("keeps no row for longer than an hour, and none from before a clock change", async () => {
    await spend(10);
    await pass(60 * minute);
    await spend(1);
    expect(await sql("SELECT * FROM charges")).toHaveLength(1);
    await sql("UPDATE charges SET at = at + 86400000");
    expect(await allowed(100, (time) => ({ turn: traceId(time) }))).toBe(60);
  });
});
