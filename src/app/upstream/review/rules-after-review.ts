import type { Config } from "../../../config.ts";
import { endOf } from "../../../core/policy/decide.ts";
import type { KnownTool } from "../../../core/policy/file/policy-schema.ts";
import { type Rule, compileRule, formatRule } from "../../../core/policy/rules/rule.ts";
import type { ReviewItem } from "../../../upstream/review.ts";
import type { Stores } from "../../compose/open/open-stores.ts";
import {
  PolicyFileError,
  knownTools,
  readPolicyFile,
} from "../../compose/policy/read-policy-file.ts";
import { readRegistry } from "../../compose/read-registry.ts";
import { reviewedNames } from "../reviewed-names.ts";

/** The rules that approve calls of reviewed tools. */
export interface RulesAfterReview {
  rules: readonly Rule[];
  /** A line for each rule, or the fault of the policy file. A person reads them before they accept the tools. */
  lines: readonly string[];
}

/** Returns the rules that will approve calls of these tools after a person accepted them. */
export async function rulesAfterReview(
  items: readonly ReviewItem[],
  config: Config,
  { rules: store }: Pick<Stores, "rules">,
): Promise<RulesAfterReview> {
  const offered = items
    .filter(({ state }) => state !== "gone" && state !== "off")
    .map(({ name, definition }): KnownTool => {
      const { properties } = definition.inputSchema;
      return { name, argumentNames: Object.keys(properties ?? {}) };
    });
  const names = new Set(offered.map(({ name }) => name));
  const { rules: ofFile, fault } = await rulesOfFile(config, offered);
  const found = [...ofFile, ...(await store.list())]
    .filter(({ tool }) => names.has(tool))
    .map(compileRule);
  const states = await store.states(found.map(({ key }) => key));
  const now = new Date();
  const rules = found.filter((rule) => endOf(rule, { now, similar: [], states }) === undefined);
  const lines = rules.map((rule) => `${rule.ruleId}: ${formatRule(rule)}`);
  return { rules, lines: fault === undefined ? lines : [...lines, fault] };
}

async function rulesOfFile(
  config: Config,
  offered: readonly KnownTool[],
): Promise<{ rules: readonly Rule[]; fault?: string }> {
  const { policyFile } = config;
  if (policyFile === undefined) return { rules: [] };
  const names = new Set(offered.map(({ name }) => name));
  const others = (await reviewedNames(config)).filter(({ name }) => !names.has(name));
  try {
    const tools = [...knownTools(readRegistry()), ...others, ...offered];
    return { rules: readPolicyFile(policyFile, tools).content.rules ?? [] };
  } catch (error) {
    if (!(error instanceof PolicyFileError)) throw error;
    return {
      rules: [],
      fault: `The policy file has a fault, which hides its rules: ${error.message}`,
    };
  }
}
