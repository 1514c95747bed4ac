import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { answerWithinMs, whyUnanswered } from "./why-unanswered.ts";

/** One step of a client that signs in. */
export interface ChainStep {
  name: string;
  /** Undefined if it works. */
  problem?: string;
  /** The consequence for a client if this step fails. */
  means: string;
}

/** The reason why a step failed, as one sentence. */
class StepError extends Error {
  override readonly name = "StepError";
}

/** The server sends the first part of a stream immediately. A proxy that buffers the stream never passes it on. */
const firstPartWithinMs = 5_000;
const callback = "http://127.0.0.1/countersign-doctor";

const resourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: z.string().array(),
});
const serverMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url("has no registration_endpoint"),
  code_challenge_methods_supported: z.string().array(),
  token_endpoint_auth_methods_supported: z.string().array(),
});

/**
 * Walks the public address as claude.ai does when a person adds it, and stops at the first step that fails. No secret
 * of a person is sent.
 * @param publicUrl without a slash at the end
 * @param tokenFor returns a valid access token for a registered client
 * @param issuer another authorization server, whose own steps are not tried
 */
export async function* walkSignIn(
  publicUrl: string,
  tokenFor: (clientId: string) => Promise<string>,
  issuer?: string,
): AsyncGenerator<ChainStep> {
  const resource = `${publicUrl}/mcp`;
  const wellKnown = `${publicUrl}/.well-known`;
  let server: z.output<typeof serverMetadata> | undefined;
  let clientId = "";
  let token = "";

  const endpoints = () => {
    if (server === undefined) throw new StepError("The metadata is not known.");
    return server;
  };
  const resourceAt = async (address: string): Promise<void> => {
    const found = await readJson(address, resourceMetadata);
    assertIs(found.resource, resource, `"resource" at ${address}`);
    assertIs(
      found.authorization_servers.join(" "),
      issuer ?? publicUrl,
      `"authorization_servers" at ${address}`,
    );
  };
  const serverAt = async (address: string): Promise<void> => {
    server = await readJson(address, serverMetadata);
    assertIs(server.issuer, publicUrl, `"issuer" at ${address}`);
    assertIs(server.code_challenge_methods_supported.join(" "), "S256", "the PKCE method");
  };

  const steps: (ChainStep & { run: () => Promise<void> })[] = [
    {
      name: "refusal without a token",
      means: "claude.ai then says that the server cannot be reached, or never starts the sign-in.",
      run: async () => {
        const { status, headers, body } = await ask(resource, initialize());
        if (status !== 401) {
          const text = `${resource} answered ${status} instead of 401.`;
          throw new StepError([text, reasonOf(status, body)].join(" ").trim());
        }
        if (headers.get("www-authenticate")?.includes("resource_metadata=") !== true) {
          throw new StepError("The header WWW-Authenticate with resource_metadata is missing.");
        }
      },
    },
    {
      name: "resource metadata below the path",
      means: "claude.ai asks here first, and may not find where to sign in.",
      run: () => resourceAt(`${wellKnown}/oauth-protected-resource/mcp`),
    },
    {
      name: "resource metadata at the root",
      means: "claude.ai asks here second, and other clients ask only here.",
      run: () => resourceAt(`${wellKnown}/oauth-protected-resource`),
    },
    {
      name: "server metadata",
      means: "claude.ai then ends with an error before it shows a page.",
      run: () => serverAt(`${wellKnown}/oauth-authorization-server`),
    },
    {
      name: "server metadata at OpenID's address",
      means: "claude.ai does without it, but ChatGPT and other clients may ask only here.",
      run: () => serverAt(`${wellKnown}/openid-configuration`),
    },
    {
      name: "registration",
      means: "claude.ai then cannot introduce itself, and says that the connection failed.",
      run: async () => {
        const { status, body } = await ask(endpoints().registration_endpoint, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            client_name: "doctor",
            redirect_uris: [callback],
            token_endpoint_auth_method: "none",
          }),
        });
        const registered = z.object({ client_id: z.string() }).safeParse(jsonOf(body));
        if (status !== 201 || !registered.success) {
          throw new StepError(`The registration was answered with ${status} instead of 201.`);
        }
        clientId = registered.data.client_id;
      },
    },
    {
      name: "sign-in page",
      means: "claude.ai then opens a window that shows an error instead of the sign-in.",
      run: async () => {
        const address = new URL(endpoints().authorization_endpoint);
        const challenge = createHash("sha256").update(randomBytes(32)).digest("base64url");
        address.search = new URLSearchParams({
          response_type: "code",
          client_id: clientId,
          redirect_uri: callback,
          state: "doctor",
          code_challenge: challenge,
          code_challenge_method: "S256",
          resource,
        }).toString();
        const { status, headers } = await ask(address.href);
        const location = headers.get("location");
        if (status !== 303 || location === null) {
          throw new StepError(`The authorization was answered with ${status} instead of a page.`);
        }
        const cookie = headers.getSetCookie().map((line) => line.split(";", 1)[0]);
        const page = await ask(new URL(location, address).href, {
          headers: { cookie: cookie.join("; ") },
        });
        if (page.status !== 200 || !page.body.includes('name="secret"')) {
          throw new StepError(`The sign-in page was answered with ${page.status}, or changed.`);
        }
      },
    },
    {
      name: "token",
      means: "claude.ai then fails after you allowed it, and asks you to connect again.",
      run: async () => {
        const { status, body } = await ask(endpoints().token_endpoint, {
          method: "POST",
          body: new URLSearchParams({
            grant_type: "authorization_code",
            client_id: clientId,
            code: "doctor",
            redirect_uri: callback,
            code_verifier: randomBytes(32).toString("base64url"),
          }),
        });
        const { data } = z.object({ error: z.string() }).safeParse(jsonOf(body));
        if (status !== 400 || data?.error !== "invalid_grant") {
          throw new StepError(`An invalid code was answered with ${status}, not refused as such.`);
        }
      },
    },
    {
      name: "call",
      means: "claude.ai then shows the server as connected, but every tool fails.",
      run: async () => {
        token = await tokenFor(clientId);
        const authorization = `Bearer ${token}`;
        const { status, body, headers } = await ask(resource, initialize({ authorization }));
        if (status !== 200 || !body.includes("serverInfo")) {
          throw new StepError(`A call with a valid token was answered with ${status}.`);
        }
        const session = { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
        await ask(resource, { method: "DELETE", headers: { authorization, ...session } });
      },
    },
    {
      name: "stream",
      means:
        "claude.ai then waits for progress and changes that come too late, or gives up a call.",
      run: () => firstPart(resource, listen(token)),
    },
  ];

  for (const { name, means, run } of issuer === undefined ? steps : steps.slice(0, 3)) {
    try {
      await run();
      yield { name, means };
    } catch (thrown) {
      if (!(thrown instanceof StepError)) throw thrown;
      yield { name, means, problem: thrown.message };
      return;
    }
  }
}

function initialize(headers: Record<string, string> = {}): RequestInit {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "countersign-doctor", version: "1" },
  };
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  };
}

/** Returns a request whose response is a stream that stays open (2026). */
function listen(token: string): RequestInit {
  const [method, version] = ["subscriptions/listen", "2026-07-28"];
  const meta = "io.modelcontextprotocol";
  const params = {
    notifications: { toolsListChanged: true },
    _meta: {
      [`${meta}/protocolVersion`]: version,
      [`${meta}/clientInfo`]: { name: "countersign-doctor", version: "1" },
      [`${meta}/clientCapabilities`]: {},
    },
  };
  return {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

/** Waits for the first part of a stream, and closes it. */
async function firstPart(address: string, init: RequestInit): Promise<void> {
  const held = "The proxy buffers streamed responses. Turn off this buffering.";
  const closing = new AbortController();
  const timer = setTimeout(() => closing.abort(), firstPartWithinMs);
  try {
    const response = await fetch(address, { redirect: "manual", signal: closing.signal, ...init });
    if (response.status !== 200) {
      throw new StepError(`A request for a stream was answered with ${response.status}.`);
    }
    const part = await response.body?.getReader().read();
    if (part?.value === undefined) throw new StepError("A stream ended before its first part.");
  } catch (cause) {
    if (cause instanceof StepError) throw cause;
    throw new StepError(held, { cause });
  } finally {
    clearTimeout(timer);
    closing.abort();
  }
}

/** Returns why a proxy gives such a response, and what to do. Empty if the cause is unknown. */
function reasonOf(status: number, body: string): string {
  if (status === 403 && body.includes("ALLOWED_HOSTS")) {
    return "The proxy changes the header Host. Let it pass Host on, or add that name to ALLOWED_HOSTS.";
  }
  if (status >= 300 && status < 400)
    return "It redirects, and clients do not repeat their request there.";
  if (status === 404) return "The proxy does not forward this path.";
  if (status === 200) return "Another program or the proxy itself answers there.";
  return status >= 502 && status <= 504 ? "The proxy does not reach this server." : "";
}

async function ask(address: string, init: RequestInit = {}) {
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(address, { redirect: "manual", signal, ...init });
    return { status: response.status, headers: response.headers, body: await response.text() };
  } catch (cause) {
    throw new StepError(whyUnanswered(address, cause), { cause });
  }
}

async function readJson<T>(address: string, schema: z.ZodType<T>): Promise<T> {
  const { status, body, headers } = await ask(address);
  if (status !== 200) {
    const text = `${address} answered ${status} instead of 200.`;
    throw new StepError([text, reasonOf(status, body)].join(" ").trim());
  }
  const type = headers.get("content-type") ?? "no type";
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new StepError(`${address} has the type ${type} instead of application/json.`);
  }
  const parsed = schema.safeParse(jsonOf(body));
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new StepError(`${address} has no valid ${field === "" ? "JSON" : `"${field}"`}.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function assertIs(found: string, expected: string, what: string): void {
  if (found === expected) return;
  throw new StepError(
    `${what} is not ${expected}. Set PUBLIC_URL to the address that clients use.`,
  );
}
