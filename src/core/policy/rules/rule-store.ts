import type { Rule } from "./rule.ts";

/** What came of a rule so far, by `ruleKey`; a rule that is not there has not been used. */
export interface RuleState {
  used: number;
  /** When and by whom it was called back. */
  revoked: { at: Date; by: string } | undefined;
}

/** A rule that was made at an approval channel. */
export interface SimilarRule extends Rule {
  source: "similar";
  /** The request that was approved with it. */
  ticketId: string;
  channel: string;
  by: string;
  createdAt: Date;
}

/**
 * Rules that people made at an approval channel, and the uses of all rules, those of the file too: one place for all processes, and its
 * own clock.
 */
export interface RuleStore {
  /** A rule that ends after `forMs`. It holds for the stores and the calendar that `configHash` names. */
  add(
    rule: Omit<SimilarRule, "createdAt" | "expiresAt" | "source"> & { configHash: string },
    forMs: number,
  ): Promise<SimilarRule>;
  /** Those of the last day, newest first, ended ones too. */
  list(filter?: {
    tool: string;
    principal: string;
    configHash: string;
  }): Promise<readonly SimilarRule[]>;
  states(keys: readonly string[]): Promise<ReadonlyMap<string, RuleState>>;
  /** Takes one use, in one conditional step. False where none is left, the rule is over or was called back. */
  use(rule: { key: string; uses: number; expiresAt: Date }): Promise<boolean>;
  /** From now on it approves nothing. False where it was called back before. */
  revoke(rule: { key: string; expiresAt: Date }, by: string): Promise<boolean>;
}
