import { sha256Hex } from "../../core/shared/digest.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailPerson } from "../../ports/mail/mail-reader.ts";
import type { StoredAttachment } from "../../ports/mail/mail-store.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { hiddenCode } from "../codes/hidden-code.ts";
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
import { boundedUtf8, tidy } from "../text/tidy-text.ts";
import type { StepResult, MailInProgress, Step } from "./step.ts";

/** The parsed message is already acknowledged, so messages that are being acknowledged have priority. */
const soon = { canWait: true };
/** Attachments that are stored concurrently, and share commits. */
const attachmentsTogether = 16;
const plainText = "text/plain; charset=utf-8";

/** An object of the message, with the arguments that store it. */
type Part = [key: string, body: Uint8Array, mediaType: string];

interface UnwrappedMail extends ParsedMail {
  forwardedBy?: MailPerson;
}

export interface ParseSettings {
  objects: ObjectStore;
  parser: Parser;
  /** Addresses whose forwards are trusted to name the original sender. Normalised for comparison. */
  ownerAddresses: readonly string[];
  /** True if sign-in codes and reset links are stored only in the raw message. */
  hidesCodes: boolean;
  /** True if objects are in a bucket, where every readable text is an object of its own. */
  hasFarObjects: boolean;
}

/**
 * Creates the step that parses a message into sender, date, subject, text and attachments. Each is stored under its
 * hash.
 */
export function parseStep(settings: ParseSettings): Step {
  const { objects, parser, ownerAddresses, hidesCodes, hasFarObjects } = settings;
  const owners = new Set(ownerAddresses);

  async function run(mail: MailInProgress): Promise<StepResult> {
    const raw = await rawOf(objects, mail);
    const outcome = await parser.parse(raw, mail.receivedAt);
    // Retries once later, because a busy machine may have caused the failure.
    if (outcome.kind === "lost" && mail.attempts < 2)
      throw new ToolError("timeout", `${outcome.reason}.`);
    return outcome.kind === "parsed"
      ? await findings(mail, raw, withTrueSender(mail, raw, outcome.mail))
      : await findings(
          mail,
          raw,
          await asRaw(raw, mail.receivedAt, outcome.reason),
          outcome.reason,
        );
  }

  /**
   * Replaces the sender of a message that an owner forwarded by the original sender. If the sender is not an
   * authenticated owner, the head of a forwarded message is ordinary text.
   */
  function withTrueSender(
    { authentication }: MailInProgress,
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

  const asRaw = (raw: Uint8Array, receivedAt: Date, reason: string): Promise<ParsedMail> =>
    unparsed(raw, receivedAt, reason, hidesCodes);

  async function findings(
    mail: MailInProgress,
    raw: Uint8Array,
    parsed: UnwrappedMail,
    problem?: string,
  ): Promise<StepResult> {
    const { envelope, forwardedBy, text, extract, attachments } = parsed;
    const inRawAt = hasFarObjects ? undefined : placeIn(raw, text);
    const textSha256 = inRawAt === undefined ? sha256Hex(text) : mail.rawSha256;
    const parts = partStore(objects, mail, raw);
    // The message is acknowledged, and its bytes are still in its row.
    const { inbox } = mail;
    await Promise.all([
      inbox && parts.keep(rawKey(mail.rawSha256), inbox, "message/rfc822"),
      text.length > 0 && inRawAt === undefined && parts.keep(textKey(textSha256), text, plainText),
    ]);
    const stored = await storedAttachments(attachments, parsed.hidden?.values, parts);
    await parts.storeDeleted();
    const { from, to, cc, subject } = envelope;
    return {
      text: Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf-8"),
      extract,
      // No later step needs these bytes.
      raw: undefined,
      inbox: undefined,
      ...(inbox !== undefined && { leavesInbox: true }),
      facts: {
        from,
        to,
        cc,
        subject,
        date: envelope.date ?? mail.receivedAt,
        text: {
          sha256: textSha256,
          bytes: text.length,
          ...(inRawAt !== undefined && { inRawAt }),
        },
        attachments: stored,
        ...(forwardedBy !== undefined && { forwardedBy }),
        ...(problem !== undefined && { parseProblem: problem }),
        ...(parsed.partsDiffer && { partsDiffer: true }),
        ...(parsed.hidden !== undefined && { hidden: parsed.hidden.count }),
      },
    };
  }

  /** Stores all attachments, with the texts of those that can be read. */
  async function storedAttachments(
    attachments: readonly ParsedAttachment[],
    codes: readonly string[] | undefined,
    parts: PartStore,
  ): Promise<StoredAttachment[]> {
    const read = attachments
      .filter(({ mediaType, name }) => attachmentKind(mediaType, name) !== undefined)
      .slice(0, mailLimits.readAttachments);
    const isRead = new Set(read);
    const texts = parser.attachmentTexts(read, codes);
    const stored: StoredAttachment[] = [];
    for (let at = 0; at < attachments.length; at += attachmentsTogether) {
      const some = attachments.slice(at, at + attachmentsTogether);
      const putting: Promise<StoredAttachment>[] = [];
      for (const one of some) {
        // Read one after the other, because they share a limit of time and text. They are stored concurrently.
        const text = isRead.has(one) ? (await texts.next()).value : undefined;
        const kept = keptAttachment(one, text, parts);
        // The failure is thrown below. It would end the process as an unhandled rejection without this handler.
        kept.catch(() => undefined);
        putting.push(kept);
      }
      stored.push(...(await Promise.all(putting)));
    }
    return stored;
  }

  /** Stores an attachment, even if it has no text or extraction took too long. */
  async function keptAttachment(
    attachment: ParsedAttachment,
    text: Uint8Array | undefined,
    { keep }: PartStore,
  ): Promise<StoredAttachment> {
    const { content, charset: _charset, ...facts } = attachment;
    // The bytes would contain the codes that are hidden in the text. The raw message still has them.
    const hides = hidesCodes && text !== undefined && Buffer.from(text).includes(hiddenCode);
    if (!hides) await keep(attachmentKey(facts.sha256), content, facts.mediaType);
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
    // A message that crashes the process on every attempt is still stored and listed.
    otherwise: async (mail) => {
      const raw = await rawOf(objects, mail);
      const reason = "parsing it failed each time";
      return await findings(mail, raw, await asRaw(raw, mail.receivedAt, reason), reason);
    },
  };
}

/** Stores the objects of one message. */
interface PartStore {
  keep: (...part: Part) => Promise<void>;
  /**
   * Stores deleted objects again. An object that already existed may have belonged to another message, which was
   * deleted during parsing.
   */
  storeDeleted: () => Promise<void>;
}

function partStore(objects: ObjectStore, mail: MailInProgress, raw: Uint8Array): PartStore {
  const message = rawKey(mail.rawSha256);
  const existed: Part[] = [];
  const store = (part: Part): Promise<boolean> =>
    putOnce(
      objects,
      ...part,
      part[0] === message ? soon : { ...soon, within: { key: message, body: raw } },
    );
  return {
    keep: async (...part) => {
      if (!(await store(part))) existed.push(part);
    },
    storeDeleted: async () => {
      for (const part of existed)
        if ((await objects.head(part[0])) === undefined) await store(part);
    },
  };
}

/**
 * Returns the position of a text in the raw message, if the message is this text after its headers. Such a text needs no
 * object of its own. Other positions are not searched, because a hostile message could make that slow.
 */
function placeIn(raw: Uint8Array, text: Uint8Array): number | undefined {
  if (text.length === 0) return undefined;
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
  const ends = ["\n\n", "\r\n\r\n"].map((end) => bytes.indexOf(end)).filter((at) => at >= 0);
  let start = ends.length === 0 ? bytes.length : Math.min(...ends);
  while (blanks.has(bytes[start])) start += 1;
  return bytes.subarray(start, start + text.length).equals(text) ? start : undefined;
}

/** The bytes before a text, which has none at its beginning. */
const blanks: ReadonlySet<number | undefined> = new Set(Buffer.from("\r\n\t "));

/** Describes a message that broke the parser by its headers and raw text. */
async function unparsed(
  raw: Uint8Array,
  receivedAt: Date,
  reason: string,
  hidesCodes: boolean,
): Promise<ParsedMail> {
  const head = raw.subarray(0, mailLimits.textBytes);
  const text = decodedText(head);
  const note = `[This message could not be read as a mail (${reason}). Its raw text follows.]`;
  const whole = `${note}\n\n${tidy(text)}`;
  const envelope = envelopeOf(
    scanHeaders(raw.subarray(0, mailLimits.brokenHeaderBytes)),
    receivedAt,
  );
  // Imported late: only a broken message needs the words and weights here, and each start would load them.
  const shown = hidesCodes
    ? (await import("../codes/hide-codes.ts")).hideCodes(envelope.subject, whole)
    : { subject: envelope.subject, text: whole, hidden: 0, values: [] };
  return {
    envelope: { ...envelope, subject: shown.subject },
    text: boundedUtf8(shown.text, raw.length - head.length),
    extract: extractSummary(shown.text),
    attachments: [],
    ...(shown.hidden > 0 && { hidden: { count: shown.hidden, values: shown.values } }),
  };
}
