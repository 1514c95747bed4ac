import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unpackExtension } from "@anthropic-ai/mcpb";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { removeDirectory } from "../fakes/remove-directory.ts";
import { suiteFinished } from "../fakes/suite-finished.ts";
import { drive } from "../servers/packed.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const manifest = z.object({
  server: z.object({
    entry_point: z.string(),
    mcp_config: z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
  user_config: z.record(z.string(), z.unknown()),
  compatibility: z.object({ platforms: z.array(z.string()) }),
});

/** How a native file of each machine begins: Mach-O with its processor, ELF of 64 bits for x86-64, and Windows' PE. */
const natives = {
  "darwin-arm64": { platform: "darwin", begins: /^cffaedfe0c000001/ },
  "darwin-x64": { platform: "darwin", begins: /^cffaedfe07000001/ },
  "linux-x64": { platform: "linux", begins: /^7f454c460201[0-9a-f]{24}3e00/ },
  "win32-x64": { platform: "win32", begins: /^4d5a/ },
} as const;

describe("the bundle for Claude Desktop", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-mcpb-"));
  suiteFinished()(() => removeDirectory(folder));

  beforeAll(() => {
    const tool = join(root, "dist/app/build/mcpb.js");
    execFileSync(process.execPath, [tool, "--out", folder], { stdio: "pipe" });
  }, 300_000);

  async function unpacked(target: string): Promise<string> {
    const name = readdirSync(folder).find((file) => file.endsWith(`-${target}.mcpb`));
    expect(name).toBeDefined();
    const outputDir = join(folder, target);
    expect(await unpackExtension({ mcpbPath: join(folder, name!), outputDir, silent: true })).toBe(
      true,
    );
    return outputDir;
  }

  const manifestIn = (content: string) =>
    manifest.parse(JSON.parse(readFileSync(join(content, "manifest.json"), "utf8")));

  it.each(Object.entries(natives))(
    "has the one native file of %s and asks for the data directory only",
    async (target, { platform, begins }) => {
      const content = await unpacked(target);
      const files = readdirSync(content, { recursive: true, encoding: "utf8" });
      const found = files.filter((file) => file.endsWith(".node"));
      expect(found).toHaveLength(1);
      expect(readFileSync(join(content, found[0]!)).subarray(0, 20).toString("hex")).toMatch(
        begins,
      );
      const { compatibility, user_config: asked } = manifestIn(content);
      expect(compatibility.platforms).toEqual([platform]);
      expect(Object.keys(asked)).toEqual(["data_directory"]);
      expect(files).toContain(join("bundle", "THIRD-PARTY-NOTICES.txt"));
    },
  );

  it("runs on Linux from an empty directory with Node alone", async () => {
    const content = await unpacked("linux-x64");
    const dataDir = join(folder, "data");
    const { mcp_config: start, entry_point: entry } = manifestIn(content).server;
    const filled = (text: string): string =>
      text.replaceAll("${__dirname}", content).replaceAll("${user_config.data_directory}", dataDir);
    const args = start.args.map(filled);
    expect({ command: start.command, args }).toEqual({
      command: "node",
      args: [join(content, entry), "serve"],
    });
    const env = Object.fromEntries(
      Object.entries(start.env).map(([name, value]) => [name, filled(value)]),
    );
    expect(env).toEqual({ COUNTERSIGN_DATA_DIR: dataDir });
    const driven = await drive([process.execPath, ...args.slice(0, -1)], dataDir);
    expect(driven.tools).toContain("delete_file");
    expect(driven.file).toContain("written by the packed program");
    for (const answer of driven.found) expect(answer).toContain("Report of the harbour");
  });
});
