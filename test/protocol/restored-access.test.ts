import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filledHome } from "./filled-home.ts";
import { newHome } from "./home.ts";
import { runHere } from "./program.ts";

// A client whose access was revoked after the backup had access again, and a used refresh token worked again.
it("a restore ends the access of every client, also after a restart of the machine", async (t) => {
  const home = await filledHome(t);
  const other = newHome(t);
  const file = join(newHome(t).dir, "home.age");
  const input = "correct horse battery\n";
  for (const model of ["Client", "Grant", "RefreshToken", "AccessToken", "Session", "SignOut"])
    await home.sql(
      "INSERT INTO oauth_records (model, id, payload, ends_at) VALUES (?, 'id', '{}', 9e15)",
      [model],
    );
  await home.sql(
    `INSERT INTO passkeys (passkey_id, credential_id, approver, name, public_key, counter, challenged_at, created_at)
      VALUES ('pk_1', 'id', 'alice', 'phone', x'00', 0, 0, 0)`,
  );
  const backup = await runHere(home, ["backup", file, "--passphrase-stdin"], { input });
  expect(backup.code, backup.stderr).toBe(0);
  // An interrupted restore. Its process id now belongs to another process, which made every repeat fail. So did the
  // draft of its record.
  const record = { command: "restore", pid: process.ppid, start: "an earlier boot 1", paths: [] };
  const place = join(other.dir, "unfinished.json");
  for (const path of [place, `${place}.0123456789ab`])
    writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
  const { stdout } = await runHere(other, ["restore", file, "--passphrase-stdin"], { input });
  const records = readdirSync(other.dir).filter((name) => name.startsWith("unfinished"));
  expect(records).toEqual([]);
  expect(stdout).toContain("Clients that must sign in again: 1.");
  expect(stdout).toContain("Passkeys of the backup: 1. They include those that were removed later");
  const left = await other.sql("SELECT model FROM oauth_records ORDER BY model");
  expect(left.map(({ model }) => model)).toEqual(["Client", "SignOut"]);
});
