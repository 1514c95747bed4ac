import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { writeBackup } from "../../src/app/backup/backup-file.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { recipient } from "../servers/ingest.ts";
import { connectHere } from "./clients.ts";
import { filledHome, message } from "./filled-home.ts";
import { type Home, newHome } from "./home.ts";
import { runHere } from "./program.ts";

const sentence =
  "The database countersign.db was created by a newer version of this program. Nothing was changed.";

vi.setConfig({ testTimeout: 120_000 });

/** Creates a database of a later version, with a migration that this version does not have. */
async function newerHome(t: TestContext): Promise<Home> {
  const home = await filledHome(t);
  await home.sql("INSERT INTO migrations (hash, applied_at) VALUES ('of the future', 0)");
  await home.sql("PRAGMA wal_checkpoint(TRUNCATE)");
  return home;
}

const passphrase = { input: "correct horse battery\n" };

describe.concurrent("a database of a newer program", () => {
  it("is refused by each tool call over stdio", async (t) => {
    const client = await connectHere(await newerHome(t), "v2 pinned");
    const { error, text } = await client.call("search_emails", { query: "word1" });
    expect(error).toMatchObject({ kind: "not_configured", sideEffects: "none" });
    expect(text).toContain(sentence);
  });

  it.for([
    "ingest",
    // The command printed the sentence for each message, without what to do.
    "import FILE",
    "mail list",
    "backup FILE --passphrase-stdin",
    "copy --to new.env",
    "remove --data --yes",
  ])("is refused by %s, which says what to do", async (words, t) => {
    const args = words.split(" ");
    const home = await newerHome(t);
    writeFileSync(join(home.dir, "new.env"), `COUNTERSIGN_DATA_DIR=${newHome(t).dir}\n`, {
      mode: 0o600,
    });
    const before = readdirSync(home.dir).filter((name) => !name.includes(".db-"));
    const file = join(newHome(t).dir, "home.age");
    const given = args.map((arg) => (arg === "FILE" ? file : arg));
    const env = { INGEST_RECIPIENTS: recipient, SMTP_PORT: "0" };
    const { code, stdout, stderr } = await runHere(home, given, { ...passphrase, env });
    expect(code).toBe(1);
    // The commands did not say what to do.
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(
      `${sentence} Install that version, or set another database.`,
    );
    expect(stderr).not.toContain("    at ");
    expect(stdout).not.toContain("has everything");
    expect(existsSync(file)).toBe(false);
    const after = readdirSync(home.dir).filter((name) => !name.includes(".db-"));
    expect(after).toEqual(before);
  });

  it.for([
    // The command accepted mail that it could not process.
    "ingest",
    // The command stored messages that it could not process, and tried them for a minute.
    "import FILE",
    "mail list",
    "approvals list",
    "undo list",
    "audit verify",
    "backup FILE --passphrase-stdin",
    "copy --to new.env",
    "remove --data --yes",
  ])("is refused by %s before it does anything, if it is that of the objects", async (words, t) => {
    const home = await filledHome(t);
    await home.objectSql("INSERT INTO migrations (hash, applied_at) VALUES ('of the future', 0)");
    writeFileSync(join(home.dir, "new.env"), `COUNTERSIGN_DATA_DIR=${newHome(t).dir}\n`, {
      mode: 0o600,
    });
    const file = join(newHome(t).dir, "4.eml");
    if (words.startsWith("import")) writeFileSync(file, message(4));
    const args = words.split(" ").map((arg) => (arg === "FILE" ? file : arg));
    const env = { INGEST_RECIPIENTS: recipient, SMTP_PORT: "0" };
    const { code, stdout, stderr } = await runHere(home, args, { ...passphrase, env });
    expect([code, stdout]).toEqual([1, expect.not.stringContaining("complete")]);
    expect(stderr).toContain(
      `${sentence.replace("countersign.db", "objects.db")} Install that version, or set another database.`,
    );
    const [row] = await home.sql("SELECT count(*) AS n FROM mail");
    expect(Number(row?.["n"])).toBe(3);
  });

  it("is refused by each tool call, if it is that of the objects", async (t) => {
    // Only calls that needed an object were refused.
    const home = await filledHome(t);
    await home.objectSql("INSERT INTO migrations (hash, applied_at) VALUES ('of the future', 0)");
    const client = await connectHere(home, "v2 pinned");
    const { error, text } = await client.call("search_emails", { query: "word1" });
    expect(error).toMatchObject({ kind: "not_configured", sideEffects: "none" });
    expect(text).toContain("The database objects.db was created by a newer version");
  });

  it("is a broken line of doctor", async (t) => {
    const { code, stdout } = await runHere(await newerHome(t), ["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain(`database: broken. ${sentence} Install that version`);
  });

  it("is refused as the target of a copy", async (t) => {
    const newer = await newerHome(t);
    const home = await filledHome(t);
    const file = join(newHome(t).dir, "new.env");
    writeFileSync(file, `DATABASE_URL=file:${join(newer.dir, "countersign.db")}\n`, {
      mode: 0o600,
    });
    const { code, stderr } = await runHere(home, ["copy", "--to", file]);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
  });

  it.for(["countersign.db", "objects.db"])(
    "is refused inside a backup as its %s, of which the restore leaves nothing",
    async (name, t) => {
      const home = await filledHome(t);
      for (const sql of [
        "INSERT INTO migrations (hash, applied_at) VALUES ('of the future', 0)",
        "PRAGMA wal_checkpoint(TRUNCATE)",
      ])
        await (name === "objects.db" ? home.objectSql(sql) : home.sql(sql));
      const file = join(newHome(t).dir, "home.age");
      await writeBackup(
        home.dir,
        { file, draft: `${file}.part` },
        new Secret("correct horse battery"),
      );
      const older = newHome(t);
      const settings = join(older.dir, ".env");
      writeFileSync(settings, "UNDO_HOURS=7\n", { mode: 0o600 });
      const args = ["restore", file, "--passphrase-stdin"];
      const { code, stdout, stderr } = await runHere(older, args, passphrase);
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr: `${sentence.replace("countersign.db", name)} Install that version, or set another database.\n`,
      });
      expect(readdirSync(older.dir)).toEqual([".env"]);
      expect(readFileSync(settings, "utf8")).toBe("UNDO_HOURS=7\n");
    },
  );
});
