import { channelPlaces } from "../approvals/directions.ts";
import { type FlowSetting, defaultFlow, stricterFlow } from "../flow/setting.ts";
import { type Risk, stricter } from "./risk.ts";
import { type CompiledRule, type Rule, compileRule } from "./rules/rule.ts";
import type { AskingChannel, Ticket } from "../approvals/ticket.ts";
import type { OperationKind } from "../tool/tool.ts";

/** Calls that an approval channel may decide. `additive`: only calls of tools that add and never change or remove. */
export type ChannelSetting = "all" | "additive" | "never";

/**
 * Lists and floors for all callers, for one caller, or for client programs of one name. Each section only narrows the
 * policy.
 */
export interface Section {
  /** If present, every tool that it does not name is denied. */
  allow?: readonly string[] | undefined;
  deny?: readonly string[] | undefined;
  riskFloors?: Readonly<Partial<Record<string, Risk>>> | undefined;
  channels?: Readonly<Partial<Record<AskingChannel, ChannelSetting | undefined>>> | undefined;
  /** When a person is asked about outgoing text, by tool. */
  flow?: Readonly<Partial<Record<string, FlowSetting>>> | undefined;
}

/** The rules and limits that a user wrote in advance. */
export interface PolicyContent extends Section {
  principals?: Readonly<Record<string, Section>> | undefined;
  /**
   * Keyed by the name that a client chooses for itself. Such a section may only narrow, because a client can claim any
   * name.
   */
  clients?: Readonly<Record<string, Section>> | undefined;
  rules?: readonly Rule[] | undefined;
}

/** The policy as it applies to one caller and client. */
export interface EffectivePolicy {
  /** True if the tool is neither listed nor callable. */
  denies(tool: string): boolean;
  /** Returns the minimum risk of the tool's calls. */
  floorOf(tool: string): Risk;
  /** Returns when a person is asked about text that this tool sends. */
  flowOf(tool: string): FlowSetting;
  /** Returns the approval channels that may decide calls with this kind of operation. */
  channelsFor(operation: OperationKind): readonly AskingChannel[];
}

/** A compiled policy, fast enough to be consulted at every call. */
export interface Policy {
  effectiveFor(principal: string, client?: string): EffectivePolicy;
  /** The rules that may approve calls of this tool. */
  rulesFor(tool: string): readonly CompiledRule[];
}

export const askingChannels: readonly AskingChannel[] = [
  "elicitation",
  "page",
  "telegram",
  "terminal",
];

export function compilePolicy(content: PolicyContent): Policy {
  const principals = new Map(Object.entries(content.principals ?? {}));
  const clients = new Map(Object.entries(content.clients ?? {}));
  const views = new Map<Section | undefined, Map<Section | undefined, EffectivePolicy>>();
  const rules = new Map<string, CompiledRule[]>();
  for (const rule of content.rules ?? []) {
    rules.set(rule.tool, [...(rules.get(rule.tool) ?? []), compileRule(rule)]);
  }
  return {
    // One effective policy per pair of sections. One per name would grow without bound, because a client can invent
    // names.
    effectiveFor: (principal, client) => {
      const own = principals.get(principal);
      const program = client === undefined ? undefined : clients.get(client);
      const ofOwn = views.get(own) ?? new Map<Section | undefined, EffectivePolicy>();
      views.set(own, ofOwn);
      const effective = ofOwn.get(program) ?? effectivePolicy([content, own, program]);
      ofOwn.set(program, effective);
      return effective;
    },
    rulesFor: (tool) => rules.get(tool) ?? [],
  };
}

/** The policy without a file: tools have their declared risk, and every approval channel may decide. */
export const defaultPolicy = compilePolicy({});

function effectivePolicy(sections: readonly (Section | undefined)[]): EffectivePolicy {
  const parts = sections.filter((section) => section !== undefined);
  const allowed = parts.flatMap(({ allow }) => (allow === undefined ? [] : [new Set(allow)]));
  const denied = new Set(parts.flatMap(({ deny = [] }) => deny));
  const floors = new Map<string, Risk>();
  for (const { riskFloors = {} } of parts) {
    for (const [tool, floor] of Object.entries(riskFloors)) {
      floors.set(tool, stricter(floor ?? "low", floors.get(tool) ?? "low"));
    }
  }
  const channelsFor = (operation: OperationKind): readonly AskingChannel[] =>
    askingChannels.filter((channel) =>
      parts.every(({ channels }) => mayDecide(channels?.[channel], operation)),
    );
  const byWhat = {
    reads: channelsFor("reads"),
    adds: channelsFor("adds"),
    changes: channelsFor("changes"),
    removes: channelsFor("removes"),
  };
  return {
    denies: (tool) => denied.has(tool) || allowed.some((allow) => !allow.has(tool)),
    floorOf: (tool) => floors.get(tool) ?? "low",
    // Only the first section, which is for every caller, may ask less often than the default.
    flowOf: (tool) =>
      parts.slice(1).reduce((strictest, { flow }) => {
        const own = flow?.[tool];
        return own === undefined ? strictest : stricterFlow(own, strictest);
      }, parts[0]?.flow?.[tool] ?? defaultFlow),
    channelsFor: (operation) => byWhat[operation],
  };
}

function mayDecide(setting: ChannelSetting = "all", operation: OperationKind): boolean {
  return setting === "all" || (setting === "additive" && operation === "adds");
}

/** Returns a policy that allows only calls that both allow. */
export function narrower(a: Policy, b: Policy): Policy {
  return {
    effectiveFor: (principal, client) => {
      const [one, other] = [a.effectiveFor(principal, client), b.effectiveFor(principal, client)];
      return {
        denies: (tool) => one.denies(tool) || other.denies(tool),
        floorOf: (tool) => stricter(one.floorOf(tool), other.floorOf(tool)),
        flowOf: (tool) => stricterFlow(one.flowOf(tool), other.flowOf(tool)),
        channelsFor: (operation) =>
          one
            .channelsFor(operation)
            .filter((channel) => other.channelsFor(operation).includes(channel)),
      };
    },
    rulesFor: (tool) => {
      const keys = new Set(b.rulesFor(tool).map(({ key }) => key));
      return a.rulesFor(tool).filter(({ key }) => keys.has(key));
    },
  };
}

/** Returns why an approved call may no longer run under a policy that was narrowed since. Undefined if it may. */
export function laterObjection(
  policy: Policy,
  ticket: Ticket,
  operation: OperationKind,
): string | undefined {
  const effective = policy.effectiveFor(ticket.principal, ticket.client);
  if (effective.denies(ticket.tool)) return `The user's policy forbids ${ticket.tool} now.`;
  const channel = "decision" in ticket ? ticket.decision.channel : "rule";
  if (channel === "rule" || effective.channelsFor(operation).includes(channel)) return undefined;
  return `The user's policy does not allow this decision ${channelPlaces[channel]}.`;
}
