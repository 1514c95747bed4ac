import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { allow, createFlow, resource } from "./oauth-flow.ts";
import { browser, origin, startSignIn } from "./oauth-host.ts";

const accepted = 406;
const grant = "urn:ietf:params:oauth:grant-type";

/** Registrations as hosts send them, with fields that this server does not use. */
const registrations: readonly [string, object][] = [
  ["claude.ai", { grant_types: ["authorization_code", "refresh_token", `${grant}:jwt-bearer`] }],
  [
    "Visual Studio Code",
    {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      grant_types: ["authorization_code", "refresh_token", `${grant}:device_code`],
      redirect_uris: [
        "https://vscode.dev/redirect",
        "http://localhost/",
        "http://127.0.0.1:33418/",
      ],
      application_type: "native",
    },
  ],
  ["a host that asks for all responses", { response_types: ["code", "token", "id_token"] }],
  ["a host that names only renewal", { grant_types: ["refresh_token"], response_types: [] }],
  ["a host that names nothing", { grant_types: undefined, response_types: undefined }],
  ["a host with empty fields", { client_uri: "", logo_uri: "", scope: "", client_name: "" }],
  ["a host with null in its fields", { client_uri: null, contacts: null, client_name: null }],
  ["a host with fields of another form", { contacts: "x@example.org", logo_uri: "data:," }],
  ["a host of another kind", { application_type: "spa", subject_type: "pairwise" }],
  ["a host that signs", { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [] } }],
  ["a host that wants another signature", { id_token_signed_response_alg: "RS256" }],
];

/** Authorization requests as hosts send them. */
const requests: readonly [string, Record<string, string | undefined>][] = [
  ["asks for a scope of its own", { scope: "claudeai" }],
  ["asks only to be renewed", { scope: "offline_access" }],
  ["asks for scopes of OpenID Connect", { scope: "openid profile email" }],
  ["asks for a scope that we lack beside ours", { scope: "mcp files:write offline_access" }],
  ["asks for an empty scope", { scope: "" }],
  ["asks for consent", { prompt: "consent" }],
  ["asks for a choice of accounts", { prompt: "select_account" }],
  ["names the person's language", { ui_locales: "zh-CN", display: "page", login_hint: "a@b" }],
  ["sends parameters of OpenID Connect", { acr_values: "1", max_age: "0", id_token_hint: "a.b.c" }],
  ["names no resource", { resource: undefined }],
  ["names the resource with a slash", { resource: `${resource}/` }],
  ["names the resource in capitals", { resource: resource.replace("https", "HTTPS") }],
  ["names the resource with its port", { resource: resource.replace("org/", "org:443/") }],
  ["has a state of 2 kB", { state: "s".repeat(2_048) }],
  ["has a state of any characters", { state: `a b+c/%=&"<>é` }],
];

describe.concurrent("the authorization server", () => {
  it("registers hosts whatever else they name, and says what it registered", async (t) => {
    const { send } = await startSignIn(newHome(t));
    for (const [name, metadata] of registrations) {
      const flow = createFlow(send);
      const { status, body } = await flow.register(metadata);
      expect([name, status]).toEqual([name, 201]);
      expect(body).toMatchObject({ response_types: ["code"], token_endpoint_auth_method: "none" });
      expect(body["grant_types"]).toEqual(
        expect.arrayContaining(["authorization_code", "refresh_token"]),
      );
      expect(body["grant_types"]).toHaveLength(2);
      expect(body).not.toHaveProperty("client_secret");
    }
  });

  // Cursor was refused, although it also lists addresses that are allowed (soflyy/agent-connector-for-wp #111).
  it("registers a host without its addresses that an app could claim", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const allowed = [
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback",
    ];
    const app = "cursor://anysphere.cursor-mcp/oauth/callback";
    const flow = createFlow(send);
    const { status, body } = await flow.register({ redirect_uris: [app, ...allowed] });
    expect([status, body["redirect_uris"]]).toEqual([201, allowed]);
    const clientId = String(body["client_id"]);
    for (const [redirectUri, page] of [
      [app, 400],
      [allowed[1] ?? "", 303],
    ] as const) {
      const url = new URL("/oauth/authorize", origin);
      const asked = { response_type: "code", client_id: clientId, redirect_uri: redirectUri };
      const pkce = { code_challenge: "c".repeat(43), code_challenge_method: "S256" };
      url.search = new URLSearchParams({ ...asked, ...pkce, resource }).toString();
      expect((await browser(send).look(url)).status).toBe(page);
    }
  });

  it.for(requests)("signs a host in that %s", async ([, params], t) => {
    const { send } = await startSignIn(newHome(t));
    const flow = createFlow(send);
    const clientId = await flow.client();
    const back = await flow.signIn(clientId, params);
    expect(back.searchParams.get("state")).toBe(params["state"] ?? "state-1");
    const asked = { resource: params["resource"] ?? resource };
    const granted = await flow.exchange(clientId, back.searchParams.get("code"), asked);
    expect(granted.body).toMatchObject({ scope: "mcp:read mcp" });
    expect(await flow.call(granted.body["access_token"])).toBe(accepted);
    const renewed = await flow.refresh(clientId, granted.body["refresh_token"], asked);
    expect(await flow.call(renewed.body["access_token"])).toBe(accepted);
  });

  it("grants the smaller scope to a host that asks for it beside others", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const flow = createFlow(send);
    const { granted } = await flow.tokens({ scope: "mcp:read claudeai" });
    expect(granted.body["scope"]).toBe("mcp:read");
  });

  it("refuses a second resource beside ours", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const flow = createFlow(send);
    const url = `${flow.authorizeUrl(await flow.client())}&resource=https%3A%2F%2Fother.example%2F`;
    const { location } = await browser(flow.send).look(url);
    expect(new URL(location).searchParams.get("error")).toBe("invalid_target");
    const twice = `${flow.authorizeUrl(await flow.client())}&resource=${encodeURIComponent(resource)}`;
    expect((await browser(flow.send).look(twice)).location).toContain("/oauth/consent/");
  });

  it("keeps the grant of a host that first asks for another resource", async (t) => {
    // The refused request used up the refresh token, so the next one counted as a replay and ended the grant.
    const { send } = await startSignIn(newHome(t));
    const flow = createFlow(send);
    const { clientId, granted } = await flow.tokens();
    const token = granted.body["refresh_token"];
    for (const other of ["https://other.example/mcp", origin]) {
      const refused = await flow.refresh(clientId, token, { resource: other });
      expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_target"]);
    }
    // An empty parameter counts as absent (RFC 6749, section 3.2).
    const renewed = await flow.refresh(clientId, token, { resource: "" });
    expect(renewed.status).toBe(200);
    expect(await flow.call(renewed.body["access_token"])).toBe(406);
  });

  // Registrations of unknown clients locked every new host out for a day.
  it("makes room for a host after a thousand registrations without a grant", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const flow = createFlow(send);
    const { clientId, granted } = await flow.tokens();
    const insert = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999)
      INSERT INTO oauth_records (model, id, payload, client_id, ends_at)
      SELECT 'Client', 'stranger-' || n, '{}', 'stranger-' || n, ? + n FROM numbers`;
    const day = 86_400_000;
    await home.sql(insert, [Date.now() + day]);
    // A person may be about to decide about each of them.
    expect((await flow.register()).status).toBe(429);
    await home.sql("UPDATE oauth_records SET ends_at = ends_at - ? WHERE id LIKE 'stranger-%'", [
      day / 2,
    ]);
    expect((await flow.register()).status).toBe(201);
    const left = await home.sql("SELECT id FROM oauth_records WHERE model = 'Client'");
    expect(left).toHaveLength(1_000);
    expect(left).not.toContainEqual({ id: "stranger-1" });
    expect(left).toContainEqual({ id: clientId });
    expect(await flow.call(granted.body["access_token"])).toBe(accepted);
  });

  // Each request stored a record with untrusted parameters, without any limit.
  it("bounds how many sign-ins one network begins, and how much each stores", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const [flow, other] = [createFlow(send), createFlow(send)];
    const clientId = await flow.client();
    const large = await flow.authorize(clientId, { state: "x".repeat(9_000) });
    expect([large.status, large.text]).toEqual([400, expect.stringContaining("is too large")]);
    const statuses: number[] = [];
    for (let round = 0; round < 51; round += 1) {
      const begin = () => flow.authorize(clientId);
      const answers = await Promise.all(Array.from({ length: 20 }, begin));
      statuses.push(...answers.map(({ status }) => status));
    }
    const [[first], last] = [statuses.slice(0, 990), statuses.slice(-10)];
    expect([first, ...new Set(last)]).toEqual([303, 429]);
    expect((await other.authorize(clientId)).status).toBe(303);
  });

  it("keeps the newest of thousands of sign-ins", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const flow = createFlow(send);
    const clientId = await flow.client();
    const insert = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6000)
      INSERT INTO oauth_records (model, id, payload, client_id, ends_at)
      SELECT 'Interaction', 'stranger-' || n, '{}', 'stranger', ? + n FROM numbers`;
    await home.sql(insert, [Date.now() + 60_000]);
    expect((await flow.authorize(clientId)).status).toBe(303);
    const left = await home.sql("SELECT id FROM oauth_records WHERE model = 'Interaction'");
    expect(left).toHaveLength(5_001);
    expect(left).not.toContainEqual({ id: "stranger-1000" });
    expect(left).toContainEqual({ id: "stranger-6000" });
  });

  // The page had the words of the library, such as "invalid_client: client is invalid.".
  it("says on the page what failed, what was not done and what to do next", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const flow = createFlow(send);
    const clientId = await flow.client();
    const elsewhere = { redirect_uri: "https://host.example.com/other" };
    const person = browser(flow.send);
    const posted = await person.look(await person.open(flow.authorizeUrl(clientId)), allow);
    await person.look(posted.location);
    for (const [url, words] of [
      [flow.authorizeUrl("nobody"), "not registered here, or its registration has ended. Nothing"],
      [flow.authorizeUrl(clientId, elsewhere), "did not register (redirect_uri). Nothing was"],
      [posted.location, "This sign-in has ended. Nothing was granted. Start again"],
      [`${flow.authorizeUrl(clientId)}&client_id=other`, "is not valid (invalid_request). Nothing"],
    ] as const) {
      const { status, text } = await person.look(url);
      expect([status, text.replace(/\s+/g, " ")]).toEqual([400, expect.stringContaining(words)]);
    }
  });

  it("refuses a token request that is too large", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(`code=${"x".repeat(20_000)}`));
        controller.close();
      },
    });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const sent = { method: "POST", headers: type, body, duplex: "half" } as RequestInit;
    expect((await send(`${origin}/oauth/token`, sent)).status).toBe(413);
  });
});
