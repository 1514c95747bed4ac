import { and, asc, eq, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { ChatAction, ChatRecord } from "../../../ports/people/chat-record.ts";
import type { Database } from "../driver/database.ts";
import { now, typedQueries } from "../driver/query.ts";
import { chatButtons, chatChanges, chatEvents, chatMessages } from "../schema/chat.ts";
import { tickets } from "../schema/core.ts";
import { storedOneOf } from "../driver/stored-values.ts";
import { toTicket } from "../approvals/ticket-row.ts";
import { isPending, presentStatus, row } from "../approvals/ticket-store.ts";

/** A client that can show its own dialog does so within this time. Milliseconds. */
const asksWithin = 500;
/** How long a client's dialog is left alone. Milliseconds. */
const dialogAlone = 30_000;

/** Longer than a request is stored: `APPROVAL_TTL_SECONDS` is at most a week, plus one day. Milliseconds. */
const keepFor = 9 * 86_400_000;
/** Longer than a change can be undone: `UNDO_HOURS` is at most thirty days. Milliseconds. */
const keepChangesFor = 31 * 86_400_000;
/** Telegram delivers an event for a day. Milliseconds. */
const keepEventsFor = 2 * 86_400_000;

const actions: readonly ChatAction[] = ["approve", "deny", "again", "similar", "undo"];

/** The start of an approved run is not shown, because its end follows soon. */
const shownStatus = sql<string>`replace(${presentStatus}, 'running', 'approved')`;

const isDue = or(
  and(isNull(tickets.questionPutAt), lte(tickets.createdAt, sql`${now} - ${asksWithin}`)),
  eq(tickets.questionAnswered, "elsewhere"),
  lte(tickets.questionPutAt, sql`${now} - ${dialogAlone}`),
);

/** Creates the chat record in libSQL, next to the tickets. */
export function createChatRecord(database: Database): ChatRecord {
  const { reads, writes } = typedQueries(database);
  const messageOf = (ticketId: string, chatId: string) =>
    and(eq(chatMessages.ticketId, ticketId), eq(chatMessages.chatId, chatId));

  return {
    due: async (chatId, principal) => {
      const [found] = await reads.batch([
        reads
          .select(row)
          .from(tickets)
          .leftJoin(
            chatMessages,
            and(eq(chatMessages.ticketId, tickets.ticketId), eq(chatMessages.chatId, chatId)),
          )
          .where(
            and(
              isPending,
              isDue,
              isNull(chatMessages.ticketId),
              principal === undefined ? undefined : eq(tickets.principal, principal),
            ),
          )
          .orderBy(asc(tickets.seq)),
      ]);
      return found.map(toTicket).filter(({ channels }) => channels.includes("telegram"));
    },

    offer: async (subject, chatId, buttons) => {
      const rows = buttons.map((button) => ({ ...button, subject, chatId, at: now }));
      await writes.batch([writes.insert(chatButtons).values(rows)]);
    },

    told: async (ticketId, chatId, messageId) => {
      const message = { ticketId, chatId, messageId: messageId ?? null, shown: "pending", at: now };
      await writes.batch([writes.insert(chatMessages).values(message).onConflictDoNothing()]);
    },

    outdated: async (chatId) => {
      const [found] = await reads.batch([
        reads
          .select({ ...row, messageId: chatMessages.messageId })
          .from(chatMessages)
          .innerJoin(tickets, eq(tickets.ticketId, chatMessages.ticketId))
          .where(and(eq(chatMessages.chatId, chatId), ne(chatMessages.shown, shownStatus)))
          .orderBy(asc(tickets.seq)),
      ]);
      return found.flatMap(({ messageId, ...ticket }) =>
        messageId === null ? [] : [{ messageId, ticket: toTicket(ticket) }],
      );
    },

    updated: async ({ ticketId, status }, chatId) => {
      const shown = status === "running" ? "approved" : status;
      await writes.batch([
        writes.update(chatMessages).set({ shown }).where(messageOf(ticketId, chatId)),
      ]);
    },

    keepNote: async (chatId, messageId, note) => {
      const [[kept]] = await writes.batch([
        writes
          .update(chatMessages)
          .set({ note })
          .where(and(eq(chatMessages.chatId, chatId), eq(chatMessages.messageId, messageId)))
          .returning({ ticketId: chatMessages.ticketId }),
      ]);
      return kept?.ticketId;
    },

    noteFor: async (ticketId, chatId) => {
      const [[found]] = await reads.batch([
        reads
          .select({ note: chatMessages.note })
          .from(chatMessages)
          .where(messageOf(ticketId, chatId)),
      ]);
      return found?.note ?? undefined;
    },

    button: async (hash, chatId) => {
      const [[found]] = await reads.batch([
        reads
          .select({ subject: chatButtons.subject, action: chatButtons.action })
          .from(chatButtons)
          .where(and(eq(chatButtons.hash, hash), eq(chatButtons.chatId, chatId))),
      ]);
      return found && { ...found, action: storedOneOf(actions, found.action) };
    },

    isFirst: async (eventId) => {
      const [added] = await writes.batch([
        writes.insert(chatEvents).values({ eventId, at: now }).onConflictDoNothing().returning(),
      ]);
      return added.length > 0;
    },

    forget: async (eventId) => {
      await writes.batch([writes.delete(chatEvents).where(eq(chatEvents.eventId, eventId))]);
    },

    purge: async () => {
      const before = (ms: number) => sql`${now} - ${ms}`;
      await writes.batch([
        writes.delete(chatMessages).where(lte(chatMessages.at, before(keepFor))),
        writes
          .delete(chatButtons)
          .where(and(lte(chatButtons.at, before(keepFor)), ne(chatButtons.action, "undo"))),
        writes.delete(chatButtons).where(lte(chatButtons.at, before(keepChangesFor))),
        writes.delete(chatChanges).where(lte(chatChanges.at, before(keepChangesFor))),
        writes.delete(chatEvents).where(lte(chatEvents.at, before(keepEventsFor))),
      ]);
    },
  };
}
