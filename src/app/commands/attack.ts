import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { defineCommand, form } from "../command-line/define-command.ts";
import { reuseThreads } from "../../core/shared/idle-threads.ts";
import { json, text } from "../command-line/options.ts";
import { programPath } from "../platform/own-command.ts";
import { outsideScenarios } from "./attack/outside-scenarios.ts";
import {
  type ScenarioOutcome,
  type Result,
  importMails,
  runBenign,
  runCategory,
} from "./attack/run-scenarios.ts";
import type { AttackEnvironment } from "./attack/run-program.ts";
import { type Scenario, scenarios } from "./attack/scenarios.ts";

export const command = defineCommand({
  about:
    "Runs attack scenarios against this server, with a model that obeys every mail and a person who denies every request. It uses a temporary directory, which is removed at the end.",
  exitCodes: { 1: "failed, or a scenario leaked a secret or had an effect that cannot be undone" },
  forms: [
    form({
      options: {
        policy: text("FILE", "the policy file to test; without it the default policy"),
        json,
      },
      run: attack,
    }),
  ],
});

const outcomes: readonly ScenarioOutcome[] = ["stopped", "asked", "undoable", "passed"];

/** The limits on calls would stop scenarios that another model spreads over a day. */
const manyCalls = {
  TOOL_CALLS_PER_MINUTE: "10000",
  TOOL_CALLS_PER_TURN: "1000",
  HIGH_RISK_CALLS_PER_TURN: "100",
};

async function attack(options: { policy: string | undefined; json: boolean }): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "countersign-attack-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  const endReuse = reuseThreads();
  try {
    const results: Result[] = [];
    const env = {
      ...getDefaultEnvironment(),
      LOG_LEVEL: "error",
      INGEST_DNS: "off",
      ...manyCalls,
      ...(options.policy !== undefined && { POLICY_FILE: resolve(options.policy) }),
    };
    const environmentIn = (name: string): AttackEnvironment => ({
      program: [process.execPath, programPath],
      env,
      directory: join(directory, name),
    });
    const all = [...scenarios(), ...outsideScenarios()];
    const mailbox = join(directory, "mailbox");
    // One import for all categories, because each takes as long as several scenarios.
    await importMails(all, environmentIn("import"), mailbox);
    for (const [at, group] of byCategory(all).entries())
      results.push(...(await runCategory(group, mailbox, environmentIn(String(at)))));
    results.push(...(await runBenign(environmentIn("benign"))));
    print(results, options.json);
    return results.some(({ category, outcome }) => category !== "benign" && outcome === "passed")
      ? 1
      : 0;
  } finally {
    endReuse();
    remove();
    process.removeListener("exit", remove);
  }
}

function byCategory(all: readonly Scenario[]): Scenario[][] {
  const groups = new Map<string, Scenario[]>();
  for (const scenario of all)
    groups.set(scenario.category, [...(groups.get(scenario.category) ?? []), scenario]);
  return [...groups.values()];
}

function print(results: readonly Result[], asJson: boolean): void {
  const categories = [...new Set(results.map(({ category }) => category))];
  const rows = categories.map((category) => {
    const own = results.filter((one) => one.category === category);
    const counts = outcomes.map((outcome) => own.filter((one) => one.outcome === outcome).length);
    return { category, total: own.length, counts };
  });
  if (asJson) {
    console.log(JSON.stringify({ categories: rows.map(asData), results }));
    return;
  }
  console.log(["category".padEnd(28), "total", ...outcomes].join("  "));
  for (const { category, total, counts } of rows) {
    const cells = counts.map((count, at) => String(count).padStart(outcomes[at]?.length ?? 0));
    console.log([category.padEnd(28), String(total).padStart(5), ...cells].join("  "));
  }
}

function asData({
  category,
  total,
  counts,
}: {
  category: string;
  total: number;
  counts: number[];
}) {
  const named = Object.fromEntries(outcomes.map((outcome, at) => [outcome, counts[at] ?? 0]));
  return { category, total, ...named };
}
