import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runsOf } from "../protocol/home.ts";
import { type Driver, bin, drivers } from "./drivers.ts";
import { type Installed, install, newerNode } from "./packages.ts";
import { type Outcome, callsMade, plainOf, runLibrary } from "./programs.ts";
import { resultsIn } from "./seen.ts";
import { type SignInWorld, newSignInWorld } from "./sign-in.ts";

/** Drives a client that signs in automatically, or through its command line. */
type Signing = (world: SignInWorld) => Promise<Outcome>;

/** Each client has its own setting for a certificate that it must trust. */
const trusting = ({ cert }: SignInWorld): Record<string, string> => ({
  NODE_EXTRA_CA_CERTS: cert,
  SSL_CERT_FILE: cert,
  // Prints the address in place of opening it.
  BROWSER: "echo %s",
});

function driverOf(id: Installed): Driver {
  const driver = drivers.find((each) => each.id === id);
  if (driver === undefined) throw new Error(`no driver for ${id}`);
  return driver;
}

/** Wide enough for the address of a sign-in in one line. */
const inTerminal = (command: readonly string[]): readonly string[] => [
  "script",
  "-qec",
  `stty cols 1000; exec ${command.join(" ")}`,
  "/dev/null",
];

/** Signs in with a command of its own, between the entry in its file and the task. */
const withLogin =
  (id: Installed, program: string, login: readonly string[], place?: "terminal"): Signing =>
  async (world) => {
    const driver = driverOf(id);
    const run: SignInWorld["run"] = (command, args, env = {}, watch) =>
      world.run(command, args, { ...trusting(world), ...env }, watch);
    const connect = async (client: string): Promise<void> => {
      await world.connect(client);
      const command = [bin(id, program), ...login];
      const [file = "", ...args] = place === "terminal" ? inTerminal(command) : command;
      const { code, stdout, stderr } = await run(file, args, {}, world.person());
      if (code !== 0) throw new Error(`${stdout}\n${stderr}`);
    };
    return await driver.drive({ ...world, run, connect });
  };

/** A program of ours that signs in with a library. */
const library =
  (id: Installed, ending: "mjs" | "py"): Signing =>
  async (world) => {
    const env = { ...trusting(world), SIGN_IN: "1" };
    const ran = await runLibrary({ ...world, env, watch: world.person() }, id, ending);
    return ending === "py" ? plainOf(ran) : { ran: [ran] };
  };

const clients: Readonly<Record<string, Signing>> = {
  "mcp-remote": async (world) => {
    const program = join(install("mcp-remote"), "node_modules", ".bin", "mcp-remote");
    const args = [program, world.server.url ?? "", "--transport", "http-only"];
    const server = { command: join(newerNode(), "node"), args, url: undefined };
    const env = trusting(world);
    return plainOf(
      await runLibrary({ ...world, server, env, watch: world.person() }, "python-mcp", "py"),
    );
  },
  FastMCP: library("fastmcp", "py"),
  "Python SDK": library("python-mcp", "py"),
  "Vercel AI SDK": library("ai-sdk", "mjs"),
  "LangChain adapters (npm)": library("langchain", "mjs"),
  Mastra: library("mastra", "mjs"),
  // The client signs in at a terminal only.
  "Claude Code": withLogin("claude-code", "claude", ["mcp", "login", "countersign"], "terminal"),
  Codex: withLogin("codex", "codex", ["mcp", "login", "countersign"]),
  mcporter: async (world) => {
    const entry = { baseUrl: world.server.url, auth: "oauth" };
    const config = join(world.work, "mcporter.json");
    writeFileSync(config, JSON.stringify({ mcpServers: { countersign: entry } }));
    const args = [bin("mcporter", "mcporter"), "--config", config, "auth", "countersign"];
    const node = join(newerNode(), "node");
    const login = await world.run(node, args, trusting(world), world.person());
    if (login.code !== 0) throw new Error(`${login.stdout}\n${login.stderr}`);
    return await driverOf("mcporter").drive({
      ...world,
      run: (command, more, env = {}) => world.run(command, more, { ...trusting(world), ...env }),
    });
  },
  opencode: withLogin("opencode", "opencode", ["mcp", "auth", "countersign"]),
};

/** Client ids of these hosts are addresses on claude.ai and chatgpt.com. A test does not use the internet. */
const haveDocuments = ["Claude Code", "Codex"];

it.each(Object.entries(clients))(
  "%s signs in over HTTPS, and the approved call runs once",
  async (name, drive) => {
    const cleanUps: (() => unknown)[] = [];
    const world = await newSignInWorld(
      { onTestFinished: (each) => cleanUps.push(each) },
      haveDocuments.includes(name) ? "registration" : "document",
    );
    try {
      const outcome = await drive(world);
      const { ran, plain } = outcome;
      const results = plain?.results ?? resultsIn(world.model.requests.at(-1) ?? {});
      const said = ran
        .map(({ stdout, stderr }) => `${stdout.slice(-1500)}\n${stderr.slice(-1500)}`)
        .join("\n---\n");
      expect(results, said).toHaveLength(callsMade(world, outcome).length);
      const pending = results.find((text) => text.includes("approval_required")) ?? "";
      expect(pending).toContain(new URL(world.server.url ?? "").origin);
      expect(await runsOf(world.home, "delete_file")).toBe(1);
    } finally {
      for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    }
  },
);
