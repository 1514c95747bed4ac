import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../servers/certificate.ts";
import "../servers/public-network.mjs";
import { type Home, newHome } from "./home.ts";
import { browser, origin, secrets, startSignIn } from "./oauth-host.ts";

const host = "client.example.com";
const clientId = `https://${host}/oauth/metadata`;
const callback = "https://client.example.com/callback";
const publicAddress = "93.184.215.14";

const metadata = {
  client_id: clientId,
  client_name: "Claude",
  redirect_uris: [callback],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

/** Starts the server in a network where these names have these addresses, and one TLS server answers at all of them. */
async function startWithNetwork(
  home: Home,
  answer: RequestListener,
  names: Record<string, readonly string[]> = { [host]: [publicAddress] },
) {
  const { cert, key } = makeCertificate(home.dir, Object.keys(names));
  const asked: string[] = [];
  const tls = { cert: readFileSync(cert), key: readFileSync(key) };
  const documents = createServer(tls, (request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    answer(request, response);
  });
  await once(documents.listen(0, "127.0.0.1"), "listening");
  home.later(() => documents.close().closeAllConnections());
  const { port } = documents.address() as AddressInfo;
  const started = await startSignIn(home, {
    NODE_EXTRA_CA_CERTS: cert,
    PUBLIC_NAMES: JSON.stringify(names),
    PUBLIC_PORT: String(port),
  });
  return { ...started, asked };
}

const sendJson =
  (body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

function authorizeUrl(id = clientId, redirect = callback): string {
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: redirect,
    response_type: "code",
    state: "s",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    resource: `${origin}/mcp`,
  });
  return `${origin}/oauth/authorize?${query.toString()}`;
}
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

describe.concurrent("a client whose id is the address of its metadata", () => {
  it("is shown as verified, signs in, and its document is read once", async (t) => {
    const home = newHome(t);
    const { send, asked } = await startWithNetwork(home, sendJson(metadata));
    const person = browser(send);
    const page = await person.open(authorizeUrl());
    const { text } = await person.look(page);
    expect(text).toContain(`verified: ${host}`);
    expect(text).toContain("Claude");
    const form = { verdict: "allow", scope: "mcp", secret: secrets.alice };
    const answer = await person.decide(page, form);
    expect(answer.origin + answer.pathname).toBe(callback);
    const granted = await send(`${origin}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: answer.searchParams.get("code") ?? "",
        redirect_uri: callback,
        client_id: clientId,
        code_verifier: verifier,
      }),
    });
    const tokens = (await granted.json()) as Record<string, string>;
    expect(tokens).toMatchObject({ token_type: "Bearer", scope: "mcp:read mcp" });
    await browser(send).open(authorizeUrl());
    expect(asked).toEqual([`${host}/oauth/metadata`]);
    const refreshed = await send(`${origin}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: tokens["refresh_token"] ?? "",
        client_id: clientId,
      }),
    });
    expect(refreshed.status).toBe(200);
  });

  // ChatGPT was refused (cloudflare/workers-oauth-provider #293 has its document).
  it("may prefer a signature and redirect to apps, if it can do without", async (t) => {
    const chatgpt = {
      ...metadata,
      client_name: "ChatGPT",
      redirect_uris: ["com.example.app:/callback", callback],
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
      token_endpoint_auth_signing_alg: "RS256",
      jwks_uri: "https://client.example.com/jwks.json",
    };
    const { send, asked } = await startWithNetwork(newHome(t), sendJson(chatgpt));
    const person = browser(send);
    const page = await person.open(authorizeUrl());
    const form = { verdict: "allow", scope: "mcp", secret: secrets.alice };
    expect((await person.decide(page, form)).searchParams.get("code")).not.toBeNull();
    const app = authorizeUrl(clientId, "com.example.app:/callback");
    expect((await browser(send).look(app)).location).toBe("");
    expect(asked).toEqual([`${host}/oauth/metadata`]);
  });

  it.for<[string, RequestListener, string]>([
    [
      "authenticates with a signature only",
      sendJson({ ...metadata, token_endpoint_auth_method: "private_key_jwt" }),
      "not a public client",
    ],
    ["names another id", sendJson({ ...metadata, client_id: `${clientId}2` }), "another client id"],
    ["has a secret", sendJson({ ...metadata, client_secret: "x" }), "not a public client"],
    [
      "authenticates with a secret",
      sendJson({ ...metadata, token_endpoint_auth_method: "client_secret_post" }),
      "not a public client",
    ],
    [
      "redirects to http",
      sendJson({ ...metadata, redirect_uris: ["http://client.example.com/callback"] }),
      "must be https",
    ],
    ["has no redirect", sendJson({ ...metadata, redirect_uris: [] }), "must be https"],
    ["is larger than 5 kB", sendJson({ ...metadata, logo: "x".repeat(5_200) }), "5120 bytes"],
    ["is not JSON", sendJson("{"), "not a JSON object"],
    ["is a page", sendJson(metadata, { "content-type": "text/html" }), "is not JSON"],
    [
      "is elsewhere",
      (_request, response) =>
        void response.writeHead(302, { location: "https://client.example.com/other" }).end(),
      "status 302",
    ],
    ["is missing", (_request, response) => void response.writeHead(404).end(), "status 404"],
    ["never comes", () => undefined, "does not answer"],
  ])("is refused when the document %s", async ([, answer, reason], t) => {
    const home = newHome(t);
    const { send, asked } = await startWithNetwork(home, answer);
    const { status, text, location } = await browser(send).look(authorizeUrl());
    expect([status, location]).toEqual([400, ""]);
    expect(text).toContain("was not accepted");
    expect(text).toContain(reason);
    expect(asked).toHaveLength(1);
    expect(await home.sql("SELECT 1 FROM oauth_records WHERE model = 'Client'")).toEqual([]);
  });

  it("is never read from a private address", async (t) => {
    const addresses = [
      ["127.0.0.1"],
      ["10.0.0.1"],
      ["169.254.169.254"],
      ["192.168.1.1"],
      ["100.64.0.1"],
      ["0.0.0.0"],
      ["224.0.0.1"],
      ["::1"],
      ["fd00::1"],
      ["fe80::1"],
      ["::ffff:127.0.0.1"],
      ["64:ff9b::7f00:1"],
      ["2002:7f00:1::"],
      [publicAddress, "10.0.0.1"],
    ];
    const names = Object.fromEntries(
      addresses.map((each, index) => [`p${index}.example.com`, each]),
    );
    const { at, send, asked } = await startWithNetwork(newHome(t), sendJson(metadata), names);
    for (const name of Object.keys(names)) {
      const { status, text } = await browser(send).look(authorizeUrl(`https://${name}/oauth`));
      expect([status, text.includes("no public address")], name).toEqual([400, true]);
    }
    for (const literal of [
      "https://127.0.0.1/oauth",
      "https://[::1]/oauth",
      "https://2130706433/oauth",
      "http://client.example.com/oauth",
      "https://client.example.com:8443/oauth",
      "https://client.example.com/",
      "https://client.example.com/a/../oauth",
      "https://user@client.example.com/oauth",
      "https://client.example.com/oauth#x",
      "file:///etc/passwd",
    ]) {
      const { status, location } = await browser(send).look(authorizeUrl(literal));
      expect([status, location], literal).toEqual([400, ""]);
    }
    expect(asked).toEqual([]);
    expect(at.said.stderr).not.toContain("connected to");
  });

  it("is read at a limited rate for each network", async (t) => {
    const { send, asked } = await startWithNetwork(newHome(t), sendJson(metadata));
    const statuses: number[] = [];
    for (let tries = 0; tries < 32; tries += 1) {
      const { status } = await browser(send).look(authorizeUrl(`https://${host}/${tries}`));
      statuses.push(status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect(asked).toHaveLength(30);
  });

  it("may use only the addresses of its document", async (t) => {
    const { send } = await startWithNetwork(newHome(t), sendJson(metadata));
    const other = authorizeUrl(clientId, "https://evil.example.com/callback");
    const { status, location, text } = await browser(send).look(other);
    expect([status, location]).toEqual([400, ""]);
    expect(text).toContain("redirect_uri");
  });
});
