import { html } from "hono/html";
import {
  type DefinitionLine,
  type ServerState,
  type ShownReview,
  type ShownTool,
  rulesHeading,
} from "../../../ports/upstream/server-reviews.ts";
import type { Visitor } from "../access.ts";
import { changeLines, plainLine } from "../card.ts";
import type { Html } from "../layout.ts";

/** The purposes in the nonces of the forms. */
export const lookPurpose = (server: string): string => `look at the server ${server}`;
export const reviewPurpose = (server: string, digest: string): string =>
  `review the server ${server} ${digest}`;

const stateWords: Record<ShownTool["state"], string> = {
  new: "new",
  changed: "changed since the review",
  unchanged: "as it was reviewed",
  gone: "no longer there",
  off: "turned off in servers.json",
};

/** Renders the link on the page of requests. Empty if no tools wait. */
export function serversNotice({ base }: Visitor, servers: readonly ServerState[]): Html {
  const count = servers.filter(({ waits }) => waits).length;
  if (count === 0) return html``;
  return html`<p class="small">
    <a href="${base}/servers">Servers with tools to review: ${count}</a>. No client sees these tools
    until you accept them.
  </p>`;
}

/** Renders the upstream servers, with the tools of those that were listed for a review. */
export function serversBody(
  visitor: Visitor,
  servers: readonly ServerState[],
  shown: readonly ShownReview[],
): Html {
  return html`<section aria-labelledby="servers">
    <h2 id="servers">Servers: ${servers.length}</h2>
    <ol class="cards">
      ${servers.map((server) => {
        const review = shown.find((one) => one.server === server.name);
        return review === undefined
          ? stateCard(visitor, server)
          : reviewCard(visitor, server, review);
      })}
    </ol>
    <p class="small"><a href="${visitor.base}">Back to the requests</a></p>
  </section>`;
}

function stateCard(visitor: Visitor, { name, place, state, isUsable, failure }: ServerState): Html {
  return html`<li class="card">
    <h3><bdi>${name}</bdi></h3>
    <p class="small"><code>${shortened(place)}</code></p>
    <p>${state}</p>
    ${failure === undefined ? "" : html`<p class="notice bad" role="alert">${failure}</p>`}
    ${
      isUsable
        ? html`<form method="post" action="${visitor.base}/servers">
            ${hidden("server", name)} ${hidden("nonce", visitor.nonce(lookPurpose(name)))}
            <button class="plain" name="verdict" value="look">
              Start it and show its tools <span class="hidden">${name}</span>
            </button>
          </form>`
        : ""
    }
  </li>`;
}

/** A longer command would hide the rest of the card. Characters. */
const maxPlace = 300;

function shortened(place: string): string {
  return place.length > maxPlace ? `${place.slice(0, maxPlace)}...` : place;
}

function reviewCard(
  visitor: Visitor,
  { place }: ServerState,
  { server, digest, fingerprint, tools, rules, leftOut }: ShownReview,
): Html {
  return html`<li class="card" aria-labelledby="server-${server}">
    <div class="head">
      <h3 id="server-${server}">Server <bdi>${server}</bdi> wants to offer these tools</h3>
      <p><span class="small">fingerprint</span> <code>${fingerprint}</code></p>
    </div>
    <p class="small"><code>${shortened(place)}</code></p>
    <p class="small">
      The server wrote these texts, and they were not checked. Low-risk calls run without your
      approval.
    </p>
    ${leftOut === undefined ? "" : html`<p class="small">${leftOut}</p>`}
    <form method="post" action="${visitor.base}/servers" class="decide">
      ${hidden("server", server)} ${hidden("digest", digest)}
      ${hidden("nonce", visitor.nonce(reviewPurpose(server, digest)))}
      <ol class="tools">
        ${tools.map(toolItem)}
      </ol>
      ${rulesNotice(rules)}
      <button name="verdict" value="accept" class="approve">
        Accept <span class="hidden">the tools of ${server}, ${fingerprint}</span>
      </button>
      <button name="verdict" value="refuse" class="deny">
        Refuse <span class="hidden">the tools of ${server}, ${fingerprint}</span>
      </button>
    </form>
  </li>`;
}

function rulesNotice(rules: readonly string[]): Html {
  if (rules.length === 0) return html``;
  return html`<p>${rulesHeading}</p>
    <ul>
      ${rules.map((line) => html`<li class="small">${line}</li>`)}
    </ul>`;
}

function toolItem(tool: ShownTool, index: number): Html {
  const { name, state, lines } = tool;
  return html`<li>
    <p><code>${name}</code> <span class="small">${stateWords[state]}</span></p>
    ${
      lines.length === 0 || state === "off"
        ? ""
        : html`<dl class="effect">${lines.map((line) => definitionLine(line, state))}</dl>`
    }
    ${state === "gone" || state === "off" ? "" : riskField(tool, index)}
  </li>`;
}

function definitionLine({ label, before, now }: DefinitionLine, state: ShownTool["state"]): Html {
  if (state !== "changed") return plainLine({ label, value: now ?? "" });
  return changeLines({
    what: label,
    before: { label, value: before ?? "" },
    after: { label, value: now ?? "" },
  });
}

function riskField({ name, risk, isFixed }: ShownTool, index: number): Html {
  if (isFixed) return html`<p class="small">Risk: ${risk}, from servers.json</p>`;
  const option = (value: string, words: string): Html =>
    html`<option value="${value}" ${value === risk ? "selected" : ""}>${words}</option>`;
  return html`<p class="risk">
    <label for="${name}-risk">Risk <span class="hidden">of ${name}</span></label>
    <select id="${name}-risk" name="r${index}">
      ${option("low", "low")} ${option("medium", "medium")} ${option("high", "high")}
      ${option("off", "do not offer")}
    </select>
  </p>`;
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}
