import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { makeCertificate } from "../servers/certificate.ts";
import { type Home, newHome } from "./home.ts";
import { startHttpHere } from "./http-server.ts";
import { startHttpUpstream } from "./http-upstream.ts";
import { secrets, sendTo } from "./oauth-host.ts";
import { startCommandHere } from "./program.ts";
import { homeWithServers, writeServers } from "./upstream-home.ts";

/** Starts Countersign itself as an upstream server with OAuth, behind TLS on this machine. */
export async function startProtected(home: Home) {
  const far = newHome({ onTestFinished: (cleanUp) => home.later(cleanUp) });
  const { cert, key } = makeCertificate(far.dir, ["127.0.0.1"]);
  let plain = "";
  const asked: string[] = [];
  const credentials: string[] = [];
  const bodies: string[] = [];
  const proxy = createServer(
    { cert: readFileSync(cert), key: readFileSync(key) },
    (incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      const { method, headers } = incoming;
      if (headers.authorization !== undefined) credentials.push(headers.authorization);
      const onward = request(new URL(incoming.url ?? "/", plain), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.once("error", () => outgoing.destroy());
      void text(incoming).then((body) => bodies.push(body));
      incoming.pipe(onward);
    },
  ).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  home.later(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  const origin = `https://localhost:${typeof address === "object" ? address?.port : ""}`;
  const env = {
    OAUTH: "on",
    PUBLIC_URL: origin,
    APPROVERS: `alice:${secrets.alice}`,
  };
  plain = await startHttpHere(far, { env }).url;
  home.env["NODE_EXTRA_CA_CERTS"] = cert;
  const inner = new URL(plain).origin;
  return {
    url: `${origin}/mcp`,
    origin,
    asked,
    /** Every `Authorization` header that it received. */
    credentials,
    /** The content of every request. */
    bodies,
    far,
    send: (url: string | URL, init?: RequestInit) =>
      sendTo(plain)(String(url).replace(origin, inner), init),
  };
}

/** Withdraws the access token, and waits until it is refused: it is accepted for one more second. */
export async function withdrawToken(
  server: Awaited<ReturnType<typeof startProtected>>,
): Promise<void> {
  await server.far.sql("DELETE FROM oauth_records WHERE model = 'AccessToken'");
  const authorization = server.credentials.at(-1) ?? "";
  const status = async () =>
    (await server.send(server.url, { method: "POST", headers: { authorization } })).status;
  await expect.poll(status).toBe(401);
}

export const foreignMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});

/** Starts a server whose metadata and token endpoint a test writes, and a bait on another port. */
export async function startForeign(t: Parameters<typeof homeWithServers>[0]) {
  const home = homeWithServers(t, {});
  const site = await startHttpUpstream(home);
  const bait = await startHttpUpstream(home);
  // Another name of this machine, because one host is private here and each other private host is refused.
  const foreign = bait.origin.replace("127.0.0.1", "localhost");
  writeServers(home, { site: { url: site.url } });
  const own = `${site.origin}/.well-known/oauth-protected-resource/mcp`;
  let challenge = own;
  site.intercept.by = ({ request: { url }, response }) => {
    if (url === "/register") {
      response.writeHead(201, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ client_id: "c", redirect_uris: ["http://127.0.0.1/callback"] }),
      );
      return true;
    }
    response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${challenge}"` });
    response.end();
    return true;
  };
  const resource = { resource: site.url, authorization_servers: [site.origin] };
  site.pages["/.well-known/oauth-protected-resource/mcp"] = resource;
  site.pages["/.well-known/oauth-authorization-server"] = foreignMetadata(site.origin);
  return {
    home,
    site,
    bait,
    foreign,
    resource,
    challengeWith: (url: string) => (challenge = url),
  };
}

/** Runs `servers login`, and passes the page that it shows to a browser. */
export async function login(
  home: Home,
  name: string,
  visit: (page: URL) => Promise<unknown>,
  start = startCommandHere,
) {
  const quiet = { ...home, env: { ...home.env, APPROVAL_OPEN: "never" } };
  let visiting: Promise<unknown> | undefined;
  const command = start(quiet, ["servers", "login", name], () => {
    const page = /^(https?:\S+)\n/m.exec(command.said.stdout)?.[1];
    if (page !== undefined) visiting ??= visit(new URL(page));
  });
  const ended = await command.ended;
  await visiting;
  return ended;
}

/** Lets the browser return as after an honest sign-in, without the issuer in the response. */
export async function returned(page: URL): Promise<void> {
  const back = new URL(page.searchParams.get("redirect_uri") ?? "");
  const state = page.searchParams.get("state") ?? "";
  back.search = new URLSearchParams({ code: "stolen", state }).toString();
  await (await fetch(back)).text();
}

/** Answers each request for a token with the next of these, and the last one again. */
export function answerTokens(
  site: Awaited<ReturnType<typeof startForeign>>["site"],
  ...tokens: [object, ...object[]]
): void {
  site.pages["/.well-known/oauth-authorization-server"] = {
    ...foreignMetadata(site.origin),
    authorization_response_iss_parameter_supported: undefined,
  };
  const before = site.intercept.by;
  let given = 0;
  site.intercept.by = (asked) => {
    if (asked.request.url !== "/token") return before(asked);
    const token = tokens[Math.min(given, tokens.length - 1)];
    given += 1;
    asked.response.writeHead(200, { "content-type": "application/json" });
    asked.response.end(JSON.stringify(token));
    return true;
  };
}

/** Records the headers of the requests for a token. */
export function tokenRequests(
  site: Awaited<ReturnType<typeof startForeign>>["site"],
): IncomingMessage["headers"][] {
  const found: IncomingMessage["headers"][] = [];
  const before = site.intercept.by;
  site.intercept.by = (asked) => {
    if (asked.request.url === "/token") found.push(asked.request.headers);
    return before(asked);
  };
  return found;
}
