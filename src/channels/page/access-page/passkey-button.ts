import { html } from "hono/html";
import type { Html } from "../layout.ts";

/**
 * Renders the button that signs in with a passkey, inside the form for the secret. A script makes it visible.
 * @param options undefined without passkeys
 */
export function passkeyButton(words: string, options: string | undefined): Html {
  if (options === undefined) return html``;
  return html`<div data-passkey="sign-in" data-options="${options}" class="passkey" hidden>
    <input type="hidden" name="passkey" />
    <button type="button" class="plain" data-ask>${words}</button>
    <p class="notice bad" role="alert" data-note hidden></p>
  </div>`;
}
