import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createDecisionHistory } from "../../adapters/libsql/approvals/decision-history.ts";
import type { Config } from "../../config.ts";
import { endOf } from "../../core/policy/decide.ts";
import { type CompiledRule, compileRule, ruleInWords } from "../../core/policy/rules/rule.ts";
import type { RuleState } from "../../core/policy/rules/rule-store.ts";
import {
  historyDays,
  isOnlyTheClientsWord,
  suggestRules,
} from "../../core/policy/rules/suggest.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { createLog } from "../platform/log.ts";
import { createBackend } from "../compose/create-backend.ts";
import { type Stores, openStores } from "../compose/open-stores.ts";
import { openPolicy } from "../compose/policy/open-policy.ts";
import { knownTools, readPolicyFile } from "../compose/policy/read-policy-file.ts";
import { readRegistry } from "../compose/read-registry.ts";
import { loadSettings } from "../platform/settings.ts";

export const usage = `Usage: countersign policy check [FILE] [--json]
       countersign policy explain TOOL ARGUMENTS [--principal NAME] [--client NAME] [--json]
       countersign policy list [--json]
       countersign policy revoke ID [--secret-stdin] [--json]
       countersign policy suggest [--json]

The rules that you wrote (POLICY_FILE), and those that were made with "allow similar".

  check            whether the file can be used, or the line at fault
  explain          what would be decided about a call, and why; ARGUMENTS is JSON. Nothing is done or asked
  list             all rules, how often each may still be used, and until when
  revoke           from now on this rule approves nothing, whatever the file says, until it is changed there
  suggest          rules that would have spared you questions in the last ${historyDays} days; an approval in a
                   client's own dialog is the client program's word and does not count
  --principal NAME who calls; without it local, as over stdio
  --client NAME    what the program that calls names itself
  --secret-stdin   an approver's secret (see APPROVERS) comes on standard input, for scripts
  --json           one JSON object a line
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

interface Options {
  json: boolean;
  principal: string;
  client: string;
}

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      "secret-stdin": { type: "boolean", default: false },
      principal: { type: "string", default: "local" },
      client: { type: "string", default: "countersign policy" },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [action, ...given] = positionals;
  const least = { check: 0, explain: 2, list: 0, revoke: 1, suggest: 0 }[action ?? ""];
  const most = action === "check" ? 1 : least;
  const fits = least !== undefined && given.length >= least && given.length <= (most ?? 0);
  if (values.help || !fits) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  const [first = "", second = ""] = given;
  if (action === "check") return check(config, given[0], values.json);
  if (action === "explain") return await explain(config, first, second, values);
  const stores = openStores(config, createLog(config.logLevel));
  try {
    if (action === "list") return await list(config, stores, values);
    if (action === "suggest") return await suggest(stores, values.json);
    const { revoke } = await import("../compose/policy/revoke-rule.ts");
    const { all } = await rulesOf(config, stores);
    const { approvers } = config.approvals;
    const proof = { approvers, secretStdin: values["secret-stdin"] };
    const revoked = await revoke(stores, all, first, proof);
    console.log(values.json ? JSON.stringify(revoked) : `${first} approves nothing any more.`);
    return 0;
  } finally {
    await stores.close();
  }
}

function check(config: Config, file: string | undefined, json: boolean): number {
  const path = file === undefined ? config.policyFile : resolve(file);
  if (path === undefined) {
    throw new ToolError("not_configured", "There is no policy file: set POLICY_FILE, or name one.");
  }
  try {
    const { content } = readPolicyFile(path, readRegistry());
    const rules = content.rules?.length ?? 0;
    console.log(
      json
        ? JSON.stringify({ path, ok: true, rules })
        : `${path}: can be used, ${rules === 1 ? "1 rule" : `${rules} rules`}.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "PolicyFileError") throw error;
    if (json) console.log(JSON.stringify({ path, ok: false, problem: error.message }));
    else console.error(error.message);
    return 1;
  }
}

async function explain(
  config: Config,
  tool: string,
  text: string,
  { json, principal, client }: Options,
): Promise<number> {
  const log = createLog(config.logLevel);
  const opened = createBackend(config, log, { policy: await openPolicy(config, log) });
  try {
    const gate = await opened.gate();
    const decided = await gate.explain({ tool, arguments: argumentsOf(text), principal, client });
    console.log(json ? JSON.stringify(decided) : explained(decided));
  } finally {
    await opened.settle();
    await opened.close();
  }
  return 0;
}

function argumentsOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new ToolError(
      "invalid_input",
      'ARGUMENTS is not JSON. Write it like \'{"key":"a.md"}\'.',
    );
  }
}

const verdicts = {
  run: "It runs at once.",
  report: "It runs at once, and the user is told.",
  ask: "A person is asked.",
  rule: "It runs without asking, by a rule.",
  forbid: "It is refused.",
};

function explained({
  verdict,
  risk,
  reasons,
}: {
  verdict: keyof typeof verdicts;
  risk: string;
  reasons: readonly string[];
}): string {
  return [
    `${verdict}: ${verdicts[verdict]}`,
    `risk: ${risk}`,
    ...reasons.map((why) => `- ${why}`),
  ].join("\n");
}

/** All rules, those of the file first. */
async function rulesOf(
  config: Config,
  { rules }: Stores,
): Promise<{ all: readonly CompiledRule[]; states: ReadonlyMap<string, RuleState> }> {
  const { policyFile } = config;
  const content =
    policyFile === undefined ? {} : readPolicyFile(policyFile, readRegistry()).content;
  const all = [...(content.rules ?? []), ...(await rules.list())].map(compileRule);
  return { all, states: await rules.states(all.map(({ key }) => key)) };
}

async function list(config: Config, stores: Stores, { json }: Options): Promise<number> {
  const { all, states } = await rulesOf(config, stores);
  for (const rule of all) {
    const { ruleId: id, source, tool, principals, when, uses, expiresAt, key } = rule;
    const usesLeft = Math.max(0, uses - (states.get(key)?.used ?? 0));
    const ended = endOf(rule, { now: new Date(), similar: [], states });
    const facts = {
      id,
      source,
      tool,
      principals,
      when,
      uses,
      usesLeft,
      expiresAt,
      ...(ended && { ended }),
    };
    const state = ended ?? `${usesLeft} of ${uses} uses left`;
    console.log(
      json ? JSON.stringify(facts) : `${id}  (${source})  ${state}\n  ${ruleInWords(rule)}`,
    );
  }
  if (all.length === 0 && !json) console.log("There are no rules.");
  return 0;
}

async function suggest({ database }: Stores, json: boolean): Promise<number> {
  const tools = new Map(knownTools(readRegistry()).map((tool) => [tool.name, tool.argumentNames]));
  const decisions = await createDecisionHistory(database).list();
  const found = suggestRules(decisions, (tool) => tools.get(tool), new Date());
  for (const { rule, wouldHaveApproved, includingRefused } of found) {
    if (json) console.log(JSON.stringify({ rule, wouldHaveApproved, includingRefused }));
    else
      console.log(
        `Would have approved ${wouldHaveApproved}, including ${includingRefused} you refused:\n${JSON.stringify(rule, undefined, 2)}`,
      );
  }
  const uncounted = decisions.filter(isOnlyTheClientsWord).length;
  if (uncounted > 0) {
    console.error(
      `Not counted: ${uncounted} ${uncounted === 1 ? "approval" : "approvals"} in a client's own dialog, which is the client program's word. Approve on the approval page, in Telegram or at a terminal for it to count.`,
    );
  }
  if (found.length === 0 && !json) {
    console.log(
      `In the last ${historyDays} days nothing was approved three times alike and never refused.`,
    );
  }
  return 0;
}
