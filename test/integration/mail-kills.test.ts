import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { identify } from "../../src/ingest/pipeline/email-id.ts";
import { openIngestWorld } from "../servers/ingest-world.ts";
import {
  type IngestProcess,
  type Session,
  s3Environment,
  smtpSession,
  storesAt,
} from "../servers/ingest.ts";
import { mailCorpus } from "../servers/mail-corpus.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";

/** KILL_MESSAGES=300 is the long run, with each boundary instead of every second one. The checks are the same. */
const messagesSent = Number(process.env["KILL_MESSAGES"] ?? 40);
const everyBoundary = process.env["KILL_MESSAGES"] === undefined ? 2 : 1;
/** More boundaries than a message with an attachment has. A process that reaches the end was not killed. */
const mostBoundaries = 300;
const killer = new URL("../servers/kill-at.mjs", import.meta.url).href;

type Environment = Readonly<Record<string, string>>;

const plain = (number: number): Uint8Array =>
  Buffer.from(
    `Subject: number ${number}\r\nMessage-ID: <${number}@example.org>\r\n\r\nword${number}\r\n`,
  );

const withAttachment = (number: number): Uint8Array =>
  Buffer.from(
    [
      `Subject: number ${number}`,
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "",
      `word${number}`,
      "--b",
      "Content-Type: text/csv",
      "Content-Disposition: attachment; filename=a.csv",
      "",
      `a,b,${number}`,
      "--b--",
      "",
    ].join("\r\n"),
  );

/** Returns the bytes as the client sends them. */
function withCrlf(raw: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(raw).toString("latin1").replace(/\r?\n/g, "\r\n"), "latin1");
}

/** Ends the message with a line end, which DATA requires. */
function asSent(message: Uint8Array): Uint8Array {
  const isWhole = Buffer.from(message.subarray(-2)).toString("latin1") === "\r\n";
  return isWhole ? message : Buffer.concat([message, Buffer.from("\r\n")]);
}

/**
 * Returns messages of the corpus, repeated with one more line as often as needed. Without the corpus, returns our own.
 */
function manyMessages(): Uint8Array[] {
  const sources =
    mailCorpus?.files
      .map((file) => withCrlf(mailCorpus!.read(file)))
      .filter(({ length }) => length > 0 && length < 200_000) ?? [];
  return Array.from({ length: messagesSent }, (_, number) => {
    const source = sources[number % sources.length];
    if (source === undefined) return plain(number);
    const copy = Math.floor(number / sources.length);
    return copy === 0 ? source : Buffer.concat([Buffer.from(`X-Copy: ${copy}\r\n`), source]);
  });
}

/** Creates a client that repeats a message until it gets 250, and restarts the server when it has ended. */
function stubbornClient(start: () => Promise<IngestProcess>) {
  let ingest: IngestProcess | undefined;
  let session: Session | undefined;
  let deaths = 0;

  const isGone = (): boolean =>
    ingest !== undefined &&
    (ingest.process.exitCode !== null || ingest.process.signalCode !== null);

  async function running(): Promise<IngestProcess> {
    if (isGone()) {
      deaths += 1;
      session?.close();
      ingest = session = undefined;
    }
    while (ingest === undefined) ingest = await start().catch(unlessKilled);
    return ingest;
  }

  return {
    running,
    deaths: () => deaths,
    async send(message: Uint8Array): Promise<void> {
      for (;;) {
        // Fails if the server cannot be started, instead of retrying without end.
        const { port } = await running();
        try {
          session ??= await smtpSession(port);
          if ((await session.send(message)).startsWith("250")) return;
        } catch {
          session?.close();
          session = undefined;
          // A broken line is a dying process, which dies in a moment.
          if (ingest !== undefined && !isGone()) await once(ingest.process, "exit");
        }
      }
    },
    async stop(): Promise<number | null> {
      session?.close();
      return (await running()).stop("SIGTERM");
    },
  };
}

/** Ignores a kill. Left-over work may reach the fatal boundary before the port is printed. */
function unlessKilled(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === null)) throw error;
}

async function untilNothingIsPending(dataDir: string, environment: Environment): Promise<void> {
  const stores = storesAt(dataDir, environment);
  await expect
    .poll(async () => (await stores.mail.search({ limit: 1 })).pending, {
      timeout: 120_000,
      interval: 50,
    })
    .toBe(0);
  await stores.close();
}

/**
 * Checks that all of these messages exist once each, can be found and read, and are stored byte for byte, and that no
 * others exist.
 */
async function expectMail(
  dataDir: string,
  environment: Environment,
  expected: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const stores = storesAt(dataDir, environment);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await stores.mail.search({ limit: 50, ...(cursor !== undefined && { cursor }) });
    found.push(...page.hits.map(({ emailId }) => emailId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found.toSorted()).toEqual([...expected.keys()].toSorted());
  const { rows } = await stores.database.read({
    sql: `SELECT (SELECT count(*) FROM mail) AS mails, (SELECT count(*) FROM mail_words) AS entered,
      (SELECT count(*) FROM mail WHERE due_at IS NOT NULL OR failure IS NOT NULL) AS unfinished`,
    args: [],
  });
  expect({ ...rows[0] }).toEqual({ mails: expected.size, entered: expected.size, unfinished: 0 });
  for (const [emailId, message] of expected) {
    const sent = asSent(message);
    const raw = await stores.objects.get(`mail/raw/${(await identify(sent)).rawSha256}`);
    expect(Buffer.compare(raw?.body ?? Buffer.of(), sent), emailId).toBe(0);
    const { attachments } = await stores.mail.read(emailId, { offset: 0, length: 10 });
    for (const { attachmentId } of attachments)
      await stores.mail.readAttachment(emailId, attachmentId, { offset: 0, length: 10 });
    const own = /\r\n(word\d+)\r\n/.exec(Buffer.from(message).toString())?.[1];
    if (own === undefined) continue;
    const { hits } = await stores.mail.search({ query: `"${own}"`, limit: 10 });
    expect(hits.map((hit) => hit.emailId)).toContain(emailId);
  }
  await stores.close();
}

const idOf = async (message: Uint8Array): Promise<string> => (await identify(message)).emailId;

const places: readonly {
  name: string;
  canRun: boolean;
  environment: () => Promise<Environment>;
}[] = [
  { name: "the embedded store", canRun: true, environment: () => Promise.resolve({}) },
  {
    name: "S3",
    canRun: hasS3(),
    environment: async () => s3Environment((await makeBucket()).settings),
  },
];

for (const { name, canRun, environment: environmentOf } of places) {
  describe.skipIf(!canRun)(`a killed ingest on ${name}`, () => {
    it(
      "loses and duplicates nothing, whatever was reported last [mail.no-loss] [mail.durable-first]",
      { timeout: 600_000 },
      async () => {
        const environment = await environmentOf();
        const { dataDir, start } = openIngestWorld(environment);
        const expected = new Map<string, Uint8Array>();
        let boundary = 1 - everyBoundary;
        const client = stubbornClient(() => {
          boundary += everyBoundary;
          const fatal = { NODE_OPTIONS: `--import ${killer}`, KILL_AT: String(boundary) };
          return start(fatal);
        });
        for (let wasKilled = true; wasKilled;) {
          expect(boundary).toBeLessThan(mostBoundaries);
          const message = withAttachment(boundary);
          const deathsBefore = client.deaths();
          await client.send(message);
          expected.set(await idOf(message), message);
          const { process } = await client.running();
          await untilGoneOrDone(dataDir, await idOf(message), process);
          wasKilled = process.signalCode !== null || client.deaths() > deathsBefore;
        }
        await client.stop();
        // Opening, keeping the bytes, the row, parsing, the text, the words: there are that many at the least.
        expect(boundary).toBeGreaterThan(6);
        const last = await start();
        await untilNothingIsPending(dataDir, environment);
        await expectMail(dataDir, environment, expected);
        expect(await last.stop("SIGTERM")).toBe(0);
      },
    );

    it(
      `loses and duplicates nothing, whenever it is killed while ${messagesSent} messages arrive [mail.no-loss]`,
      { timeout: 1_800_000 },
      async () => {
        const environment = await environmentOf();
        const { dataDir, start } = openIngestWorld(environment);
        const client = stubbornClient(start);
        const expected = new Map<string, Uint8Array>();
        let dying: Promise<unknown> | undefined;
        for (const [index, message] of manyMessages().entries()) {
          if (index % 7 === 5) {
            await dying;
            dying = killLater((await client.running()).process, (index * 7) % 37);
          }
          await client.send(message);
          expected.set(await idOf(message), message);
        }
        await dying;
        await client.running();
        expect(client.deaths()).toBeGreaterThan(messagesSent / 10);
        await untilNothingIsPending(dataDir, environment);
        await expectMail(dataDir, environment, expected);
        expect(await client.stop()).toBe(0);
      },
    );
  });
}

it("leaves its work to another process with its own lease [mail.no-loss]", async () => {
  const { dataDir, start } = openIngestWorld();
  const messages = Array.from({ length: 6 }, (_, number) => plain(number));
  // Stopped in the moment after the last row was committed: everything is leased, nothing is done.
  const first = await start();
  const session = await smtpSession(first.port);
  for (const message of messages.slice(0, -1)) expect(await session.send(message)).toMatch(/^250 /);
  expect(await session.send(messages.at(-1)!)).toMatch(/^250 /);
  await first.stop("SIGKILL");
  session.close();
  const others = await Promise.all([start(), start()]);
  await untilNothingIsPending(dataDir, {});
  const expected = messages.map(async (message) => [await idOf(message), message] as const);
  await expectMail(dataDir, {}, new Map(await Promise.all(expected)));
  for (const other of others) expect(await other.stop("SIGTERM")).toBe(0);
});

/** Kills the process after a varying time, and waits for its end. */
async function killLater(killed: IngestProcess["process"], ms: number): Promise<void> {
  const gone = once(killed, "exit");
  setTimeout(() => killed.kill("SIGKILL"), ms);
  await gone;
}

async function untilGoneOrDone(
  dataDir: string,
  emailId: string,
  watched: IngestProcess["process"],
): Promise<void> {
  const stores = storesAt(dataDir);
  const isDone = async (): Promise<boolean> => {
    const args = [emailId];
    const sql = "SELECT 1 FROM mail WHERE email_id = ? AND due_at IS NULL";
    return (await stores.database.read({ sql, args })).rows.length > 0;
  };
  await expect
    .poll(async () => watched.signalCode !== null || (await isDone()), {
      timeout: 60_000,
      interval: 20,
    })
    .toBe(true);
  await stores.close();
}
