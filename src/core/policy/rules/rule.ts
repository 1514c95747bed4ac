import { canonicalJson, sha256Hex } from "../../shared/digest.ts";
import { type ArgumentMatchers, compileCondition, conditionInWords } from "./condition.ts";

/** What a person wrote down in advance: calls of this form run without asking, until it is over or used up. */
export interface Rule {
  ruleId: string;
  tool: string;
  /** Whose calls. Never whose programs: a client's name is the client's own word. */
  principals: "any" | readonly string[];
  /** One for every argument of the tool. */
  when: ArgumentMatchers;
  expiresAt: Date;
  /** How often it approves, in all processes together. */
  uses: number;
  /** `file`: in POLICY_FILE. `similar`: made at an approval channel, with a yes to one request. */
  source: "file" | "similar";
}

/** Names, beside the arguments of a rule about outgoing text, the contents that the text may be from. */
export const privateSources = "private content from";

/** What counts the uses of a rule: a changed rule is another one, and counts anew. */
export function ruleKey({ ruleId, tool, principals, when, expiresAt, uses }: Rule): string {
  const expires = expiresAt.toISOString();
  return sha256Hex(canonicalJson({ ruleId, tool, principals, when, expires, uses }));
}

/** A rule that can be asked quickly: a call that needs approval may be compared with a hundred. */
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
      // A rule of the file speaks of the arguments alone. One that was made at a request is as narrow as the request was.
      const subject =
        sources === undefined || source === "file" ? args : { ...args, [privateSources]: sources };
      return (
        (principals === "any" || principals.includes(principal)) &&
        // What the rule does not speak of, as an argument that a later version added, it does not cover.
        Object.keys(subject).every((name) => subject[name] === undefined || names.has(name)) &&
        conditions.every(([name, holds]) => holds(subject[name]))
      );
    },
  };
}

/** `key directly in the folder notes/, any content`. */
export function conditionsInWords(when: ArgumentMatchers): string {
  return Object.entries(when)
    .map(([name, given]) => conditionInWords(name, given))
    .join(", ");
}

/** `write_file: key directly in the folder notes/, any content; for local, 5 times until ...`, for a person. */
export function ruleInWords({ tool, principals, when, uses, expiresAt }: Rule): string {
  const whose = principals === "any" ? "everybody" : principals.join(", ");
  const often = uses === 1 ? "once" : `${uses} times`;
  return `${tool}: ${conditionsInWords(when)}; for ${whose}, ${often} until ${expiresAt.toISOString()}`;
}
