import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { identify } from "../../src/ingest/email-id.ts";
import { type Session, smtpSession, startIngest, storesAt } from "../servers/ingest.ts";
import { mailCorpus } from "../servers/mail-corpus.ts";

const message = (number: number): Uint8Array =>
  Buffer.from(
    `Subject: number ${number}\r\nMessage-ID: <${number}@example.org>\r\n\r\nword${number}\r\n`,
  );

/** Searchable, once each, and nothing else. */
async function expectMail(dataDir: string, expected: ReadonlySet<string>): Promise<void> {
  const stores = storesAt(dataDir);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await stores.mail.search({ limit: 50, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.hits.map(({ emailId }) => emailId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const words = await stores.database.read({
    sql: "SELECT count(*) AS n FROM mail_words",
    args: [],
  });
  const missing = [...expected].filter((id) => !ids.includes(id));
  expect(missing).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(words.rows[0]?.["n"]).toBe(ids.length);
  for (const id of expected) await stores.mail.read(id, { offset: 0, length: 10 });
  await stores.close();
}

async function untilNothingIsPending(dataDir: string): Promise<void> {
  const stores = storesAt(dataDir);
  await expect
    .poll(async () => (await stores.mail.search({ limit: 1 })).pending, {
      timeout: 60_000,
      interval: 50,
    })
    .toBe(0);
  await stores.close();
}

describe("a killed ingest", () => {
  it("has what it acknowledged the moment before [mail.durable-first]", async () => {
    const dataDir = temporaryDirectory();
    const acknowledged = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const ingest = await startIngest(dataDir);
      const session = await smtpSession(ingest.port);
      expect(await session.send(message(round))).toMatch(/^250 /);
      await ingest.stop("SIGKILL");
      session.close();
      acknowledged.add((await identify(message(round))).emailId);
    }
    const last = await startIngest(dataDir);
    await untilNothingIsPending(dataDir);
    await expectMail(dataDir, acknowledged);
    expect(await last.stop("SIGTERM")).toBe(0);
  });

  it(
    "loses and doubles nothing, whenever it is killed [mail.no-loss]",
    { timeout: 180_000 },
    async () => {
      const dataDir = temporaryDirectory();
      const messages = mailCorpus
        ? mailCorpus.files
            .map((file) => mailCorpus!.read(file))
            .filter(({ length }) => length < 200_000)
        : Array.from({ length: 150 }, (_, number) => message(number));
      const expected = new Set<string>();
      let ingest = await startIngest(dataDir);
      let session: Session | undefined = await smtpSession(ingest.port);
      let kills = 0;
      for (const [index, raw] of messages.entries()) {
        // A pseudo-random moment of this message's way, the same in each run.
        const killAfterMs = index % 12 === 5 ? (index * 7) % 23 : undefined;
        const killing = killAfterMs === undefined ? undefined : killLater(ingest, killAfterMs);
        for (let acknowledged = false; !acknowledged;) {
          try {
            session ??= await smtpSession(ingest.port);
            acknowledged = (await session.send(raw)).startsWith("250");
          } catch {
            session?.close();
            session = undefined;
            await killing;
            if (ingest.process.exitCode !== null || ingest.process.signalCode !== null) {
              ingest = await startIngest(dataDir);
            }
          }
        }
        expected.add((await identify(withCrlf(raw))).emailId);
        if (killing !== undefined) {
          await killing;
          kills += 1;
          session?.close();
          session = undefined;
          ingest = ingest.process.signalCode === null ? ingest : await startIngest(dataDir);
        }
      }
      session?.close();
      expect(kills).toBeGreaterThan(5);
      await untilNothingIsPending(dataDir);
      await expectMail(dataDir, expected);
      expect(await ingest.stop("SIGTERM")).toBe(0);
    },
  );
});

/** The moment is what the test varies; what it waits for is the end of the process. */
function killLater(
  { process: killed }: Awaited<ReturnType<typeof startIngest>>,
  ms: number,
): Promise<unknown> {
  const ended = once(killed, "exit");
  setTimeout(() => killed.kill("SIGKILL"), ms);
  return ended;
}

/** As the client sends it. */
function withCrlf(raw: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(raw).toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1");
}
