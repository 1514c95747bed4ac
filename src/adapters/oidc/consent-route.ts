import type { IncomingMessage, ServerResponse } from "node:http";
import type { Interaction, Provider } from "oidc-provider";
import type {
  ConsentPage,
  ConsentRequest,
  ConsentView,
  Scope,
  SignInEvent,
} from "../../ports/people/consent.ts";
import { errors } from "./library.ts";
import { readBody } from "../../core/network-limits/limited-body.ts";
import { maxBodyBytes } from "./limits.ts";

interface Route {
  provider: Provider;
  consent: ConsentPage;
  resource: string;
  record: (event: SignInEvent) => Promise<void>;
  path: string;
  sender: string;
}

/** Shows the consent page, and finishes the authorization when its form is posted. */
export async function answerConsent(
  { provider, consent, resource, record, path, sender }: Route,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await interactionOf(provider, request, response);
  if (interaction === undefined || !path.endsWith(`/${interaction.uid}`)) {
    const text = "This page has ended, or it was opened in another browser. Nothing was granted.";
    return sendView(response, { ...(await consent.failed(text)), status: 400 });
  }
  const asked = await requestOf(provider, interaction, path);
  if (request.method !== "POST") return sendView(response, await consent.show(asked));
  const body = await readBody(request, maxBodyBytes);
  if (body === undefined) {
    return sendView(response, { ...(await consent.failed("The form is too large.")), status: 413 });
  }
  const form = new URLSearchParams(body);
  const headers = new Headers(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const answer = await consent.answer(asked, { form, headers, sender });
  const client = asked.clientName ?? asked.host;
  switch (answer.kind) {
    case "wrong":
      await record({ kind: "wrong secret", principal: "unknown", client });
      return sendView(response, answer.view);
    case "view":
      return sendView(response, answer.view);
    case "denied":
      await record({ kind: "denied", principal: "unknown", client });
      return await provider.interactionFinished(request, response, {
        error: "access_denied",
        error_description: "The user refused access.",
      });
    case "granted": {
      const { approver: accountId, scope } = answer;
      const clientId = String(interaction.params["client_id"]);
      // A form that is posted twice is one decision. A second grant would remain for a month without a token.
      const grant = new provider.Grant({ accountId, clientId });
      grant.jti = interaction.uid;
      grant.addOIDCScope("openid offline_access mcp:read");
      grant.addResourceScope(resource, "mcp:read");
      if (scope === "mcp") {
        grant.addOIDCScope("mcp");
        grant.addResourceScope(resource, "mcp");
      } else {
        grant.rejectOIDCScope("mcp");
        grant.rejectResourceScope(resource, "mcp");
      }
      await record({ kind: "granted", principal: accountId, client, scope });
      const grantId = await grant.save();
      return await provider.interactionFinished(request, response, {
        login: { accountId, remember: false },
        consent: { grantId },
      });
    }
  }
}

async function interactionOf(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Interaction | undefined> {
  try {
    return await provider.interactionDetails(request, response);
  } catch (thrown) {
    if (thrown instanceof errors.SessionNotFound) return undefined;
    throw thrown;
  }
}

async function requestOf(
  provider: Provider,
  { params }: Interaction,
  path: string,
): Promise<ConsentRequest> {
  const clientId = String(params["client_id"]);
  const client = await provider.Client.find(clientId);
  const redirect = new URL(String(params["redirect_uri"]));
  const isVerified = clientId.startsWith("https://");
  return {
    clientName: client?.clientName,
    host: isVerified ? new URL(clientId).host : redirect.host,
    isVerified,
    redirectOrigin: redirect.origin,
    scope: scopeOf(params["scope"]),
    path,
  };
}

function scopeOf(asked: unknown): Scope {
  const names = typeof asked === "string" ? asked.split(" ") : [];
  return names.includes("mcp:read") && !names.includes("mcp") ? "mcp:read" : "mcp";
}

/** Sends a page. */
export function sendView(response: ServerResponse, { status, headers, html }: ConsentView): void {
  const type = { "content-type": "text/html; charset=utf-8" };
  response.writeHead(status, { ...type, ...headers }).end(html);
}
