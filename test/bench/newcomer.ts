import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { pack } from "../servers/packed.ts";
import { enter, openedEntry } from "./page.ts";

// A newcomer's clock: does what the README says in an empty home with an empty npm cache, from the package to the first
// approved call. Prints each command and step with its seconds. The person's own reading and clicking takes no time here.

const directory = mkdtempSync(join(tmpdir(), "countersign-newcomer-"));
const home = join(directory, "home");
const opened = join(directory, "browser");
// The client is there before: the newcomer has used it for other things.
for (const path of [home, opened, join(home, ".cursor")]) mkdirSync(path);
const bin = join(home, "npm", "bin");
const env = {
  // The registry and the proxy that this machine is set up for.
  ...process.env,
  PATH: `${bin}:${process.env["PATH"] ?? ""}`,
  HOME: home,
  npm_config_prefix: join(home, "npm"),
  npm_config_cache: join(home, "cache"),
  npm_config_userconfig: process.env["npm_config_userconfig"] ?? join(homedir(), ".npmrc"),
  // The browser: it puts the page's address where this script can read it.
  APPROVAL_OPEN: `cp -t "${opened}"`,
};

let seconds = 0;
let commands = 0;

async function step(what: string, work: () => unknown): Promise<void> {
  const before = performance.now();
  await work();
  const took = (performance.now() - before) / 1_000;
  seconds += took;
  console.log(`| ${what} | ${took.toFixed(1)} |`);
}

async function command(name: string, args: readonly string[], shown = args): Promise<void> {
  commands += 1;
  await step(`\`${name} ${shown.join(" ")}\``, () =>
    execFileSync(name, args, { env, cwd: home, stdio: ["ignore", "ignore", "inherit"] }),
  );
}

const entry = z.object({
  mcpServers: z.object({
    countersign: z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()).optional(),
    }),
  }),
});

try {
  const tarball = await pack(directory);
  console.log("| command or step | seconds |\n|---|---|");
  await command(
    "npm",
    ["install", "--global", tarball],
    ["install", "--global", "./countersign.tgz"],
  );
  await command("countersign", ["connect", "cursor", "--yes"]);
  const written: unknown = JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8"));
  const { countersign } = entry.parse(written).mcpServers;
  const client = new Client({ name: "newcomer", version: "0.0.0" });
  await step("the client starts the server of its file and lists the tools", async () => {
    await client.connect(
      new StdioClientTransport({
        ...countersign,
        env: { ...env, ...countersign.env },
        cwd: home,
        stderr: "inherit",
      }),
    );
    await client.listTools();
  });
  const call = (name: string, args: Record<string, unknown>): ReturnType<Client["callTool"]> =>
    client.callTool({ name, arguments: args });
  await step("write_file runs", () => call("write_file", { key: "hello.md", content: "Hello" }));
  const browser = openedEntry(opened);
  await step(
    "delete_file waits, the page opens, Approve is pressed, the file is deleted",
    async () => {
      const deleted = call("delete_file", { key: "hello.md" });
      await (
        await enter(await browser)
      )();
      const { isError, content } = await deleted;
      if (isError === true) throw new Error(JSON.stringify(content));
    },
  );
  await client.close();
  console.log(
    `\nFrom the package to the first approved call: ${commands} commands, ${seconds.toFixed(1)} s`,
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
