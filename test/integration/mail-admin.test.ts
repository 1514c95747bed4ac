import { describe, expect, it } from "vitest";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { runCommandHere, smtpSession } from "../servers/ingest.ts";

interface Listed {
  emailId: string;
  state: string;
  from: string;
  forwardedBy?: string;
  subject: string;
  step?: string;
  attempts: number;
  problem?: string;
}

function open() {
  const world = openIngestWorld();
  const { dataDir, stores } = world;
  return {
    ...world,
    listed: async (...args: string[]): Promise<Listed[]> =>
      (await runCommandHere(dataDir, ["mail", ...args, "--json"])).lines.map(
        (line) => JSON.parse(line) as Listed,
      ),
    total: async (query?: string): Promise<number> =>
      (await stores.mail.search({ ...(query !== undefined && { query }), limit: 1 })).total,
  };
}

async function send(port: number, ...messages: string[]): Promise<void> {
  const session = await smtpSession(port);
  for (const message of messages) expect(await session.send(Buffer.from(message))).toMatch(/^250 /);
  session.close();
}

const forwarded = [
  "From: Me <me@home.example>",
  "Subject: Fwd: The order",
  "",
  "---------- Forwarded message ---------",
  "From: Ann Lee <ann@shop.example>",
  "Date: Mon, Mar 2, 2026 at 2:25 PM",
  "Subject: The order",
  "To: <me@home.example>",
  "",
  "It has shipped.",
  "",
].join("\r\n");

describe("countersign mail", () => {
  it("lists the newest first with their progress, for people and for programs [mail.desk]", async () => {
    const { dataDir, listed, stores, total, startHere } = open();
    const ingest = await startHere();
    const subjects = ["first", "second", "third\u202Efdp"];
    for (const subject of subjects) await send(ingest.port, `Subject: ${subject}\r\n\r\nx\r\n`);
    await expect.poll(() => total(), { interval: 20 }).toBe(3);
    await ingest.stop("SIGTERM");
    await stores.database.write([
      {
        sql: "UPDATE mail SET search_id = NULL, step = 'parse', due_at = 0 WHERE subject = 'second'",
        args: [],
      },
    ]);
    expect((await listed("list")).map(({ subject, state }) => [subject, state])).toEqual([
      ["thirdfdp", "searchable"],
      ["second", "pending"],
      ["first", "searchable"],
    ]);
    expect(await listed("list", "--limit", "1")).toHaveLength(1);
    const { stdout } = await runCommandHere(dataDir, ["mail", "list", "--limit", "2"]);
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/^em_\w{26} {2}\d{4}-\S+Z {2}searchable {2}.*: thirdfdp$/) as string,
      expect.stringMatching(/^em_\w{26} {2}\d{4}-\S+Z {2}pending {2}.*: second$/) as string,
    ]);
    const [{ emailId } = { emailId: "" }] = await listed("list");
    const shown = (await runCommandHere(dataDir, ["mail", "show", emailId])).stdout;
    expect(shown).toContain(`${emailId}: searchable\n`);
    expect(shown).toMatch(/^subject {3}thirdfdp$/m);
    expect(shown).toMatch(
      /^arrived {3}\d{4}-\S+Z by smtp 127\.0\.0\.1 from <sender@example\.org> to me@in\.example$/m,
    );
    expect(shown.match(/^arrived/gm)).toHaveLength(1);
    expect((await runCommandHere(dataDir, ["mail", "list", "--limit", "0"])).status).toBe(2);
  });

  it("retries a failing step with growing pauses and then gives up with a reason, and retry continues there [mail.retry]", async () => {
    const { dataDir, listed, stores, total, startHere } = open();
    const ingest = await startHere();
    await send(ingest.port, "Subject: broken\r\n\r\nindestructible\r\n");
    await expect.poll(() => total("indestructible"), { interval: 20 }).toBe(1);
    const [{ emailId } = { emailId: "" }] = await listed("list");
    const { objects } = await stores.objects.list({ prefix: "mail/raw/", limit: 10 });
    const [{ key } = { key: "" }] = objects;
    const raw = (await stores.objects.get(key))!;
    await stores.objects.remove(key);
    await stores.database.write([{ sql: "UPDATE mail SET search_id = NULL", args: [] }]);
    const row = async (columns: string) => {
      const { rows } = await stores.database.read({ sql: `SELECT ${columns} FROM mail`, args: [] });
      return { ...rows[0] };
    };
    expect(await listed("retry", emailId)).toEqual([{ retried: 1, emailId }]);
    await expect
      .poll(() => row("failure IS NULL AS untold"), { interval: 20 })
      .toEqual({ untold: 0 });
    const waits: number[] = [];
    for (let attempts = 1; attempts <= 4; attempts += 1) {
      // Simulates that the time has come after some attempts.
      const due = "UPDATE mail SET step = 'parse', due_at = 0, failure = NULL, attempts = ?";
      await stores.database.write([{ sql: due, args: [attempts - 1] }]);
      await expect
        .poll(() => row("attempts, failure IS NULL AS untold"), { interval: 20 })
        .toEqual({ attempts, untold: 0 });
      const { wait } = await row("due_at - CAST(unixepoch('subsec') * 1000 AS INTEGER) AS wait");
      waits.push(Number(wait));
      expect((await listed("list"))[0]).toMatchObject({
        state: "pending",
        step: "parse",
        attempts,
      });
    }
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(5_000 * 2 ** index);
      expect(wait).toBeGreaterThan(5_000 * 2 ** index - 4_500);
    }
    expect(await listed("failed")).toEqual([]);
    await stores.database.write([{ sql: "UPDATE mail SET due_at = 0", args: [] }]);
    await expect.poll(async () => (await listed("failed")).length).toBe(1);
    const [failed] = await listed("failed");
    expect(failed).toMatchObject({ emailId, state: "failed", step: "parse" });
    expect(failed!.problem).toMatch(/\w/);
    expect((await runCommandHere(dataDir, ["mail", "failed"])).stdout).toContain(failed!.problem);
    await stores.objects.put(key, raw.body, { mediaType: "message/rfc822" });
    expect(await listed("retry")).toEqual([{ retried: 1 }]);
    await expect.poll(() => total("indestructible"), { interval: 20 }).toBe(1);
    expect(await listed("failed")).toEqual([]);
  });

  it("parses a message again with the present settings after retry [mail.retry]", async () => {
    const { listed, stores, total, startHere } = open();
    const before = await startHere();
    await send(before.port, forwarded);
    await expect.poll(() => total(), { interval: 20 }).toBe(1);
    const sender = async () =>
      (await stores.mail.search({ limit: 1 })).hits.map(({ from }) => from.address)[0];
    expect(await sender()).toBe("me@home.example");
    await before.stop("SIGTERM");
    await startHere({ OWNER_ADDRESSES: "me@home.example" });
    const [{ emailId } = { emailId: "" }] = await listed("list");
    expect(await listed("retry", emailId)).toEqual([{ retried: 1, emailId }]);
    await expect.poll(sender, { interval: 20 }).toBe("ann@shop.example");
    expect(await total()).toBe(1);
  });

  it("lists a forward's original sender and the address that forwarded it [mail.desk]", async () => {
    const { dataDir, listed, total, startHere } = open();
    const ingest = await startHere({ OWNER_ADDRESSES: "me@home.example" });
    await send(ingest.port, forwarded, forwarded.replaceAll("me@home", "eve@home"));
    await expect.poll(() => total(), { interval: 20 }).toBe(2);
    const ann = "Ann Lee <ann@shop.example>";
    expect((await listed("list")).map(({ from, forwardedBy }) => [from, forwardedBy])).toEqual([
      ["Me <eve@home.example>", undefined],
      [ann, "Me <me@home.example>"],
    ]);
    const { stdout } = await runCommandHere(dataDir, ["mail", "list"]);
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/searchable {2}Me <eve@home\.example>: Fwd: The order$/) as string,
      expect.stringMatching(
        /searchable {2}forwarded by Me <me@home\.example>, who says it is from Ann Lee <ann@shop\.example>: The order$/,
      ) as string,
    ]);
    expect(await ingest.stop("SIGTERM")).toBe(0);
  });
});
