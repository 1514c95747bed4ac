import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { Secret } from "../../src/core/shared/secret.ts";
import { openHttpIntake } from "../../src/intake/http.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { suiteWithIngest } from "../servers/ingest-world.ts";

const token = "a-token-of-enough-characters";

const headers = { authorization: `Bearer ${token}`, "content-type": "message/rfc822" };

describe("POST /ingest [mail.http]", () => {
  const world = suiteWithIngest({
    INGEST_HTTP_PORT: "0",
    INGEST_HTTP_TOKEN: token,
    INGEST_MAX_BYTES: "70000",
    INGEST_SENDERS: "ann@example.org",
  });

  async function post(body: string, given: Record<string, string> = headers) {
    // Bytes, for which fetch sets no type.
    const bytes = Buffer.from(body);
    const response = await fetch(world.ingest.url!, {
      method: "POST",
      headers: given,
      body: bytes,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  it("answers 202 with the id of a stored message, and recognises it the second time", async () => {
    const message = "From: ann@example.org\r\nSubject: by web\r\n\r\nheliotrope\r\n";
    const first = await post(message);
    expect(first).toMatchObject({ status: 202, body: { status: "stored" } });
    expect(await post(message)).toEqual({
      status: 202,
      body: { ...first.body, status: "duplicate" },
    });
    await expect
      .poll(async () => (await world.stores.mail.search({ query: "heliotrope", limit: 1 })).total, {
        interval: 20,
      })
      .toBe(1);
    const { rows } = await world.stores.database.read({
      sql: "SELECT intake FROM mail_receipts WHERE email_id = ?",
      args: [String(first.body["emailId"])],
    });
    expect(rows.map(({ intake }) => intake)).toEqual(["http", "http"]);
  });

  it("reads the envelope from its headers", async () => {
    const envelope = {
      ...headers,
      "x-envelope-from": "<ann@example.org>",
      "x-envelope-to": "me@in.example, <you@in.example>",
    };
    const named = await post("From: x@stranger.example\r\n\r\none\r\n", envelope);
    expect(named).toMatchObject({ status: 202, body: { status: "stored" } });
    const other = await post("From: x@stranger.example\r\n\r\ntwo\r\n");
    expect(other).toMatchObject({ status: 202, body: { status: "quarantined" } });
    const { rows } = await world.stores.database.read({
      sql: "SELECT envelope_from, envelope_to FROM mail_receipts WHERE email_id = ?",
      args: [String(named.body["emailId"])],
    });
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { envelope_from: "ann@example.org", envelope_to: '["me@in.example","you@in.example"]' },
    ]);
  });

  /** Counts the receipts, one for each stored message. */
  async function receipts(): Promise<unknown> {
    const sql = "SELECT count(*) AS kept FROM mail_receipts";
    return (await world.stores.database.read({ sql, args: [] })).rows[0]?.["kept"];
  }

  it.each([
    ["no token", 401, { ...headers, authorization: "" }, "x"],
    ["another token", 401, { ...headers, authorization: `Bearer ${token}x` }, "x"],
    ["another type", 415, { ...headers, "content-type": "application/json" }, "{}"],
    ["no type", 415, { authorization: headers.authorization }, "x"],
    ["too much", 413, headers, "x".repeat(70_001)],
    ["nothing", 400, headers, ""],
  ])("with %s answers %i and stores nothing", async (_what, status, given, body) => {
    const before = await receipts();
    const answer = await post(body, given);
    expect(answer.status).toBe(status);
    expect(answer.body["error"]).toMatch(/ Nothing was stored\.$/);
    expect(await receipts()).toEqual(before);
  });

  it("aborts a message of unannounced length once it is too large", async () => {
    const { port, hostname } = new URL(world.ingest.url!);
    // The connection may break while the rest of the body is being sent.
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    const answered = new Promise<string>((resolve) => {
      socket.once("data", (data: Buffer) => resolve(data.toString()));
    });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST /ingest HTTP/1.1\r\nhost: x\r\n${lines.join("")}transfer-encoding: chunked\r\n\r\n`,
    );
    const chunk = `2710\r\n${"x".repeat(10_000)}\r\n`;
    socket.write(chunk.repeat(8));
    expect(await answered).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/i);
    socket.destroy();
  });

  it("is the only resource", async () => {
    expect((await fetch(world.ingest.url!)).status).toBe(405);
    expect((await fetch(new URL("/mcp", world.ingest.url!), { method: "POST" })).status).toBe(404);
  });
});

it("POST /ingest delays a network with wrong tokens, refuses pages, and limits connections [http.guessing] [http.shares]", async () => {
  const intake = await openHttpIntake({
    host: "127.0.0.1",
    port: 0,
    token: new Secret(token),
    behindProxy: true,
    maxBytes: 1_000,
    keep: () => Promise.resolve({ emailId: "em_x", isNew: true, isQuarantined: false }),
    log: quietLog,
  });
  const url = `http://127.0.0.1:${intake.port}/ingest`;
  const status = async (given: Record<string, string>) =>
    (await fetch(url, { method: "POST", headers: { ...headers, ...given }, body: "x" })).status;
  const wrong = { authorization: "Bearer wrong" };
  for (let tries = 0; tries < 10; tries += 1)
    expect(await status({ ...wrong, "x-forwarded-for": `2001:db8::${tries}` })).toBe(401);
  expect(await status({ "x-forwarded-for": "2001:db8::ffff" })).toBe(429);
  expect(await status({ "x-forwarded-for": "2001:db8:0:1::1" })).toBe(202);
  expect(await status({ origin: "https://evil.example" })).toBe(403);
  expect(await status({})).toBe(202);
  await intake.close();

  const direct = await openHttpIntake({
    host: "127.0.0.1",
    port: 0,
    token: new Secret(token),
    behindProxy: false,
    maxBytes: 1_000,
    keep: () => Promise.resolve({ emailId: "em_x", isNew: true, isQuarantined: false }),
    log: quietLog,
  });
  const idle = Array.from({ length: 1_100 }, () =>
    connect(direct.port, "127.0.0.1").on("error", () => undefined),
  );
  const there = `http://127.0.0.1:${direct.port}/ingest`;
  for (let message = 0; message < 20; message += 1) {
    const answer = await fetch(there, { method: "POST", headers, body: "x" });
    expect(answer.status).toBe(202);
    await answer.body?.cancel();
  }
  for (const socket of idle) socket.destroy();
  await direct.close();
});

it("POST /ingest asks for a retry if a message cannot be stored [mail.put-off]", async () => {
  const intake = await openHttpIntake({
    host: "127.0.0.1",
    port: 0,
    token: new Secret(token),
    behindProxy: false,
    maxBytes: 1_000,
    keep: () => Promise.reject(new Error("the disk is full")),
    log: quietLog,
  });
  const url = `http://127.0.0.1:${intake.port}/ingest`;
  const response = await fetch(url, { method: "POST", headers, body: "Subject: x\r\n\r\ny" });
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("30");
  expect(await response.text()).not.toContain("disk");
  await intake.close();
});

// Eight slow messages kept all others out for five minutes.
it("POST /ingest takes a message while slow ones hold every place [mail.http]", async () => {
  const intake = await openHttpIntake({
    host: "127.0.0.1",
    port: 0,
    token: new Secret(token),
    behindProxy: false,
    maxBytes: 1_000,
    busyMs: 0,
    keep: () => Promise.resolve({ emailId: "em_x", isNew: true, isQuarantined: false }),
    log: quietLog,
  });
  const head = `POST /ingest HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: message/rfc822`;
  const slow = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(intake.port, "127.0.0.1").on("error", () => undefined);
      socket.write(`${head}\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n`);
      await once(socket, "data");
      return socket;
    }),
  );
  const url = `http://127.0.0.1:${intake.port}/ingest`;
  const { status } = await fetch(url, { method: "POST", headers, body: "Subject: x\r\n\r\ny" });
  expect(status).toBe(202);
  for (const socket of slow) socket.destroy();
  await intake.close();
});
