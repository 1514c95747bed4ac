import { channelNames } from "../../approvals/directions.ts";
import { stricterFlow } from "../../flow/setting.ts";
import { type Policy, type PolicyContent, askingChannels } from "../policy.ts";
import type { Risk } from "../risk.ts";
import { formatRule } from "../rules/rule.ts";
import type { OperationKind } from "../../tool/tool.ts";

/** The key of every caller and client without a section, and of a tool in no list. A file cannot use this name. */
const allOthers = "";

const order: Record<Risk, number> = { low: 0, medium: 1, high: 2 };

const operationTexts: Record<OperationKind, string> = {
  reads: "read",
  adds: "add",
  changes: "change",
  removes: "remove",
};

export interface Compared {
  before: Policy;
  after: Policy;
  /** The contents of both files, which contain the names of callers and clients. */
  contents: readonly PolicyContent[];
  tools: readonly string[];
}

/**
 * Lists what the new policy allows and the old one does not, in words for the person who approves the change. Empty if
 * the policy only narrows. Compares every tool for every caller and client that either policy names, and for all
 * others. A policy may name tools that are not known yet, so these are compared too.
 */
export function widenings({ before, after, contents, tools: known }: Compared): readonly string[] {
  const tools = [...new Set([...known, ...contents.flatMap(namedTools), allOthers])];
  const names = (kind: "principals" | "clients"): string[] => [
    allOthers,
    ...new Set(contents.flatMap((content) => Object.keys(content[kind] ?? {}))),
  ];
  const found = new Map<string, string>();
  for (const principal of names("principals")) {
    for (const client of names("clients")) {
      const who = [principal, client].filter((name) => name !== allOthers).join(" with ");
      const views = [before, after].map((policy) => policy.effectiveFor(principal, client));
      const [was, is] = views;
      if (was === undefined || is === undefined) continue;
      const add = (line: string): void => {
        // A line that applies to all others is not repeated for each name.
        if (!found.has(line)) found.set(line, who);
      };
      for (const tool of tools) {
        if (was.denies(tool) && !is.denies(tool))
          add(`${tool === allOthers ? "every tool in no list" : tool} can be called`);
        const [old, now] = [was.floorOf(tool), is.floorOf(tool)];
        if (stricterFlow(was.flowOf(tool), is.flowOf(tool)) !== is.flowOf(tool)) {
          add(`fewer texts that ${tool} sends need approval (flow: ${is.flowOf(tool)})`);
        }
        if (order[now] < order[old]) add(`the minimum risk of ${tool} falls from ${old} to ${now}`);
      }
      for (const operation of ["reads", "adds", "changes", "removes"] as const) {
        for (const channel of askingChannels) {
          if (
            !is.channelsFor(operation).includes(channel) ||
            was.channelsFor(operation).includes(channel)
          )
            continue;
          add(`${channelNames[channel]} decides about calls that ${operationTexts[operation]}`);
        }
      }
    }
  }
  const lines = Array.from(found, ([line, who]) => (who === "" ? line : `${line} (${who})`));
  return [...lines, ...tools.flatMap((tool) => newRules(before, after, tool))];
}

/** Returns the tools that the lists of a policy name. */
function namedTools(content: PolicyContent): string[] {
  const { principals = {}, clients = {} } = content;
  return [content, ...Object.values(principals), ...Object.values(clients)].flatMap(
    ({ allow = [], deny = [], riskFloors = {}, flow = {} }) => [
      ...allow,
      ...deny,
      ...Object.keys(riskFloors),
      ...Object.keys(flow),
    ],
  );
}

function newRules(before: Policy, after: Policy, tool: string): string[] {
  const known = new Set(before.rulesFor(tool).map(({ key }) => key));
  return after
    .rulesFor(tool)
    .filter(({ key }) => !known.has(key))
    .map(
      (rule) => `the rule ${rule.ruleId} approves calls without a question: ${formatRule(rule)}`,
    );
}
