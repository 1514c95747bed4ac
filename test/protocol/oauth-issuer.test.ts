import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SignJWT, UnsecuredJWT, exportJWK, generateKeyPair } from "jose";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { answerOf } from "./answer.ts";
import { makeCertificate } from "../servers/certificate.ts";
import { type Home, newHome } from "./home.ts";
import { bearer } from "./http-server.ts";
import { createFlow } from "./oauth-flow.ts";
import { runHere } from "./program.ts";
import { origin, startSignIn } from "./oauth-host.ts";

const accepted = 406;
/** Longer than the pause after a failure. Milliseconds. */
const waitMs = 20_000;
const audience = `${origin}/mcp`;
const piece = Buffer.alloc(65_536, " ");

/** Starts an organisation's authorization server, and our server, which accepts its tokens. */
async function startWithIssuer(home: Home, env: Record<string, string> = {}) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" };
  const keys: Record<string, unknown>[] = [jwk];
  const { cert, key } = makeCertificate(home.dir, ["127.0.0.1"], "issuer");
  const read: string[] = [];
  const issuerState = { status: 200, endless: "", sent: 0 };
  let issuer = "";
  const tls = { cert: readFileSync(cert), key: readFileSync(key) };
  const server = createServer(tls, ({ url = "" }, response) => {
    read.push(url);
    const answers: Record<string, unknown> = {
      "/.well-known/oauth-authorization-server": { issuer, jwks_uri: `${issuer}/keys` },
      "/keys": { keys },
    };
    response.writeHead(answers[url] === undefined ? 404 : issuerState.status, {
      "content-type": "application/json",
    });
    if (url === issuerState.endless) {
      const send = (): void => {
        if (response.destroyed) return;
        issuerState.sent += piece.length;
        response.write(piece, () => setImmediate(send));
      };
      return send();
    }
    response.end(JSON.stringify(answers[url] ?? {}));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  home.later(() => server.close().closeAllConnections());
  issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const own = { OAUTH_ISSUER: issuer, NODE_EXTRA_CA_CERTS: cert, ...env };
  const { at, send } = await startSignIn(home, own);
  const claims = { iss: issuer, aud: audience, sub: "carol", scope: "openid mcp" };
  const sign = async (
    changes: Record<string, unknown> = {},
    signedWith = privateKey,
    kid = "one",
  ) => {
    const exp = Math.floor(Date.now() / 1_000) + 600;
    return await new SignJWT({ exp, ...claims, ...changes })
      .setProtectedHeader({ alg: "ES256", kid, typ: "at+jwt" })
      .sign(signedWith);
  };
  return {
    at,
    send,
    flow: createFlow(send),
    issuer,
    claims,
    sign,
    read,
    publicKey,
    keys,
    issuerState,
    env: { OAUTH: "on", PUBLIC_URL: origin, ...own },
  };
}

const past = Math.floor(Date.now() / 1_000) - 600;

describe.concurrent("OAUTH_ISSUER", () => {
  it("is the authorization server that clients are sent to, instead of ours", async (t) => {
    const { send, issuer } = await startWithIssuer(newHome(t));
    const metadata = await send(`${origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({
      resource: audience,
      authorization_servers: [issuer],
    });
    const refused = await send(`${origin}/mcp`, { method: "POST" });
    expect(refused.headers.get("www-authenticate")).toContain("resource_metadata=");
    for (const path of ["oauth/token", ".well-known/oauth-authorization-server"]) {
      expect((await send(`${origin}/${path}`)).status).toBe(404);
    }
  });

  it("names the caller of its tokens, and its keys are read once", async (t) => {
    const home = newHome(t);
    const { flow, send, sign, read } = await startWithIssuer(home);
    const token = await sign();
    for (let times = 0; times < 3; times += 1) expect(await flow.call(token)).toBe(accepted);
    expect(read.filter((url) => url === "/keys")).toHaveLength(1);
    const client = new Client({ name: "issuer-test", version: "1.0.0" });
    home.later(() => client.close());
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(audience), { fetch: send, requestInit }),
    );
    const written = { key: "a.md", content: "hello" };
    const result = await client.callTool({ name: "write_file", arguments: written });
    expect(answerOf(result).error).toBeUndefined();
    const [event] = await home.sql("SELECT principal FROM audit WHERE tool = 'write_file' LIMIT 1");
    expect(event?.["principal"]).toBe("carol");
  });

  it.for<[string, Record<string, unknown>]>([
    ["has another audience", { aud: "https://other.example/mcp" }],
    ["has another issuer", { iss: "https://evil.example" }],
    ["has expired", { exp: past }],
    ["is not valid yet", { nbf: Math.floor(Date.now() / 1_000) + 600 }],
    ["never expires", { exp: undefined }],
    ["has no scope of ours", { scope: "openid profile" }],
    ["names no caller", { sub: undefined }],
    ["names the caller over stdio", { sub: "local" }],
    ["names a caller that is markup", { sub: "<b>alice</b>" }],
  ])("refuses a token that %s, and counts no guess", async ([, changes], t) => {
    const { flow, sign } = await startWithIssuer(newHome(t));
    const token = await sign(changes);
    for (let tries = 0; tries < 12; tries += 1) expect(await flow.call(token)).toBe(401);
    expect(await flow.call(await sign())).toBe(accepted);
  });

  // An organisation whose audience was set wrong saw only that every client signs in again and again.
  it.for<[string, Record<string, unknown>, string]>([
    [
      "audience",
      { aud: "https://other.example/mcp" },
      `"aud" is missing or wrong, it must be ${audience}`,
    ],
    ["scope", { scope: "openid" }, "it has neither the scope mcp nor mcp:read"],
    ["caller", { sub: undefined }, '"sub" names no valid caller (OAUTH_CALLER_CLAIM)'],
  ])("logs once why it refused the %s of its tokens", async ([, changes, reason], t) => {
    const { at, flow, sign } = await startWithIssuer(newHome(t));
    const token = await sign(changes);
    for (let tries = 0; tries < 3; tries += 1) expect(await flow.call(token)).toBe(401);
    expect(at.said.stderr.split(reason)).toHaveLength(2);
  });

  // The keys were read again after 30 s at the earliest, and meanwhile each new token counted as a guess.
  it("accepts a new key soon after the old one was read, and then refuses the old one", async (t) => {
    const { flow, keys, sign } = await startWithIssuer(newHome(t));
    expect(await flow.call(await sign())).toBe(accepted);
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    keys.splice(0, 1, { ...(await exportJWK(publicKey)), kid: "two", alg: "ES256", use: "sig" });
    const token = await sign({}, privateKey, "two");
    await vi.waitFor(async () => expect(await flow.call(token)).toBe(accepted), {
      timeout: waitMs,
      interval: 5_500,
    });
    expect(await flow.call(await sign())).toBe(401);
  });

  it("counts tokens that it did not sign as guesses", async (t) => {
    const { flow, sign, claims, publicKey } = await startWithIssuer(newHome(t));
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const { privateKey } = await generateKeyPair("ES256");
    const shared = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)));
    const forged = [
      await sign({}, privateKey),
      new UnsecuredJWT({ ...claims, exp }).encode(),
      await new SignJWT({ ...claims, exp }).setProtectedHeader({ alg: "HS256" }).sign(shared),
      "not.a.token",
      "opaque",
    ];
    for (const token of forged) expect(await flow.call(token)).toBe(401);
    for (const token of forged) await flow.call(token);
    expect(await flow.call(forged[0])).toBe(429);
  });

  it("limits a token of the smaller scope, also in Microsoft's form", async (t) => {
    const { flow, sign } = await startWithIssuer(newHome(t));
    const scp = await sign({ scope: undefined, scp: ["mcp:read"] });
    expect(await flow.call(scp)).toBe(accepted);
    expect(await flow.call(await sign({ scope: undefined, scp: "mcp" }))).toBe(accepted);
  });

  it("leaves static tokens as they are", async (t) => {
    const { send } = await startWithIssuer(newHome(t));
    const known = { ...bearer("alice"), accept: "text/event-stream" };
    expect((await send(`${origin}/mcp`, { headers: known })).status).not.toBe(401);
  });

  // Hosts took 401 for the end of their access, and asked the person to sign in again.
  it("answers 503 while its keys cannot be read, and counts no guess", async (t) => {
    const { at, issuerState, send, sign } = await startWithIssuer(newHome(t));
    issuerState.status = 500;
    const headers = { authorization: `Bearer ${await sign()}`, accept: "text/event-stream" };
    for (let tries = 0; tries < 12; tries += 1) {
      const { status, headers: answered } = await send(audience, { headers });
      expect([status, answered.get("retry-after")]).toEqual([503, "5"]);
      expect(answered.get("www-authenticate")).toBeNull();
    }
    const said = "reading the keys of OAUTH_ISSUER failed; calls with its tokens get status 503";
    expect(at.said.stderr.split(said)).toHaveLength(2);
    issuerState.status = 200;
    await vi.waitFor(
      async () => expect((await send(audience, { headers })).status).not.toBe(503),
      waitMs,
    );
    expect((await send(audience, { headers })).status).not.toBe(401);
  });

  // Metadata and keys were read until the deadline, whatever their size.
  it.for(["/.well-known/oauth-authorization-server", "/keys"])(
    "answers 503 and stops reading if %s does not end",
    async (endless, t) => {
      const { flow, issuerState, sign } = await startWithIssuer(newHome(t));
      issuerState.endless = endless;
      expect(await flow.call(await sign())).toBe(503);
      expect(issuerState.sent).toBeLessThan(20_000_000);
    },
  );

  it("answers 503 while it does not trust the issuer's certificate", async (t) => {
    const { flow, sign } = await startWithIssuer(newHome(t), { NODE_EXTRA_CA_CERTS: "" });
    expect(await flow.call(await sign())).toBe(503);
  });

  it("is examined by doctor", async (t) => {
    const home = newHome(t);
    const { issuer, issuerState, env } = await startWithIssuer(home);
    const examine = () => runHere(home, ["doctor"], { env });
    expect((await examine()).stdout).toContain("authorization server: works");
    issuerState.status = 500;
    expect((await examine()).stdout).toContain(
      `authorization server: broken. The keys of the authorization server could not be read. Check OAUTH_ISSUER: ${issuer} must`,
    );
  });
});

describe.concurrent("the settings of another issuer", () => {
  it("change the audience and the claim", async (t) => {
    const { flow, sign } = await startWithIssuer(newHome(t), {
      OAUTH_AUDIENCE: "api://countersign",
      OAUTH_CALLER_CLAIM: "email",
    });
    const changes = { aud: "api://countersign", email: "carol@example.org" };
    expect(await flow.call(await sign(changes))).toBe(accepted);
    expect(await flow.call(await sign({ ...changes, email: undefined }))).toBe(401);
    expect(await flow.call(await sign({ email: "carol@example.org" }))).toBe(401);
  });
});
