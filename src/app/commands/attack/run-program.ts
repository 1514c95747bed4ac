import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface AttackEnvironment {
  program: readonly [string, ...string[]];
  env: Record<string, string>;
  /** An empty directory for one group of scenarios. */
  directory: string;
}

/** Runs a command of this program on a data directory, and returns its output. */
export async function run(
  { program, env }: AttackEnvironment,
  words: readonly string[],
  { dataDir, input }: { dataDir: string; input?: string },
): Promise<string> {
  const [command, ...args] = program;
  const child = spawn(command, [...args, ...words], {
    env: { ...env, COUNTERSIGN_DATA_DIR: dataDir },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(input ?? "");
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (child.exitCode !== 0)
    throw new Error(`\`${words.join(" ")}\` failed. The scenarios cannot run.`);
  return output;
}
