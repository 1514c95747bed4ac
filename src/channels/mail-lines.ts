import { formatSize } from "../core/shared/text/format.ts";
import { visible } from "../core/shared/text/visible.ts";
import type {
  Arrived,
  AdminMail,
  QuarantinedMail,
  AdminRejectedMail,
} from "../ports/mail/mail-admin.ts";
import type { ReadableMail } from "../ports/mail/mail-quarantine.ts";

/** The reason for the quarantine of all mail except confirmations. */
export const heldForSender =
  "an author is not in INGEST_SENDERS, and no sender from that list is verified as the forwarder";

type Listed = AdminMail | QuarantinedMail | AdminRejectedMail;

/** Formats a message as one line, with important facts below it. */
export function summarizeMail(mail: Listed): string {
  const { emailId, state, receivedAt, subject } = mail;
  const head = `${emailId}  ${receivedAt.toISOString()}  ${state}  ${authorOf(mail)}: ${subjectOf(subject)}`;
  return [head, ...notes(mail).map((line) => `  ${line}`)].join("\n");
}

/** Names the sender of a message, and for a forward also the forwarder. */
function authorOf({ from, forwardedBy }: Listed): string {
  const author = from === "" ? "no sender" : visible(from);
  return forwardedBy === undefined
    ? author
    : `forwarded by ${visible(forwardedBy)}, who says it is from ${author}`;
}

const subjectOf = (subject: string): string => (subject === "" ? "no subject" : visible(subject));

/** The writers of a summary, in words. */
const summaries: Readonly<Record<NonNullable<AdminMail["summary"]>["source"], string>> = {
  extract: "the first sentences",
  model: "by the model",
};

/**
 * Formats a message in full.
 * @param readable untrusted text and names. Control characters are made visible.
 */
export function formatMail(
  mail: Listed,
  arrivals: readonly Arrived[],
  readable?: ReadableMail,
): string {
  const { text, attachments = [] } = readable ?? {};
  return [
    `${mail.emailId}: ${mail.state}`,
    `from      ${authorOf(mail)}`,
    `subject   ${subjectOf(mail.subject)}`,
    `received  ${mail.receivedAt.toISOString()}, ${mail.bytes} bytes`,
    ...(mail.step === undefined ? [] : [`step      ${mail.step}, attempt ${mail.attempts}`]),
    ...notes(mail),
    ...authenticationLine(mail),
    ...summaryLine(mail),
    ...hiddenLine(mail, text),
    ...arrivals.map(formatArrival),
    ...attachments.map((one) => `attached  ${formatAttachment(one)}`),
    ...(text === undefined ? [] : ["", ...text.split(/\r?\n/).map(visible)]),
  ].join("\n");
}

/** Formats an attachment's name, type and size. */
export function formatAttachment({
  name,
  mediaType,
  bytes,
}: ReadableMail["attachments"][number]): string {
  const title = name === undefined ? "a file without a name" : `"${visible(name)}"`;
  return `${title}, ${visible(mediaType)}, ${formatSize(bytes)}`;
}

/** Formats one arrival. An imported message has no envelope. A bounce has an empty sender in it. */
function formatArrival({ at, intake, envelopeFrom, envelopeTo, peer }: Arrived): string {
  return [
    `arrived   ${at.toISOString()} by ${intake}`,
    ...(peer === undefined ? [] : [visible(peer)]),
    ...(envelopeFrom === undefined ? [] : [`from <${visible(envelopeFrom)}>`]),
    ...(envelopeTo.length === 0 ? [] : [`to ${visible(envelopeTo.join(", "))}`]),
  ].join(" ");
}

/** Returns the facts for scripts, with times in ISO 8601. */
export function mailToJson(mail: Listed, arrivals?: readonly Arrived[]): Record<string, unknown> {
  return {
    ...mail,
    receivedAt: mail.receivedAt.toISOString(),
    ...(arrivals && { arrivals: arrivals.map((one) => ({ ...one, at: one.at.toISOString() })) }),
  };
}

/** Returns the facts of an attachment for scripts. Its parsed form also has the content. */
export function attachmentToJson({ name, mediaType, bytes }: ReadableMail["attachments"][number]) {
  return { ...(name !== undefined && { name }), mediaType, bytes };
}

function authenticationLine({ authentication }: AdminMail): string[] {
  if (authentication === undefined) return [];
  const { from, ...methods } = authentication;
  const words = Object.entries(methods).map(([method, word]) => `${method} ${visible(word)}`);
  return [`sender    ${[from, ...words].join(", ")}`];
}

/** Returns the line about hidden codes. Mail in quarantine has no count yet, so its text is examined. */
function hiddenLine({ hidden }: AdminMail, text = ""): string[] {
  if (hidden !== undefined)
    return [`hidden    sign-in codes and links: ${hidden}. --reveal shows them`];
  return /\[hidden: [^\]]+\]/.test(text)
    ? ["hidden    sign-in codes or links. --reveal shows them"]
    : [];
}

function summaryLine({ summary }: AdminMail): string[] {
  if (summary === undefined) return [];
  const problem =
    summary.problem === undefined ? "" : `; none by the model: ${visible(summary.problem)}`;
  return [`summary   ${summaries[summary.source]}${problem}`];
}

function notes(mail: Listed): string[] {
  const problem = mail.problem === undefined ? [] : [`problem   ${visible(mail.problem)}`];
  if ("location" in mail) {
    const { source, location } = mail;
    return [...problem, `is in     ${visible(location)}, received by ${visible(source)}`];
  }
  if (!("reason" in mail)) return problem;
  const { confirmation } = mail;
  if (confirmation === undefined) return [`held      ${heldForSender}`];
  const { provider, code, link } = confirmation;
  // Any sender can send such a mail, so the person must know which forwarding they requested.
  return [
    `held      ${provider} asks whether mail may be forwarded here. Only if you have set this up yourself:`,
    ...(code === undefined ? [] : [`  enter the code ${visible(code)} there`]),
    ...(link === undefined ? [] : [`  or open ${visible(link)}`]),
  ];
}
