import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import type { TestContext } from "vitest";
import { openChromium } from "../servers/chromium.ts";
import { startTlsProxy } from "../servers/tls-proxy.ts";
import { type Home, newHome } from "./home.ts";
import { startHttpHere } from "./http-server.ts";
import { secrets } from "./oauth-host.ts";

const phone = { viewport: { width: 390, height: 844 } };

/** Starts the server at a public address, and a browser whose device has passkeys. */
export async function startWithDevice(t: TestContext) {
  const home = newHome(t);
  const proxy = await startTlsProxy(home.dir);
  home.later(proxy.close);
  const approvers = Object.entries(secrets).map((entry) => entry.join(":"));
  const at = startHttpHere(home, {
    env: { OAUTH: "on", PUBLIC_URL: proxy.origin, APPROVERS: approvers.join(",") },
  });
  const own = new URL(await at.url).origin;
  proxy.forwardTo(own);
  const { page, errors } = await openChromium({ ...phone, ignoreHTTPSErrors: true });
  const device = await addDevice(page);
  const posted: { path: string; form: URLSearchParams }[] = [];
  page.on("request", (request) => {
    const form = new URLSearchParams(request.postData() ?? "");
    if (request.method() === "POST") posted.push({ path: new URL(request.url()).pathname, form });
  });
  // The program that asks for access, as a command-line client listens.
  const program = createServer(({ url = "/", headers }, answer) => {
    // A host in a data centre sends the browser on to its app, which has another address.
    const app = `http://localhost:${headers.host?.split(":")[1]}/app`;
    if (url.startsWith("/hosted")) answer.writeHead(302, { location: app });
    answer.end("connected");
  });
  await once(program.listen(0, "127.0.0.1"), "listening");
  home.later(() => program.close().closeAllConnections());
  const callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;

  return {
    home,
    own,
    callback,
    origin: proxy.origin,
    page,
    errors,
    device,
    posted,
    approvals: `${proxy.origin}/approvals`,
    signInWithSecret: async (secret: string) => {
      await page.goto(`${proxy.origin}/approvals`);
      await page.getByLabel("Your secret").fill(secret);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByText("You decide as").waitFor();
    },
    addPasskey: async (name: string, secret: string) => {
      await page.goto(`${proxy.origin}/approvals/access`);
      await page.getByLabel("Name of the new passkey").fill(name);
      await page.getByLabel("Your secret").fill(secret);
      await page.getByRole("button", { name: "Add a passkey" }).click();
    },
    signOut: () => page.getByRole("button", { name: "Sign out" }).click(),
    /** Registers a program, and returns the address at which it asks for access. */
    programAsks: async (to = callback): Promise<string> =>
      await authorizeUrl(proxy.origin, { own, callback: to }),
  };
}

/** Adds a virtual authenticator with a screen lock that the person passes. */
async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the person passes the screen lock. */
    verify: (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

async function authorizeUrl(
  origin: string,
  { own, callback }: { own: string; callback: string },
): Promise<string> {
  const registered = await fetch(`${own}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Flow", redirect_uris: [callback] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id,
    redirect_uri: callback,
    response_type: "code",
    state: "state-1",
    code_challenge: createHash("sha256").update(randomBytes(32)).digest("base64url"),
    code_challenge_method: "S256",
    resource: `${origin}/mcp`,
  });
  return `${origin}/oauth/authorize?${query.toString()}`;
}

export async function passkeyRows(home: Home): Promise<number> {
  return (await home.sql("SELECT 1 FROM passkeys")).length;
}
