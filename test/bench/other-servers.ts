import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { encode } from "gpt-tokenizer";
import { z } from "zod";
import { startRaw } from "./stdio-client.ts";

/** Servers that people know, to read our number beside. Pinned, and installed for the run alone. */
const others = [
  {
    name: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    args: (directory: string) => [directory],
    env: {},
  },
  { name: "tavily-mcp", version: "0.2.22", args: () => [], env: { TAVILY_API_KEY: "tvly-bench" } },
  {
    name: "@brave/brave-search-mcp-server",
    version: "2.1.4",
    args: () => ["--transport", "stdio"],
    env: { BRAVE_API_KEY: "bench" },
  },
] as const;

const installWithinMs = 180_000;
const answerWithinMs = 30_000;

export interface ListSize {
  server: string;
  tools: number;
  tokens: number;
}

/** Tokens of a `tools/list` answer, tool by tool, as every model is sent them. */
export function listSize(server: string, tools: readonly unknown[]): ListSize {
  const tokens = tools.reduce<number>((sum, tool) => sum + encode(JSON.stringify(tool)).length, 0);
  return { server, tools: tools.length, tokens };
}

/** Starts each of them in turn. One that cannot be installed or started is skipped, and said so. */
export async function otherSizes(directory: string): Promise<ListSize[]> {
  const sizes: ListSize[] = [];
  for (const other of others) {
    try {
      sizes.push(await measure(other, directory));
    } catch (error) {
      console.warn(`NOT MEASURED: ${other.name}@${other.version}: ${String(error).split("\n")[0]}`);
    }
  }
  return sizes;
}

async function measure(
  { name, version, args, env }: (typeof others)[number],
  directory: string,
): Promise<ListSize> {
  const install = ["install", "--prefix", directory, "--no-audit", "--no-fund", "--ignore-scripts"];
  await promisify(execFile)("npm", [...install, `${name}@${version}`], {
    timeout: installWithinMs,
  });
  const home = join(directory, "node_modules", name);
  const { bin } = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })
    .parse(JSON.parse(readFileSync(join(home, "package.json"), "utf8")));
  const program = typeof bin === "string" ? bin : Object.values(bin)[0];
  if (program === undefined) throw new Error("it has no program");
  const list = listOf([join(home, program), ...args(directory)], env);
  return listSize(`${name} ${version}`, await list);
}

async function listOf(args: readonly string[], env: Record<string, string>): Promise<unknown[]> {
  const stop = new AbortController();
  const late = AbortSignal.timeout(answerWithinMs);
  const gaveUp = new Promise<never>((_resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("it does not answer")));
  });
  const list = async (): Promise<unknown> => {
    const client = await startRaw(args, env, stop.signal);
    return await client.request("tools/list", {});
  };
  try {
    const answer = await Promise.race([list(), gaveUp]);
    return z.object({ tools: z.array(z.unknown()) }).parse(answer).tools;
  } finally {
    stop.abort();
  }
}
