import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { createRuleStore } from "../../src/adapters/libsql/approvals/rule-store.ts";
import type { RuleStore } from "../../src/core/policy/rules/rule-store.ts";
import { ruleKey } from "../../src/core/policy/rules/rule.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { createFakeRules } from "../fakes/rules.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { minute, over } from "./ticket-fixtures.ts";

let directory: ReturnType<typeof makeDirectory>;
let database: Database;

beforeAll(() => {
  directory = makeDirectory();
  const url = pathToFileURL(join(directory.path, "rules.db")).href;
  database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
});

afterAll(async () => {
  await database.close();
  directory.remove();
});

async function emptyTables(): Promise<RuleStore> {
  await database.write(
    ["rules", "rule_uses"].map((table) => ({ sql: `DELETE FROM ${table}`, args: [] })),
  );
  return createRuleStore(database);
}

let count = 0;
function made(fields: Partial<Parameters<RuleStore["add"]>[0]> = {}) {
  count += 1;
  return {
    ruleId: `ru_${count}`,
    tool: "write_file",
    principals: ["local"],
    when: { key: { in: "notes/" }, content: "any" as const },
    uses: 3,
    ticketId: "ap_1",
    channel: "page",
    by: "maria",
    configHash: "config",
    ...fields,
  };
}

describe.each([
  ["the fake", async () => createFakeRules()],
  ["libSQL", emptyTables],
])("%s as the rule store [rules.counted]", (_name, makeStore) => {
  let store: RuleStore;
  beforeEach(async () => {
    store = await makeStore();
  });

  const counted = (uses: number, ms = minute) => {
    count += 1;
    return { key: `key ${count}`, uses, expiresAt: new Date(Date.now() + ms) };
  };

  it("stores a rule unchanged until its time ends", async () => {
    const { configHash: _configHash, ...rule } = made();
    const added = await store.add(made({ ruleId: rule.ruleId }), minute);
    expect(added).toMatchObject({ ...rule, source: "similar" });
    expect(added.expiresAt.getTime() - added.createdAt.getTime()).toBe(minute);
    expect(await store.list()).toEqual([added]);
    expect(ruleKey((await store.list())[0] ?? added)).toBe(ruleKey(added));
  });

  it("finds only rules for the tool, the principal and the same stores", async () => {
    await store.add(made(), minute);
    const call = { tool: "write_file", principal: "local", configHash: "config" };
    expect(await store.list(call)).toHaveLength(1);
    for (const other of [{ tool: "create_event" }, { principal: "alice" }, { configHash: "b" }]) {
      expect(await store.list({ ...call, ...other })).toEqual([]);
    }
  });

  it("grants exactly the remaining uses to concurrent requests", async () => {
    const rule = counted(3);
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.use(rule)));
    expect(taken.filter(Boolean)).toHaveLength(3);
    expect(await store.states([rule.key, "none"])).toEqual(
      new Map([[rule.key, { used: 3, revoked: undefined }]]),
    );
  });

  it("grants no use after the end by its own clock", async () => {
    const late = counted(3, over);
    expect(await store.use(late)).toBe(false);
    expect(await store.states([late.key])).toEqual(new Map());
  });

  it("grants no use after revocation, even if it was never used", async () => {
    const [used, fresh] = [counted(3), counted(3)];
    await store.use(used);
    for (const rule of [used, fresh]) {
      expect(await store.revoke(rule, "maria")).toBe(true);
      expect(await store.revoke(rule, "somebody else")).toBe(false);
      expect(await store.use(rule)).toBe(false);
    }
    const states = await store.states([used.key, fresh.key]);
    expect(states.get(used.key)).toMatchObject({ used: 1, revoked: { by: "maria" } });
    expect(states.get(fresh.key)).toMatchObject({ used: 0, revoked: { by: "maria" } });
  });
});
