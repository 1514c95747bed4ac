import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createChatRecord } from "../../src/adapters/libsql/chat/chat-record.ts";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { sha256Hex } from "../../src/core/shared/digest.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { createEventHandler, type EventSettings } from "../../src/channels/telegram/events.ts";
import { chatPeople } from "../../src/channels/telegram/people.ts";
import { minute, request } from "../contract/ticket-fixtures.ts";
import { createFakeAuditRecord } from "../fakes/audit-record.ts";
import { createFakeRules } from "../fakes/rules.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { sealRequest } from "../fakes/request-seal.ts";

// The press was counted before the store was asked, so that its second delivery was taken for a repeat.
it("processes a press once that is delivered again after the store was unavailable [telegram.once]", async () => {
  const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  onTestFinished(() => database.close());
  const [tickets, record] = [createTickets(database, sealRequest), createChatRecord(database)];
  const { ticketId } = (await tickets.open(request(), minute)).ticket;
  await record.offer(ticketId, "1001", [{ action: "approve", hash: sha256Hex("button") }]);
  let isUnavailable = true;
  const said: string[] = [];
  const handle = createEventHandler({
    assistant: undefined,
    record,
    tickets: {
      ...tickets,
      decide: async (...decision) => {
        if (isUnavailable) throw new ToolError("unavailable", "The database is unavailable.");
        return await tickets.decide(...decision);
      },
    },
    messenger: {
      answer: async (_pressId, text) => void said.push(text),
    } as EventSettings["messenger"],
    people: chatPeople({ chatIds: ["1001"], approvers: [{ userId: "1001", name: "operator" }] }),
    audit: createFakeAuditRecord(),
    rules: createFakeRules(),
    undo: {} as EventSettings["undo"],
    changeMessages: {} as EventSettings["changeMessages"],
    log: quietLog,
    onDecided: () => undefined,
  });
  const chat = { chatId: "1001", isPrivate: true };
  const press = { eventId: 7, from: "1001", chat, did: { press: "button", pressId: "p" } };
  await expect(handle(press)).rejects.toMatchObject({ kind: "unavailable" });
  isUnavailable = false;
  await handle(press);
  await handle(press);
  expect(said).toEqual(["Approved."]);
  expect((await tickets.find(ticketId))?.status).toBe("approved");
});
