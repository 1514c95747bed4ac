import { execFile } from "node:child_process";
import { cpSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const databases = ["main", "objects"];

const settings = z.object({
  default: z.object({ dialect: z.literal("sqlite"), schema: z.string(), out: z.string() }),
});

/** What drizzle-kit would add to a copy of the migrations: they are its own work, and its word decides. */
async function added(name: string): Promise<{ files: string[]; said: string }> {
  const config: unknown = await import(join(root, "drizzle", `${name}.config.ts`));
  const { dialect, schema, out } = settings.parse(config).default;
  const place = temporaryDirectory();
  cpSync(join(root, out), join(place, name), { recursive: true });
  const before = readdirSync(join(place, name));
  const program = join(root, "node_modules/drizzle-kit/bin.cjs");
  // It takes every `--out` for one within the working directory, and ends with 0 also where it fails.
  const args = [`--dialect=${dialect}`, `--schema=${join(root, schema)}`, `--out=./${name}`];
  const { stdout } = await promisify(execFile)(process.execPath, [program, "generate", ...args], {
    cwd: place,
  });
  const after = readdirSync(join(place, name));
  return { files: after.filter((file) => !before.includes(file)), said: stdout };
}

describe("the migrations", () => {
  it.each(databases)("of %s make what its schema says", async (name) => {
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
