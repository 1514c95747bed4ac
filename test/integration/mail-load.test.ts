import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { smtpSession } from "../servers/ingest.ts";
import { mailCorpus } from "../servers/mail-corpus.ts";

/** A delay that neither a person on the approval page nor a deferred relay notices. Milliseconds. */
const unnoticedMs = 50;

/** Returns how long this machine needs to hash a message. A slow machine needs longer than `unnoticedMs` for the largest. */
function hashingMs(message: Uint8Array): number {
  const times = Array.from({ length: 3 }, () => {
    const before = performance.now();
    createHash("sha256").update(message).digest();
    return performance.now() - before;
  });
  return Math.min(...times);
}

const watcher = new URL("../servers/watch-process.mjs", import.meta.url).href;

/** Makes a message of the largest size, most of which is one attachment. */
function largest(): Uint8Array {
  const content = randomBytes(18_500_000).toString("base64").replace(/.{76}/g, "$&\r\n");
  return Buffer.from(
    `Subject: largest\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nelephant\r\n--b\r\n` +
      `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n` +
      `Content-Disposition: attachment; filename=a.bin\r\n\r\n${content}\r\n--b--\r\n`,
  );
}

it("the event loop of ingest is never blocked for long by any mail", async () => {
  const { dataDir, stores, start } = openIngestWorld();
  const report = join(dataDir, "report.json");
  const ingest = await start({ NODE_OPTIONS: `--import ${watcher}`, WATCH_REPORT: report });
  const session = await smtpSession(ingest.port);
  const watched = () =>
    JSON.parse(readFileSync(report, "utf8")) as { longestMs: number; ticks: number };
  const untilDone = () =>
    expect
      .poll(async () => (await stores.mail.search({ limit: 1 })).pending, {
        timeout: 120_000,
        interval: 50,
      })
      .toBe(0);
  // The first message also loads code, once in the life of the process.
  expect(await session.send(Buffer.from("Subject: first\r\n\r\nx\r\n"))).toMatch(/^250 /);
  await untilDone();
  ingest.process.kill("SIGUSR2");
  for (const file of mailCorpus?.files ?? [])
    expect(await session.send(mailCorpus!.read(file))).toMatch(/^250 /);
  const last = largest();
  expect(await session.send(last)).toMatch(/^250 /);
  await untilDone();
  const seen = watched().ticks;
  await expect.poll(() => watched().ticks).toBeGreaterThan(seen);
  expect(watched().longestMs).toBeLessThan(Math.max(unnoticedMs, hashingMs(last)));
  expect((await stores.mail.search({ query: "elephant", limit: 1 })).total).toBe(1);
  session.close();
  expect(await ingest.stop("SIGTERM")).toBe(0);
}, 300_000);
