import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import {
  ask,
  assertIs,
  firstPart,
  jsonOf,
  readJson,
  reasonOf,
  StepError,
} from "./chain-requests.ts";

/** One step of a client that signs in. */
export interface ChainStep {
  name: string;
  /** Undefined if it works. */
  problem?: string;
  /** The consequence for a client if this step fails. */
  means: string;
}

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

/** The state of the walk, with the findings of earlier steps. */
interface Walk {
  readonly publicUrl: string;
  readonly issuer: string | undefined;
  /** The address of the MCP endpoint. */
  readonly resource: string;
  server?: z.output<typeof serverMetadata>;
  clientId: string;
  token: string;
}

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
  const walk: Walk = { publicUrl, issuer, resource: `${publicUrl}/mcp`, clientId: "", token: "" };
  const wellKnown = `${publicUrl}/.well-known`;
  const steps: (ChainStep & { run: () => Promise<void> })[] = [
    {
      name: "refusal without a token",
      means: "claude.ai then says that the server cannot be reached, or never starts the sign-in.",
      run: () => assertTokenIsRequired(walk),
    },
    {
      name: "resource metadata below the path",
      means: "claude.ai asks here first, and may not find where to sign in.",
      run: () => readResource(walk, `${wellKnown}/oauth-protected-resource/mcp`),
    },
    {
      name: "resource metadata at the root",
      means: "claude.ai asks here second, and other clients ask only here.",
      run: () => readResource(walk, `${wellKnown}/oauth-protected-resource`),
    },
    {
      name: "server metadata",
      means: "claude.ai then ends with an error before it shows a page.",
      run: () => readServer(walk, `${wellKnown}/oauth-authorization-server`),
    },
    {
      name: "server metadata at OpenID's address",
      means: "claude.ai does without it, but ChatGPT and other clients may ask only here.",
      run: () => readServer(walk, `${wellKnown}/openid-configuration`),
    },
    {
      name: "registration",
      means: "claude.ai then cannot introduce itself, and says that the connection failed.",
      run: () => register(walk),
    },
    {
      name: "sign-in page",
      means: "claude.ai then opens a window that shows an error instead of the sign-in.",
      run: () => openSignInPage(walk),
    },
    {
      name: "token",
      means: "claude.ai then fails after you allowed it, and asks you to connect again.",
      run: () => assertCodeIsChecked(walk),
    },
    {
      name: "call",
      means: "claude.ai then shows the server as connected, but every tool fails.",
      run: () => callWithToken(walk, tokenFor),
    },
    {
      name: "stream",
      means:
        "claude.ai then waits for progress and changes that come too late, or gives up a call.",
      run: () => firstPart(walk.resource, listen(walk.token)),
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

function endpointsOf({ server }: Walk): z.output<typeof serverMetadata> {
  if (server === undefined) throw new StepError("The metadata is not known.");
  return server;
}

async function readResource({ publicUrl, issuer, resource }: Walk, address: string): Promise<void> {
  const found = await readJson(address, resourceMetadata);
  assertIs(found.resource, resource, `"resource" at ${address}`);
  const servers = found.authorization_servers.join(" ");
  assertIs(servers, issuer ?? publicUrl, `"authorization_servers" at ${address}`);
}

async function readServer(walk: Walk, address: string): Promise<void> {
  const server = await readJson(address, serverMetadata);
  walk.server = server;
  assertIs(server.issuer, walk.publicUrl, `"issuer" at ${address}`);
  assertIs(server.code_challenge_methods_supported.join(" "), "S256", "the PKCE method");
}

/** Asserts that a call without a token is refused, and that the refusal names the metadata. */
async function assertTokenIsRequired(walk: Walk): Promise<void> {
  const { resource } = walk;
  const { status, headers, body } = await ask(resource, initialize());
  if (status !== 401) {
    const text = `${resource} answered ${status} instead of 401.`;
    throw new StepError([text, reasonOf(status, body)].join(" ").trim());
  }
  if (headers.get("www-authenticate")?.includes("resource_metadata=") !== true) {
    throw new StepError("The header WWW-Authenticate with resource_metadata is missing.");
  }
}

/** Registers a client, as claude.ai does. */
async function register(walk: Walk): Promise<void> {
  const { status, body } = await ask(endpointsOf(walk).registration_endpoint, {
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
  walk.clientId = registered.data.client_id;
}

/** Opens the sign-in page as a browser does. */
async function openSignInPage(walk: Walk): Promise<void> {
  const address = new URL(endpointsOf(walk).authorization_endpoint);
  const challenge = createHash("sha256").update(randomBytes(32)).digest("base64url");
  address.search = new URLSearchParams({
    response_type: "code",
    client_id: walk.clientId,
    redirect_uri: callback,
    state: "doctor",
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: walk.resource,
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
}

/** Asserts that an invalid code is refused as such. */
async function assertCodeIsChecked(walk: Walk): Promise<void> {
  const { status, body } = await ask(endpointsOf(walk).token_endpoint, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: walk.clientId,
      code: "doctor",
      redirect_uri: callback,
      code_verifier: randomBytes(32).toString("base64url"),
    }),
  });
  const { data } = z.object({ error: z.string() }).safeParse(jsonOf(body));
  if (status !== 400 || data?.error !== "invalid_grant") {
    throw new StepError(`An invalid code was answered with ${status}, not refused as such.`);
  }
}

/** Calls with a valid token, and ends the session. */
async function callWithToken(
  walk: Walk,
  tokenFor: (clientId: string) => Promise<string>,
): Promise<void> {
  const { resource } = walk;
  walk.token = await tokenFor(walk.clientId);
  const authorization = `Bearer ${walk.token}`;
  const { status, body, headers } = await ask(resource, initialize({ authorization }));
  if (status !== 200 || !body.includes("serverInfo")) {
    throw new StepError(`A call with a valid token was answered with ${status}.`);
  }
  const session = { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
  await ask(resource, { method: "DELETE", headers: { authorization, ...session } });
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
