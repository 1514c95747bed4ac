import type { Tickets } from "../../../core/approvals/ticket.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { createTicketChange } from "./ticket-change.ts";
import { toTicket } from "./ticket-row.ts";
import { isPending, ticketColumns } from "./ticket-sql.ts";

/** True if the question in the client's dialog has this state and is still open. */
export const isAskedWith = `tickets.question_hash = ? AND tickets.question_answered IN ('no', 'again')
  AND tickets.question_expires_at > ${now}`;

/** Creates the part of the tickets interface for questions in the client's dialog. */
export function questionStore(
  database: Database,
): Pick<Tickets, "putQuestion" | "findQuestion" | "repeatQuestion" | "closeQuestion"> {
  const change = createTicketChange(database);
  const isOpenQuestion = `ticket_id = ? AND ${isPending} AND ${isAskedWith}`;
  return {
    putQuestion: async (ticketId, stateHash, answerWithinMs) => {
      const put = await change(
        `question_hash = ?, question_put_at = ${now}, question_expires_at = ${now} + ?, question_answered = 'no'`,
        `ticket_id = ? AND ${isPending} AND (question_hash IS NULL
          OR (question_answered IN ('no', 'again') AND question_expires_at <= ${now}))`,
        [stateHash, answerWithinMs, ticketId],
      );
      return put !== undefined;
    },

    findQuestion: async (stateHash) => {
      const { rows } = await database.read({
        sql: `SELECT ${ticketColumns} FROM tickets WHERE ${isAskedWith}`,
        args: [stateHash],
      });
      return rows[0] && toTicket(rows[0]);
    },

    repeatQuestion: async (ticketId, stateHash) => {
      const isFirst = `${isOpenQuestion} AND question_answered = 'no'`;
      const repeated = await change("question_answered = 'again'", isFirst, [ticketId, stateHash]);
      return repeated !== undefined;
    },

    closeQuestion: async (ticketId, stateHash) => {
      const set = "question_answered = 'elsewhere'";
      return (await change(set, isOpenQuestion, [ticketId, stateHash])) !== undefined;
    },
  };
}
