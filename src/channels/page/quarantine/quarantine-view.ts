import { html } from "hono/html";
import { visible } from "../../../core/shared/text/visible.ts";
import type { QuarantineEntry } from "../../../ports/mail/mail-quarantine.ts";
import { formatSize } from "../../../core/shared/text/format.ts";
import { formatAttachment, heldForSender } from "../../mail-lines.ts";
import { formatMoment } from "../../words.ts";
import type { Visitor } from "../access.ts";
import type { Html } from "../layout.ts";

/** The purpose in the nonce of the form that releases a message. */
export const releasePurpose = (emailId: string): string => `release ${emailId}`;

/** Characters of a text on the page, enough to judge it. `mail show` prints all of it. */
const shownCharacters = 3_000;

/** Attachments on the page. `mail show` lists all of them. */
const shownAttachments = 10;

const senderWords = {
  aligned: "verified by the sender's domain",
  unverified: "not verified",
  failed: "failed: the sender is probably forged",
} as const;

/** Renders the link on the page of requests. Empty without mail in quarantine. */
export function quarantineNotice({ base }: Visitor, count: number): Html {
  if (count === 0) return html``;
  return html`<p class="small">
    <a href="${base}/quarantine">Mail in quarantine: ${count}</a>. No tool sees it until you release
    it.
  </p>`;
}

/**
 * Renders the newest messages in quarantine.
 * @param count the number of all of them
 */
export function quarantineBody(
  visitor: Visitor,
  entries: readonly QuarantineEntry[],
  count: number,
): Html {
  return html`<section aria-labelledby="quarantine">
    <h2 id="quarantine">Mail in quarantine: ${count}</h2>
    ${entries.length === 0 ? html`<p>No messages.</p>` : ""}
    ${entries.length < count ? html`<p class="small">The newest ${entries.length} are shown.</p>` : ""}
    <ol class="cards">
      ${entries.map((one) => card(visitor, one))}
    </ol>
    <p class="small"><a href="${visitor.base}">Back to the requests</a></p>
  </section>`;
}

function card(visitor: Visitor, { mail, readable, sender }: QuarantineEntry): Html {
  const { emailId, from, subject, receivedAt, bytes } = mail;
  const facts: [string, string][] = [
    ["from", visible(from)],
    ["received", `${formatMoment(receivedAt)}, ${formatSize(bytes)}`],
    ["sender check", sender === undefined ? "not known at the moment" : senderWords[sender]],
    ["held because", reasonOf(mail)],
    ...(readable?.attachments ?? [])
      .slice(0, shownAttachments)
      .map((one): [string, string] => ["attachment", formatAttachment(one)]),
  ];
  return html`<li class="card">
    <h3><bdi>${visible(subject) || "(no subject)"}</bdi></h3>
    <dl class="effect">
      ${facts.map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd><bdi>${value}</bdi></dd>
          </div>`,
      )}
    </dl>
    ${confirmationOf(mail)}
    <details>
      <summary>Text from the sender</summary>
      ${readable === undefined ? html`<p>The text is not available.</p>` : lines(readable.text)}
    </details>
    <form method="post" action="${visitor.base}/quarantine">
      <input type="hidden" name="mail" value="${emailId}" />
      <input type="hidden" name="nonce" value="${visitor.nonce(releasePurpose(emailId))}" />
      <button class="plain">Release <span class="hidden">${emailId}</span></button>
    </form>
  </li>`;
}

function reasonOf({ confirmation }: QuarantineEntry["mail"]): string {
  return confirmation === undefined
    ? heldForSender
    : `${confirmation.provider} asks whether mail may be forwarded here`;
}

/**
 * Renders a forwarding confirmation. Any sender can send such a mail, so its link is plain text that a person opens
 * only for their own forwarding.
 */
function confirmationOf({ confirmation }: QuarantineEntry["mail"]): Html {
  if (confirmation === undefined) return html``;
  const { code, link } = confirmation;
  return html`<p>
    Only if you have set up this forwarding yourself:
    ${code === undefined ? "" : html`enter the code <strong>${visible(code)}</strong>.`}
    ${link === undefined ? "" : html`Or open <code>${visible(link)}</code>`}
  </p>`;
}

function lines(text: string): Html {
  const shown = text.slice(0, shownCharacters).toWellFormed();
  const rest = text.length - shown.length;
  return html`${shown.split(/\r?\n/).map((line) => html`<bdi>${visible(line)}</bdi><br />`)}
  ${rest > 0 ? html`<p class="small">${rest} more characters.</p>` : ""}`;
}
