import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { type Racers, type Told, startRacers } from "./race-processes.ts";
import { type KillPoint, killPoints } from "./kill-points.ts";
import { sealRequest } from "../fakes/request-seal.ts";

/** `RACE_ROUNDS=1000` is the whole race. The other values ensure that every kind of round occurs several times. */
const rounds = Number(process.env["RACE_ROUNDS"] ?? 48);
/** Rounds that run at the same time after one with a kill, which has the processes for itself: a new process costs a second. */
const together = 5;
const killEvery = together + 1;

const channels = [
  "page",
  "page",
  "terminal",
  "terminal",
  "elicitation",
  "elicitation",
  "call",
  "call",
] as const;
type Fate = "none" | "request expires" | "approval expires" | KillPoint;

function fateOf(round: number): Fate {
  const at = round % killEvery;
  if (at === 0) return killPoints[(round / killEvery) % killPoints.length] ?? "none";
  if (at === 2) return "request expires";
  return at === 4 ? "approval expires" : "none";
}

/** Returns the same sequence in every run. If the request must reach a run, few people deny it. */
function verdictOf(round: number, seat: number): "approve" | "deny" {
  const spread = Math.imul(round * 31 + seat, 2_654_435_761) >>> 20;
  return spread % (fateOf(round) === "none" ? 3 : 9) === 0 ? "deny" : "approve";
}

interface Arena {
  racers: Racers;
  database: Database;
  tickets: ReturnType<typeof createTickets>;
  executions: (key: string) => number;
}

async function openArena(): Promise<Arena> {
  const directory = temporaryDirectory();
  const url = pathToFileURL(join(directory, "main.db")).href;
  const executions = join(directory, "executions");
  writeFileSync(executions, "");
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  const tickets = createTickets(database, sealRequest);
  await tickets.list({ limit: 1 });
  const racers = await startRacers(channels.length, 2, { url, executions });
  onTestFinished(() => racers.close());
  return {
    racers,
    database,
    tickets,
    executions: (key) =>
      readFileSync(executions, "utf8")
        .split("\n")
        .filter((line) => line === key).length,
  };
}

const clock = "cast(round(unixepoch('subsec') * 1000) as integer)";

/**
 * Lets all callers and channels act on one request at the same time. Resolves with its final state, after checking
 * later calls.
 */
async function race(arena: Arena, round: number): Promise<string> {
  const { racers, database, tickets } = arena;
  const key = `round ${round}`;
  const fate = fateOf(round);
  const dieAt = killPoints.find((point) => point === fate);
  const stateHash = `state ${round}`;
  const sql = (statement: string) =>
    database.write([{ sql: `${statement} AND ticket_id = ?`, args: [ticketId] }]);

  await racers.tell(round, "call", { key, dieAt });
  const opened = (await tickets.list({ limit: 20 })).find(({ args }) => args["key"] === key);
  const ticketId = opened?.ticketId ?? "";
  expect(opened, key).toMatchObject({ status: "pending", args: { key } });
  await racers.tell(round + 1, "ask", { ticketId, stateHash, dieAt });
  await racers.refill();

  const seats = channels.map((channel, at) => {
    const verdict = verdictOf(round, at);
    // The places rotate, so that no process is always the first to be notified.
    return { channel, verdict, place: (at * 3 + round) % racers.count };
  });
  for (const { place } of seats.filter(({ channel }) => channel === "page")) {
    await racers.tell(place, "load", { ticketId });
  }
  if (fate === "request expires") {
    await sql(
      `UPDATE tickets SET expires_at = ${clock} + ${(round % 7) * 15} WHERE status = 'pending'`,
    );
  }
  const options = { key, ticketId, stateHash, dieAt };
  const all = Promise.all(
    seats.map(async ({ channel, verdict, place }): Promise<Told> => ({
      ...(await racers.tell(place, channel, { ...options, verdict })),
    })),
  );
  if (fate === "approval expires") {
    await sql(`UPDATE tickets SET run_before = ${clock} WHERE status = 'approved'`);
  }
  const told = await all;
  await racers.refill();

  expect(told.filter(({ won }) => won === true).length, key).toBeLessThanOrEqual(1);
  // A repeated call may run a request that was approved after the callers of the race had read it, so two calls run at
  // the same time.
  await Promise.all([
    racers.tell(round, "call", { key, dieAt }),
    racers.tell(round + 4, "call", { key, dieAt }),
  ]);
  await racers.refill();
  // A process that was killed during its run counts as dead when its lease has ended, so that time passes here.
  await sql(`UPDATE tickets SET lease_until = ${clock} WHERE status = 'running'`);
  return await judge(arena, { key, ticketId, round });
}

async function judge(
  { racers, tickets, executions }: Arena,
  { key, ticketId, round }: { key: string; ticketId: string; round: number },
): Promise<string> {
  const ended = await tickets.find(ticketId);
  const ran = executions(key);
  const status = ended?.status ?? "gone";
  expect(["done", "denied", "expired", "unknown", "pending"], key).toContain(status);
  expect(ran, `${key}: ${status}`).toBeLessThanOrEqual(1);
  if (status === "done") expect(ran, key).toBe(1);
  if (status !== "done" && status !== "unknown") expect(ran, `${key}: ${status}`).toBe(0);

  // A call is never repeated silently: another call gets the one result, a refusal or a new request.
  const again = [
    await racers.tell(round + 2, "call", { key }),
    await racers.tell(round + 5, "call", { key }),
  ];
  expect(executions(key), `${key}: ${status}, called again`).toBe(ran);
  const last = again.at(-1);
  if (status === "denied") expect(last, key).toMatchObject({ error: "denied" });
  else expect(last?.kind, `${key}: ${status}`).toBe("waiting");
  const led = last?.lead?.find(({ label }) => label === "note")?.value ?? "";
  if (status === "unknown") expect(led, key).toContain("may already have happened");
  if (status === "done") expect(led, key).toContain("done once at");
  if (status !== "pending" && status !== "denied") expect(last?.ticketId, key).not.toBe(ticketId);
  if (last?.ticketId !== undefined) {
    await tickets.decide(last.ticketId, { verdict: "deny", channel: "terminal", by: "judge" }, 1);
  }
  return `${fateOf(round)}: ${status}, ran ${ran}`;
}

it(
  `lets eight processes decide and run one request at the same time with kills, ${rounds} times, without a double or unapproved run`,
  { timeout: 120_000 + rounds * 1_000 },
  async () => {
    const arena = await openArena();
    const ends = new Map<string, number>();
    const run = async (round: number): Promise<void> => {
      const end = await race(arena, round);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    };
    for (let round = 0; round < rounds; round += killEvery) {
      await run(round);
      await Promise.all(Array.from({ length: together }, (_, at) => run(round + 1 + at)));
    }
    // A race that never came to a run, a refusal or an unknown end would prove nothing.
    const seen = [...ends.keys()].join("; ");
    for (const status of ["done", "denied", "expired", "unknown"]) expect(seen).toContain(status);

    console.log(
      [...ends]
        .map(([end, n]) => `${n} x ${end}`)
        .toSorted()
        .join("\n"),
    );
  },
);
