import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "./home.ts";
import { startHttpUpstream } from "./http-upstream.ts";
import { browser, secrets } from "./oauth-host.ts";
import {
  answerTokens,
  foreignMetadata,
  login,
  returned,
  startForeign,
  startProtected,
  withdrawToken,
} from "./protected-upstream.ts";
import { runHere, startCommand, startCommandHere } from "./program.ts";
import {
  homeWithServers,
  open,
  openHere,
  review,
  reviewed,
  writeServers,
} from "./upstream-home.ts";

const allow = { verdict: "allow", scope: "mcp", secret: secrets.alice };

async function signedIn(
  home: Home,
  server: Awaited<ReturnType<typeof startProtected>>,
  start = startCommandHere,
) {
  const visit = async (page: URL) => {
    const person = browser(server.send, server.origin);
    const back = await person.decide(await person.open(page), allow);
    const arrived = await fetch(back);
    const [, css = ""] = /<style>(.*)<\/style>/s.exec(await arrived.text()) ?? [];
    const hash = createHash("sha256").update(css).digest("base64");
    expect(css).toContain(".card");
    expect(arrived.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`);
  };
  return await login(home, "far", visit, start);
}

const signIns = (home: Home): string =>
  readFileSync(join(home.dir, "server-sign-ins.json"), "utf8");

describe("servers login", () => {
  it("signs in with OAuth, stores the tokens encrypted, and calls with them", async (t) => {
    const home = homeWithServers(t, {});
    const server = await startProtected(home);
    writeServers(home, { far: { url: server.url } });
    const before = await review(home, "far");
    expect(before.stderr).toMatch(/`\S.*main\.js servers login far` signs in/);
    const { code, stdout, stderr } = await signedIn(home, server, startCommand);
    expect(stderr).toBe("");
    expect(stdout).toContain("You are signed in at far.");
    expect(code).toBe(0);
    await reviewed(home, "far");
    const client = await openHere(home);
    expect((await client.call("far__list_files")).text).toContain("far__list_files answered");
    // The row of a low-risk call is written behind its result.
    const rows = () => server.far.sql("SELECT principal FROM audit WHERE tool = 'list_files'");
    await expect.poll(rows).toMatchObject([{ principal: "alice" }]);
    const file = JSON.parse(signIns(home)) as { servers: Record<string, string> };
    const bytes = Buffer.from(file.servers["far"] ?? "", "base64").toString("latin1");
    for (const word of ["access_token", "refresh_token", "client_id", "localhost"])
      expect(bytes + signIns(home)).not.toContain(word);
    const { stdout: listed } = await runHere(home, ["doctor", "--credentials"]);
    expect(listed).toContain("server-sign-ins.json");
    const { stdout: audit } = await runHere(home, ["audit", "list", "--json"]);
    expect(audit).toContain("signed in at the server far");
    // Another address under the same name gets no token.
    const thief = await startHttpUpstream(home);
    writeServers(home, { far: { url: thief.url } });
    await review(home, "far");
    expect(thief.headers.map(({ authorization }) => authorization)).not.toContainEqual(
      expect.stringContaining("Bearer"),
    );
    const removed = await runHere(home, ["servers", "remove", "far"]);
    expect(removed.stdout).toContain("Its sign-in was deleted.");
    expect(JSON.parse(signIns(home))).toEqual({ version: 1, servers: {} });
  });

  it("renews a token that the server refuses, once for several processes", async (t) => {
    const home = homeWithServers(t, {});
    const server = await startProtected(home);
    writeServers(home, { far: { url: server.url } });
    await signedIn(home, server);
    await reviewed(home, "far");
    await withdrawToken(server);
    server.asked.length = 0;
    const clients = await Promise.all([open(home), open(home), open(home)]);
    const answers = await Promise.all(clients.map((each) => each.call("far__list_files")));
    for (const answer of answers) expect(answer.text).toContain("far__list_files answered");
    expect(server.asked.filter((line) => line === "POST /oauth/token")).toHaveLength(1);
    const [renewal = ""] = server.bodies.filter((body) =>
      body.includes("grant_type=refresh_token"),
    );
    // The new token is for this server alone (RFC 8707).
    expect(new URLSearchParams(renewal).get("resource")).toBe(server.url);
  });

  it("sends no call again whose token the server refused", async (t) => {
    const home = homeWithServers(t, {});
    const server = await startProtected(home);
    writeServers(home, { far: { url: server.url } });
    await signedIn(home, server);
    await reviewed(home, "far");
    const client = await openHere(home);
    await client.call("far__list_files");
    await withdrawToken(server);
    server.bodies.length = 0;
    const refused = await client.call("far__list_files");
    expect(refused.text).toContain("refused an old sign-in, which was renewed since");
    expect(server.bodies.filter((body) => body.includes('"tools/call"'))).toHaveLength(1);
    expect((await client.call("far__list_files")).text).toContain("far__list_files answered");
  });

  it("is for servers over HTTP", async (t) => {
    const home = homeWithServers(t, { notes: { command: "node" } });
    const { code, stderr } = await runHere(home, ["servers", "login", "notes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("is a program on this machine");
  });

  it("ends with a clear sentence if the person does not allow it", async (t) => {
    const home = homeWithServers(t, {});
    const server = await startProtected(home);
    writeServers(home, { far: { url: server.url } });
    const { code, stderr } = await login(home, "far", async (page) => {
      const person = browser(server.send, server.origin);
      const back = await person.decide(await person.open(page), { ...allow, verdict: "deny" });
      await (await fetch(back)).text();
    });
    expect(code).toBe(1);
    expect(stderr).toContain("No sign-in was stored.");
  });
});

describe("another server at sign-in", () => {
  it("is refused if its metadata is on another host", async (t) => {
    const { home, bait, foreign, challengeWith } = await startForeign(t);
    challengeWith(`${foreign}/.well-known/oauth-protected-resource`);
    const { stderr } = await runHere(home, ["servers", "login", "site"]);
    expect(stderr).toContain("names metadata on another host. No sign-in was stored.");
    expect(bait.headers).toEqual([]);
  });

  it("is refused if its metadata is that of another resource", async (t) => {
    const { home, site, foreign, resource } = await startForeign(t);
    site.pages["/.well-known/oauth-protected-resource/mcp"] = { ...resource, resource: foreign };
    const { stderr } = await runHere(home, ["servers", "login", "site"]);
    expect(stderr).toContain("its metadata belongs to another server");
  });

  it("is refused if its authorization server names another issuer", async (t) => {
    const { home, site, foreign } = await startForeign(t);
    site.pages["/.well-known/oauth-authorization-server"] = foreignMetadata(foreign);
    const { stderr } = await runHere(home, ["servers", "login", "site"]);
    expect(stderr).toContain("its metadata belongs to another authorization server");
  });

  it("gets no request to another private address", async (t) => {
    const { home, site, bait, foreign, resource } = await startForeign(t);
    site.pages["/.well-known/oauth-protected-resource/mcp"] = {
      ...resource,
      authorization_servers: [foreign],
    };
    const { stderr } = await runHere(home, ["servers", "login", "site"]);
    expect(stderr).toContain("leads to a private address, which is not the configured host");
    expect(bait.headers).toEqual([]);
  });

  it("gets no code that another authorization server gave", async (t) => {
    const { home, site, foreign } = await startForeign(t);
    const { code, stderr } = await login(home, "site", async (page) => {
      const back = new URL(page.searchParams.get("redirect_uri") ?? "");
      const forged = new URL(`?code=stolen&state=guess&iss=${foreign}`, back);
      expect((await fetch(forged)).status).toBe(400);
      back.search = new URLSearchParams({
        code: "stolen",
        state: page.searchParams.get("state") ?? "",
        iss: foreign,
      }).toString();
      expect(page.searchParams.get("code_challenge_method")).toBe("S256");
      await (await fetch(back)).text();
    });
    expect(code).toBe(1);
    expect(stderr).toContain("its metadata belongs to another authorization server");
    expect(site.asked).not.toContain("/token");
  });

  // The metadata is consistent, but sends the person to an attacker's page and the code to the server.
  it("gets no code of a sign-in page on another site", async (t) => {
    const { home, site } = await startForeign(t);
    site.pages["/.well-known/oauth-authorization-server"] = {
      ...foreignMetadata(site.origin),
      authorization_endpoint: "https://accounts.example.com/authorize",
      authorization_response_iss_parameter_supported: undefined,
    };
    const { code, stderr } = await login(home, "site", returned);
    expect(code).toBe(1);
    expect(stderr).toContain("would get the code of a sign-in page on another host");
    expect(site.asked).not.toContain("/token");
  });

  it("cannot send a person to a page of another host over plain HTTP", async (t) => {
    const { home, site } = await startForeign(t);
    site.pages["/.well-known/oauth-authorization-server"] = {
      ...foreignMetadata(site.origin),
      authorization_endpoint: "http://accounts.example.com/authorize",
    };
    const { code, stdout, stderr } = await runHere(home, ["servers", "login", "site"]);
    expect(code).toBe(1);
    expect(stderr).toContain("names a sign-in page without TLS. No sign-in was stored.");
    expect(stdout).not.toContain("accounts.example.com");
  });

  it("has a renewed token of another form dropped, and the first one sent", async (t) => {
    const { home, site } = await startForeign(t);
    const first = {
      access_token: "first",
      token_type: "Bearer",
      refresh_token: "r",
      expires_in: 1,
    };
    answerTokens(site, first, { ...first, access_token: "second", token_type: "mac" });
    expect((await login(home, "site", returned)).code).toBe(0);
    site.headers.length = 0;
    site.asked.length = 0;
    const { stderr } = await review(home, "site");
    expect(stderr).toContain("servers login site");
    expect(site.asked).toContain("/token");
    const sent = site.headers.flatMap(({ authorization }) => authorization ?? []);
    expect(new Set(sent)).toEqual(new Set(["Bearer first"]));
  });

  // Every sign-in requested the same scopes again, and the server refused the call again.
  it("is asked for the permissions that it needed in addition", async (t) => {
    const { home, site, resource } = await startForeign(t);
    const page = "/.well-known/oauth-protected-resource/mcp";
    site.pages[page] = { ...resource, scopes_supported: ["read"] };
    answerTokens(site, { access_token: "t", token_type: "Bearer" });
    const before = site.intercept.by;
    const scopes: (string | null)[] = [];
    const visit = async (url: URL) => {
      scopes.push(url.searchParams.get("scope"));
      await returned(url);
    };
    await login(home, "site", visit);
    site.intercept.by = (asked) => {
      if (asked.request.headers.authorization === undefined) return before(asked);
      const challenge = 'Bearer error="insufficient_scope", scope="write admin"';
      asked.response.writeHead(403, { "www-authenticate": challenge }).end();
      return true;
    };
    const { stderr } = await review(home, "site");
    expect(stderr).toContain("The server site needs more permissions than the sign-in has.");
    expect(stderr).toContain("servers login site");
    await login(home, "site", visit);
    expect(scopes).toEqual(["read", "read write admin"]);
  });

  it.for([{ access_token: "a\r\nX-Evil: 1" }, { token_type: "mac" }])(
    "is refused if its token has another form: %j",
    async (given, t) => {
      const { home, site } = await startForeign(t);
      answerTokens(site, { access_token: "t", token_type: "Bearer", ...given });
      const { code, stderr } = await login(home, "site", returned);
      expect(code).toBe(1);
      expect(stderr).toContain("gave a token that cannot be sent. No sign-in was stored.");
    },
  );
});
