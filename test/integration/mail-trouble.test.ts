import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { killChild } from "../servers/child.ts";
import { smallDisk } from "../servers/small-disk.ts";
import {
  type IngestHere,
  type IngestProcess,
  program,
  runCommand,
  s3Environment,
  type Session,
  smtpSession,
  startIngest,
  startIngestHere,
  storesAt,
} from "../servers/ingest.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";
import { type Fate, startTcpProxy } from "../servers/tcp-proxy.ts";

const token = "t".repeat(40);
const overHttp = { INGEST_HTTP_PORT: "0", INGEST_HTTP_TOKEN: token };

const message = (word: string, bytes = 0) =>
  Buffer.from(`Subject: about ${word}\r\n\r\n${word}\r\n${"filler words\r\n".repeat(bytes / 14)}`);

async function open(
  dataDir: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ ingest: IngestProcess; session: Session }> {
  const ingest = await startIngest(dataDir, { ...overHttp, ...environment }, (child) =>
    onTestFinished(() => killChild(child)),
  );
  return { ingest, session: await sessionAt(ingest) };
}

/** Does the same in this process, for tests that neither kill it nor send it a signal. */
async function openHere(
  dataDir: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ ingest: IngestHere; session: Session }> {
  const ingest = await startIngestHere(dataDir, { ...overHttp, ...environment });
  onTestFinished(async () => void (await ingest.stop()));
  return { ingest, session: await sessionAt(ingest) };
}

async function sessionAt({ port }: Pick<IngestHere, "port">): Promise<Session> {
  const session = await smtpSession(port);
  onTestFinished(() => session.close());
  return session;
}

async function post(
  ingest: Pick<IngestHere, "url">,
  body: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "message/rfc822" };
  const { status } = await fetch(ingest.url!, { method: "POST", headers, body });
  return status;
}

/**
 * Checks that all acknowledged messages exist and no refused ones: once each, findable, with a receipt for every
 * arrival.
 */
async function expectOnly(
  dataDir: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  const stores = storesAt(dataDir, environment);
  for (const word of words) {
    await expect
      .poll(async () => (await stores.mail.search({ query: `"${word}"`, limit: 2 })).total, {
        timeout: 40_000,
        interval: 50,
      })
      .toBe(1);
  }
  const { rows } = await stores.database.read({
    sql: `SELECT (SELECT count(*) FROM mail) AS mails, (SELECT count(*) FROM mail_receipts) AS receipts,
      (SELECT count(*) FROM mail WHERE due_at IS NOT NULL OR failure IS NOT NULL) AS unfinished`,
    args: [],
  });
  expect({ ...rows[0] }).toEqual({ mails: words.length, receipts: words.length, unfinished: 0 });
  const listed = await stores.mail.search({ limit: 50 });
  for (const { emailId } of listed.hits) await stores.mail.read(emailId, { offset: 0, length: 10 });
  await stores.close();
}

describe.skipIf(!hasS3())("while the object store is down", () => {
  it("mail is deferred and not stored, and afterwards ingest works without a restart [mail.put-off]", async () => {
    const dataDir = temporaryDirectory();
    const { settings } = await makeBucket();
    let fate: Fate = "pass";
    const proxy = await startTcpProxy(settings.endpoint, () => fate);
    onTestFinished(() => proxy.close());
    const environment = s3Environment({ ...settings, endpoint: proxy.url });
    const { ingest, session } = await openHere(dataDir, environment);
    expect(await session.send(message("before"))).toMatch(/^250 /);
    await expectOnly(dataDir, ["before"], environment);
    fate = "cut";
    expect(await session.send(message("during"))).toMatch(/^451 /);
    expect(await post(ingest, message("during"))).toBe(503);
    fate = "pass";
    await expectOnly(dataDir, ["before"], environment);
    expect(await session.send(message("during"))).toMatch(/^250 /);
    expect(await post(ingest, message("after"))).toBe(202);
    await expectOnly(dataDir, ["before", "during", "after"], environment);
  });
});

/** Resolves with what ends it. */
async function locked(dataDir: string, file: string): Promise<() => Promise<void>> {
  // The read also waits for its turn, because ingest may be writing.
  const url = pathToFileURL(join(dataDir, file)).href;
  const other = createClient({ url, timeout: 5_000 });
  const lock = await other.transaction("write");
  return async () => {
    await lock.rollback();
    other.close();
  };
}

describe("while another program holds a lock", () => {
  /** Larger than what is kept with its row: it goes to the object store before it is acknowledged. */
  const large = 200_000;

  it.each([
    ["countersign.db", 0],
    ["countersign.db", large],
    ["objects.db", large],
  ])(
    "%s, mail of %i bytes is deferred and not stored, and afterwards ingest works without a restart [mail.put-off]",
    async (file, bytes) => {
      const dataDir = temporaryDirectory();
      const { ingest, session } = await openHere(dataDir);
      expect(await session.send(message("before"))).toMatch(/^250 /);
      await expectOnly(dataDir, ["before"]);
      const unlock = await locked(dataDir, file);
      const [smtp, http] = await Promise.all([
        session.send(message("during", bytes)),
        post(ingest, message("other", bytes)),
      ]);
      expect(smtp).toMatch(/^451 /);
      expect(http).toBe(503);
      await unlock();
      await expectOnly(dataDir, ["before"]);
      expect(await session.send(message("during", bytes))).toMatch(/^250 /);
      expect(await post(ingest, message("other", bytes))).toBe(202);
      await expectOnly(dataDir, ["before", "during", "other"]);
    },
    120_000,
  );

  it("objects.db, small mail stays in its row, even after a kill, until the limit is reached", async () => {
    const dataDir = temporaryDirectory();
    const first = await open(dataDir);
    expect(await first.session.send(message("before"))).toMatch(/^250 /);
    await expectOnly(dataDir, ["before"]);
    const unlock = await locked(dataDir, "objects.db");
    expect(await first.session.send(message("during"))).toMatch(/^250 /);
    await first.ingest.stop("SIGKILL");
    const { session, ingest } = await open(dataDir);
    // From then on it is known that the object store is not there.
    await expect
      .poll(() => ingest.said.join("\n"), { timeout: 60_000 })
      .toContain("a step of a mail failed");
    expect(await session.send(message("more"))).toMatch(/^451 /);
    expect(await post(ingest, message("other"))).toBe(503);
    await unlock();
    await expectOnly(dataDir, ["before", "during"]);
    expect(await session.send(message("more"))).toMatch(/^250 /);
    await expectOnly(dataDir, ["before", "during", "more"]);
  }, 180_000);
});

it("on a full disk mail is deferred and acknowledged mail is whole, and ingest recovers without a restart [mail.put-off]", async ({
  skip,
}) => {
  const disk = smallDisk(12_000_000);
  if (disk === undefined) return skip();
  const dataDir = join(disk, "data");
  mkdirSync(dataDir);
  const { ingest, session } = await open(dataDir);
  expect(await session.send(message("before"))).toMatch(/^250 /);
  const ballast = join(disk, "ballast");
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 600_000, 1));
  const acknowledged = ["before"];
  let refused = 0;
  for (let number = 0; refused < 3; number += 1) {
    expect(number).toBeLessThan(60);
    const word = `word${number}x`;
    const reply = await session.send(message(word, 40_000));
    if (reply.startsWith("250")) acknowledged.push(word);
    else {
      expect(reply).toMatch(/^45[12] /);
      refused += 1;
    }
  }
  // The free space is measured a few times a second, so the disk itself may refuse first.
  expect([503, 507]).toContain(await post(ingest, message("late", 100_000)));
  rmSync(ballast);
  await expectOnly(dataDir, acknowledged);
  await expect.poll(() => session.send(message("after", 40_000))).toMatch(/^250 /);
  expect(await post(ingest, message("last", 40_000))).toBe(202);
  await expectOnly(dataDir, [...acknowledged, "after", "last"]);
}, 120_000);

it("on a full disk an import ends at Ctrl-C and reports what waits and why, and the next one does the rest", async ({
  skip,
}) => {
  const disk = smallDisk(6_000_000);
  if (disk === undefined) return skip();
  const dataDir = join(disk, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const folder = temporaryDirectory();
  const count = 120;
  for (let number = 0; number < count; number += 1) {
    const table = randomBytes(15_000).toString("hex");
    const parts = [
      ["text/plain", `word${number}`],
      ["text/csv", table],
      ["text/html", `<p>${table}</p>`],
    ].map(
      ([type, text]) =>
        `--b\n\nContent-Type: ${type}\nContent-Disposition: attachment\n\n${text}\n`,
    );
    const head = `Subject: ${number}\nContent-Type: multipart/mixed; boundary=b\n\n`;
    writeFileSync(join(folder, `${number}.eml`), `${head}${parts.join("")}--b--\n`);
  }
  const child = spawn(process.execPath, [program, "import", folder], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], COUNTERSIGN_DATA_DIR: dataDir },
  });
  onTestFinished(() => killChild(child));
  const ended = once(child, "close");
  let stderr = "";
  const isFull = "recording the progress of a mail failed";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const wasFull = stderr.includes(isFull);
    stderr += text;
    // A second signal would end it immediately.
    if (!wasFull && stderr.includes(isFull)) child.kill("SIGINT");
  });
  expect(await ended).toEqual([130, null]);
  expect(stderr).toMatch(
    /messages? (is|are) stored and not searchable yet: There is no space left on the disk/,
  );
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(spawnSync("mount", ["-o", "remount,size=200m", disk]).status).toBe(0);
  const again = runCommand(dataDir, ["import", folder]);
  expect(again).toMatchObject({ status: 0 });
  const stores = storesAt(dataDir);
  const { rows } = await stores.database.read({
    sql: `SELECT count(*) AS mails, sum(due_at IS NOT NULL OR failure IS NOT NULL) AS unfinished FROM mail`,
    args: [],
  });
  await stores.close();
  expect({ ...rows[0] }).toEqual({ mails: count, unfinished: 0 });
}, 180_000);
