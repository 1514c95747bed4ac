import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The packages of each client, all pinned. The first package is the client itself. */
const npmPackages = {
  node: ["node@24.21.0"],
  "claude-code": ["@anthropic-ai/claude-code@2.1.332"],
  codex: ["@openai/codex@0.171.0"],
  "gemini-cli": ["@google/gemini-cli@0.61.0"],
  opencode: ["opencode-ai@1.18.33"],
  "copilot-cli": ["@github/copilot@1.0.102"],
  cline: ["cline@3.0.65"],
  continue: ["@continuedev/cli@1.5.47"],
  "qwen-code": ["@qwen-code/qwen-code@0.24.4"],
  "upstream-servers": [
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-sequential-thinking@2026.8.31",
    "@modelcontextprotocol/server-github@2025.4.8",
    "@playwright/mcp@0.0.83",
    "tavily-mcp@0.2.22",
  ],
  inspector: ["@modelcontextprotocol/inspector@2.12.0"],
  "mcp-remote": ["mcp-remote@0.15.1"],
  mcporter: ["mcporter@0.12.3"],
  "ai-sdk": ["@ai-sdk/mcp@2.0.99", "ai@7.0.173", "@ai-sdk/openai-compatible@3.0.92"],
  "openai-agents": ["@openai/agents@0.20.0", "zod@4.6.7"],
  langchain: [
    "@langchain/mcp-adapters@1.1.4",
    "@langchain/core@1.4.0",
    "@langchain/langgraph@1.7.3",
    "@langchain/openai@1.6.0",
    "langchain@1.5.14",
  ],
  mastra: [
    "@mastra/mcp@2.0.0",
    "@mastra/core@1.71.0",
    "@ai-sdk/openai-compatible@3.0.92",
    "zod@4.6.7",
  ],
} as const;

const pythonPackages = {
  "python-mcp": ["mcp==2.3.0"],
  "upstream-servers-python": ["mcp-server-git==2026.10.19", "mcp-server-time==2026.10.19"],
  fastmcp: ["fastmcp==4.2.3"],
  "openai-agents-python": ["openai-agents==0.24.0"],
  "langchain-python": [
    "langchain-mcp-adapters==0.3.2",
    "langchain==1.5.2",
    "langchain-openai==1.7.4",
  ],
  "pydantic-ai": ["pydantic-ai-slim[openai,mcp]==2.68.0"],
  "google-adk": ["google-adk[mcp]==2.13.0", "litellm==1.110.2"],
  "agent-framework": [
    "agent-framework-core==1.23.0",
    "agent-framework-openai==1.17.0",
    "tenacity==9.2.1",
    "mcp==2.3.0",
  ],
  strands: ["strands-agents[openai]==1.62.0"],
  // The adapter of this client imports a function that the SDK no longer has in 2.0.
  smolagents: ["smolagents[mcp,openai]==1.26.0", "mcp==1.30.0"],
} as const;

type NpmClient = keyof typeof npmPackages;
type PythonClient = keyof typeof pythonPackages;
export type Installed = NpmClient | PythonClient;

/** Outside the repository, so that it is neither linted nor packed, and survives a clean clone. */
const cache = process.env["CLIENTS_CACHE"] ?? join(homedir(), ".cache", "countersign-clients");

/** Installs a client unless this version of it is there. Returns its directory. @throws with the installer's words */
export function install(id: Installed): string {
  const isNpm = id in npmPackages;
  const specs: readonly string[] = isNpm
    ? npmPackages[id as NpmClient]
    : pythonPackages[id as PythonClient];
  const directory = join(cache, isNpm ? "npm" : "python", id);
  const marker = join(directory, "installed.json");
  const wanted = JSON.stringify([...specs].toSorted());
  if (existsSync(marker)) {
    const there = JSON.parse(readFileSync(marker, "utf8")) as string[];
    if (JSON.stringify(there.toSorted()) === wanted) return directory;
  }
  mkdirSync(directory, { recursive: true });
  if (isNpm) {
    writeFileSync(join(directory, "package.json"), '{"private":true}\n');
    run("npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...specs], directory);
  } else {
    run("python3", ["-m", "venv", "venv"], directory);
    run(join("venv", "bin", "pip"), ["install", "--quiet", ...specs], directory);
  }
  writeFileSync(marker, wanted);
  return directory;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
}

/** Returns the version: `2.1.332` of `@anthropic-ai/claude-code@2.1.332`. */
export function versionOf(id: Installed): string {
  const [first] =
    id in npmPackages ? npmPackages[id as NpmClient] : pythonPackages[id as PythonClient];
  return first.split(/@(?=[^@]+$)|==/).at(-1) ?? "";
}

export function packageOf(id: Installed): string {
  const [first] =
    id in npmPackages ? npmPackages[id as NpmClient] : pythonPackages[id as PythonClient];
  return (first.split(/@(?=[^@]+$)|==/)[0] ?? "").replace(/\[.*/, "");
}

/** Returns the directory of a newer Node, which several clients need. */
export function newerNode(): string {
  return join(install("node"), "node_modules", "node", "bin");
}
