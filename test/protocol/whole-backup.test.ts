import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, expect, it, vi } from "vitest";
import { z } from "zod";
import { expectAll, filledHome } from "./filled-home.ts";
import { type Home, newHome, operatorSecret, storedFile } from "./home.ts";
import { runHere, runProgram } from "./program.ts";
import { raw2025Here } from "./raw-server.ts";

// Passphrases are slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const input = "correct horse battery\n";
const stdin = "--passphrase-stdin";

const backup = (home: Home, file: string) => runProgram(home, ["backup", file, stdin], { input });

/** Creates a home in which an assistant has written a file. */
async function homeWithFile(t: TestContext): Promise<Home> {
  const home = newHome(t);
  const server = await raw2025Here(home, { elicitation: false });
  await server.answer("write_file", { key: "note.md", content: "x" });
  server.hangUp();
  expect((await server.ended).code).toBe(0);
  return home;
}

it("a backup writes into no file that another process may have", async (t) => {
  // Two backups to one name wrote into the same FILE.part. One was given the name with what both had written.
  const home = await filledHome(t);
  const place = newHome(t).dir;
  const file = join(place, "home.age");
  writeFileSync(`${file}.part`, "of another backup");
  const both = await Promise.all([backup(home, file), backup(home, file)]);
  expect(readFileSync(`${file}.part`, "utf8")).toBe("of another backup");
  expect(readdirSync(place).toSorted()).toEqual(["home.age", "home.age.part"]);
  const codes = both.map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set([0, 1]));
  expect(both.map(({ stderr }) => stderr).join("")).toBe(
    `${file} exists. No backup was made. Choose another name.\n`,
  );
  const other = newHome(t);
  expect((await runHere(other, ["restore", file, stdin], { input })).code).toBe(0);
  await expectAll(other);
});

it("a backup has the policy file of a folder, and names files that it does not have", async (t) => {
  // The backup "contains everything", and after a restore the server did not start.
  const home = await filledHome(t);
  const elsewhere = join(newHome(t).dir, "servers.json");
  writeFileSync(elsewhere, '{ "mcpServers": {} }', { mode: 0o600 });
  const settings = `POLICY_FILE=rules/policy.json\nSERVERS_FILE=${elsewhere}\n`;
  writeFileSync(join(home.dir, ".env"), settings, { mode: 0o600 });
  mkdirSync(join(home.dir, "rules"), { mode: 0o700 });
  writeFileSync(join(home.dir, "rules", "policy.json"), "{}", { mode: 0o600 });
  const file = join(newHome(t).dir, "home.age");
  const made = await backup(home, file);
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(
    /contains everything .*\nNot in the backup: the files of SERVERS_FILE\. Copy them yourself\.\n$/,
  );
  const other = newHome(t);
  expect((await runHere(other, ["restore", file, stdin], { input })).code).toBe(0);
  expect(readFileSync(join(other.dir, "rules", "policy.json"), "utf8")).toBe("{}");
  expect((await runHere(other, ["policy", "check"])).code).toBe(0);
});

it("a file without content is reported by doctor and backup", async (t) => {
  // Doctor said "files: works", and the backup contained "everything".
  const home = await homeWithFile(t);
  await home.objectSql("DELETE FROM objects WHERE key = 'files/note.md'");
  const { code, stdout } = await runProgram(home, ["doctor"]);
  expect(code).toBe(1);
  const objects = join(home.dir, "objects.db");
  expect(stdout).toMatch(
    new RegExp(
      `^content of files: broken\\. ${objects} lacks 1 of 1 files that were changed lately or are in the search index: note\\.md\\. Put back its objects, or restore a backup into an empty directory\\.$`,
      "m",
    ),
  );
  const made = await backup(home, join(newHome(t).dir, "home.age"));
  expect([made.code, made.stdout]).toEqual([1, ""]);
  expect(made.stderr).toMatch(
    /home\.age is not complete .*Messages: 0, files: 0\. .*The object store lacks 1 files: note\.md\. Run: .* doctor\n$/,
  );
});

it("a file that a person removed by undo is not reported as lost", async (t) => {
  const home = await homeWithFile(t);
  const [row] = await home.sql("SELECT undo_id FROM file_changes");
  const secret = { input: `${operatorSecret}\n` };
  const undoId = z.string().parse(row?.["undo_id"]);
  const undone = await runHere(home, ["undo", undoId, "--secret-stdin"], secret);
  expect([undone.code, await storedFile(home, "note.md")]).toMatchObject([0, { there: false }]);
  expect((await runHere(home, ["doctor"])).code).toBe(0);
});

it("the data of a killed restore can be removed without the backup", async (t) => {
  // remove said "Let it finish first." The restore could not be repeated, because its backup was lost.
  const home = newHome(t);
  const unpacked = join(home.dir, "restoring");
  mkdirSync(unpacked);
  writeFileSync(join(unpacked, "countersign.db"), "half");
  const record = { command: "restore", pid: 0, paths: [unpacked] };
  writeFileSync(join(home.dir, "unfinished.json"), JSON.stringify(record), { mode: 0o600 });
  expect((await runHere(home, ["mail", "list"])).code).toBe(1);
  const { code, stdout } = await runProgram(home, ["remove", "--data", "--yes"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("What remains:")]);
  expect(existsSync(home.dir)).toBe(false);
});
