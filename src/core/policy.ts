import { type Risk, stricter } from "./risk.ts";
import { type CompiledRule, type Rule, compileRule } from "./rules/rule.ts";
import type { AskingDoor, Ticket } from "./ticket.ts";
import type { Does } from "./tool.ts";

/** What a door may decide. `additive`: only about calls of tools that add and never change or remove. */
export type DoorSetting = "all" | "additive" | "never";

/** Lists and floors, for everybody, for one principal or for the programs of one name. Each only narrows. */
export interface Section {
  /** Where there is one, every tool that it does not name is denied. */
  allow?: readonly string[] | undefined;
  deny?: readonly string[] | undefined;
  riskFloors?: Readonly<Partial<Record<string, Risk>>> | undefined;
  doors?: Readonly<Partial<Record<AskingDoor, DoorSetting | undefined>>> | undefined;
}

/** What a user wrote down in advance. */
export interface PolicyContent extends Section {
  principals?: Readonly<Record<string, Section>> | undefined;
  /** By the name that a client gives itself: its own word, so that it can narrow and do nothing else. */
  clients?: Readonly<Record<string, Section>> | undefined;
  rules?: readonly Rule[] | undefined;
}

/** What holds for one caller. */
export interface View {
  /** Neither listed nor callable. */
  denies(tool: string): boolean;
  /** The least risk that the tool's calls are given. */
  floorOf(tool: string): Risk;
  /** The doors at which somebody may decide about a tool that does this. */
  doorsFor(does: Does): readonly AskingDoor[];
}

/** A policy that can be asked at every call. */
export interface Policy {
  viewOf(principal: string, client?: string): View;
  /** The rules that may approve calls of this tool. */
  rulesFor(tool: string): readonly CompiledRule[];
}

export const askingDoors: readonly AskingDoor[] = ["elicitation", "page", "telegram", "terminal"];

export function compilePolicy(content: PolicyContent): Policy {
  const principals = new Map(Object.entries(content.principals ?? {}));
  const clients = new Map(Object.entries(content.clients ?? {}));
  const views = new Map<Section | undefined, Map<Section | undefined, View>>();
  const rules = new Map<string, CompiledRule[]>();
  for (const rule of content.rules ?? []) {
    rules.set(rule.tool, [...(rules.get(rule.tool) ?? []), compileRule(rule)]);
  }
  return {
    // One view for each pair of sections and not of names, of which a client could invent any number.
    viewOf: (principal, client) => {
      const own = principals.get(principal);
      const program = client === undefined ? undefined : clients.get(client);
      const ofOwn = views.get(own) ?? new Map<Section | undefined, View>();
      views.set(own, ofOwn);
      const view = ofOwn.get(program) ?? viewOf([content, own, program]);
      ofOwn.set(program, view);
      return view;
    },
    rulesFor: (tool) => rules.get(tool) ?? [],
  };
}

/** No policy file: every tool is as risky as it says, and every door decides. */
export const defaultPolicy = compilePolicy({});

function viewOf(sections: readonly (Section | undefined)[]): View {
  const parts = sections.filter((section) => section !== undefined);
  const allowed = parts.flatMap(({ allow }) => (allow === undefined ? [] : [new Set(allow)]));
  const denied = new Set(parts.flatMap(({ deny = [] }) => deny));
  const floors = new Map<string, Risk>();
  for (const { riskFloors = {} } of parts) {
    for (const [tool, floor] of Object.entries(riskFloors)) {
      floors.set(tool, stricter(floor ?? "low", floors.get(tool) ?? "low"));
    }
  }
  const doorsFor = (does: Does): readonly AskingDoor[] =>
    askingDoors.filter((door) => parts.every(({ doors }) => mayDecide(doors?.[door], does)));
  const byWhat = {
    reads: doorsFor("reads"),
    adds: doorsFor("adds"),
    changes: doorsFor("changes"),
    removes: doorsFor("removes"),
  };
  return {
    denies: (tool) => denied.has(tool) || allowed.some((allow) => !allow.has(tool)),
    floorOf: (tool) => floors.get(tool) ?? "low",
    doorsFor: (does) => byWhat[does],
  };
}

function mayDecide(setting: DoorSetting = "all", does: Does): boolean {
  return setting === "all" || (setting === "additive" && does === "adds");
}

/** What both allow, and no more. */
export function narrower(a: Policy, b: Policy): Policy {
  return {
    viewOf: (principal, client) => {
      const [one, other] = [a.viewOf(principal, client), b.viewOf(principal, client)];
      return {
        denies: (tool) => one.denies(tool) || other.denies(tool),
        floorOf: (tool) => stricter(one.floorOf(tool), other.floorOf(tool)),
        doorsFor: (does) =>
          one.doorsFor(does).filter((door) => other.doorsFor(does).includes(door)),
      };
    },
    rulesFor: (tool) => {
      const keys = new Set(b.rulesFor(tool).map(({ key }) => key));
      return a.rulesFor(tool).filter(({ key }) => keys.has(key));
    },
  };
}

/** Why what was approved may not run any more: the policy may have become narrower meanwhile. Undefined where it may. */
export function laterObjection(policy: Policy, ticket: Ticket, does: Does): string | undefined {
  const view = policy.viewOf(ticket.principal, ticket.client);
  if (view.denies(ticket.tool)) return `The user's policy forbids ${ticket.tool} now.`;
  const door = "decision" in ticket ? ticket.decision.door : "rule";
  if (door === "rule" || view.doorsFor(does).includes(door)) return undefined;
  return `The user's policy no longer lets this be decided where it was (${door}).`;
}
