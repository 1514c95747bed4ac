import { createHash, randomBytes } from "node:crypto";
import { type Send, browser, origin, secrets } from "./oauth-host.ts";

export const callback = "https://host.example.com/callback";
export const resource = `${origin}/mcp`;
export const allow = { verdict: "allow", scope: "mcp", secret: secrets.alice as string };

type Params = Record<string, string | undefined>;

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

function defined(params: Params): URLSearchParams {
  const entries = Object.entries(params).filter((entry) => entry[1] !== undefined);
  return new URLSearchParams(entries as [string, string][]);
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    body: isJson && text !== "" ? (JSON.parse(text) as Record<string, unknown>) : { text },
  };
}

/** Sends each request of OAuth separately, as a host or an attacker does. Each flow comes from a network of its own. */
export function createFlow(send: Send, network = randomNetwork()) {
  const from: Send = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", network);
    return send(url, { ...init, headers });
  };
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");

  const register = async (metadata: object = {}): Promise<Answer> =>
    await answerOf(
      await from(`${origin}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          client_name: "Flow",
          redirect_uris: [callback],
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          token_endpoint_auth_method: "none",
          ...metadata,
        }),
      }),
    );

  const authorizeUrl = (clientId: string, params: Params = {}): string =>
    `${origin}/oauth/authorize?${defined({
      client_id: clientId,
      redirect_uri: callback,
      response_type: "code",
      state: "state-1",
      code_challenge: challenge,
      code_challenge_method: "S256",
      resource,
      ...params,
    }).toString()}`;

  const post = async (path: string, params: Params): Promise<Answer> =>
    await answerOf(await from(`${origin}${path}`, { method: "POST", body: defined(params) }));

  /** Signs in, and returns where the browser was sent. */
  const signIn = async (clientId: string, params: Params = {}, form = allow): Promise<URL> => {
    const person = browser(from);
    const page = await person.open(authorizeUrl(clientId, params));
    return await person.decide(page, form);
  };

  const exchange = (clientId: string, code: string | null, params: Params = {}) =>
    post("/oauth/token", {
      grant_type: "authorization_code",
      client_id: clientId,
      code: code ?? "",
      redirect_uri: callback,
      code_verifier: verifier,
      resource,
      ...params,
    });

  return {
    send: from,
    verifier,
    challenge,
    register,
    /** Registers and returns the id. */
    client: async (metadata: object = {}) => String((await register(metadata)).body["client_id"]),
    authorizeUrl,
    authorize: (clientId: string, params: Params = {}) =>
      browser(from).look(authorizeUrl(clientId, params)),
    signIn,
    exchange,
    refresh: (clientId: string, token: unknown, params: Params = {}) =>
      post("/oauth/token", {
        grant_type: "refresh_token",
        client_id: clientId,
        refresh_token: String(token),
        ...params,
      }),
    post,
    /** Returns the status of a request to `/mcp` with this token. 406 means that it was accepted. */
    call: async (token: unknown): Promise<number> => {
      const headers = { authorization: `Bearer ${String(token)}`, accept: "application/json" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
      const type = { "content-type": "application/json" };
      const sent = { method: "POST", headers: { ...headers, ...type }, body };
      return (await from(resource, sent)).status;
    },
    /** Registers, signs in and exchanges the code. */
    tokens: async (params: Params = {}, form = allow) => {
      const { body } = await register();
      const clientId = String(body["client_id"]);
      const answer = await signIn(clientId, params, form);
      const code = answer.searchParams.get("code") ?? "";
      const granted = await exchange(clientId, code);
      return { clientId, code, granted, ...granted.body } as const;
    },
  };
}

export type Flow = ReturnType<typeof createFlow>;

function randomNetwork(): string {
  const [a = 0, b = 0] = randomBytes(2);
  return `81.${a}.${b}.7`;
}
