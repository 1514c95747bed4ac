import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { program, s3Environment } from "../servers/ingest.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";
import { startTcpProxy } from "../servers/tcp-proxy.ts";

/** Imports the same folder at the same time as other processes. Resolves with the exit code and the output. */
async function importing(
  dataDir: string,
  folder: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; statuses: string[] }> {
  const child = spawn(process.execPath, [program, "import", "--json", folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], COUNTERSIGN_DATA_DIR: dataDir, ...env },
  });
  const exited = once(child, "exit");
  let stdout = "";
  for await (const chunk of child.stdout) stdout += String(chunk);
  const [code] = (await exited) as [number];
  const lines = stdout.trim().split("\n");
  return { code, statuses: lines.map((line) => (JSON.parse(line) as { status: string }).status) };
}

function folderOf(count: number): string {
  const folder = join(temporaryDirectory(), "mail");
  mkdirSync(folder);
  for (let number = 0; number < count; number += 1) {
    writeFileSync(join(folder, `${number}.eml`), `Subject: number ${number}\n\nword${number}\n`);
  }
  return folder;
}

it("processes each message once, however many processes receive it [mail.no-loss]", async () => {
  const { dataDir, stores, start } = openIngestWorld();
  const count = 60;
  const folder = folderOf(count);
  const ingest = await start();
  const results = await Promise.all([1, 2, 3].map(() => importing(dataDir, folder)));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  const statuses = results.flatMap((result) => result.statuses);
  expect(statuses.filter((status) => status === "stored")).toHaveLength(count);
  expect(statuses.filter((status) => status === "duplicate")).toHaveLength(2 * count);
  const { rows } = await stores.database.read({
    sql: `SELECT (SELECT count(*) FROM mail) AS mails, (SELECT count(*) FROM mail_words) AS found,
      (SELECT count(*) FROM mail_receipts) + (SELECT count(imported_from) FROM mail) AS receipts`,
    args: [],
  });
  expect({ ...rows[0] }).toEqual({ mails: count, found: count, receipts: 3 * count });
  expect(await ingest.stop("SIGTERM")).toBe(0);
});

/**
 * If two processes worked on one message, both would store its text. This shows only at the object store, because only
 * one of them can record the step.
 */
it.skipIf(!hasS3())(
  "lets one process alone work on a message, however many look for work [mail.handled-once]",
  async () => {
    const count = 30;
    const { settings } = await makeBucket();
    const proxy = await startTcpProxy(settings.endpoint, () => "pass");
    onTestFinished(() => proxy.close());
    const environment = s3Environment({ ...settings, endpoint: proxy.url });
    const { dataDir, stores, start } = openIngestWorld(environment);
    const others = [await start(), await start()];
    const results = await Promise.all(
      [folderOf(count), folderOf(count)].map((folder) => importing(dataDir, folder, environment)),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    // Left over by one that was killed: all find these at the same time.
    const textsPut = (): string[] =>
      proxy.requests.filter((line) => /^PUT \S+\/mail\/text\//.test(line));
    expect(textsPut()).toHaveLength(count);
    expect(new Set(textsPut()).size).toBe(count);
    const { objects } = await stores.objects.list({ prefix: "mail/text/", limit: 100 });
    for (const { key } of objects) await stores.objects.remove(key);
    await stores.database.write([
      { sql: "UPDATE mail SET search_id = NULL, step = 'parse', due_at = 0", args: [] },
    ]);
    await expect
      .poll(async () => (await stores.mail.search({ limit: 1 })).pending, { timeout: 40_000 })
      .toBe(0);
    expect(textsPut()).toHaveLength(2 * count);
    for (const other of others) expect(await other.stop("SIGTERM")).toBe(0);
  },
);
