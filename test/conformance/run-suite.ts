import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { ConformanceSuite } from "../servers/conformance.ts";

export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

/** The findings of one scenario. */
export interface ScenarioResult {
  scenario: string;
  /** False for what a revision does not require: extensions, and what came after it. */
  scored: boolean;
  passed: number;
  /** Ids of the checks that failed. */
  failed: string[];
}

const checks = z.array(z.object({ id: z.string(), status: z.string() }));

/** Runs all that a revision requires against a server, and reads what the suite wrote down. */
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

/** Runs one scenario of the suite against a client. */
export async function runClientScenario(
  { node, cli }: ConformanceSuite,
  command: string,
  scenario: string,
): Promise<{ passed: number; failed: string[] }> {
  const output = mkdtempSync(join(tmpdir(), "countersign-conformance-"));
  try {
    const args = ["client", "--command", command, "--scenario", scenario, "-o", output];
    const said = await run(node, [cli, ...args]);
    const [file] = readdirSync(output, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith("checks.json"),
    );
    if (file === undefined) throw new Error(`${scenario} has no result: ${said}`);
    const results = checks.parse(JSON.parse(readFileSync(join(output, file), "utf8")));
    return {
      passed: results.filter(({ status }) => status === "SUCCESS").length,
      failed: results.filter(({ status }) => status === "FAILURE").map(({ id }) => id),
    };
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
