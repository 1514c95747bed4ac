import { randomUUID } from "node:crypto";
import { deflateRaw } from "node:zlib";
import { promisify } from "node:util";
import type {
  ClaimedMail,
  MailFacts,
  MailProgress,
  MailStore,
  NextState,
  Receipt,
  Withheld,
} from "../../ports/mail-store.ts";
import { type Database, databaseClock as now, type SqlValue, type Statement } from "./database.ts";
import { admission, type NewMail } from "./mail-admission.ts";
import { claimedMail, senderColumns, senderFolded } from "./mail-row.ts";
import { firstIdIn, slotsPerSecond } from "./mail-order.ts";
import { searchable } from "./search-text.ts";

const deflate = promisify(deflateRaw);

/** Characters of a text that a search can show a hit from without the object store. Nine of ten mails are shorter. */
const leadCharacters = 32_000;

/** What arrived and how far it is, in libSQL. Every change of a claimed message holds only while the claim does. */
export function createMailStore(database: Database): MailStore {
  async function admit(
    mail: NewMail,
    receipt: Receipt,
    withheld?: Withheld,
  ): Promise<{ isNew: boolean }> {
    const [added] = await database.write(admission(mail, receipt, withheld));
    return { isNew: (added?.rows.length ?? 0) > 0 };
  }

  async function claim(options: {
    steps: readonly string[];
    limit: number;
    leaseMs: number;
  }): Promise<ClaimedMail[]> {
    // Looking costs no lock: most of the time there is nothing.
    const due = `due_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${now})
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
          RETURNING *, ${senderColumns}`,
        args: [token, options.leaseMs, steps, options.limit],
      },
    ]);
    return (claimed?.rows ?? []).map(claimedMail);
  }

  async function advance(mail: ClaimedMail, progress: MailProgress): Promise<boolean> {
    const { facts, summary } = progress;
    const statements = [
      ...(facts === undefined ? [] : factsWritten(mail, facts)),
      ...(summary === undefined
        ? []
        : [
            ifHeld(mail, `UPDATE mail SET summary = ?, summary_source = ? WHERE ${held}`, [
              summary.text,
              summary.source,
            ]),
          ]),
      ...(progress.searchable === undefined
        ? []
        : await madeSearchable(mail, progress, progress.searchable.body)),
      // Last, since it may give the claim back.
      nextState(mail, progress.next),
    ];
    const results = await database.write(statements);
    return (results.at(-1)?.rows.length ?? 0) > 0;
  }

  return {
    admit,
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
    state: async (emailId) => {
      const { rows } = await database.read({
        sql: "SELECT search_id, due_at, failure FROM mail WHERE email_id = ?",
        args: [emailId],
      });
      const [row] = rows;
      if (row === undefined) return undefined;
      if (row["search_id"] !== null) return { state: "searchable" };
      if (row["due_at"] !== null) return { state: "pending" };
      return { state: "failed", reason: String(row["failure"] ?? "no reason given") };
    },
  };
}

/** Stands in each change of a claimed message: where the claim was lost it changes nothing. */
const held = "email_id = ? AND claim = ?";

/** A statement whose last two places are those of `held`. */
function ifHeld(mail: ClaimedMail, sql: string, args: readonly SqlValue[] = []): Statement {
  return { sql, args: [...args, mail.emailId, mail.claim] };
}

function factsWritten(mail: ClaimedMail, facts: MailFacts): Statement[] {
  const { from, to, cc, text, attachments } = facts;
  const name = from.name ?? "";
  return [
    {
      sql: "INSERT INTO mail_senders (name, address, folded) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      args: [name, from.address, senderFolded(from)],
    },
    ifHeld(
      mail,
      `UPDATE mail SET sender_id = (SELECT sender_id FROM mail_senders WHERE name = ? AND address = ?), sender_source = ?,
        forwarded_by = ?, recipients = ?, subject = ?, date = ?, text_sha256 = ?, text_bytes = ?, parse_problem = ?,
        attachment_count = ? WHERE ${held}`,
      [
        name,
        from.address,
        from.source,
        facts.forwardedBy === undefined ? null : JSON.stringify(facts.forwardedBy),
        JSON.stringify({ to, cc }),
        facts.subject,
        facts.date.getTime(),
        text.sha256,
        text.bytes,
        facts.parseProblem ?? null,
        attachments.filter(({ inline }) => !inline).length,
      ],
    ),
    ifHeld(
      mail,
      `DELETE FROM mail_attachments WHERE mail_id = (SELECT mail_id FROM mail WHERE ${held})`,
    ),
    ifHeld(
      mail,
      `INSERT INTO mail_attachments (mail_id, position, attachment_id, name, media_type, bytes, sha256, inline, text_sha256, text_bytes)
        SELECT mail_id, key, value ->> 'attachmentId', value ->> 'name', value ->> 'mediaType', value ->> 'bytes',
          value ->> 'sha256', value ->> 'inline', value ->> '$.text.sha256', value ->> '$.text.bytes' FROM mail, json_each(?) WHERE ${held}`,
      [JSON.stringify(attachments)],
    ),
  ];
}

/**
 * Enters the words. A message that is entered a second time keeps its place where its date is the same; entering it again
 * replaces what was there.
 */
async function madeSearchable(
  mail: ClaimedMail,
  progress: MailProgress,
  body: string,
): Promise<Statement[]> {
  const facts = progress.facts ?? mail.facts;
  if (facts === undefined) throw new Error("A message must be parsed before it can be found.");
  const summary = progress.summary ?? mail.summary;
  const base = firstIdIn(facts.date);
  const words = [
    await searchable(facts.subject),
    await searchable(`${facts.from.name ?? ""} ${facts.from.address}`),
    await searchable(summary?.text ?? ""),
    await searchable(body),
  ];
  const lead = await deflate(Buffer.from(body.slice(0, leadCharacters).toWellFormed()));
  return [
    ifHeld(
      mail,
      `DELETE FROM mail_words WHERE rowid = (SELECT search_id FROM mail WHERE search_id IS NOT NULL AND ${held})`,
    ),
    ifHeld(
      mail,
      `UPDATE mail SET search_id = coalesce(
          (SELECT max(search_id) + 1 FROM mail WHERE search_id >= ? AND search_id < ?), ?)
        WHERE (search_id IS NULL OR search_id < ? OR search_id >= ?) AND ${held}`,
      [base, base + slotsPerSecond, base, base, base + slotsPerSecond],
    ),
    ifHeld(
      mail,
      `INSERT INTO mail_words (rowid, subject, sender, summary, body) SELECT search_id, ?, ?, ?, ? FROM mail WHERE ${held}`,
      words,
    ),
    ifHeld(
      mail,
      `INSERT OR REPLACE INTO mail_leads (mail_id, deflated) SELECT mail_id, ? FROM mail WHERE ${held}`,
      [lead],
    ),
  ];
}

const free = "claim = NULL, lease_until = NULL";

function nextState(mail: ClaimedMail, next: NextState): Statement {
  const where = `WHERE ${held} RETURNING mail_id`;
  switch (next.do) {
    case "run":
      // Still ours: the lease stays, and the step counts as begun.
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
