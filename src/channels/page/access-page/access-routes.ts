import type { Context } from "hono";
import { type AuditRecord, recordBestEffort } from "../../../core/audit/audit.ts";
import { randomId } from "../../../core/shared/digest.ts";
import { clientName } from "../../../core/shared/text/client-name.ts";
import { visible } from "../../../core/shared/text/visible.ts";
import type { OAuthStore } from "../../../ports/people/oauth-store.ts";
import type { Access, PageEnv, Visitor } from "../access.ts";
import type { Html } from "../layout.ts";
import { accessBody, addPurpose, nameLength, removePurpose, revokePurpose } from "./access-view.ts";
import type { PasskeySignIn } from "./passkey-sign-in.ts";

/** The data of the access page. */
export interface AccessRecord {
  /** Undefined if clients cannot sign in. */
  clients?: Pick<OAuthStore, "listGrants" | "removeClient"> | undefined;
  passkeys?: PasskeySignIn | undefined;
}

/** The outcome of a form. A complaint is shown above the page. */
export type Changed =
  | { kind: "done" }
  | { kind: "not ours" }
  | { kind: "refused"; status: 400 | 403 | 429; complaint: string };

export interface AccessPage {
  show(visitor: Visitor, complaint?: string): Promise<Html>;
  /** @param hasNonce true if the form is from this session's page */
  change(
    context: Context<{ Bindings: PageEnv }>,
    visitor: Visitor,
    posted: { form: URLSearchParams; hasNonce: (purpose: string) => boolean },
  ): Promise<Changed>;
}

/** Creates the page on which people end the access of programs, and add and remove passkeys. */
export function createAccessPage(
  { clients, passkeys }: AccessRecord,
  { audit, confirm }: { audit: AuditRecord } & Pick<Access, "confirm">,
): AccessPage {
  /** The purpose belongs to one session, so that an answer of another session is not accepted. */
  const addingPurpose = (visitor: Visitor): string => `add ${visitor.nonce(addPurpose)}`;
  const sees = ({ principal }: Visitor, owner: string): boolean =>
    principal === undefined || principal === owner;
  const notOurs: Changed = { kind: "not ours" };

  async function record(by: string, sentence: string, outcome: string): Promise<void> {
    await recordBestEffort(audit, {
      type: "decided",
      at: new Date(),
      callId: randomId("sign-in"),
      principal: by,
      client: "page",
      tool: "oauth",
      sentence,
      outcome,
    });
  }

  async function revoke(visitor: Visitor, form: URLSearchParams): Promise<Changed> {
    const [clientId, principal] = [form.get("client") ?? "", form.get("principal") ?? ""];
    if (clients === undefined || !sees(visitor, principal)) return notOurs;
    if (await clients.removeClient(clientId, principal)) {
      await record(visitor.name, `revoked the access of ${clientName(clientId)}`, "revoked");
    }
    return { kind: "done" };
  }

  async function remove(visitor: Visitor, form: URLSearchParams): Promise<Changed> {
    const passkeyId = form.get("id") ?? "";
    const known = await passkeys?.list(visitor.principal);
    if (known?.some((each) => each.passkeyId === passkeyId) !== true) return { kind: "done" };
    const removed = await passkeys?.remove(passkeyId);
    if (removed !== undefined) {
      await record(visitor.name, `removed the passkey "${visible(removed.name)}"`, "removed");
    }
    return { kind: "done" };
  }

  async function add(
    context: Context<{ Bindings: PageEnv }>,
    visitor: Visitor,
    form: URLSearchParams,
  ): Promise<Changed> {
    if (passkeys === undefined || confirm === undefined) return notOurs;
    const name = (form.get("name") ?? "").trim().slice(0, nameLength).toWellFormed();
    if (name === "") {
      return { kind: "refused", status: 400, complaint: "The passkey needs a name." };
    }
    const confirmed = await confirm(context, form.get("secret") ?? "");
    if ("waitSeconds" in confirmed) {
      context.header("retry-after", String(confirmed.waitSeconds));
      const complaint = `Too many tries. Wait ${confirmed.waitSeconds} seconds, then try again.`;
      return { kind: "refused", status: 429, complaint };
    }
    if (confirmed.name !== visitor.name) {
      const complaint = "This is not your secret. No passkey was added.";
      return { kind: "refused", status: 403, complaint };
    }
    const answer = form.get("passkey") ?? "";
    const added = { answer, approver: visitor.name, name };
    if ((await passkeys.add(addingPurpose(visitor), added)) === undefined) {
      const complaint = "The passkey could not be checked. No passkey was added. Try again.";
      return { kind: "refused", status: 400, complaint };
    }
    await record(visitor.name, `added the passkey "${visible(name)}"`, "added");
    return { kind: "done" };
  }

  return {
    show: async (visitor, complaint) => {
      const granted = await clients?.listGrants();
      return accessBody(visitor, {
        clients: granted?.filter(({ principal }) => sees(visitor, principal)),
        passkeys: passkeys && {
          known: await passkeys.list(visitor.principal),
          options: await passkeys.askToAdd(addingPurpose(visitor), visitor.name),
        },
        complaint,
      });
    },

    change: async (context, visitor, { form, hasNonce }) => {
      const [clientId, principal] = [form.get("client") ?? "", form.get("principal") ?? ""];
      switch (form.get("do")) {
        case "revoke":
          return hasNonce(revokePurpose(clientId, principal)) ? revoke(visitor, form) : notOurs;
        case "remove":
          return hasNonce(removePurpose(form.get("id") ?? "")) ? remove(visitor, form) : notOurs;
        case "add":
          return hasNonce(addPurpose) ? add(context, visitor, form) : notOurs;
        default:
          return notOurs;
      }
    },
  };
}
