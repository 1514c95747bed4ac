import { execFile } from "node:child_process";
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const databases = ["main", "objects"];

const settings = z.object({
  default: z.object({ dialect: z.literal("sqlite"), schema: z.string(), out: z.string() }),
});

/** Returns the statements that drizzle-kit would add to a copy of the migrations, which it generated itself. */
async function added(name: string): Promise<{ files: string[]; said: string }> {
  const config: unknown = await import(join(root, "drizzle", `${name}.config.ts`));
  const { dialect, schema, out } = settings.parse(config).default;
  const place = temporaryDirectory();
  cpSync(join(root, out), join(place, name), { recursive: true });
  const before = readdirSync(join(place, name));
  const program = join(root, "node_modules/drizzle-kit/bin.cjs");
  // The program takes every `--out` as a path in the working directory, and exits with 0 even if it fails.
  const args = [`--dialect=${dialect}`, `--schema=${join(root, schema)}`, `--out=./${name}`];
  const { stdout } = await promisify(execFile)(process.execPath, [program, "generate", ...args], {
    cwd: place,
  });
  const after = readdirSync(join(place, name));
  return { files: after.filter((file) => !before.includes(file)), said: stdout };
}

describe("the migrations", () => {
  it.each(databases)("of %s create the tables of its schema", async (name) => {
    const { files, said } = await added(name);
    expect(files, said).toEqual([]);
    expect(said).toContain("No schema changes");
  });

  it.each(databases)("of %s are listed in their order, each with its file", (name) => {
    const folder = join(root, "drizzle", name);
    const journal = z
      .object({ entries: z.array(z.object({ tag: z.string() })) })
      .parse(JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")));
    const scripts = readdirSync(folder).filter((file) => file.endsWith(".sql"));
    expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(scripts.toSorted());
  });
});

/** Writes the migrations of a later version: those of this version, and one more script. */
function laterVersion(script: string): string {
  const folder = join(temporaryDirectory(), "later");
  cpSync(join(root, "drizzle/main"), folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = z
    .looseObject({ entries: z.array(z.looseObject({ idx: z.number() })) })
    .parse(JSON.parse(readFileSync(path, "utf8")));
  const idx = journal.entries.length;
  const entry = { idx, version: "6", when: Date.now(), tag: "later", breakpoints: true };
  writeFileSync(path, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  writeFileSync(join(folder, "later.sql"), script);
  return folder;
}

describe("a database with rows, opened by a later version", () => {
  const select = (sql: string) => ({ sql, args: [] });

  async function withRow() {
    const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
    const open = (migrations: string) => openDatabase({ url, migrations, log: quietLog });
    const first = open(join(root, "drizzle/main"));
    await first.write([select("INSERT INTO leases (name, holder, until) VALUES ('a', 'b', 1)")]);
    await first.close();
    return open;
  }

  it("has its migration applied once, also by two processes at the same time, and keeps the rows", async () => {
    const open = await withRow();
    const later = laterVersion(
      "ALTER TABLE leases ADD times integer;--> statement-breakpoint\nUPDATE leases SET times = coalesce(times, 0) + 1;",
    );
    const both = [open(later), open(later)];
    for (const { rows } of await Promise.all(
      both.map((database) => database.read(select("SELECT name, times FROM leases"))),
    ))
      expect(rows.map((row) => ({ ...row }))).toEqual([{ name: "a", times: 1 }]);
    await Promise.all(both.map((database) => database.close()));
  });

  it("is unchanged if a statement of the migration fails", async () => {
    const open = await withRow();
    const broken = open(
      laterVersion(
        "ALTER TABLE leases ADD times integer;--> statement-breakpoint\nUPDATE nothing SET x = 1;",
      ),
    );
    await expect(broken.read(select("SELECT * FROM leases"))).rejects.toThrow(
      "Nothing was changed.",
    );
    await broken.close();
    const again = open(join(root, "drizzle/main"));
    const { rows } = await again.read(select("SELECT * FROM leases"));
    expect(rows.map((row) => ({ ...row }))).toEqual([{ name: "a", holder: "b", until: 1 }]);
    await again.close();
  });
});
