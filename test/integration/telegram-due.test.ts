import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createChatRecord } from "../../src/adapters/libsql/chat/chat-record.ts";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { fatigue } from "../../src/core/approvals/fatigue.ts";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { minute, request } from "../contract/ticket-fixtures.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { sealRequest } from "../fakes/request-seal.ts";

it("waits half a minute for the client's dialog, and then notifies the chat [telegram.push]", async () => {
  const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  const [tickets, record] = [createTickets(database, sealRequest), createChatRecord(database)];
  const { ticketId } = (await tickets.open(request(), minute)).ticket;
  await tickets.putQuestion(ticketId, "question", minute);
  const dueAfter = async (seconds: number): Promise<number> => {
    const sql = "UPDATE tickets SET question_put_at = unixepoch('subsec') * 1000 - ?";
    await database.write([{ sql, args: [seconds * 1_000] }]);
    return (await record.due("1001", undefined)).length;
  };
  // A second is left to a busy machine.
  expect(await dueAfter(29)).toBe(0);
  expect(await dueAfter(30)).toBe(1);
});

it("replaces unseen requests first, then those in a chat, and opened ones last [fatigue.flood]", async () => {
  const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  const [tickets, record] = [createTickets(database, sealRequest), createChatRecord(database)];
  const open = async () => (await tickets.open(request(), 60 * minute)).ticket;
  const waiting: string[] = [];
  for (let at = 0; at < fatigue.waitingAtMost; at += 1) waiting.push((await open()).ticketId);
  const [opened, sent, refused, ...others] = waiting as [string, string, string, ...string[]];
  await tickets.markSeen([opened, ...others]);
  await record.markSent(sent, "1001", 7);
  // The chat never received this one.
  await record.markSent(refused, "1001", undefined);
  const sql = "UPDATE tickets SET created_at = created_at - ?";
  await database.write([{ sql, args: [fatigue.replaceableAfterMs] }]);
  expect((await open()).replaces).toBe(refused);
  expect((await open()).replaces).toBe(sent);
  expect((await open()).replaces).toBe(opened);
});
