import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { program, startIngest, storesAt } from "../servers/ingest.ts";

/** Takes the same folder in, at the same time as others do; resolves with its exit code and what it told. */
async function importing(
  dataDir: string,
  folder: string,
): Promise<{ code: number; statuses: string[] }> {
  const child = spawn(process.execPath, [program, "import", "--json", folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], COUNTERSIGN_DATA_DIR: dataDir },
  });
  const exited = once(child, "exit");
  let stdout = "";
  for await (const chunk of child.stdout) stdout += String(chunk);
  const [code] = (await exited) as [number];
  const lines = stdout.trim().split("\n");
  return { code, statuses: lines.map((line) => (JSON.parse(line) as { status: string }).status) };
}

it("handles each message once, however many processes get it at once [mail.no-loss]", async () => {
  const dataDir = temporaryDirectory();
  const folder = join(temporaryDirectory(), "mail");
  mkdirSync(folder);
  const count = 60;
  for (let number = 0; number < count; number += 1) {
    writeFileSync(join(folder, `${number}.eml`), `Subject: number ${number}\n\nword${number}\n`);
  }
  const ingest = await startIngest(dataDir);
  const results = await Promise.all([1, 2, 3].map(() => importing(dataDir, folder)));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  const statuses = results.flatMap((result) => result.statuses);
  expect(statuses.filter((status) => status === "stored")).toHaveLength(count);
  expect(statuses.filter((status) => status === "duplicate")).toHaveLength(2 * count);
  const stores = storesAt(dataDir);
  const { rows } = await stores.database.read({
    sql: `SELECT (SELECT count(*) FROM mail) AS mails, (SELECT count(*) FROM mail_words) AS found,
      (SELECT count(*) FROM mail_receipts) AS receipts`,
    args: [],
  });
  expect({ ...rows[0] }).toEqual({ mails: count, found: count, receipts: 3 * count });
  await stores.close();
  expect(await ingest.stop("SIGTERM")).toBe(0);
});
