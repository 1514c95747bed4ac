import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const installWithinMs = 300_000;
const python = ["fastmcp==3.4.10", "mcp-proxy==0.13.0"];
/** The adapter cannot be imported with SDK 2. */
const olderPython = ["mcp-gateway==1.2.1", "mcp==1.30.0"];
const node = ["supergateway@4.0.0"];

/** A gateway that other people use. Its commands speak MCP over standard input and output. */
export interface Gateway {
  name: string;
  /** Before a server that the command starts. Undefined if it has no such mode. */
  process: ((command: readonly string[]) => string[]) | undefined;
  /** Before a server over HTTP. Undefined if it has no such mode. */
  http: ((url: string) => string[]) | undefined;
  /** The name under which it offers the tool of the measured server. */
  tool: string;
}

const tool = "tool_0";

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
  const inVenv = async (venv: string, packages: readonly string[]) =>
    await tried(packages, async () => {
      await run("python3", ["-m", "venv", venv]);
      await run(join(venv, "bin/pip"), ["install", "--quiet", ...packages]);
    });
  const venv = join(directory, "python");
  const olderVenv = join(directory, "older-python");
  const hasPython = await inVenv(venv, python);
  const hasOlderPython = await inVenv(olderVenv, olderPython);
  const hasNode = await tried(node, async () => {
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
    await run("npm", ["install", "--prefix", directory, ...quiet, ...node]);
  });
  const fast = join(venv, "bin/fastmcp");
  const fileOf = (name: string, mcpServers: object): string => {
    const path = join(directory, `${name}.json`);
    writeFileSync(path, JSON.stringify({ mcpServers }));
    return path;
  };
  const fastFile = (name: string, entry: object): string => fileOf(name, { bench: entry });
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
            tool,
          },
          {
            name: python[1] ?? "",
            tool,
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
    ...(hasOlderPython
      ? [
          {
            name: olderPython[0] ?? "",
            tool: `bench_${tool}`,
            process: ([command = "", ...args]: readonly string[]) => {
              const servers = { bench: { command, args } };
              return [
                join(olderVenv, "bin/mcp-gateway"),
                "--mcp-json-path",
                fileOf("mcp-gateway", { "mcp-gateway": { command, args, servers } }),
              ];
            },
            http: undefined,
          },
        ]
      : []),
    ...(hasNode
      ? [
          {
            name: node[0] ?? "",
            tool,
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
