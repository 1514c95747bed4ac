import type { ClaimedMail, NextState } from "../../../ports/mail/mail-store.ts";
import { databaseClock as now } from "../driver/database.ts";
import { type SqlValue, type Statement } from "../driver/statement.ts";

/** The condition of each change of a claimed message. If the claim was lost, no row is changed. */
export const held = "email_id = ? AND claim = ?";

/** Builds a statement whose last two arguments are those of `held`. */
export function ifHeld(mail: ClaimedMail, sql: string, args: readonly SqlValue[] = []): Statement {
  return { sql, args: [...args, mail.emailId, mail.claim] };
}

const free = "claim = NULL, lease_until = NULL";

/** Builds the change to the state after a step. It may release the claim. */
export function nextState(mail: ClaimedMail, next: NextState): Statement {
  const where = `WHERE ${held} RETURNING mail_id`;
  switch (next.kind) {
    case "run":
      // The lease stays, and the next step counts as started.
      return ifHeld(mail, `UPDATE mail SET step = ?, attempts = 1, failure = NULL ${where}`, [
        next.step,
      ]);
    case "retry":
      return ifHeld(
        mail,
        `UPDATE mail SET step = ?, attempts = ?, due_at = ${now} + ?, failure = ?, ${free} ${where}`,
        [next.step, next.attempts, next.afterMs, next.reason],
      );
    case "give up":
      return ifHeld(
        mail,
        `UPDATE mail SET step = ?, due_at = NULL, failure = ?, ${free} ${where}`,
        [next.step, next.reason],
      );
    case "finish":
      return ifHeld(
        mail,
        `UPDATE mail SET step = NULL, due_at = NULL, attempts = 0, failure = NULL, ${free} ${where}`,
      );
  }
}
