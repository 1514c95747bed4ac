import { resolve } from "node:path";
import { createDecisionHistory } from "../../adapters/libsql/approvals/decision-history.ts";
import type { Config } from "../../config.ts";
import { endOf } from "../../core/policy/decide.ts";
import { type CompiledRule, compileRule, formatRule } from "../../core/policy/rules/rule.ts";
import type { RuleState } from "../../core/policy/rules/rule-store.ts";
import { historyDays, isClientsClaim, suggestRules } from "../../core/policy/rules/suggest.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile, json, optional, required, secretStdin, textOr } from "../command-line/options.ts";
import { createLog } from "../platform/log.ts";
import { createBackend } from "../compose/create-backend.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { type OpenedStores, withStores } from "../compose/with-stores.ts";
import { openPolicy } from "../compose/policy/open-policy.ts";
import { idleSentences, knownTools, readPolicyFile } from "../compose/policy/read-policy-file.ts";
import { readRegistry } from "../compose/read-registry.ts";
import { openUpstream } from "../upstream/open-upstream.ts";
import { reviewedNames } from "../upstream/reviewed-names.ts";
import { loadSettings } from "../platform/settings.ts";

export const command = defineCommand({
  about:
    'Checks the policy file (POLICY_FILE), and lists its rules and those made with "allow similar".',
  exitCodes: { 1: "failed, or `check` found a fault in the file" },
  forms: [
    form({
      name: "check",
      help: "check the file, and name its first fault with the line",
      arguments: { file: optional("FILE") },
      options: { json, envFile },
      run: (options, { file }) =>
        check(loadSettings({ envFile: options.envFile }), file, options.json),
    }),
    form({
      name: "explain",
      help: "say what the policy decides about a call, and why; ARGUMENTS is JSON. The call does not run",
      arguments: { tool: required("TOOL"), text: required("ARGUMENTS") },
      options: {
        principal: textOr("local", "NAME", "the caller; without it `local`, as over stdio"),
        client: textOr("countersign policy", "NAME", "the client program's name"),
        json,
        envFile,
      },
      run: (options, { tool, text }) =>
        explain(loadSettings({ envFile: options.envFile }), { tool, text, ...options }),
    }),
    form({
      name: "list",
      help: "list all rules with their remaining uses and their end",
      options: { json, envFile },
      run: (options) =>
        withStores(options.envFile, ({ config, stores }) => list(config, stores, options.json)),
    }),
    form({
      name: "revoke",
      help: "end a rule immediately; a rule of the policy file stays off until you change its entry",
      arguments: { ruleId: required("ID") },
      options: { secretStdin, json, envFile },
      run: (options, { ruleId }) =>
        withStores(options.envFile, (opened) => revoke(opened, ruleId, options)),
    }),
    form({
      name: "suggest",
      help: `suggest the narrowest rules that would have replaced your approvals of the last ${historyDays} days; approvals in a client's dialog do not count`,
      options: { json, envFile },
      run: (options) =>
        withStores(options.envFile, ({ config, stores }) => suggest(stores, config, options.json)),
    }),
  ],
});

async function revoke(
  { config, stores }: OpenedStores,
  ruleId: string,
  options: { json: boolean; secretStdin: boolean },
): Promise<number> {
  const { revoke: revokeRule } = await import("../compose/policy/revoke-rule.ts");
  const { all } = await rulesOf(config, stores);
  const { approvers } = config.approvals;
  const proof = { approvers, secretStdin: options.secretStdin };
  const revoked = await revokeRule(stores, all, ruleId, proof);
  console.log(options.json ? JSON.stringify(revoked) : `${ruleId} no longer approves calls.`);
  return 0;
}

async function check(config: Config, file: string | undefined, isJson: boolean): Promise<number> {
  const path = file === undefined ? config.policyFile : resolve(file);
  if (path === undefined) {
    throw new ToolError(
      "not_configured",
      "There is no policy file. Set POLICY_FILE, or name a file.",
    );
  }
  try {
    const read = readPolicyFile(path, await policyTools(config));
    const [problem, ...others] = idleSentences(read).map((sentence) => `${path}: ${sentence}`);
    if (problem !== undefined) {
      if (isJson) console.log(JSON.stringify({ path, ok: false, problem }));
      else for (const line of [problem, ...others]) console.error(line);
      return 1;
    }
    const rules = read.content.rules?.length ?? 0;
    console.log(
      isJson
        ? JSON.stringify({ path, ok: true, rules })
        : `${path}: can be used, ${rules === 1 ? "1 rule" : `${rules} rules`}.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "PolicyFileError") throw error;
    if (isJson) console.log(JSON.stringify({ path, ok: false, problem: error.message }));
    else console.error(error.message);
    return 1;
  }
}

async function explain(
  config: Config,
  options: {
    tool: string;
    text: string;
    json: boolean;
    principal: string;
    client: string;
    envFile: string | undefined;
  },
): Promise<number> {
  const { tool, text, principal, client } = options;
  const log = createLog(config.logLevel);
  const upstream = await openUpstream(config, log, options.envFile);
  const policy = await openPolicy(config, log, upstream);
  const opened = createBackend(config, log, { policy, upstream });
  try {
    const runtime = await opened.runtime();
    const decided = await runtime.explain({
      tool,
      arguments: argumentsOf(text),
      principal,
      client,
    });
    console.log(options.json ? JSON.stringify(decided) : explained(decided));
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
  run: "It runs immediately.",
  report: "It runs immediately and is reported to you.",
  ask: "It needs your approval.",
  rule: "It runs without a request, because a rule approves it.",
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

/** Returns all rules, those of the file first. */
async function rulesOf(
  config: Config,
  { rules }: Stores,
): Promise<{
  all: readonly CompiledRule[];
  states: ReadonlyMap<string, RuleState>;
  /** Why rules of the file approve nothing now, by their ids. */
  idle: ReadonlyMap<string, string>;
}> {
  const { policyFile } = config;
  const { content, idle } =
    policyFile === undefined
      ? { content: {}, idle: [] }
      : readPolicyFile(policyFile, await policyTools(config));
  const ofFile = [...(content.rules ?? []), ...idle.map(({ rule }) => rule)];
  const all = [...ofFile, ...(await rules.list())].map(compileRule);
  return {
    all,
    states: await rules.states(all.map(({ key }) => key)),
    idle: new Map(idle.map(({ rule, reason }) => [rule.ruleId, reason])),
  };
}

async function list(config: Config, stores: Stores, isJson: boolean): Promise<number> {
  const { all, states, idle } = await rulesOf(config, stores);
  for (const rule of all) {
    const { ruleId: id, source, tool, principals, when, uses, expiresAt, key } = rule;
    const usesLeft = Math.max(0, uses - (states.get(key)?.used ?? 0));
    const reason = source === "file" ? idle.get(id) : undefined;
    const ended =
      endOf(rule, { now: new Date(), similar: [], states }) ??
      (reason && `approves nothing: ${reason}`);
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
      isJson ? JSON.stringify(facts) : `${id}  (${source})  ${state}\n  ${formatRule(rule)}`,
    );
  }
  if (all.length === 0 && !isJson) console.log("There are no rules.");
  return 0;
}

/** Returns the tools that a policy may name. */
async function policyTools(config: Config) {
  return [...knownTools(readRegistry()), ...(await reviewedNames(config))];
}

async function suggest({ database }: Stores, config: Config, isJson: boolean): Promise<number> {
  const tools = new Map((await policyTools(config)).map((tool) => [tool.name, tool.argumentNames]));
  const decisions = await createDecisionHistory(database).list();
  const found = suggestRules(decisions, (tool) => tools.get(tool), new Date());
  for (const { rule, wouldHaveApproved } of found) {
    if (isJson) console.log(JSON.stringify({ rule, wouldHaveApproved }));
    else
      console.log(
        `Would have approved ${wouldHaveApproved} calls, none of which you denied:\n${JSON.stringify(rule, undefined, 2)}`,
      );
  }
  const uncounted = decisions.filter(isClientsClaim).length;
  if (uncounted > 0) {
    console.error(
      `Not counted: ${uncounted} ${uncounted === 1 ? "approval" : "approvals"} in a client's own dialog, because a client can answer its dialog itself. Approvals at other approval channels count.`,
    );
  }
  if (found.length === 0 && !isJson) {
    console.log(
      `There is no suggestion. A rule needs three approvals of similar calls and no denial in the last ${historyDays} days.`,
    );
  }
  return 0;
}
