import { randomUUID } from "node:crypto";
import type {
  ClaimedMail,
  MailProgress,
  MailState,
  MailStore,
  NextState,
  Receipt,
} from "../../../ports/mail/mail-store.ts";
import {
  type Database,
  emptyLog,
  databaseClock as now,
  leaseExpired,
  passed,
} from "../driver/database.ts";
import { type Row, type Statement } from "../driver/statement.ts";
import { admission, arrivals, maxReceipts, type NewMail } from "./mail-admission.ts";
import {
  arrivalColumn,
  attachmentTextsColumn,
  claimedMail,
  inboxColumn,
  recipientsColumn,
  senderColumns,
  smtpColumn,
} from "./mail-row.ts";
import {
  authenticationWritten,
  factsWritten,
  held,
  ifHeld,
  madeSearchable,
  summaryWanted,
  summaryWritten,
} from "./mail-changes.ts";

/**
 * The pause after which the log is emptied. It still has the raw messages, with their codes. In a burst, an emptied log
 * would have to grow again. Milliseconds.
 */
const pauseBeforeEmptyingMs = 1_000;

/** In a stream without such a pause, the log is emptied after this time. Milliseconds. */
const mostBeforeEmptyingMs = 30_000;

/** Longer than any pause between attempts. Milliseconds. */
const longestPauseMs = 3_600_000;

/**
 * Creates the record of arrived mail and its progress in libSQL. A claimed message can be changed only under its claim.
 * @param hasFarObjects reading a text takes a request to a bucket, so its beginning is stored here as well
 */
export function createMailStore(
  database: Database,
  { hasFarObjects }: { hasFarObjects: boolean },
): MailStore {
  let afterPause: NodeJS.Timeout | undefined;
  let atLatest: NodeJS.Timeout | undefined;

  function emptyLogSoon(): void {
    clearTimeout(afterPause);
    afterPause = setTimeout(emptyLogNow, pauseBeforeEmptyingMs).unref();
    atLatest ??= setTimeout(emptyLogNow, mostBeforeEmptyingMs).unref();
  }

  function emptyLogNow(): void {
    clearTimeout(afterPause);
    clearTimeout(atLatest);
    atLatest = undefined;
    void emptyLog(database);
  }

  async function admit(
    mail: NewMail,
    receipt: Receipt,
    options?: Parameters<MailStore["admit"]>[2],
  ): ReturnType<MailStore["admit"]> {
    const [, added] = await database.write(admission(mail, receipt, options), {
      canWait: options?.canWait ?? false,
    });
    const row = added?.rows[0];
    if (row === undefined) return { isNew: false };
    return typeof row["claim"] === "string"
      ? { isNew: true, claimed: claimedMail({ ...row, inbox: options?.raw ?? null }) }
      : { isNew: true };
  }

  async function claim(options: {
    steps: readonly string[];
    limit: number;
    leaseMs: number;
  }): Promise<ClaimedMail[]> {
    // A read takes no lock, and usually no message is due.
    const due = `${passed("due_at", longestPauseMs)} AND (lease_until IS NULL OR ${leaseExpired("lease_until")})
      AND step IN (SELECT value FROM json_each(?))`;
    const steps = JSON.stringify(options.steps);
    const some = await database.read({
      sql: `SELECT 1 FROM mail WHERE ${due} LIMIT 1`,
      args: [steps],
    });
    if (some.rows.length === 0) return [];
    const token = randomUUID();
    const [claimed] = await database.write([
      {
        sql: `UPDATE mail SET claim = ? || '/' || mail_id, lease_until = ${now} + ?, attempts = attempts + 1
          WHERE mail_id IN (SELECT mail_id FROM mail WHERE ${due} ORDER BY due_at LIMIT ?)
          RETURNING *, ${senderColumns}, ${recipientsColumn}, ${arrivalColumn}, ${smtpColumn}, ${inboxColumn}, ${attachmentTextsColumn}`,
        args: [token, options.leaseMs, steps, options.limit],
      },
    ]);
    return (claimed?.rows ?? []).map(claimedMail);
  }

  async function advance(mail: ClaimedMail, progress: MailProgress): Promise<boolean> {
    const { authentication, facts, summary } = progress;
    const statements = [
      ...(facts === undefined
        ? authenticationWritten(mail, authentication)
        : factsWritten(mail, facts, authentication)),
      ...(progress.searchable === undefined
        ? summaryWritten(mail, summary)
        : await madeSearchable(mail, progress, { ...progress.searchable, hasFarObjects })),
      ...(progress.toSummarise === true ? [summaryWanted(mail)] : []),
      ...(progress.leavesInbox === true
        ? [
            ifHeld(
              mail,
              `DELETE FROM mail_inbox WHERE mail_id = (SELECT mail_id FROM mail WHERE ${held})`,
            ),
          ]
        : []),
      ...(progress.toTell === true
        ? [ifHeld(mail, `UPDATE mail SET notice = 'due' WHERE notice IS NULL AND ${held}`)]
        : []),
      // The last statement, because it may release the claim.
      nextState(mail, progress.next),
    ];
    const results = await database.write(statements, { canWait: true });
    if (progress.leavesInbox === true) emptyLogSoon();
    return (results.at(-1)?.rows.length ?? 0) > 0;
  }

  return {
    admit,
    hasAllReceipts: async (emailId) => {
      const { rows } = await database.read({
        sql: `SELECT ${arrivals("?1")} >= ?2 AS isAll`,
        args: [emailId, maxReceipts],
      });
      return Number(rows[0]?.["isAll"]) === 1;
    },
    claim,
    renew: async (claims, leaseMs) => {
      await database.write([
        {
          sql: `UPDATE mail SET lease_until = ${now} + ? WHERE due_at IS NOT NULL AND claim IN (SELECT value FROM json_each(?))`,
          args: [leaseMs, JSON.stringify(claims)],
        },
      ]);
    },
    advance,
    states: async (emailIds) => {
      const sql =
        "SELECT email_id, search_id, due_at, failure FROM mail WHERE email_id IN (SELECT value FROM json_each(?))";
      const args = [JSON.stringify(emailIds)];
      const { rows } = await database.read({ sql, args }, { mayLag: true });
      return new Map(rows.map((row) => [String(row["email_id"]), stateOf(row)]));
    },
  };
}

function stateOf(row: Row): { state: MailState; reason?: string } {
  if (row["search_id"] !== null) return { state: "searchable" };
  if (row["due_at"] !== null) return { state: "pending" };
  return { state: "failed", reason: String(row["failure"] ?? "no reason given") };
}

const free = "claim = NULL, lease_until = NULL";

function nextState(mail: ClaimedMail, next: NextState): Statement {
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
