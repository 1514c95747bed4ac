import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { type Meddle, startTlsProxy } from "../servers/tls-proxy.ts";
import { type Home, newHome } from "./home.ts";
import { startHttpHere } from "./http-server.ts";
import { runHere } from "./program.ts";

const alice = "alice-approves-12345";

/** Starts the server behind a proxy with TLS, and runs `doctor --http` against its public address. */
async function examine(
  home: Home,
  meddle?: Meddle,
  trust = (cert: string): Record<string, string> => ({ NODE_EXTRA_CA_CERTS: cert }),
) {
  const proxy = await startTlsProxy(home.dir, meddle);
  home.later(() => proxy.close());
  const settings = { OAUTH: "on", PUBLIC_URL: proxy.origin, APPROVERS: `alice:${alice}` };
  const at = startHttpHere(home, { env: settings });
  proxy.forwardTo(await at.url);
  const env = { ...settings, ...trust(proxy.cert) };
  return await runHere(home, ["doctor", "--http"], { env });
}

const isAt = (path: string) => (asked: { url?: string | undefined }) =>
  asked.url?.startsWith(path) === true;

const faults: [string, Meddle, string, string][] = [
  [
    "drops WWW-Authenticate",
    () => ({ lose: ["www-authenticate"] }),
    "refusal without a token: broken. The header WWW-Authenticate",
    "never starts the sign-in",
  ],
  [
    "answers all unknown paths itself",
    (asked) => (isAt("/.well-known/")(asked) ? { status: 404 } : undefined),
    "resource metadata below the path: broken.",
    "asks here first",
  ],
  [
    "forwards no metadata of the server",
    (asked) => (isAt("/.well-known/oauth-auth")(asked) ? { status: 200, body: "<p>" } : undefined),
    "server metadata: broken.",
    "before it shows a page",
  ],
  [
    "refuses registrations",
    (asked) => (isAt("/oauth/register")(asked) ? { status: 403 } : undefined),
    "registration: broken. The registration was answered with 403",
    "cannot introduce itself",
  ],
  [
    "loses cookies",
    () => ({ lose: ["cookie"] }),
    "sign-in page: broken.",
    "shows an error instead of the sign-in",
  ],
  [
    "blocks the token endpoint",
    (asked) => (isAt("/oauth/token")(asked) ? { status: 403 } : undefined),
    "token: broken.",
    "fails after you allowed it",
  ],
  [
    "changes Host",
    () => ({ host: "backend.internal" }),
    "refusal without a token: broken. ",
    "The proxy changes the header Host.",
  ],
  [
    "does not reach the server",
    () => ({ status: 502 }),
    "answered 502 instead of 401. The proxy does not reach this server.",
    "cannot be reached",
  ],
  [
    "sends clients elsewhere",
    () => ({ status: 308, headers: { location: "https://www.example.org/" } }),
    "answered 308 instead of 401. It redirects",
    "cannot be reached",
  ],
  [
    "forwards no path of metadata at the root",
    (asked) =>
      asked.url === "/.well-known/oauth-protected-resource" ? { status: 404 } : undefined,
    "resource metadata at the root: broken.",
    "The proxy does not forward this path. claude.ai asks here second",
  ],
  [
    "changes the type of metadata",
    (asked) => (isAt("/.well-known/oauth-auth")(asked) ? { type: "text/plain" } : undefined),
    "server metadata: broken.",
    "has the type text/plain instead of application/json.",
  ],
  [
    "answers with the metadata of another server",
    (asked) =>
      isAt("/.well-known/oauth-auth")(asked)
        ? {
            status: 200,
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
              issuer: "https://other.example.org",
              authorization_endpoint: "https://other.example.org/a",
              token_endpoint: "https://other.example.org/t",
              registration_endpoint: "https://other.example.org/r",
              code_challenge_methods_supported: ["S256"],
              token_endpoint_auth_methods_supported: ["none"],
            }),
          }
        : undefined,
    'server metadata: broken. "issuer" at',
    "Set PUBLIC_URL to the address that clients use.",
  ],
  [
    "fails at the token endpoint",
    (asked) => (isAt("/oauth/token")(asked) ? { status: 500 } : undefined),
    "token: broken. An invalid code was answered with 500",
    "fails after you allowed it",
  ],
  [
    "holds back streams",
    () => ({ holds: true }),
    "stream: broken. The proxy buffers streamed responses.",
    "claude.ai then waits",
  ],
  [
    "drops Authorization",
    () => ({ lose: ["authorization"] }),
    "call: broken. A call with a valid token was answered with 401",
    "every tool fails",
  ],
];

describe.concurrent("doctor --http", () => {
  it("tests every step of a host that signs in, and leaves nothing behind", async (t) => {
    const home = newHome(t);
    const { code, stdout } = await examine(home);
    expect(stdout.trim().split("\n")).toEqual([
      "refusal without a token: works",
      "resource metadata below the path: works",
      "resource metadata at the root: works",
      "server metadata: works",
      "server metadata at OpenID's address: works",
      "registration: works",
      "sign-in page: works",
      "token: works",
      "call: works",
      "stream: works",
    ]);
    expect(code).toBe(0);
    const left =
      "SELECT model FROM oauth_records WHERE model IN ('Client', 'Grant', 'AccessToken')";
    expect(await home.sql(left)).toEqual([]);
  });

  it.for(faults)("says what it means for claude.ai when a proxy %s", async (row, t) => {
    const [, meddle, line, meaning] = row;
    const { code, stdout } = await examine(newHome(t), meddle);
    const last = stdout.trim().split("\n").at(-1);
    expect(last).toContain(line);
    expect(last).toContain(meaning);
    expect(code).toBe(1);
  });

  it("notices a certificate that clients do not trust", async (t) => {
    const { code, stdout } = await examine(newHome(t), undefined, () => ({}));
    expect(stdout).toContain("has no valid certificate. Use a certificate that browsers trust");
    expect(stdout).toContain("claude.ai then says");
    expect(code).toBe(1);
  });

  // All of these were "does not answer".
  it.for([
    ["https://nothing.invalid", "is not in the DNS"],
    ["https://127.0.0.1:47", "refuses connections. Start the proxy or tunnel"],
    ["plain", "does not speak TLS. Clients need https"],
  ] as const)("says why %s gives no answer", async ([place, reason], t) => {
    const home = newHome(t);
    const plain = createServer().listen(0, "127.0.0.1");
    await once(plain, "listening");
    home.later(() => plain.close());
    const { port } = plain.address() as AddressInfo;
    const PUBLIC_URL = place === "plain" ? `https://127.0.0.1:${port}` : place;
    const env = { OAUTH: "on", APPROVERS: `alice:${alice}`, PUBLIC_URL };
    const { stdout } = await runHere(home, ["doctor", "--http"], { env });
    expect(stdout).toContain(`refusal without a token: broken. ${PUBLIC_URL} ${reason}`);
  });

  it("notices another program at the public address", async (t) => {
    const { stdout } = await examine(newHome(t), () => ({ status: 200, body: "<p>Welcome" }));
    expect(stdout).toContain(
      "answered 200 instead of 401. Another program or the proxy itself answers there",
    );
  });

  it("stops at another issuer, whose own steps it does not test", async (t) => {
    const home = newHome(t);
    const proxy = await startTlsProxy(home.dir);
    home.later(() => proxy.close());
    const env = { OAUTH: "on", PUBLIC_URL: proxy.origin, OAUTH_ISSUER: "https://id.example.org/" };
    const at = startHttpHere(home, { env });
    proxy.forwardTo(await at.url);
    const trusting = { ...env, NODE_EXTRA_CA_CERTS: proxy.cert };
    const { code, stdout } = await runHere(home, ["doctor", "--http"], { env: trusting });
    expect(stdout.trim().split("\n")).toEqual([
      "refusal without a token: works",
      "resource metadata below the path: works",
      "resource metadata at the root: works",
    ]);
    expect(code).toBe(0);
  });

  it("needs OAUTH, and says so", async (t) => {
    const { code, stderr } = await runHere(newHome(t), ["doctor", "--http"]);
    expect(stderr).toContain("doctor --http needs OAUTH=on. Nothing was tried.");
    expect(code).not.toBe(0);
  });
});
