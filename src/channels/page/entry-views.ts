import { html } from "hono/html";
import { passkeyButton } from "./access-page/passkey-button.ts";
import { type Html, layout } from "./layout.ts";

function entry(root: string, title: string, body: Html, script?: "enter" | "passkey"): Html {
  return layout({
    root,
    title,
    ...(script && { script }),
    body: html`<main class="entry">
      <p class="brand">Countersign</p>
      <h1>${title}</h1>
      ${body}
    </main>`,
  });
}

/** Renders the first page that the browser shows on this computer. */
export function codeView(root: string): Html {
  return entry(
    root,
    "A request is waiting for you",
    html`<p>An assistant on this computer requests an action that needs your approval.</p>
      <form method="post"><button class="approve" autofocus>Show the requests</button></form>
      <p class="small">This button works once, within a minute.</p>`,
    "enter",
  );
}

/**
 * Renders the page of an ended session.
 * @param command this program as the user types it
 */
export function endedView(root: string, command: string): Html {
  return entry(
    root,
    "This page has ended",
    html`<p>
        It was closed, unused for half an hour, or its link was used before. Nothing was decided.
      </p>
      <p>
        To open it again, run <code>${command} approvals open</code> in a terminal, or ask the
        assistant to try again.
      </p>`,
  );
}

/**
 * Renders the sign-in.
 * @param passkey the options of a passkey. Undefined without passkeys
 */
export function signInView(
  root: string,
  { complaint, passkey }: { complaint: string | undefined; passkey: string | undefined },
): Html {
  return entry(
    root,
    "Sign in to decide",
    html`${
        complaint === undefined
          ? ""
          : html`<p class="notice bad" role="alert" id="complaint">${complaint}</p>`
      }
      <form method="post" action="${root}/sign-in">
        <label for="secret">Your secret</label>
        <input
          id="secret"
          name="secret"
          type="password"
          autocomplete="current-password"
          required
          autofocus
          aria-describedby="${complaint === undefined ? "hint" : "complaint hint"}"
        />
        <p class="small" id="hint">
          The secret after your name in the setting <code>APPROVERS</code>. It is not a caller's
          token.
        </p>
        <button class="approve">Sign in</button>
        ${passkeyButton("Sign in with a passkey", passkey)}
      </form>`,
    passkey === undefined ? undefined : "passkey",
  );
}

/**
 * Renders a refusal.
 * @param back the URL to return to
 */
export function refusedView(root: string, text: string, back: string): Html {
  return entry(
    root,
    "Not accepted",
    html`<p class="notice bad" role="alert">${text}</p>
      <p><a class="button" href="${back}">Back to the requests</a></p>`,
  );
}
