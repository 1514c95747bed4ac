import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../protocol/program.ts";
import { type Installed, install, newerNode } from "./packages.ts";
import { newWorld } from "./world.ts";

const bin = (id: Installed, name: string): string =>
  join(install(id), "node_modules", ".bin", name);

/** How each client lists its servers. */
const lists: readonly (readonly [Installed, command: () => readonly [string, ...string[]]])[] = [
  ["claude-code", () => [bin("claude-code", "claude"), "mcp", "list"]],
  ["codex", () => [bin("codex", "codex"), "mcp", "list"]],
  ["gemini-cli", () => [join(newerNode(), "node"), bin("gemini-cli", "gemini"), "mcp", "list"]],
  ["opencode", () => [bin("opencode", "opencode"), "mcp", "list"]],
];

it.for(lists)(
  "%s lists the server that connect added, and not after an undo",
  async ([id, command], t) => {
    const world = await newWorld(t, "stdio");
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
    expect(await list()).toContain("countersign");
    await connect("--undo");
    expect(await list()).not.toMatch(/countersign\b(?!-)/);
  },
);
