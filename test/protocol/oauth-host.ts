import { request } from "node:http";
import { text } from "node:stream/consumers";
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { settingsIn, writeSettings } from "../servers/env-file.ts";
import type { Home } from "./home.ts";
import { type HttpServer, startHttpHere } from "./http-server.ts";

export const origin = "https://countersign.example.org";
export const secrets = { alice: "alice-approves-12345", bob: "bob-approves-1234567" } as const;

const oauthEnv = {
  OAUTH: "on",
  PUBLIC_URL: origin,
  APPROVERS: Object.entries(secrets)
    .map((entry) => entry.join(":"))
    .join(","),
};

export type Send = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Starts the server, and returns how to reach it at its public address, as through a proxy that speaks TLS. */
export function startSignIn(
  home: Home,
  env: Record<string, string> = {},
): Promise<{ at: HttpServer; send: Send }> {
  return startSignInWith(startHttpHere, home, env);
}

/** Does the same with `startHttp`, for tests whose subject is the process. */
export async function startSignInWith<Server extends HttpServer>(
  start: (home: Home, options: { env: Record<string, string> }) => Server,
  home: Home,
  env: Record<string, string> = {},
): Promise<{ at: Server; send: Send }> {
  const settings = { ...settingsIn(home.dir), ...oauthEnv, ...env };
  const at = start(home, { env: writeSettings(home.dir, settings) });
  return { at, send: sendTo(await at.url) };
}

export function sendTo(mcpUrl: string): Send {
  const own = new URL(mcpUrl).origin;
  return (url, init) => fetch(String(url).replace(origin, own), { redirect: "manual", ...init });
}

/** Creates a browser without scripts, which keeps cookies and posts forms. */
export function browser(send: Send, at = origin) {
  const cookies = new Map<string, string>();
  const look = async (url: string | URL, form?: Record<string, string>, headers = {}) => {
    const cookie = [...cookies].map((each) => each.join("=")).join("; ");
    const response = await send(new URL(url, at), {
      headers: { cookie, ...(form && { origin: at }), ...headers },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get("location") ?? "",
      text: await response.text(),
    };
  };
  return {
    cookies,
    look,
    /** Opens an authorization address up to the consent page, and returns its path. */
    open: async (url: string | URL): Promise<string> => (await look(url)).location,
    /** Posts the form, and follows until the response leaves for the host. */
    decide: async (page: string, form: Record<string, string>): Promise<URL> => {
      let { location, status, text } = await look(page, form);
      while (location.startsWith(at) || location.startsWith("/")) {
        ({ location, status, text } = await look(location));
      }
      if (location === "") throw new Error(`no redirect: ${status} ${text}`);
      return new URL(location);
    },
  };
}

const callback = "https://host.example.com/callback";

/** Creates a host that signs in as the SDK's documentation shows. It stores everything that it receives. */
export function createHost(metadata: Partial<OAuthClientMetadata> = {}) {
  const known: {
    client?: OAuthClientInformationMixed;
    tokens?: OAuthTokens;
    verifier: string;
    authorize?: URL;
    discovery?: OAuthDiscoveryState;
  } = { verifier: "" };
  const provider: OAuthClientProvider = {
    redirectUrl: metadata.redirect_uris?.[0] ?? callback,
    clientMetadata: { client_name: "Test host", redirect_uris: [callback], ...metadata },
    clientInformation: () => known.client,
    saveClientInformation: (client) => void (known.client = client),
    tokens: () => known.tokens,
    saveTokens: (tokens) => void (known.tokens = tokens),
    redirectToAuthorization: (url) => void (known.authorize = url),
    saveCodeVerifier: (verifier) => void (known.verifier = verifier),
    codeVerifier: () => known.verifier,
    saveDiscoveryState: (state) => void (known.discovery = state),
    discoveryState: () => known.discovery,
  };
  return { known, provider };
}

/** Connects with the official client. Signs in if it has to, with this form. */
export async function connectHost(
  home: Home,
  send: Send,
  host: ReturnType<typeof createHost>,
  {
    mode = "auto",
    form = { verdict: "allow", scope: "mcp", secret: secrets.alice },
  }: { mode?: "legacy" | "auto"; form?: Record<string, string> } = {},
) {
  const attempt = () => {
    const client = new Client(
      { name: "protocol-test", version: "1.0.0" },
      { versionNegotiation: { mode } },
    );
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
      authProvider: host.provider,
      fetch: send,
    });
    return { client, transport, connected: client.connect(transport) };
  };
  const first = attempt();
  try {
    await first.connected;
    home.later(() => first.client.close());
    return first.client;
  } catch (thrown) {
    if (!(thrown instanceof UnauthorizedError)) throw thrown;
  }
  const person = browser(send);
  const page = await person.open(host.known.authorize ?? "");
  const answer = await person.decide(page, form);
  await first.transport.finishAuth(answer.searchParams);
  const second = attempt();
  await second.connected;
  home.later(() => second.client.close());
  return second.client;
}

/** Looks at the approval page, or posts a form there. `fetch` could not name the public host, which the page checks. */
export async function lookAtPage(
  mcpUrl: string,
  path: string,
  headers: Record<string, string>,
  form?: Record<string, string>,
): Promise<{ status: number | undefined; text: string; cookie: string }> {
  return await new Promise((resolve, reject) => {
    const type = { origin, "content-type": "application/x-www-form-urlencoded" };
    const sent = request(
      new URL(path, mcpUrl),
      {
        method: form ? "POST" : "GET",
        headers: { host: new URL(origin).host, ...(form && type), ...headers },
      },
      (response) => {
        const given = response.headers["set-cookie"] ?? [];
        const cookie = given.map((line) => line.split(";", 1)[0]).join("; ");
        const { statusCode: status } = response;
        text(response).then((body) => resolve({ status, text: body, cookie }), reject);
      },
    );
    sent.once("error", reject).end(form && new URLSearchParams(form).toString());
  });
}
