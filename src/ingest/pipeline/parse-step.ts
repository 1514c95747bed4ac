import { sha256Hex } from "../../core/shared/digest.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailPerson } from "../../ports/mail/mail-reader.ts";
import type { StoredAttachment } from "../../ports/mail/mail-store.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { attachmentKind } from "../text/attachment-kind.ts";
import { decodedText } from "../mime/charset.ts";
import { extractSummary } from "../summary/extract-summary.ts";
import { envelopeOf, scanHeaders, soleAuthor } from "../mime/headers.ts";
import { putOnce } from "./accept-message.ts";
import { rawOf } from "../text/mail-text.ts";
import { mailLimits } from "./limits.ts";
import { attachmentKey, rawKey, textKey } from "../../ports/mail/mail-objects.ts";
import type { ParsedAttachment } from "../mime/list-attachments.ts";
import type { ParsedMail } from "../mime/parse-message.ts";
import type { Parser } from "../mime/parser.ts";
import { boundedUtf8, tidy } from "../text/readable-text.ts";
import type { Findings, MailInHand, Step } from "./step.ts";

/** The message was acknowledged long ago: whoever is being acknowledged now goes first. */
const soon = { canWait: true };
/** Put at the same time: each waits for the others' commit. */
const attachmentsTogether = 16;
const plainText = "text/plain; charset=utf-8";

/** An object of the message, as it is put. */
type Part = [key: string, body: Uint8Array, mediaType: string];

interface UnwrappedMail extends ParsedMail {
  forwardedBy?: MailPerson;
}

export interface ParseSettings {
  objects: ObjectStore;
  parser: Parser;
  /** Whose word is taken for who a message that they pass on is from. As they are compared. */
  ownerAddresses: readonly string[];
}

/** Reads the message: who, when, what about, the text and the attachments, each kept under its hash. */
export function parseStep(settings: ParseSettings): Step {
  const { objects, parser, ownerAddresses } = settings;
  const owners = new Set(ownerAddresses);

  async function run(mail: MailInHand): Promise<Findings> {
    const raw = await rawOf(objects, mail);
    const outcome = await parser.parse(raw, mail.receivedAt);
    // Once more in a quieter moment, before a message is given up for what may be a busy machine.
    if (outcome.is === "lost" && mail.attempts < 2)
      throw new ToolError("timeout", `${outcome.reason}.`);
    return outcome.is === "parsed"
      ? await findings(mail, withTrueSender(mail, raw, outcome.mail))
      : await findings(mail, unparsed(raw, mail.receivedAt, outcome.reason), outcome.reason);
  }

  /**
   * PRODUCT section 2: what an owner passed on is shown under its true sender. From anybody else, and from who failed to
   * show that he is an owner, a head of a forwarded message is only text: it changes nothing.
   */
  function withTrueSender(
    { authentication }: MailInHand,
    raw: Uint8Array,
    parsed: ParsedMail,
  ): UnwrappedMail {
    const { envelope, forwarded } = parsed;
    if (forwarded === undefined) return parsed;
    const author = soleAuthor(scanHeaders(raw));
    if (author === undefined || !owners.has(author)) return parsed;
    if (authentication?.from === "failed") return parsed;
    const { source: _source, ...forwardedBy } = envelope.from;
    const { from, subject, date } = forwarded;
    return {
      ...parsed,
      forwardedBy,
      envelope: {
        ...envelope,
        from: { ...from, source: "forwarded" },
        subject,
        date: date ?? envelope.date,
      },
    };
  }

  async function findings(
    mail: MailInHand,
    parsed: UnwrappedMail,
    problem?: string,
  ): Promise<Findings> {
    const { envelope, forwardedBy, text, extract, attachments } = parsed;
    const textSha256 = sha256Hex(text);
    const parts: Part[] = [];
    const keep = async (...part: Part): Promise<void> => {
      if (!(await putOnce(objects, ...part, soon))) parts.push(part);
    };
    // What came in just now is acknowledged already, and lies with its row until here.
    const { inbox } = mail;
    await Promise.all([
      inbox && keep(rawKey(mail.rawSha256), inbox, "message/rfc822"),
      text.length > 0 && keep(textKey(textSha256), text, plainText),
    ]);
    const stored: StoredAttachment[] = [];
    const read = attachments
      .filter(({ mediaType, name }) => attachmentKind(mediaType, name) !== undefined)
      .slice(0, mailLimits.readAttachments);
    const isRead = new Set(read);
    const texts = parser.attachmentTexts(read);
    for (let at = 0; at < attachments.length; at += attachmentsTogether) {
      const some = attachments.slice(at, at + attachmentsTogether);
      const putting: Promise<StoredAttachment>[] = [];
      for (const one of some) {
        // One after the other: they share what the message may cost. They are put together.
        const text = isRead.has(one) ? (await texts.next()).value : undefined;
        putting.push(keptAttachment(one, text, keep));
      }
      stored.push(...(await Promise.all(putting)));
    }
    // What was there was another message's, which may have been deleted while this one was read.
    for (const part of parts)
      if ((await objects.head(part[0])) === undefined) await putOnce(objects, ...part, soon);
    const { from, to, cc, subject } = envelope;
    return {
      text: Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf-8"),
      extract,
      // Nobody needs it any more.
      raw: undefined,
      inbox: undefined,
      ...(inbox !== undefined && { leavesInbox: true }),
      facts: {
        from,
        to,
        cc,
        subject,
        date: envelope.date ?? mail.receivedAt,
        text: { sha256: textSha256, bytes: text.length },
        attachments: stored,
        ...(forwardedBy !== undefined && { forwardedBy }),
        ...(problem !== undefined && { parseProblem: problem }),
        ...(parsed.partsDiffer && { partsDiffer: true }),
      },
    };
  }

  /** An attachment that has no text, or whose text took too long, is kept all the same. */
  async function keptAttachment(
    attachment: ParsedAttachment,
    text: Uint8Array | undefined,
    keep: (...part: Part) => Promise<void>,
  ): Promise<StoredAttachment> {
    const { content, charset: _charset, ...facts } = attachment;
    await keep(attachmentKey(facts.sha256), content, facts.mediaType);
    if (text === undefined) return facts;
    const sha256 = sha256Hex(text);
    await keep(textKey(sha256), text, plainText);
    return { ...facts, text: { sha256, bytes: text.length } };
  }

  return {
    name: "parse",
    attempts: 5,
    isCheckpoint: false,
    run,
    // A message that kills this process each time it is parsed is still a message that arrived.
    otherwise: async (mail) => {
      const raw = await rawOf(objects, mail);
      const reason = "parsing it failed each time";
      return await findings(mail, unparsed(raw, mail.receivedAt, reason), reason);
    },
  };
}

/** What can be said of a message that broke the parser: the top headers, and its raw text. */
function unparsed(raw: Uint8Array, receivedAt: Date, reason: string): ParsedMail {
  const head = raw.subarray(0, mailLimits.textBytes);
  const text = decodedText(head);
  const note = `[This message could not be read as a mail (${reason}). What follows is its raw text.]`;
  const readable = `${note}\n\n${tidy(text)}`;
  return {
    envelope: envelopeOf(scanHeaders(raw.subarray(0, mailLimits.brokenHeaderBytes)), receivedAt),
    text: boundedUtf8(readable, raw.length - head.length),
    extract: extractSummary(readable),
    attachments: [],
  };
}
