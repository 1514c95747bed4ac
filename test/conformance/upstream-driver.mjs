// The client under test of the official suite: the built product with the suite's server as its upstream server. The
// address is the last argument. It signs in if the scenario is about that, reviews the tools and calls each of them.
// The three commands run one after another in this process: a process for each was most of the time of the suite.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

const program = new URL("../../bundle/main.js", import.meta.url).href;
const secret = "secret-of-the-operator";
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const url = process.argv.at(-1);
const dataDir = mkdtempSync(join(tmpdir(), "countersign-conformance-client-"));
const { PATH } = process.env;
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, {
  PATH,
  HOME: dataDir,
  COUNTERSIGN_DATA_DIR: dataDir,
  APPROVERS: `operator:${secret}`,
  APPROVAL_OPEN: "off",
  LOG_LEVEL: "debug",
});
const entry = { type: "http", url, tools: { "*": "low" } };
const file = join(dataDir, "servers.json");
writeFileSync(file, JSON.stringify({ mcpServers: { up: entry } }), { mode: 0o600 });

/** What a command prints comes here, because `serve` prints the protocol. */
const stdout = new PassThrough();
Object.defineProperty(process, "stdout", { value: stdout });
let onLine = (line) => console.error(line);
createInterface({ input: stdout }).on("line", (line) => onLine(line));

/** Runs a command of the program to its end, with its standard input. */
async function run(args, stdin = new PassThrough().end()) {
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
  process.argv = [process.execPath, program, ...args];
  // Another query makes it another module, whose parts are loaded already.
  await import(`${program}?${args.join("-")}`);
}

/** Signs in: a person would follow the printed address in a browser. */
async function signIn() {
  let isOpen = false;
  onLine = (line) => {
    console.error(line);
    const page = /https?:\/\/\S+/.exec(line)?.[0];
    if (page === undefined || isOpen) return;
    isOpen = true;
    void fetch(page).catch((error) => console.error(error));
  };
  await run(["servers", "login", "up"]);
}

/** Accepts the tools as an approver. */
async function review() {
  onLine = (line) => console.error(line);
  const args = ["servers", "review", "up", "--accept-proposed", "--secret-stdin"];
  await run(args, new PassThrough().end(`${secret}\n`));
}

/** Starts the server, lists its tools and calls those of the upstream server. */
async function callTools() {
  const waiting = new Map();
  onLine = (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  };
  const stdin = new PassThrough();
  const ended = run(["serve"], stdin);
  let id = 0;
  const send = (method, params) =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
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
  stdin.end();
  await ended;
}

try {
  if (scenario.startsWith("auth/")) await signIn();
  await review();
  await callTools();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
  // The suite judges by what it received: a command that was refused is often what a scenario wants.
  process.exitCode = 0;
}
