import { canonicalJson, sha256Hex } from "../../shared/digest.ts";
import {
  type ArgumentMatchers,
  compileCondition,
  formatCondition,
  privateSources,
} from "./condition.ts";

/** A permission that a person gave in advance. Calls of this form run until it expires or is used up. */
export interface Rule {
  ruleId: string;
  tool: string;
  /** The callers it covers. It cannot name client programs, because a client can claim any name. */
  principals: "any" | readonly string[];
  /** A condition for every argument of the tool. */
  when: ArgumentMatchers;
  expiresAt: Date;
  /** Number of approvals, over all processes together. */
  uses: number;
  /** `file`: from POLICY_FILE. `similar`: made at an approval channel together with an approval. */
  source: "file" | "similar";
}

/** Returns the key under which uses are counted. A changed rule has a new key and a new count. */
export function ruleKey({ ruleId, tool, principals, when, expiresAt, uses }: Rule): string {
  const expires = expiresAt.toISOString();
  return sha256Hex(canonicalJson({ ruleId, tool, principals, when, expires, uses }));
}

/** A rule prepared for fast comparison. A call that needs approval may be compared with a hundred rules. */
export interface CompiledRule extends Rule {
  key: string;
  covers(call: {
    principal: string;
    args: Readonly<Record<string, unknown>>;
    sources?: readonly string[];
  }): boolean;
}

export function compileRule(rule: Rule): CompiledRule {
  const { principals, when, source } = rule;
  const conditions = Object.entries(when).map(
    ([name, condition]) => [name, compileCondition(condition)] as const,
  );
  const names = new Set(Object.keys(when));
  return {
    ...rule,
    key: ruleKey(rule),
    covers: ({ principal, args, sources }) => {
      // A tool without a closed schema gets any argument. One of this name would pretend to be the items of a request.
      if (Object.hasOwn(args, privateSources)) return false;
      // A rule of the file has only conditions on arguments. A rule that was made with an approval also keeps to the
      // items of that request.
      const subject =
        sources === undefined || source === "file" ? args : { ...args, [privateSources]: sources };
      return (
        (principals === "any" || principals.includes(principal)) &&
        // A rule covers only arguments that it names. If a later version adds an argument, the rule no longer matches.
        Object.keys(subject).every((name) => subject[name] === undefined || names.has(name)) &&
        conditions.every(([name, holds]) => holds(subject[name]))
      );
    },
  };
}

/** Formats conditions, as `key directly in the folder notes/, any content`. */
export function formatConditions(when: ArgumentMatchers): string {
  return Object.entries(when)
    .map(([name, given]) => formatCondition(name, given))
    .join(", ");
}

/**
 * Formats a rule for a person, as `write_file: key directly in the folder notes/, any content; for local, 5 times until
 * ...`.
 */
export function formatRule({ tool, principals, when, uses, expiresAt }: Rule): string {
  const whose = principals === "any" ? "everybody" : principals.join(", ");
  const often = uses === 1 ? "once" : `${uses} times`;
  return `${tool}: ${formatConditions(when)}; for ${whose}, ${often} until ${expiresAt.toISOString()}`;
}
