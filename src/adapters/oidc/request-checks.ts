import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "../../core/network-limits/limited-body.ts";
import type { ConsentPage } from "../../ports/people/consent.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { ownResource } from "./authorize-request.ts";
import { type NotAccepted, createClientDocuments, isDocumentAddress } from "./client-documents.ts";
import { sendView } from "./consent-route.ts";
import { maxBodyBytes, registrationsPerNetwork, signIns } from "./limits.ts";
import { createNetworkLimit } from "./registration-limit.ts";
import { replaceBody } from "./request-body.ts";

/** The records beyond the limit are few, so they need not be removed each time. */
const signInsBetweenCleanups = 50;

/** A check before the library handles a request. Returns true if it refused the request and sent the response. */
type Check = (
  request: IncomingMessage,
  response: ServerResponse,
  sender: string,
) => Promise<boolean>;

/** The checks of this server before those of the library. */
export interface RequestChecks {
  /** Limits sign-ins that begin, and reads the document of a client whose id is an address. */
  refusesSignIn: Check;
  /** Limits registrations. */
  refusesRegistration: Check;
  /** Binds a token to our resource. */
  refusesToken: Check;
}

export function createRequestChecks(
  { store, consent, resource }: { store: OAuthStore; consent: ConsentPage; resource: string },
  now: () => number,
): RequestChecks {
  const waitToRegister = createNetworkLimit(now, registrationsPerNetwork);
  const waitToSignIn = createNetworkLimit(now, signIns.perNetwork);
  const documents = createClientDocuments(store, waitToRegister);
  let begun = 0;

  async function refusePage(
    response: ServerResponse,
    text: string,
    waitSeconds?: number,
  ): Promise<true> {
    const view = await consent.failed(`${text} Nothing was granted.`);
    if (waitSeconds !== undefined) response.setHeader("retry-after", String(waitSeconds));
    sendView(response, waitSeconds === undefined ? view : { ...view, status: 429 });
    return true;
  }

  async function refuseDocument(
    response: ServerResponse,
    { reason, waitSeconds }: NotAccepted,
  ): Promise<true> {
    const text = `The client's description was not accepted: ${reason}.`;
    return await refusePage(response, text, waitSeconds);
  }

  return {
    refusesSignIn: async (request, response, sender) => {
      const [, query = ""] = (request.url ?? "").split("?", 2);
      const wait = waitToSignIn(sender);
      if (wait !== undefined) {
        const text = `Too many sign-ins began on this network. Wait ${Math.ceil(wait / 60)} minutes, then try again.`;
        return await refusePage(response, text, wait);
      }
      if (Buffer.byteLength(query) > signIns.queryBytes)
        return await refusePage(response, "The client's request is too large.");
      if (begun % signInsBetweenCleanups === 0)
        await store.keepNewest("Interaction", signIns.inAll);
      begun += 1;
      const asked = new URLSearchParams(query);
      const clientId = asked.get("client_id") ?? "";
      if (isDocumentAddress(clientId)) {
        const refused = await documents.refresh(clientId, sender);
        if (refused !== undefined) return await refuseDocument(response, refused);
      }
      const mode = asked.get("response_mode");
      if (mode === null || mode === "query") return false;
      return json(response, 400, problem("invalid_request", "response_mode must be query."));
    },

    refusesRegistration: async (_request, response, sender) => {
      const waitSeconds = waitToRegister(sender);
      if (waitSeconds === undefined) return false;
      response.setHeader("retry-after", String(waitSeconds));
      const text = "Too many registrations from this network.";
      return json(response, 429, problem("temporarily_unavailable", text));
    },

    refusesToken: async (request, response) => {
      const body = await readBody(request, maxBodyBytes);
      if (body === undefined) return tooLarge(response);
      const form = new URLSearchParams(body);
      useOwnResource(form, resource);
      if (form.getAll("resource").some((each) => each !== "" && each !== resource)) {
        // The library would use up the code or refresh token first, and the client's next try would end the grant.
        const text = `The resource must be ${resource}.`;
        return json(response, 400, problem("invalid_target", text));
      }
      replaceBody(request, form.toString());
      return false;
    },
  };
}

function useOwnResource(form: URLSearchParams, resource: string): void {
  const asked = form.getAll("resource");
  form.delete("resource");
  for (const each of [ownResource(asked, resource) ?? []].flat()) form.append("resource", each);
}

export function tooLarge(response: ServerResponse): true {
  return json(response, 413, problem("invalid_request", "The request is too large."));
}

function problem(error: string, description: string): string {
  return JSON.stringify({ error, error_description: description });
}

function json(response: ServerResponse, status: number, body: string): true {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
  return true;
}
