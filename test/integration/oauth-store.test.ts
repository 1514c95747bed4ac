import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createOAuthStore } from "../../src/adapters/libsql/oauth/oauth-store.ts";
import { revocationWithinMs } from "../../src/ports/people/oauth-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

/** Opens two replicas on one database, with a clock that the test moves. */
async function replicas() {
  const url = pathToFileURL(join(temporaryDirectory(), "main.db")).href;
  const clock = { ms: 0 };
  const [one, other] = [1, 2].map(() => {
    const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
    onTestFinished(() => database.close());
    return createOAuthStore(database, () => clock.ms);
  }) as [ReturnType<typeof createOAuthStore>, ReturnType<typeof createOAuthStore>];
  await one.put({ model: "Grant", id: "g", payload: { accountId: "alice" }, clientId: "c" }, 60);
  const token = { model: "AccessToken", id: "t", payload: { scope: "mcp" } };
  await one.put({ ...token, grantId: "g", clientId: "c" }, 60);
  return { one, other, clock };
}

const find = (store: ReturnType<typeof createOAuthStore>) => store.findGranted("AccessToken", "t");

it.for<[string, (store: ReturnType<typeof createOAuthStore>) => Promise<unknown>]>([
  ["its client is removed", (store) => store.removeClient("c")],
  ["the tokens of its grant are removed", (store) => store.removeTokens("g")],
  ["its grant is removed", (store) => store.remove("Grant", "g")],
  ["it is removed", (store) => store.remove("AccessToken", "t")],
])("a token ends when %s: here immediately, elsewhere within a second", async ([, removal]) => {
  const { one, other, clock } = await replicas();
  for (const store of [one, other]) expect(await find(store)).toEqual({ scope: "mcp" });
  await removal(one);
  expect(await find(one)).toBeUndefined();
  clock.ms = revocationWithinMs;
  expect(await find(other)).toBeUndefined();
});

it("a token that is removed while it is read is not remembered", async () => {
  const { one } = await replicas();
  const [, removed] = await Promise.all([find(one), one.removeClient("c")]);
  expect(removed).toBe(true);
  expect(await find(one)).toBeUndefined();
});

it("keeps the newest records of a model", async () => {
  const { one, other } = await replicas();
  for (const [at, id] of ["a", "b", "c"].entries())
    await one.put({ model: "Interaction", id, payload: { id }, clientId: "c" }, 60 + at);
  await other.keepNewest("Interaction", 2);
  expect(await one.find("Interaction", "a")).toBeUndefined();
  expect(await one.find("Interaction", "b")).toEqual({ id: "b" });
  expect(await find(one)).toEqual({ scope: "mcp" });
});
