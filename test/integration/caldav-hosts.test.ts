import { describe, expect, it, onTestFinished } from "vitest";
import { createCollection } from "../../src/adapters/caldav/collection.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { answerDav, davItem, startOddServer } from "../servers/odd-caldav.ts";
import { errorOf, from, setUpCollection, to } from "./caldav-world.ts";

describe("the destination of requests and the password [calendar.hosts]", () => {
  it("is never another host, even if a redirect or link names it", async () => {
    const { server, collection } = await setUpCollection();
    const thief = await startOddServer("127.0.0.2");
    onTestFinished(() => thief.close());
    server.odd = (_request, response) => {
      response.writeHead(301, { location: `${thief.url}/` }).end();
      return true;
    };
    const byRedirect = await errorOf(collection.between(from, to));
    expect(byRedirect).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(byRedirect.hint).toContain("CALDAV_ALLOWED_HOSTS");
    // The guide said that doctor names the host, and nothing named it. A tool must not: the server chose the name.
    const host = new URL(thief.url).host;
    expect(`${byRedirect.message} ${byRedirect.hint}`).not.toContain(host);
    await expect(collection.check()).rejects.toMatchObject({
      message: expect.stringContaining(
        `points to the host ${host}, which is not allowed.`,
      ) as string,
    });
    server.odd = ({ url }, response) => {
      if (url !== "/.well-known/caldav") return false;
      const home = `<c:calendar-home-set><d:href>${thief.url}/home/</d:href></c:calendar-home-set>`;
      answerDav(response, davItem("/", home));
      return true;
    };
    await errorOf(collection.between(from, to));
    expect(thief.seen).toEqual([]);
  });

  it("follows an allowed partition, and resolves its links against it", async () => {
    const partition = await startOddServer("127.0.0.2");
    onTestFinished(() => partition.close());
    const { server, collection } = await setUpCollection({
      allowedHosts: [new URL(partition.url).host],
    });
    server.odd = ({ url }, response) => {
      if (url !== "/.well-known/caldav") return false;
      const home = `<c:calendar-home-set><d:href>${partition.url}/home/</d:href></c:calendar-home-set>`;
      answerDav(response, davItem("/", home));
      return true;
    };
    expect(await collection.between(from, to)).toEqual([]);
    expect(server.seen.map(({ path }) => path)).toEqual(["/.well-known/caldav"]);
    expect(partition.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PROPFIND /home/",
      "PROPFIND /home/assistant/",
      "REPORT /home/assistant/",
    ]);
  });
});

describe("the one calendar", () => {
  it("is found by name, and only the doctor's check lists the other names", async () => {
    const { collection } = await setUpCollection({ calendar: "Missing" });
    const error = await errorOf(collection.between(from, to));
    expect(error.kind).toBe("not_configured");
    await expect(collection.check()).rejects.toThrow("Private canary");
  });

  it("is refused if two have the name, and found by its address", async () => {
    const twins = await setUpCollection();
    twins.server.odd = ({ url }, response) => {
      if (url !== "/home/") return false;
      const twin =
        "<d:displayname>Assistant</d:displayname><d:resourcetype><c:calendar/></d:resourcetype>";
      answerDav(response, davItem("/home/one/", twin) + davItem("/home/assistant/", twin));
      return true;
    };
    expect((await errorOf(twins.collection.facts())).message).toContain("2 calendars");
    const byAddress = createCollection({ ...twins.settings, calendar: "/home/assistant" });
    expect((await byAddress.facts()).name).toBe("Assistant");
  });

  it("is found again after it has moved", async () => {
    const { server, collection } = await setUpCollection();
    await collection.between(from, to);
    server.odd = ({ url }, response) => {
      if (url === "/home/assistant/") {
        response.writeHead(410).end();
        return true;
      }
      if (url === "/home/") {
        const moved =
          "<d:displayname>Assistant</d:displayname><d:resourcetype><c:calendar/></d:resourcetype>";
        answerDav(response, davItem("/home/new/", moved));
        return true;
      }
      if (url !== "/home/new/") return false;
      answerDav(response, davItem(url, "<cs:getctag>9</cs:getctag>"));
      return true;
    };
    expect(await collection.between(from, to)).toEqual([]);
    expect(server.seen.at(-1)?.path).toBe("/home/new/");
  });
});

describe("OAuth", () => {
  it("renews the access token, and again after it was rejected", async () => {
    let tokens = 0;
    const issuer = await startOddServer();
    onTestFinished(() => issuer.close());
    issuer.odd = (_request, response, body) => {
      expect(body).toContain("refresh_token=refresh-me");
      tokens += 1;
      const token = { access_token: `token-${tokens}`, expires_in: 3_600 };
      return Boolean(
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(token)),
      );
    };
    const { server, collection } = await setUpCollection({
      auth: {
        kind: "oauth",
        clientId: "client",
        clientSecret: new Secret("hunter2"),
        refreshToken: new Secret("refresh-me"),
        tokenUrl: `${issuer.url}/token`,
      },
    });
    await collection.facts();
    expect(new Set(server.seen.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer token-1"]),
    );
    server.odd = ({ headers }, response) =>
      headers.authorization === "Bearer token-1" && Boolean(response.writeHead(401).end());
    expect(await collection.between(from, to)).toEqual([]);
    expect(tokens).toBe(2);
    issuer.odd = (_request, response) => Boolean(response.writeHead(400).end("{}"));
    server.odd = (_request, response) => Boolean(response.writeHead(401).end());
    const error = await errorOf(collection.between(from, to));
    expect(error.kind).toBe("auth");
    expect(error.hint).toContain("CALDAV_OAUTH_REFRESH_TOKEN");
  });
});
