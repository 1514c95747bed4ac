import { deflateRawSync } from "node:zlib";
import type { Authentication } from "../../../ports/mail/mail-reader.ts";
import type {
  ClaimedMail,
  MailFacts,
  MailProgress,
  MailSummary,
} from "../../../ports/mail/mail-store.ts";
import { databaseClock as now } from "../driver/database.ts";
import { type SqlValue, type Statement } from "../driver/statement.ts";
import { fileWords } from "../search/file-words.ts";
import { indexWords, wordsEntered } from "../search/search-text.ts";
import { place, placeArguments } from "./mail-order.ts";
import { personFolded } from "./mail-row.ts";
import { packedText } from "./packed-text.ts";

/** Characters of a text from which snippets are made without the object store. Nine of ten mails are shorter. */
const leadCharacters = 32_000;

/** The condition of each change of a claimed message. If the claim was lost, no row is changed. */
export const held = "email_id = ? AND claim = ?";

/** Builds a statement whose last two arguments are those of `held`. */
export function ifHeld(mail: ClaimedMail, sql: string, args: readonly SqlValue[] = []): Statement {
  return { sql, args: [...args, mail.emailId, mail.claim] };
}

/** Leaves out the verdict of most imported messages. */
function storedAuthentication({ from, ...checks }: Authentication): string {
  return JSON.stringify(from === "unverified" ? checks : { ...checks, from });
}

export function authenticationWritten(mail: ClaimedMail, found?: Authentication): Statement[] {
  if (found === undefined) return [];
  const stored = storedAuthentication(found);
  return [ifHeld(mail, `UPDATE mail SET authentication = ? WHERE ${held}`, [stored])];
}

export function factsWritten(
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
        from.source === "header" ? null : from.source,
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
        authentication === undefined ? null : storedAuthentication(authentication),
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

export function summaryWritten(mail: ClaimedMail, summary: MailSummary | undefined): Statement[] {
  if (summary === undefined) return [];
  const { text, source } = summary;
  return [
    ifHeld(mail, `UPDATE mail SET summary = ?, summary_source = ? WHERE ${held}`, [
      packedText(text),
      storedSource(source),
    ]),
  ];
}

const storedSource = (source: MailSummary["source"]): SqlValue =>
  source === "extract" ? null : source;

/** Builds the statements that index a message. A message that is indexed again replaces its entry. */
export async function madeSearchable(
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
  const [to, cc] = [facts.to, facts.cc].map((people) =>
    people.map((person) => [person.name ?? "", person.address, personFolded(person)]),
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
      `INSERT INTO mail_recipients (name, address, folded) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
        WHERE EXISTS (SELECT 1 FROM mail WHERE ${held})
        ON CONFLICT DO UPDATE SET folded = excluded.folded WHERE folded <> excluded.folded`,
      [JSON.stringify([...(to ?? []), ...(cc ?? [])])],
    ),
    ifHeld(
      mail,
      `UPDATE mail SET summary = ?, summary_source = ?, recipients = json_array(json(${recipientIds}), json(${recipientIds})),
        (search_id, displaced) = ${place} WHERE ${held}`,
      [
        summary === undefined ? null : packedText(summary.text),
        summary === undefined ? null : storedSource(summary.source),
        JSON.stringify(to),
        JSON.stringify(cc),
        ...placeArguments(facts.date),
      ],
    ),
    ifHeld(mail, `${wordsEntered} WHERE ${held}`, words),
    ifHeld(
      mail,
      `INSERT OR IGNORE INTO mail_sent_to (search_id, recipient_id) SELECT search_id, recipient.value
        FROM mail, json_each(recipients) AS side, json_each(side.value) AS recipient WHERE ${held}`,
    ),
    ...leadWritten(mail, hasFarObjects ? body : undefined),
  ];
}

/** The ids of a list of people, in their order. The argument is a list of names and addresses. */
const recipientIds = `(SELECT json_group_array(recipient_id) FROM (SELECT recipient_id FROM json_each(?)
  CROSS JOIN mail_recipients r ON r.name = value ->> 0 AND r.address = value ->> 1 ORDER BY key))`;

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
export function summaryWanted(mail: ClaimedMail): Statement {
  return ifHeld(
    mail,
    `INSERT INTO mail_summaries (mail_id, due_at) SELECT mail_id, ${now} FROM mail WHERE text_bytes > 0 AND ${held}
      ON CONFLICT (mail_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0, failure = NULL, claim = NULL, lease_until = NULL`,
  );
}
