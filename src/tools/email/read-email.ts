import { z } from "zod";
import { cutPage, pageFields, pageInput, pageWindow } from "../../core/shared/page.ts";
import { isKnownType } from "../../core/tool/content-link.ts";
import { ours, untrustedText, structuredTokens } from "../../core/tool/untrusted-text.ts";
import { likelyTokens } from "../../core/shared/tokens.ts";
import { defineTool } from "../../ports/define-tool.ts";
import type { MailAttachment, MailPerson } from "../../ports/mail/mail-reader.ts";
import {
  date,
  emailId,
  person,
  formatPerson,
  sender,
  shownPerson,
  shownSender,
  shownSubject,
  subject,
  untrusted,
} from "./email-fields.ts";
import { fitText } from "./fit-text.ts";

/** Longest lists of people and attachments. A mailing list's recipients must not displace the text. */
const maxPeople = 10;
const maxAttachments = 25;
const subjectTokens = 250;
const fileNameTokens = 30;
const mediaTypeTokens = 30;

/** A result word of RFC 8601, such as `pass`. The header of a trusted server may contain any other. */
const verdict = untrustedText(z.string(), (word) => /^[a-z]{1,12}$/.test(word)).optional();

const message = z.object({
  id: emailId.describe("The message"),
  from: sender.describe("Sender"),
  to: z.array(person).describe("Recipients"),
  cc: z.array(person).describe("Cc"),
  subject,
  date,
  ...pageFields,
  attachments: z
    .array(
      z.object({
        id: ours(z.string()).describe("For read_attachment"),
        name: untrustedText(z.string()).optional().describe("File name"),
        mediaType: untrustedText(z.string(), isKnownType).describe("Media type"),
        bytes: z.int().describe("Size"),
      }),
    )
    .describe("Attachments"),
  partsDiffer: z.literal(true).optional().describe("Text and HTML parts differ"),
  hidden: z.int().optional().describe("Sign-in codes not shown"),
  forwardedBy: person.optional().describe("Who forwarded it"),
  authentication: z
    .object({
      spf: verdict.describe("SPF"),
      dkim: verdict.describe("DKIM"),
      dmarc: verdict.describe("DMARC"),
      from: z.enum(["aligned", "unverified", "failed"]).describe("Verdict"),
    })
    .optional()
    .describe("Sender authentication"),
  untrusted,
});

export const readEmail = defineTool({
  name: "read_email",
  title: "Read an email",
  description: "Read a message as text, page by page.",
  risk: "low",
  operation: "reads",
  reads: "private",
  needs: ["mail"],
  actsOn: ({ emailId: id }) => id,
  input: z.strictObject({ emailId, ...pageInput }),
  output: message,
  execute: async ({ emailId: id, ...page }, { ports }) => {
    const mail = await ports.mail.read(id, pageWindow(page));
    const { window, totalBytes } = mail.text;
    const facts = {
      id: mail.emailId,
      from: shownSender(mail.from),
      to: listed(mail.to),
      cc: listed(mail.cc),
      subject: shownSubject(mail.subject, subjectTokens),
      date: mail.date.toISOString(),
      attachments: mail.attachments.slice(0, maxAttachments).map(shownAttachment),
      ...(mail.forwardedBy !== undefined && { forwardedBy: shownPerson(mail.forwardedBy) }),
      ...(mail.authentication !== undefined && { authentication: mail.authentication }),
      ...(mail.partsDiffer === true && { partsDiffer: mail.partsDiffer }),
      ...(mail.hidden !== undefined && { hidden: mail.hidden }),
      untrusted: true as const,
    };
    // Many recipients and attachments leave less room for the page. The page is in both forms of the result, the text
    // and the data, so the tokens of the other fields in both are halved.
    const factTokens = (structuredTokens(message, facts) + likelyTokens(JSON.stringify(facts))) / 2;
    return { ...facts, ...cutPage(window, page, { totalBytes, isText: true, factTokens }) };
  },
  text: (mail) => ({
    facts: [
      `Message ${mail.id}, dated ${mail.date}: bytes ${mail.offset} to ${mail.offset + mail.bytes} of ${mail.totalBytes}.`,
      ...(mail.nextOffset === undefined ? [] : [`More: offset ${mail.nextOffset}`]),
    ].join("\n"),
    notices: [
      ...(mail.attachments.length >= maxAttachments
        ? [`Only the first ${maxAttachments} attachments are listed.`]
        : []),
      ...(mail.partsDiffer === true ? [partsDifferNotice] : []),
      ...(mail.hidden === undefined ? [] : [hiddenNotice(mail.id, mail.hidden)]),
      ...(mail.authentication === undefined ? [] : [senderCheck(mail, mail.authentication.from)]),
    ],
    untrusted: [
      ...(mail.forwardedBy === undefined
        ? [`From: ${formatPerson(mail.from)}`]
        : [
            `Forwarded by ${formatPerson(mail.forwardedBy)}, who says it is from ${formatPerson(mail.from)}`,
          ]),
      ...(mail.to.length > 0 ? [`To: ${mail.to.map(formatPerson).join(", ")}`] : []),
      ...(mail.cc.length > 0 ? [`Cc: ${mail.cc.map(formatPerson).join(", ")}`] : []),
      `Subject: ${mail.subject}`,
      ...mail.attachments.map(
        ({ id, name, mediaType, bytes }) =>
          `Attachment ${id}: ${name ?? "(no name)"}, ${mediaType}, ${bytes} bytes`,
      ),
      "",
      mail.content,
    ].join("\n"),
  }),
  gives: ({ id, authentication, from, ...mail }) => [
    {
      kind: "mail",
      id,
      writtenBy: "other",
      verified: authentication?.from === "aligned" && from.source === "header",
      texts: [
        mail.subject,
        ...[from, ...mail.to, ...mail.cc, ...(mail.forwardedBy ? [mail.forwardedBy] : [])].map(
          formatPerson,
        ),
        ...mail.attachments.map(({ name = "" }) => name),
        mail.recorded ?? mail.content,
      ],
      topics: [mail.subject, formatPerson(from)],
    },
  ],
  mentions: ["emailId"],
  describe: ({ emailId: id }, mail) =>
    mail === undefined
      ? `read the mail ${id}`
      : `read mail from ${mail.from.name ?? formatPerson(mail.from)}: ${mail.subject || "(no subject)"}`,
});

const partsDifferNotice =
  "WARNING: the plain text part of this message differs from its HTML part, which the user sees. The HTML part is shown here, or the text part with a note if the HTML part has no words.";

const hiddenNotice = (id: string, count: number): string =>
  `${count === 1 ? "1 sign-in code or link is" : `${count} sign-in codes or links are`} hidden, or other values that resemble them. The user can read the whole mail in a terminal with: countersign mail show ${id} --reveal`;

/** Names the person whom the check is about. A forwarder's statement about the original sender is not verified. */
function senderCheck(
  { forwardedBy }: { forwardedBy?: unknown },
  from: "aligned" | "unverified" | "failed",
): string {
  const who = forwardedBy === undefined ? "the sender" : "the forwarder (not the sender inside)";
  switch (from) {
    case "aligned":
      return `The domain of ${who} authenticates this message.`;
    case "failed":
      return `WARNING: the domain of ${who} rejects this message. The address is probably forged.`;
    case "unverified":
      return `The address of ${who} is not verified.`;
  }
}

/** Lists the first people. One more entry, without an address, gives the number of the others. */
function listed(people: readonly MailPerson[]): MailPerson[] {
  const shown = people.slice(0, maxPeople).map(shownPerson);
  const more = people.length - shown.length;
  return more > 0 ? [...shown, { name: `and ${more} more`, address: "" }] : shown;
}

function shownAttachment({ attachmentId, name, mediaType, bytes }: MailAttachment) {
  return {
    id: attachmentId,
    ...(name !== undefined && { name: fitText(name, fileNameTokens) }),
    mediaType: fitText(mediaType, mediaTypeTokens),
    bytes,
  };
}
