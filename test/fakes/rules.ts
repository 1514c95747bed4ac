import type { RuleState, RuleStore, SimilarRule } from "../../src/core/policy/rules/rule-store.ts";

/** Creates a store of standing rules in memory, with an optional clock of the test. */
export function createFakeRules(clock: () => Date = () => new Date()): RuleStore {
  const rules: (SimilarRule & { configHash: string })[] = [];
  const states = new Map<string, RuleState>();
  const stateOf = (key: string): RuleState => states.get(key) ?? { used: 0, revoked: undefined };
  return {
    add: async ({ configHash, ...rule }, forMs) => {
      const createdAt = clock();
      const expiresAt = new Date(createdAt.getTime() + forMs);
      const made = { ...rule, source: "similar" as const, createdAt, expiresAt };
      rules.unshift({ ...made, configHash });
      return made;
    },
    list: async (filter) =>
      rules
        .filter(
          ({ tool, principals, configHash }) =>
            filter === undefined ||
            (tool === filter.tool &&
              principals.includes(filter.principal) &&
              configHash === filter.configHash),
        )
        .map(({ configHash: _configHash, ...rule }) => rule),
    states: async (keys) =>
      new Map(keys.filter((key) => states.has(key)).map((key) => [key, stateOf(key)])),
    use: async ({ key, uses, expiresAt }) => {
      const { used, revoked } = stateOf(key);
      if (used >= uses || revoked !== undefined || clock() >= expiresAt) return false;
      states.set(key, { used: used + 1, revoked });
      return true;
    },
    revoke: async ({ key }, by) => {
      const { used, revoked } = stateOf(key);
      if (revoked !== undefined) return false;
      states.set(key, { used, revoked: { at: clock(), by } });
      return true;
    },
  };
}
