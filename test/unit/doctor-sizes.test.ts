import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatSizes } from "../../src/app/doctor/data-directory.ts";
import { parseSettings } from "../../src/config.ts";

const bucket = { S3_BUCKET: "b", S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" };

// The database of another place was always "0.0 MB", also that of a server.
it.for([
  [{}, "database 0.3 MB, embedded objects 0.2 MB, data directory 0.5 MB"],
  [
    { DATABASE_URL: "file:other/my.db" },
    "database 0.7 MB, embedded objects 0.2 MB, data directory 1.2 MB",
  ],
  [
    { DATABASE_URL: "https://db.example", ...bucket },
    "database on a server, objects in a bucket, data directory 0.5 MB",
  ],
] as const)("the sizes name the places of the settings %o", ([env, words], t) => {
  const dir = mkdtempSync(join(tmpdir(), "countersign-"));
  t.onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "countersign.db"), Buffer.alloc(200_000));
  writeFileSync(join(dir, "countersign.db-wal"), Buffer.alloc(100_000));
  writeFileSync(join(dir, "objects.db"), Buffer.alloc(200_000));
  if ("DATABASE_URL" in env && env.DATABASE_URL.startsWith("file:")) {
    mkdirSync(join(dir, "other"));
    writeFileSync(join(dir, "other", "my.db"), Buffer.alloc(700_000));
  }
  const config = parseSettings({ ...env, COUNTERSIGN_DATA_DIR: dir }, dir);
  expect(formatSizes(config)).toBe(`${words} (${dir})`);
});
