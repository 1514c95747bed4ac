import { describe, expect, it } from "vitest";
import {
  answerTokens,
  foreignMetadata,
  login,
  returned,
  startForeign,
} from "./protected-upstream.ts";
import { runHere } from "./program.ts";

type Foreign = Awaited<ReturnType<typeof startForeign>>;
type Site = Foreign["site"];

const resourcePage = "/.well-known/oauth-protected-resource/mcp";
const serverPage = "/.well-known/oauth-authorization-server";
const secret = "SECRET-OF-THE-SERVER";

/** Answers a request for a document in another way. The documents of `pages` come first otherwise. */
function answer(site: Site, path: string, by: Site["get"]["by"]): void {
  delete site.pages[path];
  site.documents[path] = by;
}

function redirectTo(target: (path: string, site: Site) => string) {
  return (path: string) =>
    ({ site }: Foreign) =>
      answer(site, path, ({ url = "" }, response) =>
        response.writeHead(302, { location: target(url, site) }).end(),
      );
}

const toItself = redirectTo((path) => path);
const onward = redirectTo((path) => `${path}x`);
const elsewhere = redirectTo((path, { origin }) => `${otherName(origin)}${path}`);

function otherName(origin: string): string {
  return origin.replace("127.0.0.1", "localhost");
}

/** Writes 50 MB, or as much of it as is read. */
function endless(path: string, type = "application/json") {
  return ({ site }: Foreign): void =>
    answer(site, path, (_request, response) => {
      response.on("error", () => undefined);
      response.writeHead(200, { "content-type": type });
      const megabyte = "x".repeat(1 << 20);
      let written = 0;
      const write = (): void => {
        while (written < 50) {
          written += 1;
          if (!response.write(megabyte)) return void response.once("drain", write);
        }
        response.end();
      };
      write();
    });
}

function serverIs(server: string | ((site: Foreign) => string)) {
  return (given: Foreign): void => {
    const name = typeof server === "string" ? server : server(given);
    given.site.pages[resourcePage] = { ...given.resource, authorization_servers: [name] };
  };
}

function metadataHas(change: (given: Foreign) => object) {
  return (given: Foreign): void => {
    const { origin, pages } = given.site;
    pages[serverPage] = { ...foreignMetadata(origin), ...change(given) };
  };
}

const tooLong = "The server site wrote a message over 1 MB. No sign-in was stored.";
const isPrivate =
  "The server site leads to a private address, which is not the configured host. No sign-in was stored.";
const notOAuth = "its authorization server answered in a form that is not OAuth.";
const ofAnother = "its metadata belongs to another authorization server.";

describe("the metadata of a server at sign-in", () => {
  // A document that could not be read was left out, and the next one was requested.
  it.for<[string, (given: Foreign) => void, sentence: string, most: number]>([
    ["redirects to itself", toItself(resourcePage), "site redirects without an end.", 5],
    ["redirects onward", onward(resourcePage), "site redirects without an end.", 5],
    ["of OAuth redirects onward", onward(serverPage), "site redirects without an end.", 6],
    ["redirects to another host", elsewhere(resourcePage), "redirects to another host, which", 2],
    ["of OAuth redirects elsewhere", elsewhere(serverPage), "redirects to another host, which", 3],
    ["has 50 MB", endless(resourcePage), tooLong, 2],
    ["has 50 MB of text", endless(resourcePage, "text/plain"), tooLong, 2],
    ["of OAuth has 50 MB", endless(serverPage), tooLong, 3],
    ["names a server without metadata", serverIs(({ site }) => `${site.origin}/x`), "", 12],
    ["names a private server", serverIs("http://169.254.169.254"), isPrivate, 2],
    ["names a file", serverIs("file:///etc/passwd"), notOAuth, 2],
    [
      "leads to metadata of a resource again",
      (given) => {
        serverIs(({ site }) => `${site.origin}/again`)(given);
        given.site.pages[`${serverPage}/again`] = given.resource;
      },
      notOAuth,
      3,
    ],
    ["names another issuer", metadataHas(() => ({ issuer: "https://a.example" })), ofAnother, 3],
    ["names no issuer", metadataHas(() => ({ issuer: undefined })), notOAuth, 3],
    [
      "registers at a private address",
      metadataHas(() => ({ registration_endpoint: "http://10.0.0.1/register" })),
      isPrivate,
      3,
    ],
    [
      "registers at another name of this machine",
      metadataHas(({ site }) => ({ registration_endpoint: `${otherName(site.origin)}/register` })),
      isPrivate,
      3,
    ],
    [
      "sends a person to a private address",
      metadataHas(() => ({ authorization_endpoint: "https://10.0.0.1/authorize" })),
      "The server site names a sign-in page at a private address. No sign-in was stored.",
      4,
    ],
    [
      "sends a person to a program",
      metadataHas(() => ({ authorization_endpoint: "javascript:alert(1)" })),
      notOAuth,
      3,
    ],
    [
      "has a page with a long address",
      metadataHas(({ site }) => ({
        authorization_endpoint: `${site.origin}/authorize?a=${"x".repeat(200_000)}`,
      })),
      "The server site names a sign-in page with a longer address than browsers open.",
      4,
    ],
  ])("ends the sign-in if it %s", async ([, change, sentence, most], t) => {
    const given = await startForeign(t);
    const { home, site, bait } = given;
    change(given);
    const before = site.intercept.by;
    site.intercept.by = (asked) => {
      if (asked.request.url !== "/register" || sentence !== "") return before(asked);
      asked.response.writeHead(400, { "content-type": "application/json" });
      asked.response.end(JSON.stringify({ error: "invalid_request", error_description: secret }));
      return true;
    };
    const { code, stdout, stderr } = await runHere(home, ["servers", "login", "site"]);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr).toContain("No sign-in was stored.");
    expect(stderr.length).toBeLessThan(1_000);
    expect(stdout + stderr).not.toContain("SECRET");
    expect(stdout).toBe("");
    expect(site.headers.length).toBeLessThanOrEqual(most);
    expect(bait.headers).toEqual([]);
  });

  // RFC 8414 section 3.1 and OpenID Connect Discovery section 4.1 have different places for an issuer with a path.
  it.for([
    ["", serverPage],
    ["", "/.well-known/openid-configuration"],
    ["/realm", `${serverPage}/realm`],
    ["/realm", "/.well-known/openid-configuration/realm"],
    ["/realm", "/realm/.well-known/openid-configuration"],
  ] as const)(
    "is found for the issuer %j at %s, and at no other place",
    async ([path, place], t) => {
      const given = await startForeign(t);
      const { home, site } = given;
      answerTokens(site, { access_token: "first", token_type: "Bearer" });
      delete site.pages[serverPage];
      const before = site.intercept.by;
      site.intercept.by = (asked) => {
        if (asked.request.url?.includes(".well-known") !== true) return before(asked);
        asked.response.writeHead(404).end();
        return true;
      };
      const issuer = `${site.origin}${path}`;
      serverIs(issuer)(given);
      site.pages[place] = {
        ...foreignMetadata(issuer),
        authorization_endpoint: `${site.origin}/authorize`,
        token_endpoint: `${site.origin}/token`,
        registration_endpoint: `${site.origin}/register`,
        authorization_response_iss_parameter_supported: undefined,
        jwks_uri: `${site.origin}/keys`,
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      };
      const { code, stderr } = await login(home, "site", returned);
      expect(code, stderr).toBe(0);
      // The metadata of another issuer is refused at each place.
      site.pages[place] = { ...site.pages[place], issuer: "https://other.example" };
      const other = await login(home, "site", returned);
      expect(other).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(ofAnother) as string,
      });
    },
  );

  // The document was waited for, then left out, and the next one was waited for.
  it("ends the sign-in if its first document does not end in 15 s", async (t) => {
    const { home, site } = await startForeign(t);
    answer(site, resourcePage, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write("{");
    });
    const { code, stderr } = await runHere(home, ["servers", "login", "site"]);
    expect(code).toBe(1);
    expect(stderr).toContain("did not answer within 15 s. No sign-in was stored.");
    expect(site.headers).toHaveLength(2);
  });
});
