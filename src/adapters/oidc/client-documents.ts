import { isIP } from "node:net";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { document as limits, lifetimes } from "./limits.ts";
import { hasRoom } from "./registration-limit.ts";
import { NotReadError, fetchPublic } from "./public-fetch.ts";
import { allowedRedirects } from "./redirect-uris.ts";

/** The reason why a client whose id is a URL was not accepted. */
export interface NotAccepted {
  reason: string;
  waitSeconds?: number;
}

/**
 * Returns whether a client id is the URL of a metadata document. It must be in the normal form of URLs, so that one
 * document has only one id, and its host must be a name.
 */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith("https://") || !URL.canParse(clientId)) return false;
  const { href, hostname, port, pathname, username, password, hash } = new URL(clientId);
  if (href !== clientId || pathname === "/" || port !== "" || hash !== "") return false;
  return username === "" && password === "" && isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
}

/**
 * Creates the reader of client id metadata documents (draft-ietf-oauth-client-id-metadata-document). It fetches a
 * document only when a person is about to decide. The token endpoint uses the stored metadata.
 * @param wait counts one fetch for a network, and returns the seconds to wait if there were too many
 */
export function createClientDocuments(
  store: OAuthStore,
  wait: (sender: string) => number | undefined,
) {
  return {
    /** Stores the current metadata of a client. Returns the reason if the metadata is not accepted. */
    refresh: async (clientId: string, sender: string): Promise<NotAccepted | undefined> => {
      const stored = await store.find("Client", clientId);
      const freshUntil = stored?.["freshUntil"];
      if (typeof freshUntil === "number" && freshUntil > Date.now()) return undefined;
      const waitSeconds = wait(sender);
      if (waitSeconds !== undefined) return { reason: "too many were read", waitSeconds };
      if (stored === undefined && !(await hasRoom(store))) {
        return { reason: "too many clients are registered" };
      }
      try {
        const { text, maxAge = limits.leastAge } = await fetchPublic(new URL(clientId), limits);
        const fresh = Math.max(limits.leastAge, Math.min(limits.mostAge, maxAge));
        const payload = { ...read(text, clientId), freshUntil: Date.now() + fresh * 1_000 };
        // If the person refuses this time, an earlier grant must still be renewable.
        const seconds = stored === undefined ? lifetimes.unusedClient : lifetimes.usedClient;
        await store.put({ model: "Client", id: clientId, payload, clientId }, seconds);
        return undefined;
      } catch (thrown) {
        if (!(thrown instanceof NotReadError)) throw thrown;
        return { reason: thrown.message };
      }
    },
  };
}

function read(text: string, clientId: string): Record<string, unknown> {
  const given = parsed(text);
  if (given["client_id"] !== clientId) throw new NotReadError("it names another client id");
  if (!canBePublic(given) || "client_secret" in given) {
    throw new NotReadError("its client is not a public client");
  }
  const { redirect_uris: all, client_name: name } = given;
  const uris = allowedRedirects(all);
  if (uris.length === 0) {
    throw new NotReadError("its redirect_uris must be https or a loopback address");
  }
  return {
    client_id: clientId,
    redirect_uris: uris,
    ...(typeof name === "string" && name !== "" && { client_name: name }),
  };
}

/**
 * Returns whether a client can be used without a secret. ChatGPT prefers a signature and also lists `none` (OpenID
 * Connect Relying Party Metadata Choices 1.0).
 */
function canBePublic(given: Record<string, unknown>): boolean {
  const { token_endpoint_auth_method: preferred = "none" } = given;
  const { token_endpoint_auth_methods_supported: all } = given;
  return preferred === "none" || (Array.isArray(all) && all.includes("none"));
}

function parsed(text: string): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given === "object" && given !== null) return { ...given };
  } catch {
    // Reported below, like other texts that are not an object.
  }
  throw new NotReadError("it is not a JSON object");
}
