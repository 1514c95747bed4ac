import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { pack } from "../servers/packed.ts";

const runs = 4;
const startsWithinMs = 180_000;
const other = "@modelcontextprotocol/server-filesystem@2026.8.31";

/**
 * Measures the wait of a newcomer: a start with `npx` and an empty cache, up to the first `tools/list`. Starts of ours
 * and of the other server alternate.
 * @param directory for the caches, which the caller removes
 * @returns milliseconds
 */
export async function coldStarts(directory: string): Promise<{ ours: number[]; other: number[] }> {
  const tarball = await pack(directory);
  const times: { ours: number[]; other: number[] } = { ours: [], other: [] };
  for (let run = 0; run < runs; run += 1) {
    times.other.push(await coldStart([other, directory], directory));
    times.ours.push(
      await coldStart([`--package=${tarball}`, "--", "countersign", "serve"], directory),
    );
  }
  return times;
}

async function coldStart(args: readonly string[], directory: string): Promise<number> {
  const own = mkdtempSync(join(directory, "cold-"));
  const dataDir = join(own, "data");
  mkdirSync(dataDir);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "/",
    npm_config_cache: join(own, "cache"),
    COUNTERSIGN_DATA_DIR: dataDir,
  };
  const client = new Client({ name: "bench", version: "0.0.0" });
  const before = performance.now();
  const transport = new StdioClientTransport({
    command: "npx",
    args: ["-y", ...args],
    env,
    cwd: own,
    stderr: "ignore",
  });
  await client.connect(transport, { timeout: startsWithinMs });
  await client.listTools();
  const ms = performance.now() - before;
  await client.close();
  return ms;
}
