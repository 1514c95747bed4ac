import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../protocol/program.ts";
import { type Installed, install, newerNode } from "./packages.ts";
import { newWorld } from "./world.ts";

const bin = (id: Installed, name: string): string =>
  join(install(id), "node_modules", ".bin", name);

interface Lister {
  id: Installed;
  /** The client's configuration file, below the home directory, and its text before. */
  file: string;
  text: string;
  /** How the client lists its servers. */
  command: () => readonly [string, ...string[]];
}

const listers: readonly Lister[] = [
  {
    id: "claude-code",
    file: ".claude.json",
    text: '{\n  "theme": "dark", "hasCompletedOnboarding": true }\n',
    command: () => [bin("claude-code", "claude"), "mcp", "list"],
  },
  {
    id: "codex",
    file: ".codex/config.toml",
    text: '# mine\nmodel="gpt-5"   # inline',
    command: () => [bin("codex", "codex"), "mcp", "list"],
  },
  {
    id: "gemini-cli",
    file: ".gemini/settings.json",
    text: '{ "privacy": {"usageStatisticsEnabled": false}, // mine\n}',
    command: () => [join(newerNode(), "node"), bin("gemini-cli", "gemini"), "mcp", "list"],
  },
  {
    id: "opencode",
    file: ".config/opencode/opencode.json",
    text: '{"autoupdate":false}',
    command: () => [bin("opencode", "opencode"), "mcp", "list"],
  },
  {
    id: "copilot-cli",
    file: ".copilot/mcp-config.json",
    text: '{\n\t"mcpServers": {}\n}\n',
    command: () => [bin("copilot-cli", "copilot"), "mcp", "list"],
  },
];

it.for(listers)(
  "$id lists the server that connect added, and not after an undo",
  async ({ id, file, text, command }, t) => {
    const world = await newWorld(t, "stdio");
    world.put(file, text);
    const list = async (): Promise<string> => {
      const [program, ...args] = command();
      const env = { GEMINI_CLI_TRUST_WORKSPACE: "true", DISABLE_AUTOUPDATER: "1" };
      const { stdout, stderr } = await world.run(program, args, env);
      return stdout + stderr;
    };
    const connect = async (...more: string[]): Promise<void> => {
      const env = { HOME: world.user, COUNTERSIGN_DATA_DIR: world.data };
      const { code, stderr } = await runProgram(world.home, ["connect", id, "--yes", ...more], {
        env,
      });
      expect(code, stderr).toBe(0);
    };
    await connect();
    expect(readFileSync(join(world.user, file), "utf8")).toContain("countersign");
    await connect("--undo");
    // Before any start of the client, because several clients write into their file.
    expect(readFileSync(join(world.user, file), "utf8")).toBe(text);
    await connect();
    expect(await list()).toContain("countersign");
    await connect("--undo");
    expect(await list()).not.toMatch(/countersign\b(?!-)/);
  },
);
