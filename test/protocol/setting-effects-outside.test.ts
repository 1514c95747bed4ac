import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { type TestContext, describe, expect, inject, it } from "vitest";
import { makeCertificate } from "../servers/certificate.ts";
import { password, startDovecot } from "../servers/dovecot.ts";
import { writeSettings } from "../servers/env-file.ts";
import { answerDav, davItem, startOddServer } from "../servers/odd-caldav.ts";
import { connect, connectHere } from "./clients.ts";
import { ingestHere, newHome } from "./home.ts";
import { runHere } from "./program.ts";

const hasDovecot = !inject("missingServers").includes("dovecot");

/** Listens on a free port of loopback until the test ends. */
async function listen(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

describe.concurrent("services outside, with their settings in .env", () => {
  it("renew the calendar's token and follow its partition as the CALDAV settings say [settings.effect]", async (t) => {
    const home = newHome(t);
    const { cert, key } = makeCertificate(home.dir, ["127.0.0.1"]);
    const asked: URLSearchParams[] = [];
    const tls = { cert: readFileSync(cert), key: readFileSync(key) };
    const tokens = createHttpsServer(tls, (request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        asked.push(new URLSearchParams(body));
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ access_token: "renewed-token", expires_in: 3600 }));
      });
    });
    const tokenPort = await listen(t, tokens);
    const [server, partition] = [await startOddServer(), await startOddServer("127.0.0.2")];
    t.onTestFinished(async () => void (await Promise.all([server.close(), partition.close()])));
    server.odd = ({ url }, response) => {
      if (url !== "/.well-known/caldav") return false;
      const home = `<c:calendar-home-set><d:href>${partition.url}/home/</d:href></c:calendar-home-set>`;
      answerDav(response, davItem("/", home));
      return true;
    };
    home.env["NODE_EXTRA_CA_CERTS"] = cert;
    writeSettings(home.dir, {
      CALDAV_URL: server.url,
      CALDAV_USERNAME: "me",
      CALDAV_CALENDAR: "Assistant",
      CALDAV_AUTH: "oauth",
      CALDAV_OAUTH_CLIENT_ID: "the-client",
      CALDAV_OAUTH_CLIENT_SECRET: "the-secret",
      CALDAV_OAUTH_REFRESH_TOKEN: "the-refresh-token",
      CALDAV_OAUTH_TOKEN_URL: `https://127.0.0.1:${tokenPort}/token`,
      CALDAV_ALLOWED_HOSTS: new URL(partition.url).host,
    });
    const client = await connectHere(home, "v2 pinned");
    const days = { start: "2026-11-23T00:00:00Z", end: "2026-11-24T00:00:00Z" };
    expect((await client.call("get_events_availability", days)).text).toContain("No busy times");
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      client_id: "the-client",
      client_secret: "the-secret",
      refresh_token: "the-refresh-token",
    });
    expect(partition.seen.map(({ method }) => method)).toContain("REPORT");
    const credentials = [...server.seen, ...partition.seen].map((seen) => seen.authorization);
    expect(new Set(credentials)).toEqual(new Set(["Bearer renewed-token"]));
  });

  it("get requests signed for the bucket's region, with the bucket where S3_FORCE_PATH_STYLE puts it [settings.effect]", async (t) => {
    const home = newHome(t);
    const seen: { path: string; host: string; authorization: string }[] = [];
    const port = await listen(
      t,
      createHttpServer(({ url = "", headers }, response) => {
        const { host = "", authorization = "" } = headers;
        seen.push({ path: url, host, authorization });
        response.writeHead(404, { "content-type": "application/xml" });
        response.end("<Error><Code>NoSuchKey</Code><Message>none</Message></Error>");
      }),
    );
    const bucket = {
      S3_BUCKET: "papers",
      S3_ENDPOINT: `http://localhost:${port}`,
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "secret",
      S3_REGION: "eu-central-9",
    };
    for (const isInPath of [true, false]) {
      seen.length = 0;
      writeSettings(home.dir, { ...bucket, S3_FORCE_PATH_STYLE: String(isInPath) });
      const client = await connectHere(home, "v2 pinned");
      await client.call("read_file", { key: "a.md" });
      await client.close();
      // If "papers.localhost" has no address, no request arrives. This shows that the path was not used.
      if (isInPath) expect(seen).not.toEqual([]);
      for (const { path, host, authorization } of seen) {
        expect(authorization).toContain("/eu-central-9/s3/aws4_request");
        expect(path.startsWith("/papers/")).toBe(isInPath);
        expect(host).toBe(isInPath ? `localhost:${port}` : `papers.localhost:${port}`);
      }
    }
  });

  it.skipIf(!hasDovecot)(
    "are read for mail in the folder that IMAP_MAILBOX names [settings.effect]",
    { timeout: 90_000 },
    async (t) => {
      const dovecot = await startDovecot();
      t.onTestFinished(() => dovecot.stop());
      const home = newHome(t);
      dovecot.deliver("reader", "Subject: in the inbox\r\n\r\nnot read\r\n");
      dovecot.deliver("reader", "Subject: in the folder\r\n\r\nread\r\n", ".Forwarded");
      writeSettings(home.dir, {
        IMAP_HOST: "127.0.0.1",
        IMAP_PORT: String(dovecot.port),
        IMAP_USERNAME: "reader",
        IMAP_PASSWORD: password,
        IMAP_MAILBOX: "Forwarded",
      });
      await ingestHere(home);
      const listed = async () => (await runHere(home, ["mail", "list"])).stdout;
      await t.expect.poll(listed, { timeout: 60_000, interval: 250 }).toContain("in the folder");
      expect(await listed()).not.toContain("in the inbox");
    },
  );

  it(
    "have no part in the record, which is kept for AUDIT_KEEP_DAYS [settings.effect]",
    { timeout: 120_000 },
    async (t) => {
      const home = newHome(t);
      writeSettings(home.dir, { AUDIT_KEEP_DAYS: "30" });
      const longAgo = new URL("../servers/long-ago.mjs", import.meta.url).href;
      const old = { ...home, env: { ...home.env, NODE_OPTIONS: `--import=${longAgo}` } };
      const before = await connect(old, "v2 pinned");
      await before.call("write_file", { key: "a.txt", content: "old" });
      await before.close();
      const client = await connectHere(home, "v2 pinned");
      await client.call("write_file", { key: "b.txt", content: "new" });
      const listed = async () => (await runHere(home, ["audit", "list"])).stdout;
      // The role is taken 10 s after the first call.
      await t.expect
        .poll(listed, { timeout: 60_000, interval: 500 })
        .toContain("records older than 30 days");
    },
  );
});
