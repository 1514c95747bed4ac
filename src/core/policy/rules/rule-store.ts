import type { Rule } from "./rule.ts";

/** The uses of a rule so far, by `ruleKey`. An unused rule has no state. */
export interface RuleState {
  used: number;
  /** Time of revocation, and the person who revoked it. */
  revoked: { at: Date; by: string } | undefined;
}

/** A rule that was made at an approval channel. */
export interface SimilarRule extends Rule {
  source: "similar";
  /** The request whose approval created the rule. */
  ticketId: string;
  channel: string;
  by: string;
  createdAt: Date;
}

/**
 * Rules that people made at an approval channel, and the uses of all rules, including those of the policy file. Shared
 * by all processes, with its own clock.
 */
export interface RuleStore {
  /** Adds a rule that ends after `forMs`. It applies only to the stores and the calendar of `configHash`. */
  add(
    rule: Omit<SimilarRule, "createdAt" | "expiresAt" | "source"> & { configHash: string },
    forMs: number,
  ): Promise<SimilarRule>;
  /** Lists the rules of the last 24 hours, newest first, including ended ones. */
  list(filter?: {
    tool: string;
    principal: string;
    configHash: string;
  }): Promise<readonly SimilarRule[]>;
  states(keys: readonly string[]): Promise<ReadonlyMap<string, RuleState>>;
  /** Takes one use atomically. False if the rule is used up, expired or revoked. */
  use(rule: { key: string; uses: number; expiresAt: Date }): Promise<boolean>;
  /** Revokes a rule. False if it was already revoked. */
  revoke(rule: { key: string; expiresAt: Date }, by: string): Promise<boolean>;
}
