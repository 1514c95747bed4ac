import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { approve, deny, minute, request } from "../contract/ticket-fixtures.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { sealRequest } from "../fakes/request-seal.ts";

function open() {
  const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  /** Changes of the rows by another program. */
  const change = (set: string) => database.write([{ sql: `UPDATE tickets SET ${set}`, args: [] }]);
  return { database, change, tickets: createTickets(database, sealRequest) };
}

it("does not repeat a question that was answered `not here`, even after its time", async () => {
  const { change, tickets } = open();
  const { ticketId } = (await tickets.open(request(), minute)).ticket;
  await tickets.putQuestion(ticketId, "first", minute);
  await tickets.closeQuestion(ticketId, "first");
  await change("question_expires_at = 0");
  expect(await tickets.putQuestion(ticketId, "second", minute)).toBe(false);
});

it("uses the database's clock", async () => {
  const { database, tickets } = open();
  const { now } = await tickets.findIdentical(request());
  const { rows } = await database.read({ sql: "SELECT unixepoch() AS seconds", args: [] });
  const seconds = Number(rows[0]?.["seconds"]);
  expect(Math.abs(now.getTime() / 1_000 - seconds)).toBeLessThan(5);
  expect(Number.isInteger(now.getTime())).toBe(true);
});

it("finds the identical request that another process opened", async () => {
  const directory = temporaryDirectory();
  const url = pathToFileURL(join(directory, "main.db")).href;
  const [own, other] = [0, 1].map(() => {
    const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
    onTestFinished(() => database.close());
    return createTickets(database, sealRequest);
  });
  const call = request();
  // Several times, because the first reads are answered by another thread.
  for (let turn = 0; turn < 5; turn += 1) {
    const digest = `digest-${turn}`;
    const ticketId = `ap_${turn}`;
    expect((await own?.findIdentical({ ...call, digest }))?.ticket).toBeUndefined();
    await other?.open({ ...call, digest, ticketId }, minute);
    expect((await own?.findIdentical({ ...call, digest }))?.ticket).toMatchObject({ ticketId });
  }
});

/** All times of the rows, as a clock that is years fast would have written them. */
const threeYears = 3 * 365 * 24 * 60 * minute;
const aheadOf = (...columns: string[]): string =>
  columns.map((column) => `${column} = ${column} + ${threeYears}`).join(", ");

// A request that was opened while the clock was fast stayed pending for years after the clock was set back.
it("ends a request of a fast clock, and opens a new one for the same call", async () => {
  const { change, tickets } = open();
  const call = request();
  const { ticketId } = (await tickets.open(call, minute)).ticket;
  await change(aheadOf("created_at", "expires_at"));
  expect(await tickets.find(ticketId)).toMatchObject({ status: "expired" });
  expect(await tickets.list({ statuses: ["pending"], limit: 10 })).toEqual([]);
  expect((await tickets.decide(ticketId, approve, minute)).won).toBe(false);
  const again = await tickets.open({ ...call, ticketId: "ap_new" }, minute);
  expect(again.ticket).toMatchObject({ ticketId: "ap_new", status: "pending" });
  await tickets.purge(0);
  expect(await tickets.find(ticketId)).toBeUndefined();
});

it("runs no approval of a fast clock, and keeps no denial of one", async () => {
  const { change, tickets } = open();
  const { ticketId } = (await tickets.open(request(), minute)).ticket;
  await tickets.decide(ticketId, approve, minute);
  await change(aheadOf("created_at", "expires_at", "decided_at", "run_before"));
  expect(await tickets.claim(ticketId, "one", "config", minute)).toBeUndefined();
  expect(await tickets.find(ticketId)).toMatchObject({ status: "expired" });
  const other = request({ actsOn: "a.txt" });
  await tickets.decide((await tickets.open(other, minute)).ticket.ticketId, deny, minute);
  expect(await tickets.findDenied(other, minute)).toBeDefined();
  await change(aheadOf("decided_at"));
  expect(await tickets.findDenied(other, minute)).toBeUndefined();
});

it("rejects a ticket that this program cannot have written", async () => {
  const damages = [
    "effect = '{}'",
    "effect = json_set(effect, '$.forPerson.facts', json('[1]'))",
    "effect = json_set(effect, '$.forDialog', json('[]'))",
    "args = '[]'",
    "risk = 'none'",
    "run_before = NULL",
    "decided_at = 'yesterday'",
    "verdict = 'maybe'",
    "channel = 'window'",
    "status = 'failed', ended_at = 0, error = '{\"kind\":\"none\"}'",
    "status = 'done', ended_at = 0, output = NULL",
  ];
  const { database, change, tickets } = open();
  for (const damage of damages) {
    const { ticketId } = (await tickets.open(request(), minute)).ticket;
    await tickets.decide(ticketId, approve, minute);
    await change(damage);
    await expect(tickets.find(ticketId), damage).rejects.toThrow("A stored row has no valid");
    await database.write([{ sql: "DELETE FROM tickets", args: [] }]);
  }
});

it("rejects an unknown status", async () => {
  const { change, tickets } = open();
  await tickets.open(request(), minute);
  await expect(change("status = 'lost'")).rejects.toMatchObject({ kind: "conflict" });
});
