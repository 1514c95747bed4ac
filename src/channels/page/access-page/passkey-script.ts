/**
 * Asks the device for a passkey, and posts its answer with the form. The buttons stay hidden without scripts, or in a
 * browser without passkeys.
 */
export const passkeyScript = `"use strict";
(() => {
  const known = globalThis.PublicKeyCredential;
  if (known?.parseRequestOptionsFromJSON === undefined) return;
  const problems = {
    NotAllowedError: "No passkey was used. Try again, or use your secret.",
    InvalidStateError: "This device already has a passkey for you.",
  };

  for (const area of document.querySelectorAll("[data-passkey]")) {
    const { passkey: kind, options } = area.dataset;
    const form = area.closest("form");
    const button = area.querySelector("[data-ask]");
    const note = area.querySelector("[data-note]");

    async function ask() {
      const given = JSON.parse(options);
      return kind === "add"
        ? await navigator.credentials.create({ publicKey: known.parseCreationOptionsFromJSON(given) })
        : await navigator.credentials.get({ publicKey: known.parseRequestOptionsFromJSON(given) });
    }

    button.addEventListener("click", async () => {
      // The device must not ask for a passkey that an empty field then refuses.
      if (kind === "add" && !form.reportValidity()) return;
      note.hidden = true;
      button.disabled = true;
      try {
        form.elements.namedItem("passkey").value = JSON.stringify((await ask()).toJSON());
        form.noValidate = true;
        form.requestSubmit(form.querySelector("button.approve"));
      } catch (thrown) {
        note.textContent = problems[thrown.name] ?? "The passkey could not be used: " + thrown.name + ".";
        note.hidden = false;
      }
      button.disabled = false;
    });
    area.hidden = false;
  }
})();
`;
