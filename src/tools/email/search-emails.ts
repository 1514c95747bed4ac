import { z } from "zod";
import { dayOrTime } from "../../core/shared/day-or-time.ts";
import {
  fenceTokens,
  ours,
  untrustedText,
  structuredTokens,
} from "../../core/tool/untrusted-text.ts";
import { likelyTokens } from "../../core/shared/tokens.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { defineTool } from "../../ports/define-tool.ts";
import {
  date,
  emailId,
  formatPerson,
  sender,
  shownSender,
  shownSubject,
  subject,
  untrusted,
} from "./email-fields.ts";
import { fitText } from "./fit-text.ts";

/** Tokens for all texts and senders of one result, in both forms together. */
const answerTokens = 19_600;

/** Subject, summary and snippet. Each has its own markers in structured content. */
const textsOfHit = 3;

const when = z.string().max(40).optional();

const foundFile = z.object({
  id: ours(z.string()).describe("For read_attachment"),
  name: untrustedText(z.string()).optional().describe("Name"),
});

export const searchEmails = defineTool({
  name: "search_emails",
  title: "Search email",
  description: "Search forwarded mail. No query: the newest.",
  risk: "low",
  operation: "reads",
  reads: "private",
  needs: ["mail"],
  input: z.strictObject({
    query: z.string().max(1_000).optional().describe("As in Gmail: from: OR -not"),
    from: z.string().max(320).optional().describe("Name or address"),
    after: when.describe("ISO 8601"),
    before: when.describe("Exclusive"),
    hasAttachment: z.boolean().optional().describe("Has attachments"),
    limit: z.int().min(1).max(50).default(10).describe("Messages"),
    cursor: z.string().max(200).optional().describe("From nextCursor"),
  }),
  output: z.object({
    emails: z
      .array(
        z.object({
          id: emailId.describe("For read_email"),
          from: sender.describe("Sender"),
          subject,
          date,
          summary: untrustedText(z.string()).describe("Summary"),
          summarySource: z.enum(["model", "extract"]).describe("Who wrote it"),
          snippet: untrustedText(z.string()).optional().describe("The matching text"),
          foundIn: foundFile.optional().describe("Attachment with a hit"),
          attachmentCount: z.int().describe("Attachments"),
        }),
      )
      .describe("Best first"),
    total: z.int().describe("All matches"),
    totalIsLowerBound: z.boolean().optional().describe("There are more"),
    newest: ours(z.string()).optional().describe("Last arrival"),
    pending: z.int().describe("Arrived, not searchable yet"),
    nextCursor: ours(z.string()).optional().describe("For the next page"),
    notices: z.array(ours(z.string())).optional().describe("About the query"),
    untrusted,
  }),
  execute: async ({ after, before, ...search }, { ports }) => {
    const found = await ports.mail.search({
      limit: search.limit,
      ...(search.query !== undefined && { query: search.query }),
      ...(search.from !== undefined && { from: search.from }),
      ...(after !== undefined && { after: dateFrom("after", after) }),
      ...(before !== undefined && { before: dateFrom("before", before) }),
      ...(search.hasAttachment !== undefined && { hasAttachment: search.hasAttachment }),
      ...(search.cursor !== undefined && { cursor: search.cursor }),
    });
    const { notices = [] } = found;
    const senders = found.hits.map(({ from }) => shownSender(from));
    const files = found.hits.flatMap(({ foundIn }) => (foundIn ? [shownFile(foundIn)] : []));
    const costs = (schema: z.ZodObject, one: Readonly<Record<string, unknown>>): number =>
      likelyTokens(JSON.stringify(one)) + structuredTokens(schema, one);
    const spent =
      senders.reduce((sum, one) => sum + costs(sender, { ...one }), 0) +
      files.reduce((sum, one) => sum + costs(foundFile, one), 0) +
      found.hits.length * textsOfHit * fenceTokens;
    const share = Math.min((answerTokens - spent) / 2 / Math.max(found.hits.length, 1), 700);
    return {
      emails: found.hits.map(({ snippet, foundIn, from, ...hit }, index) => ({
        id: hit.emailId,
        from: senders[index] ?? shownSender(from),
        subject: shownSubject(hit.subject, Math.min(share * 0.35, 120)),
        date: hit.date.toISOString(),
        summary: fitText(hit.summary, share * 0.4),
        summarySource: hit.summarySource,
        ...(snippet !== undefined && { snippet: fitText(snippet, share * 0.25) }),
        ...(foundIn !== undefined && { foundIn: shownFile(foundIn) }),
        attachmentCount: hit.attachmentCount,
      })),
      total: found.total,
      ...(found.totalIsLowerBound && { totalIsLowerBound: true }),
      ...(found.newest !== undefined && { newest: found.newest.toISOString() }),
      pending: found.pending,
      ...(found.nextCursor !== undefined && { nextCursor: found.nextCursor }),
      ...(notices.length > 0 && { notices: [...notices] }),
      untrusted: true as const,
    };
  },
  text: ({ emails, total, totalIsLowerBound, newest, pending, nextCursor, notices = [] }) => ({
    facts: [
      `${emails.length} of ${totalIsLowerBound === true ? "at least " : ""}${total} messages.`,
      newest === undefined ? "No mail has arrived yet." : `The newest arrived ${newest}.`,
      ...(pending > 0 ? [`${pending} more arrived and are not yet searchable.`] : []),
      ...(nextCursor === undefined ? [] : [`More: cursor ${nextCursor}`]),
    ].join("\n"),
    notices,
    ...(emails.length > 0 && {
      untrusted: emails
        .map((email) =>
          [
            `${email.id} ${email.date}${files(email.attachmentCount)}`,
            `From: ${formatPerson(email.from)}${email.from.source === "forwarded" ? " (as forwarded)" : ""}`,
            `Subject: ${email.subject}`,
            ...(email.summary === "" ? [] : [email.summary]),
            ...(email.snippet === undefined ? [] : [`Found: ${email.snippet}`]),
            ...(email.foundIn === undefined
              ? []
              : [`In attachment: ${[email.foundIn.id, email.foundIn.name].join(" ").trim()}`]),
          ].join("\n"),
        )
        .join("\n\n"),
    }),
  }),
  gives: ({ emails }) =>
    emails.map(({ id, from, subject: title, summary, snippet = "", foundIn }) => ({
      kind: "mail",
      id,
      writtenBy: "other",
      verified: false,
      texts: [title, formatPerson(from), summary, snippet, foundIn?.name ?? ""],
      topics: [title, formatPerson(from)],
    })),
  mentions: ["query"],
  describe: ({ query }, output) => {
    const isAll = query === undefined || query === "";
    if (output === undefined) return isAll ? "list the newest mail" : `search mail for "${query}"`;
    const what = isAll ? "listed the newest mail" : `searched mail for "${query}"`;
    return `${what} (${output.total} found)`;
  },
});

/** Tokens for a file's name, enough to identify it. */
const fileNameTokens = 24;

function shownFile({ attachmentId, name }: { attachmentId: string; name?: string }) {
  return { id: attachmentId, ...(name !== undefined && { name: fitText(name, fileNameTokens) }) };
}

function files(count: number): string {
  if (count === 0) return "";
  return count === 1 ? ", 1 attachment" : `, ${count} attachments`;
}

function dateFrom(field: string, value: string): Date {
  const date = dayOrTime(value);
  if (date === undefined) {
    throw new ToolError(
      "invalid_input",
      `${field}: "${value}" is not an ISO 8601 date or time. Nothing was searched.`,
      {
        hint: "Write 2026-03-01 or 2026-03-01T09:00:00+01:00.",
      },
    );
  }
  return date;
}
