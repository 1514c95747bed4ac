import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { killChild } from "../servers/child.ts";
import type { ConformanceSuite } from "../servers/conformance.ts";

export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

/** The findings of one scenario. */
export interface ScenarioResult {
  scenario: string;
  /** False for scenarios that the revision does not require, such as extensions. */
  scored: boolean;
  passed: number;
  /** Ids of the checks that failed. */
  failed: string[];
}

const checks = z.array(z.object({ id: z.string(), status: z.string() }));

/** Runs the scenarios that a revision requires against a server, and reads their results. */
export async function runSuite(
  { node, cli }: ConformanceSuite,
  url: string,
  revision: Revision,
): Promise<ScenarioResult[]> {
  const output = mkdtempSync(join(tmpdir(), "countersign-conformance-"));
  try {
    const args = [cli, "server", "--url", url, "--requirements", revision, "-o", output];
    const said = await run(node, args);
    const [, tail = ""] = said.split(`Not scored for ${revision}`);
    const unscored = new Set([...tail.matchAll(/^ +[✓✗] (\S+) \(/gm)].map(([, name]) => name));
    return readdirSync(output).map((name) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1];
      if (scenario === undefined) throw new Error(`${name} is no result: ${said}`);
      const results = checks.parse(
        JSON.parse(readFileSync(join(output, name, "checks.json"), "utf8")),
      );
      return {
        scenario,
        scored: !unscored.has(scenario),
        passed: results.filter(({ status }) => status === "SUCCESS").length,
        failed: results.filter(({ status }) => status === "FAILURE").map(({ id }) => id),
      };
    });
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** Runs the suite's program. Exit code 1 means that a check failed, which is an ordinary result. */
function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
}

/** The suite, as it runs all its scenarios of clients. */
export interface ClientScenarios {
  /** Resolves when the suite has judged a scenario. */
  result(scenario: string): Promise<{ passed: number; failed: string[] }>;
  stop(): Promise<void>;
}

/**
 * Runs all scenarios of the suite against a client, at the same time. One process of the suite takes half a second to
 * start, so it is not started for each.
 * @param command starts the client
 */
export function startClientScenarios(
  { node, cli }: ConformanceSuite,
  command: string,
): ClientScenarios {
  const output = mkdtempSync(join(tmpdir(), "countersign-conformance-"));
  // A client waits for its turn first.
  const args = ["client", "--command", command, "--suite", "all", "--timeout", "300000"];
  const suite = spawn(node, [cli, ...args, "-o", output], { stdio: ["ignore", "ignore", "pipe"] });
  const said: string[] = [];
  const waiting = new Map<string, (folder: string | undefined) => void>();
  const folders = new Map<string, string>();
  let isOver = false;
  const lines = createInterface({ input: suite.stderr });
  lines.on("line", (line) => {
    said.push(line);
    const folder = /^Results saved to (.+)$/.exec(line)?.[1];
    if (folder === undefined) return;
    const scenario = relative(output, folder).replace(/-\d{4}-\d\d-\d\dT[^/]*$/, "");
    folders.set(scenario, folder);
    waiting.get(scenario)?.(folder);
  });
  lines.on("close", () => {
    isOver = true;
    for (const resolve of waiting.values()) resolve(undefined);
  });
  return {
    async result(scenario) {
      const folder =
        folders.get(scenario) ??
        (isOver ? undefined : await new Promise((resolve) => waiting.set(scenario, resolve)));
      if (folder === undefined) throw new Error(`${scenario} has no result: ${said.join("\n")}`);
      const results = checks.parse(JSON.parse(readFileSync(join(folder, "checks.json"), "utf8")));
      return {
        passed: results.filter(({ status }) => status === "SUCCESS").length,
        failed: results.filter(({ status }) => status === "FAILURE").map(({ id }) => id),
      };
    },
    async stop() {
      await killChild(suite);
      rmSync(output, { recursive: true, force: true });
    },
  };
}
