import type { Log } from "../../core/shared/log.ts";
import type { ConsentPage, ConsentView, SignInEvent } from "../../ports/people/consent.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import type { TokenFormat } from "./access-token.ts";
import { understood } from "./authorize-request.ts";
import { configuration, paths } from "./configuration.ts";
import { wordsForError } from "./failure-words.ts";
import { Provider } from "./library.ts";
import { isLoopback, isRegistered } from "./redirect-uris.ts";

export interface AuthorizationServerSettings {
  /** `https://host`, without a slash at the end. */
  issuer: string;
  /** The URL of the MCP endpoint, to which tokens are bound (RFC 8707). */
  resource: string;
  secret: Uint8Array;
  store: OAuthStore;
  consent: ConsentPage;
  isApprover: (name: string) => boolean;
  /** Records grants, wrong secrets and the end of grants in the audit record. */
  record: (event: SignInEvent) => Promise<void>;
  log: Log;
}

/** Creates the library's server, with our tokens, pages and records. */
export function openProvider(
  settings: AuthorizationServerSettings,
  tokens: TokenFormat,
): InstanceType<typeof Provider> {
  const { issuer, resource, consent, log } = settings;
  const provider = new Provider(issuer, configuration(settings));
  provider.proxy = true;
  provider.Client.prototype.redirectUriAllowed = function allowed(asked) {
    return isRegistered(asked, this.redirectUris ?? []);
  };
  Object.defineProperty(provider.AccessToken.prototype, "generateTokenId", {
    value(this: { format: string }) {
      this.format = "opaque";
      return tokens.create();
    },
  });
  provider.on("server_error", (_ctx, cause) =>
    log.error("the authorization server failed", { cause }),
  );
  provider.on("grant.revoked", ({ oidc: { entities, route } }) => {
    const token = entities.RefreshToken ?? entities.AccessToken ?? entities.AuthorizationCode;
    void settings.record({
      kind: route === "revocation" ? "revoked" : "replayed",
      principal: token?.accountId ?? "unknown",
      client: entities.Client?.clientName ?? token?.clientId ?? "unknown",
    });
  });
  provider.use(async (ctx, next) => {
    if (ctx.path === paths.authorize) {
      ctx.query = understood(ctx.query, resource);
    }
    await next();
    const target = leaving(ctx.response, issuer);
    if (target !== undefined && ctx.get("sec-fetch-mode") === "navigate") {
      const page = await pageBefore(target, ctx.path, consent);
      if (page !== undefined) show(ctx, page);
    }
    if (ctx.path === paths.discovery && ctx.status === 200) {
      Object.assign(ctx.body as object, {
        scopes_supported: ["mcp", "mcp:read", "offline_access"],
        response_modes_supported: ["query"],
        client_id_metadata_document_supported: true,
      });
    }
  });
  return provider;
}

/** Returns the address of another server to which this response redirects. */
function leaving(
  response: { status: number; get: (name: string) => string },
  issuer: string,
): URL | undefined {
  const location = response.get("location");
  if (response.status !== 303 || !URL.canParse(location)) return undefined;
  const target = new URL(location);
  return target.origin === issuer ? undefined : target;
}

/** Returns the page that a person sees before the browser goes to a client's address. Undefined if it goes there at once. */
async function pageBefore(
  target: URL,
  path: string,
  consent: ConsentPage,
): Promise<ConsentView | undefined> {
  // Chromium applies `form-action` to every redirect after a form, and clients redirect the browser to their apps. A
  // page in between ends this chain.
  if (path.startsWith(`${paths.authorize}/`)) return await consent.leave(target);
  if (isLoopback(target)) return undefined;
  // Any program can register an address. Without this page, a link to this server would lead a person to it before the
  // server has asked anything (RFC 9700, section 4.11.2).
  const failure = new URLSearchParams(target.search || target.hash.slice(1)).get("error");
  return await consent.failed(wordsForError(failure ?? undefined));
}

/** Shows a page instead of the response. */
function show(
  ctx: {
    status: number;
    type: string;
    body: unknown;
    set: (headers: Record<string, string>) => void;
    remove: (name: string) => void;
  },
  { status, headers, html }: ConsentView,
): void {
  ctx.remove("location");
  ctx.status = status;
  ctx.type = "html";
  ctx.set(headers);
  ctx.body = html;
}
