import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { decideAtTerminal } from "../protocol/program.ts";
import {
  homeWithServers,
  open,
  review,
  reviewed,
  writeServers,
} from "../protocol/upstream-home.ts";
import { install } from "./packages.ts";

const node = (path: string): string => join(install("upstream-servers"), "node_modules", path);
const python = (name: string): string => join(install("upstream-servers-python"), "venv/bin", name);
const official = (name: string): string => node(`@modelcontextprotocol/${name}/dist/index.js`);
const byNode = (path: string, ...args: string[]) => ({
  command: process.execPath,
  args: [path, ...args],
});

type Call = readonly [tool: string, args: Record<string, unknown>, answer: string];

/** A server that people use, with one call of low and one of high risk. */
interface Server {
  name: string;
  entry: (directory: string) => object;
  low: (directory: string) => Call;
  high: (directory: string) => Call;
}

const servers: readonly Server[] = [
  {
    name: "memory",
    entry: (directory) => ({
      ...byNode(official("server-memory")),
      env: { MEMORY_FILE_PATH: join(directory, "memory.json") },
    }),
    low: () => ["read_graph", {}, "entities"],
    high: () => ["delete_entities", { entityNames: ["nobody"] }, "deleted successfully"],
  },
  {
    name: "think",
    entry: () => ({
      ...byNode(official("server-sequential-thinking")),
      tools: { sequentialthinking: "low" },
    }),
    low: () => ["sequentialthinking", thought(1), "thoughtHistoryLength"],
    high: () => ["sequentialthinking", thought(2), "thoughtHistoryLength"],
  },
  {
    // Each call ends in an error of the server if there is no network.
    name: "github",
    entry: () => ({
      ...byNode(official("server-github")),
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: "none" },
      tools: { get_issue: "low" },
    }),
    low: () => ["get_issue", { owner: "a", repo: "b", issue_number: 1 }, "protocol error -32603"],
    high: () => ["create_issue", { owner: "a", repo: "b", title: "c" }, '"status":"unknown"'],
  },
  {
    name: "playwright",
    entry: () => ({
      ...byNode(node("@playwright/mcp/cli.js"), "--headless", "--isolated", "--no-sandbox"),
      env: { PLAYWRIGHT_MCP_EXECUTABLE_PATH: "/usr/bin/chromium" },
    }),
    low: () => ["browser_snapshot", {}, "about:blank"],
    high: () => ["browser_navigate", { url: "data:text/html,<title>There</title>" }, "There"],
  },
  {
    name: "tavily",
    entry: () => ({
      ...byNode(node("tavily-mcp/build/index.js")),
      env: { TAVILY_API_KEY: "none" },
      tools: { tavily_extract: "low" },
    }),
    low: () => ["tavily_extract", { urls: ["https://example.org"] }, "failed"],
    high: () => ["tavily_search", { query: "anything" }, "failed"],
  },
  {
    name: "git",
    entry: (directory) => ({
      command: python("mcp-server-git"),
      args: ["--repository", directory],
    }),
    low: (directory) => ["git_status", { repo_path: directory }, "Repository status"],
    high: (directory) => ["git_reset", { repo_path: directory }, "reset"],
  },
  {
    name: "time",
    entry: () => ({ command: python("mcp-server-time"), tools: { convert_time: "high" } }),
    low: () => ["get_current_time", { timezone: "Asia/Tokyo" }, "Asia/Tokyo"],
    high: () => [
      "convert_time",
      { source_timezone: "Asia/Tokyo", time: "12:00", target_timezone: "Europe/Rome" },
      "Europe/Rome",
    ],
  },
];

function thought(thoughtNumber: number): Record<string, unknown> {
  return { thought: "x", nextThoughtNeeded: false, thoughtNumber, totalThoughts: thoughtNumber };
}

it.for(servers)("$name is reviewed, called, killed and called again", async (server, t) => {
  const home = homeWithServers(t, {}, { TOOL_LIST_TOKENS: "100000" });
  const directory = join(home.dir, "work");
  mkdirSync(directory);
  execFileSync("git", ["init", "--quiet", directory]);
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  const commit = ["commit", "--quiet", "--allow-empty", "-m", "first"];
  execFileSync("git", ["-C", directory, ...identity, ...commit]);
  writeServers(home, { [server.name]: server.entry(directory) });
  await reviewed(home, server.name);
  const client = await open(home);
  const [tool, args, answer] = server.low(directory);
  expect((await client.call(`${server.name}__${tool}`, args)).text).toContain(answer);
  const killed = client.children();
  for (const pid of killed) process.kill(pid, "SIGKILL");
  // A call in the same moment would be sent to the process that dies.
  const dying = () => client.children().filter((pid) => killed.includes(pid));
  await expect.poll(dying).toEqual([]);
  expect((await client.call(`${server.name}__${tool}`, args)).text).toContain(answer);
  const [highTool, highArgs, highAnswer] = server.high(directory);
  const asked = await client.call(`${server.name}__${highTool}`, highArgs);
  const { id: approvalId = "" } = asked.error?.approval ?? {};
  if (approvalId === "") return expect(asked.text).toContain(highAnswer);
  await decideAtTerminal(home, "approve", approvalId);
  const check = async () => await client.call("check_approval", { approvalId });
  await expect.poll(async () => (await check()).whole).toContain(highAnswer);
});

it("a program that becomes another server has its tools withheld", async (t) => {
  const home = homeWithServers(t, {});
  const link = join(home.dir, "server.js");
  const become = (path: string): void => {
    symlinkSync(path, `${link}.new`);
    renameSync(`${link}.new`, link);
  };
  become(official("server-memory"));
  writeServers(home, { memory: byNode(link) });
  await reviewed(home, "memory");
  const client = await open(home);
  become(official("server-sequential-thinking"));
  const { error, text } = await client.call("memory__read_graph");
  expect(error?.kind).toBe("forbidden");
  expect(text).toContain("changed this tool after it was reviewed");
  const names = (await client.list()).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith("memory__"))).toEqual([]);
  expect((await review(home, "memory")).stdout).toContain("sequentialthinking");
});
