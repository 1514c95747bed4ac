import { html } from "hono/html";
import { visible } from "../../core/approvals/effect.ts";
import type { HeldMail } from "../../ports/mail/mail-review.ts";
import { formatSize } from "../../core/shared/format.ts";
import { moment } from "../words.ts";
import type { Visitor } from "./access.ts";
import type { Html } from "./layout.ts";

/** The form that releases one message, as its nonce names it. */
export const releasePurpose = (emailId: string): string => `release ${emailId}`;

/** Characters of a text that the page shows: enough to know what it is. `mail show` prints all of it. */
const shownCharacters = 3_000;

const senderWords = {
  aligned: "the sender's domain vouches for it",
  unverified: "nobody vouches for the sender",
  failed: "the check of the sender failed: it is probably forged",
} as const;

/** The line on the page of requests; empty without mail in quarantine. */
export function quarantineNotice({ base }: Visitor, count: number): Html {
  if (count === 0) return html``;
  return html`<p class="small">
    <a href="${base}/quarantine">Mail in quarantine: ${count}</a>. No tool sees it until you release
    it.
  </p>`;
}

/** `count`: all of them; the page shows the newest. */
export function quarantineBody(visitor: Visitor, held: readonly HeldMail[], count: number): Html {
  return html`<section aria-labelledby="quarantine">
    <h2 id="quarantine">Mail in quarantine: ${count}</h2>
    ${held.length === 0 ? html`<p>No messages.</p>` : ""}
    ${held.length < count ? html`<p class="small">The newest ${held.length} are shown.</p>` : ""}
    <ol class="cards">
      ${held.map((one) => card(visitor, one))}
    </ol>
    <p class="small"><a href="${visitor.base}">Back to the requests</a></p>
  </section>`;
}

function card(visitor: Visitor, { mail, text, sender }: HeldMail): Html {
  const { emailId, from, subject, receivedAt, bytes } = mail;
  const facts: [string, string][] = [
    ["from", visible(from)],
    ["received", `${moment(receivedAt)}, ${formatSize(bytes)}`],
    ["sender check", sender === undefined ? "not known at the moment" : senderWords[sender]],
    ["held because", reasonOf(mail)],
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
      <summary>Text, as a stranger wrote it</summary>
      ${text === undefined ? html`<p>Its text is not here.</p>` : lines(text)}
    </details>
    <form method="post" action="${visitor.base}/quarantine">
      <input type="hidden" name="mail" value="${emailId}" />
      <input type="hidden" name="nonce" value="${visitor.nonce(releasePurpose(emailId))}" />
      <button class="plain">Release <span class="hidden">${emailId}</span></button>
    </form>
  </li>`;
}

function reasonOf({ confirmation }: HeldMail["mail"]): string {
  return confirmation === undefined
    ? "it names none of INGEST_SENDERS"
    : `${confirmation.provider} asks whether mail may be forwarded here`;
}

/** Anybody can send such a mail, so its link is text: the person opens it only for a forwarding of their own. */
function confirmationOf({ confirmation }: HeldMail["mail"]): Html {
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
