import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { removeDirectory } from "../fakes/remove-directory.ts";
import { suiteFinished } from "../fakes/suite-finished.ts";
import { bytesBelow, drive, install, pack } from "../servers/packed.ts";

const builtin = new Set(builtinModules);
const manifest = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()) });

describe("the package, installed from its tarball without scripts", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-packed-"));
  suiteFinished()(() => removeDirectory(folder));
  let packages = "";
  const installed = (path: string): string => join(packages, "countersign", path);

  beforeAll(async () => {
    packages = await install(await pack(folder), join(folder, "empty"));
  }, 300_000);

  it("takes at most 90 MB, with nothing but the database driver beside the program", () => {
    expect(bytesBelow(packages)).toBeLessThan(90e6);
    const names = readdirSync(packages, { recursive: true, encoding: "utf8" })
      .filter((path) => basename(path) === "package.json")
      .map((path) => path.slice(0, -"/package.json".length));
    const others = names.filter((name) => !/^@libsql\/[\w-]+$/.test(name));
    expect(others.toSorted()).toEqual(["@neon-rs/load", "countersign", "detect-libc", "libsql"]);
  });

  it("starts by its own name and says its version", () => {
    const { version } = manifest.parse(
      JSON.parse(readFileSync(installed("package.json"), "utf8")) as unknown,
    );
    const said = execFileSync(join(packages, ".bin/countersign"), ["--version"]).toString();
    expect(said).toBe(`${version}\n`);
  });

  it("stores files, and reads HTML, PDF and Word in mail", async () => {
    const program = installed("bundle/main.js");
    const driven = await drive([process.execPath, program], join(folder, "data"));
    expect(driven.tools).toEqual(expect.arrayContaining(["search_emails", "delete_file"]));
    expect(driven.file).toContain("written by the packed program");
    for (const answer of driven.found) expect(answer).toContain("Report of the harbour");
  });

  it.each(["serve", "ingest", "init", "doctor", "approvals", "audit", "undo", "demo"])(
    "loads the command %s with the packages that are there",
    (command) => {
      const program = installed("bundle/main.js");
      const args = [program, command, "--help"];
      const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect(stdout).toContain(`Usage: node ${program} ${command}`);
      expect(status).toBe(0);
    },
  );

  it("names the package that its entry for the AI SDK misses", () => {
    const code = 'import("countersign/ai-sdk").then(({ countersignTools }) => countersignTools())';
    const { status, stderr } = spawnSync(process.execPath, ["--eval", code], {
      cwd: join(folder, "empty"),
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'The package "ai" is not installed. No tools were created. Run: npm install ai@6',
    );
  });

  it("imports only installed packages", () => {
    const code = readdirSync(installed("bundle")).filter((name) => name.endsWith(".js"));
    const named = code.flatMap((name) => {
      const text = readFileSync(installed(`bundle/${name}`), "utf8");
      return [...text.matchAll(/(?<=^|;)import(?:[\w{},*$ ]+from)?"([^"]+)";/g)].map(
        ([, path = ""]) => path,
      );
    });
    const packagesOf = named.filter((path) => !/^(?:\.|node:)/.test(path) && !builtin.has(path));
    expect([...new Set(packagesOf)].toSorted()).toEqual(["ai", "libsql"]);
  });

  it("contains the licenses of the packages that are bundled into it", () => {
    const notices = readFileSync(installed("bundle/THIRD-PARTY-NOTICES.txt"), "utf8");
    for (const name of ["zod", "imapflow", "mailauth", "@aws-sdk/client-s3", "ai", "postal-mime"])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, "m"));
    expect(notices).not.toMatch(/\(see below\)\n\n=/);
  });
});
