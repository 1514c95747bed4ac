import { randomUUID } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { Authentication } from "../../../ports/mail/mail-reader.ts";
import type {
  ClaimedMail,
  MailFacts,
  MailProgress,
  MailState,
  MailStore,
  MailSummary,
  NextState,
  Receipt,
} from "../../../ports/mail/mail-store.ts";
import { type Database, databaseClock as now, leaseExpired, passed } from "../driver/database.ts";
import { type Row, type SqlValue, type Statement } from "../driver/statement.ts";
import { fileWords } from "../search/file-words.ts";
import { admission, maxReceipts, type NewMail } from "./mail-admission.ts";
import {
  arrivalColumn,
  attachmentTextsColumn,
  claimedMail,
  inboxColumn,
  personFolded,
  senderColumns,
  smtpColumn,
} from "./mail-row.ts";
import { place, placeArguments } from "./mail-order.ts";
import { indexWords, wordsEntered } from "../search/search-text.ts";

/** Longer than any pause between attempts. Milliseconds. */
const longestPauseMs = 3_600_000;

/** Characters of a text from which snippets are made without the object store. Nine of ten mails are shorter. */
const leadCharacters = 32_000;

/**
 * Creates the record of arrived mail and its progress in libSQL. A claimed message can be changed only under its claim.
 * @param hasFarObjects reading a text takes a request to a bucket, so its beginning is stored here as well
 */
export function createMailStore(
  database: Database,
  { hasFarObjects }: { hasFarObjects: boolean },
): MailStore {
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
          RETURNING *, ${senderColumns}, ${arrivalColumn}, ${smtpColumn}, ${inboxColumn}, ${attachmentTextsColumn}`,
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
    return (results.at(-1)?.rows.length ?? 0) > 0;
  }

  return {
    admit,
    hasAllReceipts: async (emailId) => {
      const { rows } = await database.read({
        sql: "SELECT count(*) >= ? AS isAll FROM mail_receipts WHERE email_id = ?",
        args: [maxReceipts, emailId],
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

/** The condition of each change of a claimed message. If the claim was lost, no row is changed. */
const held = "email_id = ? AND claim = ?";

/** Builds a statement whose last two arguments are those of `held`. */
function ifHeld(mail: ClaimedMail, sql: string, args: readonly SqlValue[] = []): Statement {
  return { sql, args: [...args, mail.emailId, mail.claim] };
}

function authenticationWritten(mail: ClaimedMail, found?: Authentication): Statement[] {
  if (found === undefined) return [];
  const json = JSON.stringify(found);
  return [ifHeld(mail, `UPDATE mail SET authentication = ? WHERE ${held}`, [json])];
}

function factsWritten(
  mail: ClaimedMail,
  facts: MailFacts,
  authentication = mail.authentication,
): Statement[] {
  const { from, to, cc, text, attachments } = facts;
  const name = from.name ?? "";
  return [
    {
      sql: `INSERT INTO mail_senders (name, address, folded) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET folded = excluded.folded WHERE folded <> excluded.folded`,
      args: [name, from.address, personFolded(from)],
    },
    ifHeld(
      mail,
      `UPDATE mail SET sender_id = (SELECT sender_id FROM mail_senders WHERE name = ? AND address = ?), sender_source = ?,
        forwarded_by = ?, recipients = ?, subject = ?, date = ?, text_sha256 = ?, text_at = ?, text_bytes = ?, parse_problem = ?,
        parts_differ = ?, hidden_codes = ?, attachment_count = ?, authentication = ? WHERE ${held}`,
      [
        name,
        from.address,
        from.source,
        facts.forwardedBy === undefined ? null : JSON.stringify(facts.forwardedBy),
        JSON.stringify({ to, cc }),
        facts.subject,
        facts.date.getTime(),
        text.inRawAt === undefined ? text.sha256 : null,
        text.inRawAt ?? null,
        text.bytes,
        facts.parseProblem ?? null,
        facts.partsDiffer === true ? 1 : null,
        facts.hidden ?? null,
        attachments.filter(({ inline }) => !inline).length,
        authentication === undefined ? null : JSON.stringify(authentication),
      ],
    ),
    // From an earlier parse.
    ...(mail.facts === undefined
      ? []
      : [
          ifHeld(
            mail,
            `DELETE FROM mail_attachments WHERE mail_id = (SELECT mail_id FROM mail WHERE ${held})`,
          ),
        ]),
    ...(attachments.length === 0
      ? []
      : [
          ifHeld(
            mail,
            `INSERT INTO mail_attachments (mail_id, position, attachment_id, name, folded, media_type, bytes, sha256, inline, text_sha256, text_bytes)
              SELECT mail_id, key, value ->> 'attachmentId', value ->> 'name', value ->> 'folded', value ->> 'mediaType', value ->> 'bytes',
                value ->> 'sha256', value ->> 'inline', value ->> '$.text.sha256', value ->> '$.text.bytes' FROM mail, json_each(?) WHERE ${held}`,
            [JSON.stringify(attachments.map((one) => ({ ...one, folded: fileWords(one) })))],
          ),
        ]),
  ];
}

function summaryWritten(mail: ClaimedMail, summary: MailSummary | undefined): Statement[] {
  if (summary === undefined) return [];
  const { text, source } = summary;
  return [
    ifHeld(mail, `UPDATE mail SET summary = ?, summary_source = ? WHERE ${held}`, [text, source]),
  ];
}

/**
 * Builds the statements that index a message. A message that is indexed again replaces its entry and keeps its position
 * if its date is the same.
 */
async function madeSearchable(
  mail: ClaimedMail,
  progress: MailProgress,
  {
    body,
    attachments = "",
    hasFarObjects,
  }: NonNullable<MailProgress["searchable"]> & { hasFarObjects: boolean },
): Promise<Statement[]> {
  const facts = progress.facts ?? mail.facts;
  if (facts === undefined) throw new Error("A message must be parsed before it is indexed.");
  const summary = progress.summary ?? mail.summary;
  const words = await indexWords({ ...facts, summary, body, attachments });
  const recipients = JSON.stringify(
    [...facts.to, ...facts.cc].map((person) => [
      person.name ?? "",
      person.address,
      personFolded(person),
    ]),
  );
  return [
    // Only a message with facts can be in the index.
    ...(mail.facts === undefined
      ? []
      : [
          ifHeld(
            mail,
            `DELETE FROM mail_words WHERE rowid = (SELECT search_id FROM mail WHERE search_id IS NOT NULL AND ${held})`,
          ),
          ifHeld(
            mail,
            `DELETE FROM mail_sent_to WHERE search_id = (SELECT search_id FROM mail WHERE search_id IS NOT NULL AND ${held})`,
          ),
        ]),
    ifHeld(
      mail,
      `UPDATE mail SET summary = ?, summary_source = ?, (search_id, displaced) = ${place} WHERE ${held}`,
      [summary?.text ?? null, summary?.source ?? null, ...placeArguments(facts.date)],
    ),
    ifHeld(mail, `${wordsEntered} WHERE ${held}`, words),
    ifHeld(
      mail,
      `INSERT INTO mail_recipients (name, address, folded) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
        WHERE EXISTS (SELECT 1 FROM mail WHERE ${held})
        ON CONFLICT DO UPDATE SET folded = excluded.folded WHERE folded <> excluded.folded`,
      [recipients],
    ),
    ifHeld(
      mail,
      `INSERT OR IGNORE INTO mail_sent_to (search_id, recipient_id) SELECT search_id, recipient_id FROM mail, json_each(?)
        CROSS JOIN mail_recipients r ON r.name = value ->> 0 AND r.address = value ->> 1 WHERE ${held}`,
      [recipients],
    ),
    ...leadWritten(mail, hasFarObjects ? body : undefined),
  ];
}

/** Builds the statement that stores the beginning of a text, or deletes an earlier one. */
function leadWritten(mail: ClaimedMail, body: string | undefined): Statement[] {
  if (body !== undefined) {
    const lead = deflateRawSync(Buffer.from(body.slice(0, leadCharacters).toWellFormed()));
    return [
      ifHeld(
        mail,
        `INSERT OR REPLACE INTO mail_leads (mail_id, deflated) SELECT mail_id, ? FROM mail WHERE ${held}`,
        [lead],
      ),
    ];
  }
  if (mail.facts === undefined) return [];
  return [
    ifHeld(mail, `DELETE FROM mail_leads WHERE mail_id = (SELECT mail_id FROM mail WHERE ${held})`),
  ];
}

/** Builds the request for a model summary. A summary of an older text loses its claim. */
function summaryWanted(mail: ClaimedMail): Statement {
  return ifHeld(
    mail,
    `INSERT INTO mail_summaries (mail_id, due_at) SELECT mail_id, ${now} FROM mail WHERE text_bytes > 0 AND ${held}
      ON CONFLICT (mail_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0, failure = NULL, claim = NULL, lease_until = NULL`,
  );
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
