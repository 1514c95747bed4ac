import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import {
  answerTokens,
  foreignMetadata,
  login,
  returned,
  startForeign,
  tokenRequests,
} from "./protected-upstream.ts";
import { runHere } from "./program.ts";
import { openHere, reviewed } from "./upstream-home.ts";

type Site = Awaited<ReturnType<typeof startForeign>>["site"];

const metadataPage = "/.well-known/oauth-authorization-server";

/** Answers requests for one path in another way. */
function answerAt(site: Site, path: string, status: number, body: string | object): void {
  const before = site.intercept.by;
  site.intercept.by = (asked) => {
    if (asked.request.url !== path) return before(asked);
    const isText = typeof body === "string";
    asked.response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
    asked.response.end(isText ? body : JSON.stringify(body));
    return true;
  };
}

function changeMetadata(site: Site, change: object): void {
  site.pages[metadataPage] = {
    ...foreignMetadata(site.origin),
    authorization_response_iss_parameter_supported: undefined,
    ...change,
  };
}

// Each of these "failed", and the cause was "in the log with LOG_LEVEL=debug", which had none.
describe("a sign-in that fails", () => {
  const secret = "SECRET-OF-THE-SERVER";

  it.for([
    [
      "registers no programs",
      (site: Site) => changeMetadata(site, { registration_endpoint: undefined }),
      'its authorization server does not accept registrations of clients. No sign-in was stored. If you can register an OAuth client there, add its "oauth": { "clientId": "..." } to the entry of site in servers.json.',
    ],
    [
      "refuses the registration",
      (site: Site) =>
        answerAt(site, "/register", 400, {
          error: "invalid_redirect_uri",
          error_description: secret,
        }),
      "its authorization server did not register Countersign (HTTP status 400, invalid_redirect_uri). No sign-in was stored.",
    ],
    [
      "knows another PKCE",
      (site: Site) => changeMetadata(site, { code_challenge_methods_supported: ["plain"] }),
      "its authorization server does not support PKCE with S256. No sign-in was stored.",
    ],
    [
      "answers a code with a page",
      (site: Site) => answerAt(site, "/token", 200, secret),
      "its authorization server answered in a form that is not OAuth. No sign-in was stored.",
    ],
    [
      "answers a code with a failure",
      (site: Site) => answerAt(site, "/token", 503, secret),
      "its authorization server answered with the HTTP status 503. No sign-in was stored.",
    ],
    [
      "refuses the program",
      (site: Site) =>
        answerAt(site, "/token", 401, { error: "invalid_client", error_description: secret }),
      "its authorization server answered with the error invalid_client. No sign-in was stored.",
    ],
  ] as const)("names the reason if the server %s", async ([, change, sentence], t) => {
    const { home, site } = await startForeign(t);
    changeMetadata(site, {});
    change(site);
    const { code, stdout, stderr } = await login(home, "site", returned);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stdout + stderr).not.toContain("SECRET");
    // The code was sent again after some errors.
    expect(site.asked.filter((path) => path === "/token").length).toBeLessThan(2);
  });

  it("names the error of the sign-in page", async (t) => {
    const { home, site } = await startForeign(t);
    changeMetadata(site, {});
    const { stderr } = await login(home, "site", async (page) => {
      const back = new URL(page.searchParams.get("redirect_uri") ?? "");
      const state = page.searchParams.get("state") ?? "";
      back.search = new URLSearchParams({ error: "invalid_scope", state }).toString();
      await (await fetch(back)).text();
    });
    expect(stderr).toContain("its sign-in page answered with the error invalid_scope");
  });
});

it("a sign-in uses PKCE at a server that does not mention it", async (t) => {
  const { home, site } = await startForeign(t);
  answerTokens(site, { access_token: "t", token_type: "Bearer" });
  changeMetadata(site, { code_challenge_methods_supported: undefined });
  let method: string | null = null;
  const { code } = await login(home, "site", async (page) => {
    method = page.searchParams.get("code_challenge_method");
    await returned(page);
  });
  expect(code).toBe(0);
  expect(method).toBe("S256");
});

describe("a sign-in with a registration of the person", () => {
  async function freePort(): Promise<number> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    server.close();
    await once(server, "close");
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  }

  // A server without registration was refused, because its entry had no place for an id.
  it("uses its id, its secret and its redirect address", async (t) => {
    const { home, site } = await startForeign(t);
    answerTokens(site, { access_token: "t", token_type: "Bearer" });
    const bodies = tokenRequests(site);
    changeMetadata(site, { registration_endpoint: undefined });
    await runHere(home, ["servers", "remove", "site"]);
    const port = await freePort();
    const program = ["--client-id", "https://me.example/client"];
    const more = ["--client-secret", "${env:SITE_SECRET}", "--callback-port", `${port}`];
    const address = ["servers", "add", "site", "--url", site.url];
    const add = await runHere(home, [...address, ...program, ...more]);
    expect(add.stderr).toBe("");
    home.env["SITE_SECRET"] = "hush";
    let page: URL | undefined;
    const { code, stderr } = await login(home, "site", async (url) => {
      page = url;
      await returned(url);
    });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(page?.searchParams.get("client_id")).toBe("https://me.example/client");
    expect(page?.searchParams.get("redirect_uri")).toBe(`http://127.0.0.1:${port}/callback`);
    expect(bodies.map(({ authorization }) => authorization)).toEqual([
      `Basic ${Buffer.from("https://me.example/client:hush").toString("base64")}`,
    ]);
    const taken = createServer().listen(port, "127.0.0.1");
    await once(taken, "listening");
    const second = await runHere(home, ["servers", "login", "site"]);
    taken.close();
    expect(second.stderr).toContain(`The port ${port} of the redirect address is in use`);
  });

  it("registers with a secret if the server knows nothing else", async (t) => {
    const { home, site } = await startForeign(t);
    changeMetadata(site, {});
    answerTokens(site, { access_token: "t", token_type: "Bearer" });
    changeMetadata(site, { token_endpoint_auth_methods_supported: ["client_secret_post"] });
    const registrations: unknown[] = [];
    const before = site.intercept.by;
    site.intercept.by = (asked) => {
      if (asked.request.url === "/register") registrations.push(asked.message);
      return before(asked);
    };
    expect((await login(home, "site", returned)).code).toBe(0);
    expect(registrations).toMatchObject([{ token_endpoint_auth_method: "client_secret_post" }]);
  });
});

// The last scope of a long list was cut, and the server refused it.
it("requests whole scopes, as many as fit", async (t) => {
  const { home, site, resource } = await startForeign(t);
  changeMetadata(site, {});
  const scopes = Array.from({ length: 300 }, (_each, index) => `scope.number.${index}`);
  site.pages["/.well-known/oauth-protected-resource/mcp"] = {
    ...resource,
    scopes_supported: scopes,
  };
  let asked = "";
  await login(home, "site", async (page) => {
    asked = page.searchParams.get("scope") ?? "";
    await returned(page);
  });
  expect(asked.length).toBeLessThanOrEqual(2_000);
  expect(asked.length).toBeGreaterThan(1_900);
  expect(scopes).toEqual(expect.arrayContaining(asked.split(" ")));
});

// The result named `login` while the authorization server had a failure.
it("a call says that the authorization server failed, and to try again", async (t) => {
  const { home, site } = await startForeign(t);
  const first = { access_token: "first", token_type: "Bearer", refresh_token: "r" };
  answerTokens(site, first);
  expect((await login(home, "site", returned)).code).toBe(0);
  const before = site.intercept.by;
  let isOld = false;
  site.intercept.by = (asked) => {
    if (asked.request.headers.authorization === undefined || isOld) return before(asked);
    return false;
  };
  await reviewed(home, "site");
  isOld = true;
  answerAt(site, "/token", 500, {});
  const client = await openHere(home);
  const { text } = await client.call("site__act");
  expect(text).toContain(
    "The server site needs a renewed sign-in, but its authorization server answered with the HTTP status 500. Nothing was done.",
  );
  expect(text).toContain("Try again in 10 s.");
  expect(text).not.toContain("servers login");
});
