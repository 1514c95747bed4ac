import { html } from "hono/html";
import { clientName, quotedClient } from "../../../core/shared/text/client-name.ts";
import { visible } from "../../../core/shared/text/visible.ts";
import type { GrantedClient } from "../../../ports/people/oauth-store.ts";
import type { Passkey } from "../../../ports/people/passkeys.ts";
import { formatMoment } from "../../words.ts";
import type { Visitor } from "../access.ts";
import type { Html } from "../layout.ts";

/** The purposes in the nonces of the forms. */
export const revokePurpose = (clientId: string, principal: string): string =>
  `revoke ${clientId} ${principal}`;
export const removePurpose = (passkeyId: string): string => `remove ${passkeyId}`;
export const addPurpose = "add passkey";

/** Characters of the name of a passkey. */
export const nameLength = 40;

export interface AccessContent {
  /** Undefined if clients cannot sign in. */
  clients: readonly GrantedClient[] | undefined;
  /** Undefined if people sign in without passkeys. */
  passkeys: { known: readonly Passkey[]; options: string | undefined } | undefined;
  complaint: string | undefined;
}

/** Renders the access of others: clients that signed in, and passkeys of people. */
export function accessBody(visitor: Visitor, content: AccessContent): Html {
  const { clients, passkeys, complaint } = content;
  return html`${
    complaint === undefined ? "" : html`<p class="notice bad" role="alert">${complaint}</p>`
  }
  ${clients === undefined ? "" : clientSection(visitor, clients)}
  ${passkeys === undefined ? "" : passkeySection(visitor, passkeys)}`;
}

function clientSection(visitor: Visitor, clients: readonly GrantedClient[]): Html {
  return html`<section aria-labelledby="clients">
    <h2 id="clients">Clients with access</h2>
    ${clients.length === 0 ? html`<p>No client has access.</p>` : ""}
    <ol class="cards">
      ${clients.map((client) => clientCard(visitor, client))}
    </ol>
    <p class="small">
      These clients signed in with OAuth. A client can call tools, but it cannot approve calls.
    </p>
  </section>`;
}

function clientCard(visitor: Visitor, client: GrantedClient): Html {
  const { clientId, clientName: name, principal, seenAt, endsAt } = client;
  return html`<li class="card">
    <h3><bdi>${name === undefined ? "Unnamed client" : quotedClient(clientName(name))}</bdi></h3>
    ${facts([
      ["acts as", principal],
      ["last call", seenAt === undefined ? "none yet" : formatMoment(seenAt)],
      ["access until", formatMoment(endsAt)],
      ["id", clientName(clientId)],
    ])}
    ${form(visitor, "revoke", revokePurpose(clientId, principal), {
      hidden: { client: clientId, principal },
      words: html`End access <span class="hidden">of ${clientName(clientId)}</span>`,
    })}
  </li>`;
}

function passkeySection(
  visitor: Visitor,
  { known, options }: NonNullable<AccessContent["passkeys"]>,
): Html {
  return html`<section aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    ${known.length === 0 ? html`<p>There is no passkey. Approvers sign in with their secret.</p>` : ""}
    <ol class="cards">
      ${known.map((passkey) => passkeyCard(visitor, passkey))}
    </ol>
    ${options === undefined ? "" : addForm(visitor, options)}
    <p class="small">
      A passkey signs you in instead of your secret, on this page and when you give a client access.
      It stays valid when your secret changes.
    </p>
  </section>`;
}

function passkeyCard(visitor: Visitor, passkey: Passkey): Html {
  const { passkeyId, name, approver, createdAt, usedAt } = passkey;
  return html`<li class="card">
    <h3><bdi>${visible(name)}</bdi></h3>
    ${facts([
      ["signs in", approver],
      ["added", formatMoment(createdAt)],
      ["last used", usedAt === undefined ? "never" : formatMoment(usedAt)],
    ])}
    ${form(visitor, "remove", removePurpose(passkeyId), {
      hidden: { id: passkeyId },
      words: html`Remove <span class="hidden">${visible(name)}</span>`,
    })}
  </li>`;
}

/** Renders the form of a new passkey. It asks for the secret, because a passkey outlives the session. */
function addForm(visitor: Visitor, options: string): Html {
  return html`<form
    method="post"
    action="${visitor.base}/access"
    class="card add"
    data-passkey="add"
    data-options="${options}"
    hidden
  >
    <input type="hidden" name="nonce" value="${visitor.nonce(addPurpose)}" />
    <input type="hidden" name="do" value="add" />
    <input type="hidden" name="passkey" />
    <label for="name">Name of the new passkey</label>
    <input id="name" name="name" maxlength="${nameLength}" placeholder="Phone" required />
    <label for="secret">Your secret</label>
    <input id="secret" name="secret" type="password" autocomplete="current-password" required />
    <button type="button" class="plain" data-ask>Add a passkey</button>
    <p class="notice bad" role="alert" data-note hidden></p>
  </form>`;
}

function facts(rows: readonly [label: string, value: string][]): Html {
  return html`<dl class="about">
    ${rows.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd><bdi>${value}</bdi></dd>
        </div>`,
    )}
  </dl>`;
}

function form(
  visitor: Visitor,
  what: "revoke" | "remove",
  purpose: string,
  { hidden, words }: { hidden: Record<string, string>; words: Html },
): Html {
  return html`<form method="post" action="${visitor.base}/access">
    <input type="hidden" name="nonce" value="${visitor.nonce(purpose)}" />
    ${Object.entries(hidden).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button class="deny" name="do" value="${what}">${words}</button>
  </form>`;
}
