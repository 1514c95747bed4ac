import { expect } from "vitest";
import { type Attack, errorAtHost } from "./oauth-attack.ts";
import { allow, resource } from "./oauth-flow.ts";

/** `/mcp` asks for another `Accept` header, so the token was accepted. */
const accepted = 406;

/** Attacks on codes, tokens and registrations. */
export const attacksOnTokens: Attack[] = [
  {
    attack: "a code that is used twice",
    from: "4.5, RFC 6749 4.1.2",
    fails: async ({ flow }) => {
      const { clientId, code, granted } = await flow.tokens();
      expect(await flow.call(granted.body["access_token"])).toBe(accepted);
      const again = await flow.exchange(clientId, code);
      expect([again.status, again.body["error"]]).toEqual([400, "invalid_grant"]);
      expect(await flow.call(granted.body["access_token"])).toBe(401);
      expect((await flow.refresh(clientId, granted.body["refresh_token"])).status).toBe(400);
    },
  },
  {
    attack: "a stolen code in another client, session or address",
    from: "4.5",
    fails: async ({ flow }) => {
      const victim = await flow.client();
      const thief = await flow.client();
      const steal = async (client: string, params: Record<string, string>) => {
        const code = (await flow.signIn(victim)).searchParams.get("code");
        const { status, body } = await flow.exchange(client, code, params);
        expect([status, body["error"]]).toEqual([400, "invalid_grant"]);
      };
      await steal(thief, {});
      await steal(victim, { code_verifier: "a".repeat(43) });
      await steal(victim, { redirect_uri: "https://evil.example/callback" });
    },
  },
  {
    attack: "PKCE that is left out or made plain",
    from: "4.8",
    fails: async ({ flow }) => {
      const without = { code_challenge: undefined, code_challenge_method: undefined };
      expect(await errorAtHost(flow, without)).toBe("invalid_request");
      expect(await errorAtHost(flow, { code_challenge_method: "plain" })).toBe("invalid_request");
      expect(await errorAtHost(flow, { code_challenge_method: undefined })).toBe("invalid_request");
      const clientId = await flow.client();
      for (const code_verifier of [undefined, flow.challenge]) {
        const code = (await flow.signIn(clientId)).searchParams.get("code");
        const { status, body } = await flow.exchange(clientId, code, { code_verifier });
        expect([status, body["error"]]).toEqual([400, "invalid_grant"]);
      }
    },
  },
  {
    attack: "a token for another resource",
    from: "4.10.2, RFC 8707",
    fails: async ({ flow, home }) => {
      const other = { resource: "https://other.example/mcp" };
      expect(await errorAtHost(flow, other)).toBe("invalid_target");
      const clientId = await flow.client();
      const code = (await flow.signIn(clientId)).searchParams.get("code");
      const { status, body } = await flow.exchange(clientId, code, other);
      expect([status, body["error"]]).toEqual([400, "invalid_target"]);
      const { granted, clientId: moved } = await flow.tokens();
      await home.sql(
        "UPDATE oauth_records SET payload = json_set(payload, '$.aud', ?) WHERE model = 'AccessToken' AND client_id = ?",
        [other.resource, moved],
      );
      expect(await flow.call(granted.body["access_token"])).toBe(401);
    },
  },
  {
    attack: "one secret in the place of another",
    from: "4.10",
    fails: async ({ flow }) => {
      const { clientId, granted, code } = await flow.tokens();
      const { access_token: access, refresh_token: refresh, id_token: id } = granted.body;
      for (const token of [refresh, code, id]) expect(await flow.call(token)).toBe(401);
      expect((await flow.refresh(clientId, access)).body["error"]).toBe("invalid_grant");
    },
  },
  {
    attack: "a token in the address or the body",
    from: "4.3.2",
    fails: async ({ flow }) => {
      const { granted } = await flow.tokens();
      const token = String(granted.body["access_token"]);
      const inQuery = await flow.send(`${resource}?access_token=${token}`, { method: "POST" });
      const body = new URLSearchParams({ access_token: token });
      const inBody = await flow.send(resource, { method: "POST", body });
      expect([inQuery.status, inBody.status]).toEqual([401, 401]);
    },
  },
  {
    attack: "a refresh token that is used twice, or by another client",
    from: "4.14",
    fails: async ({ flow }) => {
      const { clientId, granted } = await flow.tokens();
      const first = granted.body["refresh_token"];
      const thief = await flow.refresh(await flow.client(), first);
      expect([thief.status, thief.body["error"]]).toEqual([400, "invalid_grant"]);
      const second = (await flow.refresh(clientId, first)).body;
      expect(await flow.call(second["access_token"])).toBe(accepted);
      expect((await flow.refresh(clientId, first)).body["error"]).toBe("invalid_grant");
      expect(await flow.call(second["access_token"])).toBe(401);
      expect((await flow.refresh(clientId, second["refresh_token"])).status).toBe(400);
    },
  },
  {
    attack: "a larger scope than the person gave",
    from: "RFC 6749 6",
    fails: async ({ flow }) => {
      const small = await flow.tokens({ scope: "mcp:read" });
      expect(small.granted.body["scope"]).toBe("mcp:read");
      const chosen = await flow.tokens({}, { ...allow, scope: "mcp:read" });
      expect(chosen.granted.body["scope"]).toBe("mcp:read");
      const token = chosen.granted.body["refresh_token"];
      const larger = await flow.refresh(chosen.clientId, token, { scope: "mcp" });
      expect([larger.status, larger.body["error"]]).toEqual([400, "invalid_scope"]);
    },
  },
  {
    attack: "a registration with dangerous addresses, secrets or size",
    from: "RFC 7591 5",
    fails: async ({ flow, home }) => {
      const inside = "https://169.254.169.254/latest";
      const keys = { jwks_uri: inside, sector_identifier_uri: inside, client_name: "With keys" };
      expect((await flow.register(keys)).status).toBe(201);
      const [stored] = await home.sql(
        "SELECT payload FROM oauth_records WHERE payload LIKE '%With keys%'",
      );
      expect(stored?.["payload"]).not.toContain("169.254");
      for (const metadata of [
        { redirect_uris: ["javascript:alert(1)"] },
        { redirect_uris: ["data:text/html,x"] },
        { redirect_uris: ["http://evil.example/callback"] },
        { redirect_uris: ["http://127.0.0.1.evil.example/callback"] },
        { redirect_uris: ["https://a.example/c#fragment"] },
        { redirect_uris: ["https://a.example/c\nd"] },
        { redirect_uris: ["https:\\\\a.example\\c"] },
        { redirect_uris: ["https://user@a.example/c"] },
        { redirect_uris: ["cursor://app/callback"] },
        { redirect_uris: ["com.example.app:/callback"] },
        { redirect_uris: [] },
        { grant_types: ["client_credentials"], response_types: [] },
        { grant_types: ["implicit"], response_types: ["token"] },
      ]) {
        const { status } = await flow.register(metadata);
        expect(status, JSON.stringify(metadata)).toBe(400);
      }
      const good = "https://a.example/c";
      const mixed = await flow.register({ redirect_uris: [good, "vscode://app/callback"] });
      expect(mixed.body["redirect_uris"]).toEqual([good]);
      expect((await flow.register({ client_name: "x".repeat(20_000) })).status).toBe(413);
    },
  },
  {
    attack: "a client that takes the name of a caller",
    from: "4.15",
    fails: async ({ flow }) => {
      const { status, body } = await flow.register({ client_id: "alice", client_name: "alice" });
      expect(status).toBe(201);
      expect(body["client_id"]).toMatch(/^client_/);
      const params = { grant_type: "client_credentials", client_id: String(body["client_id"]) };
      expect((await flow.post("/oauth/token", params)).status).toBe(400);
    },
  },
  {
    attack: "a flood of registrations",
    from: "RFC 7591 5",
    fails: async ({ flow }) => {
      const statuses: number[] = [];
      for (let tries = 0; tries < 32; tries += 1) statuses.push((await flow.register()).status);
      expect(statuses.slice(30)).toEqual([429, 429]);
    },
  },
  {
    attack: "the end of another client's access",
    from: "RFC 7009 2.1",
    fails: async ({ flow }) => {
      const { granted } = await flow.tokens();
      const { access_token: token, refresh_token: refresh } = granted.body;
      for (const each of [token, refresh]) {
        const params = { token: String(each), client_id: await flow.client() };
        await flow.post("/oauth/revoke", params);
      }
      expect(await flow.call(token)).toBe(accepted);
    },
  },
];
