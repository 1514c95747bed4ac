// The client under test of the official suite: the built product with the suite's server as its upstream server. The
// address is the last argument. It signs in if the scenario is about that, reviews the tools and calls each of them.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));
const secret = "secret-of-the-operator";
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const url = process.argv.at(-1);
const dataDir = mkdtempSync(join(tmpdir(), "countersign-conformance-client-"));
const env = {
  PATH: process.env.PATH,
  HOME: dataDir,
  COUNTERSIGN_DATA_DIR: dataDir,
  APPROVERS: `operator:${secret}`,
  APPROVAL_OPEN: "off",
  LOG_LEVEL: "debug",
};
const entry = { type: "http", url, tools: { "*": "low" } };
const file = join(dataDir, "servers.json");
writeFileSync(file, JSON.stringify({ mcpServers: { up: entry } }), { mode: 0o600 });

/** Signs in: a person would follow the printed address in a browser. */
async function signIn() {
  const child = spawn(process.execPath, [program, "servers", "login", "up"], { env });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stderr.pipe(process.stderr);
  let isOpen = false;
  for await (const line of createInterface({ input: child.stdout })) {
    console.error(line);
    const page = /https?:\/\/\S+/.exec(line)?.[0];
    if (page === undefined || isOpen) continue;
    isOpen = true;
    await fetch(page).catch((error) => console.error(error));
  }
  return await ended;
}

/** Starts the server, lists its tools and calls those of the upstream server. */
async function callTools() {
  const child = spawn(process.execPath, [program, "serve"], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const send = (method, params) =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await send("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "conformance", version: "1.0.0" },
  });
  const { result } = await send("tools/list", {});
  const calls =
    context.toolCalls ??
    result.tools
      .filter(({ name }) => name.startsWith("up__"))
      .map(({ name, inputSchema }) => ({
        name: name.slice("up__".length),
        arguments: Object.fromEntries(
          Object.entries(inputSchema.properties ?? {}).map(([key, { type }]) => [
            key,
            type === "number" || type === "integer" ? 5 : type === "boolean" ? true : "word",
          ]),
        ),
      }));
  for (const { name, arguments: args } of calls) {
    const answer = await send("tools/call", { name: `up__${name}`, arguments: args });
    console.error(name, JSON.stringify(answer).slice(0, 300));
  }
  child.stdin.end();
  await new Promise((resolve) => child.once("exit", resolve));
}

try {
  if (scenario.startsWith("auth/")) await signIn();
  const args = [program, "servers", "review", "up", "--accept-proposed", "--secret-stdin"];
  const { stderr, stdout } = spawnSync(process.execPath, args, { env, input: `${secret}\n` });
  console.error(String(stdout), String(stderr));
  await callTools();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
