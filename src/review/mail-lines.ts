import { visible } from "../core/approvals/effect.ts";
import type { Arrived, AdminMail, QuarantinedMail, RefusedMail } from "../ports/mail/mail-admin.ts";

type Listed = AdminMail | QuarantinedMail | RefusedMail;

/** One line a message, and below it what a person must know. */
export function mailInShort(mail: Listed): string {
  const { emailId, state, receivedAt, subject } = mail;
  const head = `${emailId}  ${receivedAt.toISOString()}  ${state}  ${authorOf(mail)}: ${visible(subject)}`;
  return [head, ...notes(mail).map((line) => `  ${line}`)].join("\n");
}

/** Who a message is from, and if that is in a forward, who says so. */
function authorOf({ from, forwardedBy }: Listed): string {
  return forwardedBy === undefined
    ? visible(from)
    : `forwarded by ${visible(forwardedBy)}, who says it is from ${visible(from)}`;
}

/** `text`: the readable text of the message, which a stranger wrote; every line of it is shown with its control characters visible. */
export function mailInFull(mail: Listed, arrivals: readonly Arrived[], text?: string): string {
  return [
    `${mail.emailId}: ${mail.state}`,
    `from      ${authorOf(mail)}`,
    `subject   ${visible(mail.subject)}`,
    `received  ${mail.receivedAt.toISOString()}, ${mail.bytes} bytes`,
    ...(mail.step === undefined ? [] : [`step      ${mail.step}, attempt ${mail.attempts}`]),
    ...notes(mail),
    ...authenticationLine(mail),
    ...summaryLine(mail),
    ...arrivals.map(
      ({ at, intake, envelopeFrom = "", envelopeTo, peer = "" }) =>
        `arrived   ${at.toISOString()} by ${intake} ${visible(peer)} from <${visible(envelopeFrom)}> to ${visible(envelopeTo.join(", "))}`,
    ),
    ...(text === undefined ? [] : ["", ...text.split(/\r?\n/).map(visible)]),
  ].join("\n");
}

/** For scripts: the same facts, times as ISO 8601. */
export function mailAsData(mail: Listed, arrivals?: readonly Arrived[]): Record<string, unknown> {
  return {
    ...mail,
    receivedAt: mail.receivedAt.toISOString(),
    ...(arrivals && { arrivals: arrivals.map((one) => ({ ...one, at: one.at.toISOString() })) }),
  };
}

function authenticationLine({ authentication }: AdminMail): string[] {
  if (authentication === undefined) return [];
  const { from, ...methods } = authentication;
  const words = Object.entries(methods).map(([method, word]) => `${method} ${visible(word)}`);
  return [`sender    ${[from, ...words].join(", ")}`];
}

function summaryLine({ summary }: AdminMail): string[] {
  if (summary === undefined) return [];
  const problem =
    summary.problem === undefined ? "" : `; by the model: ${visible(summary.problem)}`;
  return [`summary   ${summary.source}${problem}`];
}

function notes(mail: Listed): string[] {
  const problem = mail.problem === undefined ? [] : [`problem   ${visible(mail.problem)}`];
  if ("liesIn" in mail) {
    const { source, liesIn } = mail;
    return [...problem, `lies in   ${visible(liesIn)}; it came to ${visible(source)}`];
  }
  if (!("reason" in mail)) return problem;
  const { confirmation } = mail;
  if (confirmation === undefined)
    return [
      "held      it is not from INGEST_SENDERS alone, and nobody of them is proven to have sent it on",
    ];
  const { provider, code, link } = confirmation;
  // Anybody can send such a mail: the person must know which forwarding they have asked for.
  return [
    `held      ${provider} asks whether mail may be forwarded here. Only if you have set this up yourself:`,
    ...(code === undefined ? [] : [`  enter the code ${visible(code)} there`]),
    ...(link === undefined ? [] : [`  or open ${visible(link)}`]),
  ];
}
