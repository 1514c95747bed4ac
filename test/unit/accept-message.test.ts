import { expect, it } from "vitest";
import { createAcceptMessage } from "../../src/ingest/pipeline/accept-message.ts";
import { createFakeObjects } from "../fakes/objects.ts";

// An empty message has no more than the 0 bytes that a row may store here, so it was acknowledged before it had an
// object.
it("an empty message is in the object store before it is acknowledged, if rows store no messages", async () => {
  const objects = createFakeObjects();
  const admitted: { raw: Uint8Array | undefined; stored: number }[] = [];
  const keep = createAcceptMessage({
    objects,
    store: {
      hasAllReceipts: () => Promise.resolve(false),
      admit: async (_mail, _receipt, options) => {
        const { objects: stored } = await objects.list({ prefix: "", limit: 10 });
        admitted.push({ raw: options?.raw, stored: stored.length });
        return { isNew: true };
      },
      claim: () => Promise.resolve([]),
      renew: () => Promise.resolve(),
      advance: () => Promise.resolve(true),
      states: () => Promise.resolve(new Map()),
    },
    inboxBytes: 0,
    firstStep: "parse",
    quarantineOf: () => Promise.resolve(undefined),
    runner: {
      wake: () => undefined,
      reserve: () => ({ leaseMs: 1_000, take: () => undefined }),
    },
  });
  await keep(new Uint8Array(), { intake: "smtp" });
  expect(admitted).toEqual([{ raw: undefined, stored: 1 }]);
});
