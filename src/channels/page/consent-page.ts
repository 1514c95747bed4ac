import { html } from "hono/html";
import { parse as parseCookie } from "hono/utils/cookie";
import { quotedClient, clientName } from "../../core/shared/text/client-name.ts";
import { imitates, mixesAlphabets } from "../../core/shared/text/imitation.ts";
import type { GuessLimit } from "../../core/network-limits/guess-limit.ts";
import type {
  ConsentAnswer,
  ConsentPage,
  ConsentRequest,
  ConsentView,
} from "../../ports/people/consent.ts";
import { type Approvers, approverOf } from "../terminal.ts";
import { browserCookieName, knownBrowsers, tryNow } from "./access-page/known-browser.ts";
import { passkeyButton } from "./access-page/passkey-button.ts";
import type { PasskeySignIn } from "./access-page/passkey-sign-in.ts";
import { isOwnPost } from "./guard.ts";
import { type Html, layout } from "./layout.ts";

/** The approval page serves the style sheet and the icon. */
const styleRoot = "/approvals";

const scriptPolicy =
  "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; ";

/** Another program must not imitate this name. */
const ownName = "countersign";

/**
 * Creates the page on which an approver gives access to a client. It always asks for the secret or a passkey, because a
 * session or a click is not enough.
 */
export function createConsentPage(settings: {
  approvers: Approvers;
  /** The key of the approval page, so that browsers known there are known here too. */
  key: Uint8Array;
  /** Shared with the approval page: both ask for the same secrets. */
  guesses: GuessLimit;
  /** The origin in the address bar. */
  origin: string;
  passkeys?: PasskeySignIn | undefined;
}): ConsentPage {
  const { approvers, guesses, origin, passkeys } = settings;
  const browsers = knownBrowsers(approvers, settings.key);
  /** The purpose belongs to one consent, so that an answer is not accepted for another program. */
  const purposeOf = ({ path }: ConsentRequest): string => `consent ${path}`;

  async function ask(request: ConsentRequest, status: number, complaint?: string) {
    const passkey = await passkeys?.ask(purposeOf(request));
    const body = askBody(request, complaint, passkey);
    return await viewOf("Give a client access?", body, status, {
      target: request.redirectOrigin,
      hasScript: passkey !== undefined,
    });
  }

  return {
    show: (request) => ask(request, 200),
    failed: (text) =>
      viewOf("The sign-in failed", html`<p class="notice bad" role="alert">${text}</p>`, 400),

    leave: async (address) => {
      const view = await viewOf("One moment", leaveBody(address), 200);
      return { ...view, headers: { ...view.headers, refresh: `0;url=${address.href}` } };
    },

    answer: async (request, { form, headers, sender }): Promise<ConsentAnswer> => {
      const again = async (status: number, text: string, more = {}): Promise<ConsentAnswer> => {
        const view = await ask(request, status, text);
        return { kind: "view", view: { ...view, headers: { ...view.headers, ...more } } };
      };
      if (!isOwnPost(headers, origin)) {
        return await again(403, "This form did not come from this page. Nothing was granted.");
      }
      if (form.get("verdict") === "deny") return { kind: "denied" };
      if (form.get("verdict") !== "allow") return await again(400, "Choose one of the buttons.");
      const passkey = form.get("passkey") ?? "";
      const cookies = parseCookie(headers.get("cookie") ?? "", browserCookieName);
      const judged = await tryNow({
        guesses,
        approvers,
        by: { address: sender, browser: browsers.owner(cookies[browserCookieName]) },
        prove: async (heard) => {
          if (passkey === "") return approverOf(form.get("secret") ?? "", heard);
          const name = (await passkeys?.answeredBy(purposeOf(request), passkey))?.approver;
          return heard.some((each) => each.name === name) ? name : undefined;
        },
      });
      if ("waitSeconds" in judged) {
        const { waitSeconds } = judged;
        const text = `Too many tries. Wait ${waitSeconds} seconds, then try again.`;
        return await again(429, text, { "retry-after": String(waitSeconds) });
      }
      const approver = judged.name;
      if (approver === undefined) {
        const text =
          passkey === ""
            ? "This is not an approver's secret. Nothing was granted."
            : "The passkey was not accepted. Nothing was granted. Try again, or use your secret.";
        return { kind: "wrong", view: await ask(request, 403, text) };
      }
      const isWhole = request.scope === "mcp" && form.get("scope") === "mcp";
      return { kind: "granted", approver, scope: isWhole ? "mcp" : "mcp:read" };
    },
  };
}

function askBody(
  request: ConsentRequest,
  complaint: string | undefined,
  passkey: string | undefined,
): Html {
  const { clientName: given, host, isVerified, path } = request;
  const described = complaint === undefined ? "hint" : "complaint hint";
  return html`${
      complaint === undefined
        ? ""
        : html`<p class="notice bad" role="alert" id="complaint">${complaint}</p>`
    }
    <p>A client at <strong>${host}</strong> asks to use the tools of Countersign.</p>
    <dl class="about">
      <div>
        <dt>It calls itself</dt>
        <dd>${shownName(given)}</dd>
      </div>
      <div>
        <dt>Identity</dt>
        <dd>${isVerified ? `verified: ${host}` : "not verified"}</dd>
      </div>
      <div>
        <dt>Your answer goes to</dt>
        <dd>${request.redirectOrigin}</dd>
      </div>
    </dl>
    <form method="post" action="${path}">
      ${scopeChoice(request)}
      <label for="secret">Your secret</label>
      <input
        id="secret"
        name="secret"
        type="password"
        autocomplete="current-password"
        aria-describedby="${described}"
      />
      <p class="small" id="hint">
        The secret after your name in the setting <code>APPROVERS</code>. The client acts under your
        name. It can never approve: high-risk calls still wait for you.
      </p>
      <button class="approve" name="verdict" value="allow">Allow</button>
      ${passkeyButton("Allow with a passkey", passkey)}
      <button class="deny" name="verdict" value="deny">Refuse</button>
    </form>
    <p class="small">Refuse, unless you have just connected this client.</p>`;
}

function leaveBody(address: URL): Html {
  return html`<p>Your answer goes to <strong>${address.host}</strong>.</p>
    <a class="button" href="${address.href}">Continue to ${address.host}</a>`;
}

function scopeChoice({ scope }: ConsentRequest): Html {
  const read = "Read only: low-risk calls";
  if (scope === "mcp:read") return html`<p>${read}</p>`;
  return html`<label for="scope">It may use</label>
    <select id="scope" name="scope">
      <option value="mcp" selected>All tools</option>
      <option value="mcp:read">${read}</option>
    </select>`;
}

function shownName(given: string | undefined): string {
  if (given === undefined) return "nothing";
  const name = clientName(given);
  if (imitates(given, ownName)) return "a name that imitates this server";
  if (mixesAlphabets(given)) return "a name that mixes letters of several alphabets";
  return quotedClient(name);
}

async function viewOf(
  title: string,
  body: Html,
  status: number,
  asking?: { target: string; hasScript: boolean },
): Promise<ConsentView> {
  const page = layout({
    root: styleRoot,
    title,
    script: asking?.hasScript === true ? "passkey" : undefined,
    body: html`<main class="entry">
      <p class="brand">Countersign</p>
      <h1>${title}</h1>
      ${body}
    </main>`,
  });
  // Browsers apply `form-action` to the redirect that follows the form, so the client's address is part of it. CSP has
  // no form for an IPv6 address. Today's browsers leave from a page in between and need neither.
  const target = asking?.target.includes("[") === true ? "" : ` ${asking?.target}`;
  const targets = asking === undefined ? "'none'" : `'self'${target}`;
  const script = asking?.hasScript === true ? scriptPolicy : "";
  const headers = {
    "content-security-policy": `default-src 'none'; style-src 'self'; img-src 'self'; ${script}form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  };
  return { status, headers, html: String(await page) };
}
