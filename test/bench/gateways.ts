import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const installWithinMs = 300_000;
const python = ["fastmcp==3.4.10", "mcp-proxy==0.13.0"];
const node = ["supergateway@4.0.0"];

/** A gateway that other people use. Its commands speak MCP over standard input and output. */
export interface Gateway {
  name: string;
  /** Before a server that the command starts. Undefined if it has no such mode. */
  process: ((command: readonly string[]) => string[]) | undefined;
  /** Before a server over HTTP. */
  http: (url: string) => string[];
}

/** Installs other gateways for one run. A package that cannot be installed is left out with a warning. */
export async function installGateways(directory: string): Promise<Gateway[]> {
  const run = async (command: string, args: readonly string[]): Promise<unknown> =>
    await promisify(execFile)(command, args, { timeout: installWithinMs });
  const tried = async (what: readonly string[], install: () => Promise<unknown>) => {
    try {
      await install();
      return true;
    } catch (error) {
      console.warn(`NOT MEASURED: ${what.join(", ")}: ${String(error).split("\n")[0]}`);
      return false;
    }
  };
  const venv = join(directory, "python");
  const hasPython = await tried(python, async () => {
    await run("python3", ["-m", "venv", venv]);
    await run(join(venv, "bin/pip"), ["install", "--quiet", ...python]);
  });
  const hasNode = await tried(node, async () => {
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
    await run("npm", ["install", "--prefix", directory, ...quiet, ...node]);
  });
  const fast = join(venv, "bin/fastmcp");
  const fastFile = (name: string, entry: object): string => {
    const path = join(directory, `${name}.json`);
    writeFileSync(path, JSON.stringify({ mcpServers: { bench: entry } }));
    return path;
  };
  return [
    ...(hasPython
      ? [
          {
            name: python[0] ?? "",
            process: ([command = "", ...args]: readonly string[]) => [
              fast,
              "run",
              fastFile("process", { command, args }),
              "--no-banner",
            ],
            http: (url: string) => [fast, "run", fastFile("http", { url }), "--no-banner"],
          },
          {
            name: python[1] ?? "",
            process: undefined,
            http: (url: string) => [
              join(venv, "bin/mcp-proxy"),
              "--transport",
              "streamablehttp",
              url,
            ],
          },
        ]
      : []),
    ...(hasNode
      ? [
          {
            name: node[0] ?? "",
            process: undefined,
            http: (url: string) => [
              join(directory, "node_modules/.bin/supergateway"),
              "--streamableHttp",
              url,
              "--logLevel",
              "none",
            ],
          },
        ]
      : []),
  ];
}
